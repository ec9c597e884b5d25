# SPDX-License-Identifier: Apache-2.0
"""libnaxrt for Python: the structures of nax/model_desc.h and the calls that the tests of parameters need."""

import ctypes as c

import numpy as np

I64 = c.c_int64
STORED = {"": 0, "f16": 1, "bf16": 2, "bf16_pairs": 3, "Q8_0": 8, "Q4_0": 9, "Q4_1": 10, "Q6_K": 11, "Q4_K": 12}
COLUMN_BYTES = {"Q8_0": 34, "Q4_0": 18, "Q4_1": 20, "Q4_K": 148, "Q6_K": 210}
DTYPES = {"f32": 0, "f16": 1, "bf16": 2, "f64": 3, "i32": 4, "i64": 5, "bool": 6}


class Axis(c.Structure):
    _fields_ = [("name", c.c_char_p), ("size", I64), ("limit", I64), ("limit_reason", c.c_char_p),
                ("slots_of", I64), ("ring", I64)]


class Param(c.Structure):
    _fields_ = [("name", c.c_char_p), ("dtype", I64), ("rank", I64), ("axes", c.POINTER(I64)), ("text", c.c_char_p)]


class Slot(c.Structure):
    _fields_ = [("param", I64), ("offset", I64), ("nr", I64), ("stored", I64), ("n_count", I64),
                ("n_axes", c.POINTER(I64)), ("k_count", I64), ("k_axes", c.POINTER(I64))]


class Name(c.Structure):
    _fields_ = [(f, c.c_char_p) for f in ("table", "param", "file", "axes", "pairing")]


class Level(c.Structure):
    _fields_ = [("cpu", I64), ("slot_count", I64), ("slots", c.POINTER(Slot)), ("block_bytes", I64), ("code", c.c_void_p)]


class Model(c.Structure):
    _fields_ = [("abi", I64), ("name", c.c_char_p), ("axis_count", I64), ("axes", c.POINTER(Axis)),
                ("param_count", I64), ("params", c.POINTER(Param)), ("name_count", I64), ("names", c.POINTER(Name)),
                ("entry_count", I64), ("entries", c.c_void_p), ("level_count", I64), ("levels", c.POINTER(Level))]


class Params(c.Structure):
    """The head of nax_params, which only a test looks into."""

    _fields_ = [("magic", c.c_char * 8), ("model", c.c_void_p), ("level", c.c_void_p), ("hooks", c.c_void_p * 5), ("block_bytes", I64),
                ("block", c.c_void_p)]


LOG = c.CFUNCTYPE(None, c.c_void_p, c.c_int, c.c_char_p)


class Options(c.Structure):
    _fields_ = [("threads", I64), ("user", c.c_void_p), ("allocate", c.c_void_p), ("release", c.c_void_p),
                ("parallel_for", c.c_void_p), ("log", LOG)]


def indices(numbers):
    return (I64 * max(len(numbers), 1))(*numbers)


def text(value):
    return None if value is None else value.encode()


class Failed(Exception):
    pass


class Runtime:
    def __init__(self, path, threads=2):
        self.lib = c.CDLL(path)
        self.lib.nax_last_error.restype = c.c_char_p
        self.lib.nax_status_name.restype = c.c_char_p
        self.log = []
        self.hook = LOG(lambda user, level, line: self.log.append(line.decode()))
        self.context = c.c_void_p()
        options = Options(threads=threads, log=self.hook)
        self.check(self.lib.nax_context_create(c.byref(options), c.byref(self.context)))

    def check(self, status):
        if status:
            name = self.lib.nax_status_name(status).decode()
            raise Failed(f"{name}: {self.lib.nax_last_error(self.context).decode()}")

    def open(self, model, path):
        """The block of parameters that a file gives, as bytes."""
        params = c.POINTER(Params)()
        self.check(self.lib.naxrt_params_open(self.context, c.byref(model), str(path).encode(), c.byref(params)))
        return params

    def from_memory(self, model, arrays):
        pointers = (c.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
        params = c.POINTER(Params)()
        self.check(self.lib.naxrt_params_from_memory(self.context, c.byref(model), pointers, c.byref(params)))
        return params

    def pack(self, model, path, to):
        self.check(self.lib.naxrt_params_pack(self.context, c.byref(model), str(path).encode(), str(to).encode()))

    def verify(self, params):
        self.check(self.lib.naxrt_params_verify(self.context, params))

    def block(self, params):
        return c.string_at(params.contents.block, params.contents.block_bytes)

    def read(self, params, index, shape):
        out = np.full(shape, np.nan)
        self.check(self.lib.naxrt_params_read(self.context, params, I64(index), out.ctypes.data_as(c.c_void_p)))
        return out

    def close(self, params):
        self.lib.naxrt_params_close(params)


def model(name, axes, params, slots, names=()):
    """axes {name: size}; params [(name, dtype, [axis])]; slots [(param, nr, [position], [position], stored)] laid one
    after another, stored left out: as declared; names [(table, param, file, axes, pairing)]. Returns the description and the slots' offsets."""
    numbers = {axis: i for i, axis in enumerate(axes)}
    keep = []

    def kept(array):
        keep.append(array)
        return array

    descs = [Param(text(n), DTYPES[d], len(a), kept(indices([numbers[x] for x in a])), text(f"[{','.join(a)}]"))
             for n, d, a in params]
    offset, offsets, slot_descs = 0, [], []
    for param, nr, n, k, *rest in slots:
        stored = rest[0] if rest else ""
        _, dtype, own = params[param]
        rows = int(np.prod([axes[own[i]] for i in n], dtype=np.int64))
        columns = int(np.prod([axes[own[i]] for i in k], dtype=np.int64))
        if nr:
            rows = -(-rows // nr) * nr
        offsets.append(offset)
        slot_descs.append(Slot(param, offset, nr, STORED[stored], len(n), kept(indices(n)), len(k), kept(indices(k))))
        if stored in COLUMN_BYTES:
            offset += rows * (columns // (256 if stored.endswith("K") else 32)) * COLUMN_BYTES[stored]
        else:
            columns += -columns % 32 if stored == "bf16_pairs" else 0
            offset += rows * columns * {"f32": 4, "f16": 2, "bf16": 2, "f64": 8}[stored[:4].rstrip("_") or dtype]
        offset = -(-offset // 64) * 64
    level = Level(0, len(slots), (Slot * max(len(slots), 1))(*slot_descs), offset, None)
    desc = Model(
        5, text(name), len(axes), (Axis * len(axes))(*(Axis(text(n), s, -1, None, -1, 0) for n, s in axes.items())),
        len(descs), (Param * len(descs))(*descs),
        len(names), (Name * max(len(names), 1))(*(Name(*map(text, n)) for n in names)), 0, None, 1, (Level * 1)(level))
    desc.keep = keep
    return desc, offsets


def join_levels(*models):
    """One model with the levels of several, [(nax_cpu, model)]."""
    cpus, models = zip(*models)
    levels = (Level * len(models))(*(m.levels[0] for m in models))
    for level, cpu in zip(levels, cpus):
        level.cpu = cpu
    joined = Model.from_buffer_copy(models[0])
    joined.level_count, joined.levels, joined.keep = len(models), levels, models
    return joined
