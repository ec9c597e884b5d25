# SPDX-License-Identifier: Apache-2.0
"""The Python side of what test/bench/cpu/worker.h describes: a peer is a program that `./nax bench` asks for rows, one
command a line. `serve` answers, given a function for each kind of row, which returns what one call is; what that returns
is summed up to compare it with nax's.

The tensors of all programs are the same drawn numbers."""
import importlib.metadata
import json
import struct
import sys
import time

import numpy

THREADS = int(sys.argv[1]) if len(sys.argv) > 1 else 1


def draw(tensor, *shape):
    """As draw() of worker.h."""
    count = int(numpy.prod(shape))
    mixed = (numpy.arange(count, dtype=numpy.uint32) + numpy.uint32(tensor * 0x3C6EF35F & 0xFFFFFFFF)) * numpy.uint32(2654435761)
    mixed ^= mixed >> numpy.uint32(15)
    mixed *= numpy.uint32(2246822519)
    return ((mixed >> numpy.uint32(16) & numpy.uint32(1023)).astype(numpy.float32) / 1024 - 0.5).reshape(shape)


def draw_weights(k, n):
    """[K,N], as draw_params() of entry.c has them."""
    return draw(1, k, n) * numpy.float32((12 / k) ** 0.5)


def ids(batch, length, bound, first=0):
    return ((numpy.arange(batch * length) + first) * 7919 % bound).reshape(batch, length)


def read_safetensors(path):
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        head = json.loads(file.read(size))
        data = numpy.frombuffer(file.read(), dtype=numpy.uint8)
    head.pop("__metadata__", None)
    kinds = {"F32": numpy.float32, "I64": numpy.int64}
    tensors = {}
    for name, entry in head.items():
        begin, end = entry["data_offsets"]
        tensors[name] = data[begin:end].view(kinds[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def version(*packages):
    return ", ".join("%s %s" % (p, importlib.metadata.version(p)) for p in packages)


def clocks():
    return time.perf_counter_ns(), time.process_time_ns()


def run(call, count):
    if count > 1:
        call()
    begin = clocks()
    for _ in range(count):
        call()
    return "%d %d" % tuple(end - start for end, start in zip(clocks(), begin))


def check(call):
    result = numpy.asarray(call(), dtype=numpy.float64)
    return "%.9g %.9g" % (result.sum(), numpy.abs(result).sum())


def peak():
    with open("/proc/self/status") as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))


def open_row(kinds, words):
    if words[0] not in kinds:
        raise ValueError("not a row of this peer")
    call = kinds[words[0]](*words[1:])
    call()
    return call


def answer(about, kinds, row, words):
    """The answer, and the row that is open behind it."""
    if words[0] == "about":
        return about, row
    if words[0] == "open":
        row = None  # the row before is freed first
        try:
            return "ok 0", open_row(kinds, words[1:])
        except Exception as error:  # whatever a package raises: the others go on
            return "no " + " ".join(("%s: %s" % (type(error).__name__, error)).split())[:160], None
    if row is None:
        return "no row is open", None
    if words[0] == "run":
        return run(row, int(words[1])), row
    if words[0] == "check":
        return check(row), row
    if words[0] == "memory":
        return str(peak()), row
    return ("ok", None) if words[0] == "close" else ("no there is no command " + words[0], row)


def serve(about, kinds):
    if len(sys.argv) > 3 and sys.argv[2] == "--once":
        return print(check(kinds[sys.argv[3]](*sys.argv[4:])), flush=True)
    # What packages print must not come between the answers.
    out, sys.stdout = sys.stdout, sys.stderr
    row = None
    for line in sys.stdin:
        text, row = answer(about, kinds, row, line.split())
        print(text, file=out, flush=True)
