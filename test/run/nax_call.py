# SPDX-License-Identifier: Apache-2.0
"""Compiles models with naxc and calls their objects from Python, with numpy arrays.

    model = nax_call.compile(source_text, "sweep", naxc)     # one shared library, as many entries as the model has
    out = model.call("forward", params, ids=ids)             # {"logits": array}
    cache = model.cache("forward", B=2, T=100)               # of an entry with a step; T is the capacity
    out = cache.step(params, ids=ids[:, :7], counts=[7, 3])  # without counts every row has all new positions

Nothing of a model's shape is known here: arguments, axes and parameters come from the description in the object.
"""
import ctypes as c
import os, shutil, subprocess, tempfile
import numpy as np

I, P, S = c.c_int64, c.c_void_p, c.c_char_p


class Axis(c.Structure):
    _fields_ = [("name", S), ("size", I), ("limit", I), ("limit_reason", S), ("slots_of", I), ("ring", I)]


class Buffer(c.Structure):
    _fields_ = [("name", S), ("dtype", I), ("rank", I), ("axes", c.POINTER(I)), ("text", S), ("role", I), ("bound", I),
                ("bound_name", S), ("data_axis", I), ("cache", I)]


class Param(c.Structure):
    _fields_ = [("name", S), ("dtype", I), ("rank", I), ("axes", c.POINTER(I)), ("text", S)]


class Entry(c.Structure):
    _fields_ = [("name", S), ("kind", I), ("of", S), ("step", I), ("dim_count", I), ("dims", c.POINTER(I)),
                ("buffer_count", I), ("buffers", c.POINTER(Buffer))]


class Desc(c.Structure):
    _fields_ = [("abi", I), ("name", S), ("axis_count", I), ("axes", c.POINTER(Axis)), ("param_count", I),
                ("params", c.POINTER(Param)), ("name_count", I), ("names", P), ("entry_count", I),
                ("entries", c.POINTER(Entry)), ("level_count", I), ("levels", P)]


class Hooks(c.Structure):
    _fields_ = [("user", P), ("allocate", P), ("release", P), ("parallel_for", P), ("log", P)]


class Options(c.Structure):
    _fields_ = [("threads", I), ("hooks", Hooks)]


# By nax_dtype; the two half types are passed as their bits.
TYPES = [np.float32, np.uint16, np.uint16, np.float64, np.int32, np.int64, np.bool_]
INPUT, OUTPUT, LENGTHS, STARTS, DOCUMENTS, SEED, COUNTS, CACHE = range(8)
WHOLE, STEP, BEGIN = range(3)


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


def levels(flags):
    """An object that only runs here needs the level alone that will run."""
    return [] if any(f.startswith("--cpu") for f in flags) else ["--cpu=" + (os.environ.get("NAX_LEVEL") or "native")]


def compile(text, name, naxc="naxc", flags=(), ending=".cpp", load=None):
    """A model's C++ text, or the text of one of its stages (.mlir), compiled, linked with the runtime and loaded as what
    `load` makes of a library: a Model."""
    naxc = find_naxc(naxc)
    runtime = os.path.join(os.path.dirname(naxc), "..", "lib", "libnaxrt.a")
    with tempfile.TemporaryDirectory() as folder:
        source, obj, library = (os.path.join(folder, name + end) for end in (ending, ".o", ".so"))
        with open(source, "w") as f:
            f.write(text)
        run([naxc, source, "-o", obj, *levels(flags), *flags])
        run(["clang", "-shared", "-o", library, obj, "-Wl,--whole-archive", runtime, "-Wl,--no-whole-archive", "-pthread",
             "-lm", "-ldl"])
        return (load or Model)(library, name)


LEVELS = ["v2", "v3", "v4", "v4+", "amx"]
EVERY_LEVEL = "--cpu=" + ",".join(LEVELS)


def each_level(model):
    """Those of LEVELS that this processor has; while one is looked at, its code is what calls of the model run."""
    before = os.environ.get("NAX_LEVEL")
    for level in LEVELS:
        os.environ["NAX_LEVEL"] = level
        try:
            model.context = model.new_context(0)
        except Error as lacks:
            if "the best level of this processor" not in str(lacks):
                raise
            print(f"{level}: not on this processor", flush=True)
            continue
        yield level
    if before is None:
        del os.environ["NAX_LEVEL"]
    else:
        os.environ["NAX_LEVEL"] = before


