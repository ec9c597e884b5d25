# SPDX-License-Identifier: Apache-2.0
"""Models on an emulated GPU from Python, by nax_call.py: each call copies its arrays to the GPU and its results back.

    model = gpu_call.compile(source_text, "sized", naxc, ["--gpu-type=bf16"])
"""
import ctypes as c
import os, sys
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import nax_call
from nax_call import I, P


class Address(c.Structure):
    """nax_cuda_ptr"""
    _fields_ = [("address", c.c_uint64)]


def bf16_bits(x):
    """The nearest bf16, an even one of two that are as near."""
    bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def rounded(x, kind):
    """f32 numbers as the GPU has them in memory, in float64."""
    if kind == "bf16":
        return (bf16_bits(x).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return np.asarray(x, np.float16 if kind == "f16" else np.float32).astype(np.float64)


def compile(text, name, naxc="naxc", flags=()):
    # Whoever opens the driver by its name from here on gets this one.
    driver = os.path.join(os.path.dirname(nax_call.find_naxc(naxc)), "..", "lib", "nvemu", "libcuda.so.1")
    c.CDLL(driver, mode=c.RTLD_GLOBAL)
    return nax_call.compile(text, name, naxc, ["--targets=cpu,nvptx", *flags], load=Model)


class Model(nax_call.Model):
    DESC = "_cuda_desc"

    def __init__(self, library, name):
        super().__init__(library, name, threads=1)
        self.cuda = P()
        self.check(self.lib.nax_cuda_open(self.context, I(0), c.byref(self.cuda)), self.context)

    def open(self, path):
        out = P()
        self.check(self.lib.naxrt_cuda_params_open(self.context, self.cuda, c.byref(self.desc), path.encode(), c.byref(out)),
                   self.context)
        return out

    def bits(self, value, dtype):
        if nax_call.TYPES[dtype] is not np.uint16:
            return value
        return bf16_bits(value) if dtype == 2 else np.asarray(value, np.float16).view(np.uint16)

    def take(self, pointers, out):
        self.check(self.lib.naxrt_cuda_params_from_memory(self.context, self.cuda, c.byref(self.desc), pointers,
                                                          c.byref(out)), self.context)

    def create_cache(self, context, index, sizes, out):
        self.check(self.lib.naxrt_cuda_cache_create(context, self.cuda, c.byref(self.desc), I(index), sizes, c.byref(out)),
                   context)

    def invoke(self, context, index, params, cache, dims, buffers, arrays, workspace):
        entry, places = self.desc.entries[index], {}
        for i, array in enumerate(arrays):
            # Lengths, starts, documents, counts and the seed are read on the host.
            if entry.buffers[i].role not in (nax_call.INPUT, nax_call.OUTPUT):
                continue
            place = places[i] = Address()
            self.check(self.lib.nax_cuda_allocate(context, self.cuda, c.c_size_t(array.nbytes), c.byref(place)), context)
            self.check(self.lib.nax_cuda_upload(context, self.cuda, None, place, P(array.ctypes.data),
                                                c.c_size_t(array.nbytes)), context)
            buffers[i] = place.address
        self.check(self.lib.naxrt_cuda_invoke(context, self.cuda, c.byref(self.desc), I(index), params, cache, None, dims,
                                              buffers, None, c.c_size_t(0)), context)
        for i, place in places.items():
            if entry.buffers[i].role == nax_call.OUTPUT:
                self.check(self.lib.nax_cuda_download(context, self.cuda, None, P(arrays[i].ctypes.data), place,
                                                      c.c_size_t(arrays[i].nbytes)), context)
            self.lib.nax_cuda_free(self.cuda, place)
