# SPDX-License-Identifier: Apache-2.0
"""Compiles models with naxc and calls their objects from Python, with numpy arrays.

    model = nax_call.compile(source_text, "sweep", naxc)     # one shared library, as many entries as the model has
    out = model.call("forward", params, ids=ids)             # {"logits": array}

Nothing of a model's shape is known here: arguments, axes and parameters come from the description in the object.
"""
import ctypes as c
import os, shutil, subprocess, tempfile
import numpy as np

I, P, S = c.c_int64, c.c_void_p, c.c_char_p


class Axis(c.Structure):
    _fields_ = [("name", S), ("size", I), ("limit", I), ("limit_reason", S)]


class Buffer(c.Structure):
    _fields_ = [("name", S), ("dtype", I), ("rank", I), ("axes", c.POINTER(I)), ("text", S), ("role", I), ("bound", I),
                ("bound_name", S), ("data_axis", I)]


class Param(c.Structure):
    _fields_ = [("name", S), ("dtype", I), ("rank", I), ("axes", c.POINTER(I)), ("text", S)]


class Entry(c.Structure):
    _fields_ = [("name", S), ("dim_count", I), ("dims", c.POINTER(I)), ("buffer_count", I), ("buffers", c.POINTER(Buffer)),
                ("workspace", c.CFUNCTYPE(I, c.POINTER(I))), ("body", P)]


class Desc(c.Structure):
    _fields_ = [("abi", I), ("name", S), ("axis_count", I), ("axes", c.POINTER(Axis)), ("param_count", I),
                ("params", c.POINTER(Param)), ("slot_count", I), ("slots", P), ("block_bytes", I), ("name_count", I),
                ("names", P), ("entry_count", I), ("entries", c.POINTER(Entry)), ("cpu_level", I)]


class Hooks(c.Structure):
    _fields_ = [("user", P), ("allocate", P), ("release", P), ("parallel_for", P), ("log", P)]


class Options(c.Structure):
    _fields_ = [("threads", I), ("hooks", Hooks)]


# By nax_dtype; the two half types are passed as their bits.
TYPES = [np.float32, np.uint16, np.uint16, np.float64, np.int32, np.int64, np.bool_]
OUTPUT, SEED = 1, 5


class Error(Exception):
    pass


def run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise Error(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def find_naxc(naxc):
    path = shutil.which(naxc)
    if not path:
        raise Error(f"there is no {naxc}")
    return os.path.realpath(path)


def compile(text, name, naxc="naxc", flags=()):
    """A model's C++ text, compiled, linked with the runtime and loaded."""
    naxc = find_naxc(naxc)
    runtime = os.path.join(os.path.dirname(naxc), "..", "lib", "libnaxrt.a")
    with tempfile.TemporaryDirectory() as folder:
        source, obj, library = (os.path.join(folder, name + end) for end in (".cpp", ".o", ".so"))
        with open(source, "w") as f:
            f.write(text)
        run([naxc, source, "-o", obj, *flags])
        run(["clang", "-shared", "-o", library, obj, "-Wl,--whole-archive", runtime, "-Wl,--no-whole-archive", "-pthread",
             "-lm", "-ldl"])
        return Model(library, name)


class Model:
    def __init__(self, library, name, threads=0):
        self.lib, self.name = c.CDLL(library), name
        self.lib.nax_last_error.restype = S
        self.desc = Desc.in_dll(self.lib, name + "_desc")
        self.axes = [self.desc.axes[i] for i in range(self.desc.axis_count)]
        self.entries = {e.name.decode(): (i, e) for i, e in
                        ((i, self.desc.entries[i]) for i in range(self.desc.entry_count))}
        self.context = self.new_context(threads)

    def new_context(self, threads):
        options, out = Options(threads=threads), P()
        self.check(self.lib.nax_context_create(c.byref(options), c.byref(out)), None)
        return out

    def check(self, status, context):
        if status:
            raise Error(self.lib.nax_last_error(context).decode())

    def shape(self, tensor):
        """The extents of a parameter or buffer, -1 where a call gives them."""
        return [self.axes[tensor.axes[i]].size for i in range(tensor.rank)]

    def param_shapes(self):
        return {p.name.decode(): self.shape(p) for p in (self.desc.params[i] for i in range(self.desc.param_count))}

    def open(self, path):
        out = P()
        self.check(self.lib.naxrt_params_open(self.context, c.byref(self.desc), path.encode(), c.byref(out)), self.context)
        return out

    def params(self, values):
        """Parameters from {path: array}, each in its declared order."""
        kept = []
        for i in range(self.desc.param_count):
            p = self.desc.params[i]
            value = np.asarray(values[p.name.decode()], TYPES[p.dtype], order="C")
            if list(value.shape) != self.shape(p):
                raise Error(f"{p.name.decode()} is {p.text.decode()}, {self.shape(p)}, but got {value.shape}")
            kept.append(value)
        pointers, out = (P * max(1, len(kept)))(*[v.ctypes.data for v in kept]), P()
        self.check(self.lib.naxrt_params_from_memory(self.context, c.byref(self.desc), pointers, c.byref(out)), self.context)
        return out

    def call(self, entry, params=None, context=None, fill=np.nan, **inputs):
        """Runs one entry. Outputs hold `fill` before the call, so that what is never written shows."""
        index, e = self.entries[entry]
        extents, arrays, outs = {}, [], {}
        for i in range(e.buffer_count):
            b = e.buffers[i]
            name = b.name.decode()
            if b.role == OUTPUT:
                continue
            value = np.asarray(inputs.pop(name), TYPES[b.dtype], order="C")
            if value.ndim != b.rank:
                raise Error(f"{name} is {b.text.decode()}, but got {value.shape}")
            for j in range(b.rank):
                axis, size = b.axes[j], value.shape[j]
                want = self.axes[axis].size if self.axes[axis].size >= 0 else extents.setdefault(axis, size)
                if size != want:
                    raise Error(f"{name}: axis {self.axes[axis].name.decode()} is {want}, but got {value.shape}")
            arrays.append(value)
        if inputs:
            raise Error(f"{entry} has no argument {', '.join(inputs)}")
        for i in range(e.buffer_count):
            b = e.buffers[i]
            if b.role == OUTPUT:
                shape = [extents[b.axes[j]] if self.axes[b.axes[j]].size < 0 else self.axes[b.axes[j]].size
                         for j in range(b.rank)]
                value = np.zeros(shape, TYPES[b.dtype])
                if value.dtype.kind == "f":
                    value[...] = fill
                outs[b.name.decode()] = value
                arrays.append(value)
        dims = (I * max(1, e.dim_count))(*[extents[e.dims[i]] for i in range(e.dim_count)])
        buffers = (P * len(arrays))(*[a.ctypes.data for a in arrays])
        context = context or self.context
        self.check(self.lib.naxrt_invoke(context, c.byref(self.desc), I(index), params, dims, buffers, None, c.c_size_t(0)),
                   context)
        return outs