class Model:
    DESC = "_desc"

    def __init__(self, library, name, threads=0):
        self.lib, self.name = c.CDLL(library), name
        self.lib.nax_last_error.restype = S
        self.desc = Desc.in_dll(self.lib, name + self.DESC)
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
            value = np.asarray(self.bits(values[p.name.decode()], p.dtype), TYPES[p.dtype], order="C")
            if list(value.shape) != self.shape(p):
                raise Error(f"{p.name.decode()} is {p.text.decode()}, {self.shape(p)}, but got {value.shape}")
            kept.append(value)
        pointers, out = (P * max(1, len(kept)))(*[v.ctypes.data for v in kept]), P()
        self.take(pointers, out)
        return out

    def bits(self, value, dtype):
        """What a parameter is given as; one of a half type as its bits."""
        return value

    def take(self, pointers, out):
        self.check(self.lib.naxrt_params_from_memory(self.context, c.byref(self.desc), pointers, c.byref(out)), self.context)

    def call(self, entry, params=None, context=None, fill=np.nan, cache=None, workspace=None, sizes={}, **inputs):
        """Runs one entry. Outputs hold `fill` before the call, so that what is never written shows. The caller's workspace
        is an array of bytes; `sizes` are those of axes that no input has, by name."""
        index, e = self.entries[entry]
        extents, arrays = {}, []
        for i in range(e.buffer_count):
            arrays.append(self.input(e.buffers[i], inputs, extents))
        if inputs:
            raise Error(f"{entry} has no argument {', '.join(inputs)}")
        outs = {}
        for i in range(e.buffer_count):
            b = e.buffers[i]
            if b.role == OUTPUT:
                size = lambda axis: extents[axis] if self.axes[axis].size < 0 else self.axes[axis].size
                value = np.zeros([size(b.axes[j]) for j in range(b.rank)], TYPES[b.dtype])
                if value.dtype.kind == "f":
                    value[...] = fill
                outs[b.name.decode()] = arrays[i] = value
        dims = (I * max(1, e.dim_count))(*[extents.get(d, sizes.get(self.axes[d].name.decode(), 0))
                                           for d in (e.dims[i] for i in range(e.dim_count))])
        buffers = (P * max(1, len(arrays)))(*[None if a is None else a.ctypes.data for a in arrays])
        self.invoke(context or self.context, index, params, cache, dims, buffers, arrays, workspace)
        return outs

    def invoke(self, context, index, params, cache, dims, buffers, arrays, workspace):
        """`buffers` has the addresses of `arrays`."""
        place, size = (None, 0) if workspace is None else (workspace.ctypes.data, workspace.nbytes)
        self.check(self.lib.naxrt_invoke(context, c.byref(self.desc), I(index), params, cache, dims, buffers, P(place),
                                         c.c_size_t(size)), context)

    def input(self, b, inputs, extents):
        """The array of an input; None for an output, a cache, and counts that were not given."""
        name = b.name.decode()
        if b.role in (OUTPUT, CACHE) or b.role == COUNTS and inputs.get(name) is None:
            inputs.pop(name, None)
            return None
        value = np.asarray(inputs.pop(name), TYPES[b.dtype], order="C")
        if value.ndim != b.rank:
            raise Error(f"{name} is {b.text.decode()}, but got {value.shape}")
        for j in range(b.rank):
            axis, size = b.axes[j], value.shape[j]
            want = self.axes[axis].size if self.axes[axis].size >= 0 else extents.setdefault(axis, size)
            if size != want:
                raise Error(f"{name}: axis {self.axes[axis].name.decode()} is {want}, but got {value.shape}")
        return value

    def create_cache(self, context, index, sizes, out):
        self.check(self.lib.naxrt_cache_create(context, c.byref(self.desc), I(index), sizes, c.byref(out)), context)

    def cache(self, entry, context=None, **sizes):
        return Cache(self, entry, sizes, context or self.context)


class Cache:
    """What the step of an entry keeps. `sizes` by the names of axes; that of the positions is the capacity."""

    def __init__(self, model, entry, sizes, context):
        self.model, self.lib, self.entry, self.sizes, self.handle = model, model.lib, entry, sizes, P()
        for name, result in (("rows", I), ("capacity", I), ("length", I), ("bytes", c.c_size_t)):
            getattr(self.lib, "nax_cache_" + name).restype = result
        self.lib.naxrt_cache_buffer_count.restype, self.lib.naxrt_cache_buffer.restype = I, P
        index, e = model.entries[entry + "_step"]
        buffers = [e.buffers[i] for i in range(e.buffer_count)]
        self.counts = next(b for b in buffers if b.role == COUNTS)
        self.descs = sorted((b for b in buffers if b.role == CACHE), key=lambda b: b.cache)
        kept = {b.axes[j] for b in self.descs for j in range(b.rank)} | {self.counts.data_axis}
        kept |= {self.counts.axes[j] for j in range(self.counts.rank)}
        dims = [e.dims[i] for i in range(e.dim_count) if e.dims[i] in kept and model.axes[e.dims[i]].slots_of < 0]
        values = (I * max(1, len(dims)))(*[sizes[model.axes[d].name.decode()] for d in dims])
        model.create_cache(context, index, values, self.handle)

    def __del__(self):
        self.lib.nax_cache_destroy(self.handle)

    def check(self, status, context=None):
        self.model.check(status, context or self.model.context)

    def step(self, params=None, counts=None, **inputs):
        inputs[self.counts.name.decode()] = counts
        return self.model.call(self.entry + "_step", params, cache=self.handle, sizes=self.sizes, **inputs)

    def begin(self, params=None, **inputs):
        return self.model.call(self.entry + "_begin", params, cache=self.handle, sizes=self.sizes, **inputs)

    def rows(self):
        return self.lib.nax_cache_rows(self.handle)

    def capacity(self):
        return self.lib.nax_cache_capacity(self.handle)

    def length(self, row=0):
        return self.lib.nax_cache_length(self.handle, I(row))

    def lengths(self):
        return [self.length(row) for row in range(self.rows())]

    def reset(self, row):
        self.check(self.lib.nax_cache_reset(self.model.context, self.handle, I(row)))

    def truncate(self, row, length):
        self.check(self.lib.nax_cache_truncate(self.model.context, self.handle, I(row), I(length)))

    def copy(self, row, other, other_row):
        self.check(self.lib.nax_cache_copy(self.model.context, self.handle, I(row), other.handle, I(other_row)))

    def save(self, row, path):
        self.check(self.lib.nax_cache_save(self.model.context, self.handle, I(row), path.encode()))

    def restore(self, row, path):
        self.check(self.lib.nax_cache_restore(self.model.context, self.handle, I(row), path.encode()))

    def ring(self, number):
        """How many slots the ring of a buffer has at most; 0: it grows; -1: fixed."""
        axes = [self.model.axes[self.descs[number].axes[j]] for j in range(self.descs[number].rank)]
        return next((a.ring for a in axes if a.slots_of >= 0), -1)

    def buffers(self):
        """The memory itself, [rows, slots, elements of a slot], or [rows or 1, elements of a row] of a fixed one."""
        out = []
        for i in range(self.lib.naxrt_cache_buffer_count(self.handle)):
            size = c.c_size_t()
            at = self.lib.naxrt_cache_buffer(self.handle, I(i), c.byref(size))
            kind = np.dtype(TYPES[self.descs[i].dtype])
            flat = np.frombuffer((c.c_char * size.value).from_address(at), kind) if size.value else np.zeros(0, kind)
            ring = self.ring(i)
            slots = min(ring or self.capacity(), self.capacity()) if ring >= 0 else 1
            rows = self.rows() if ring >= 0 or flat.size % max(1, self.rows()) == 0 else 1
            shape = (rows, slots, -1) if flat.size else (rows, slots, 0)
            out.append(flat.reshape(shape) if ring >= 0 else flat.reshape(rows, -1) if flat.size else flat)
        return out
