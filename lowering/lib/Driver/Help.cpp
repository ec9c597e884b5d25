//===- Help.cpp - naxc --help ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Options.h"

using namespace llvm;

StringRef nax::driver::helpText() {
  return R"(naxc compiles models written in nax's C++ language.

  naxc MODEL.cpp... -o MODEL.o   writes MODEL.o, MODEL.h (C) and MODEL.hpp (C++), all or none
  naxc run MODEL.cpp...          compiles, then calls one entry on files
  naxc check MODEL.cpp...        compiles, then compares with a float64 evaluation of the same
                                 model, looks for future positions that leak into earlier ones,
                                 and calls it twice and with 1 and 2 threads
  naxc pack MODEL.cpp... WEIGHTS -o FILE.nax   writes the parameters as the model has them in
                                 memory, for opening without reading them; a program compiled
                                 with the same options takes the file in the place of WEIGHTS
  naxc explain N0012             more about the error of that code; without one, lists all codes
  A .mlir file, also one of --dump-stages, may stand in place of the .cpp files.

compiling
  -o FILE               the object, or what --emit says
  --emit=WHAT           one thing alone, to standard output without -o: a stage (nax, fused,
                        linalg, planned, kernels; for GPUs gpu-linalg, gpu-planned,
                        gpu-kernels, gpu-llvm), llvm (LLVM IR), ptx, asm or obj
  --dump-stages=DIR     the module after each stage, numbered; naxc goes on from any but gpu-...
  --cpu=LEVEL,...       what the object has code for: v2 (SSE4.2), v3 (AVX2), v4 (AVX-512), v4+
                        (with VNNI and BF16), amx (with tiles for --weights=bf16), native (this
                        machine's, also what run and check take), or neon (aarch64) alone; by
                        itself v2,v3,v4. A program runs the
                        best that the processor has, or NAX_LEVEL's; --emit shows the best as text
  --targets=cpu,nvptx   also code for NVIDIA GPUs (compute capability 8.0 and later) within the object
  --gpu-type=f32|tf32|f16|bf16   what a GPU has in memory where the model says f32; sums are f32.
                        tf32: memory has f32, and what dots and attention multiply is rounded to
                        10 bits of mantissa for tensor cores; f32 stays f32 throughout
  --weights=TYPE        store matrices that the model declares as f32, and tables that are looked
                        up, as f16, bf16, q8_0, q4_0, q4_1, q6_k or q4_k. A matrix whose rows are
                        no multiple of the type's block is q8_0 in place of ..._k, or stays f32.
                        For CPUs, where v4+, and amx for bf16, are then levels by themselves
  --weights-of=FILE     the same, each as this file (GGUF, safetensors) has it
  --activations=int8|f32   what quantised weights are multiplied with: blocks of 32 rounded to int8,
                        by itself, or f32 as it is
  --decode=ENTRY,...    also derives the step of these entries, as NAX_DECODE in the model does:
                        a few new positions after those that a cache holds
  --cxx=COMPILER        in place of clang++-22; also NAX_CXX in the environment
  -I -isystem -D -U -include -std=    as the compiler takes them; all after -- go to it too
  --trace-limit=N       seconds that the model's own code may run; 60
  --timing              how long each stage took
  --verbose             commands, and all that the compiler says

running
  --params FILE         safetensors, GGUF, npy or packed file, or a folder of npy files
  --in NAME=FILE.npy    an input, --out NAME=FILE.npy a result
  --entry NAME          which entry, where a model has several
  --threads N           the most that run at once
  --device=WHERE        cpu; cuda, a GPU; emulated, the same code for GPUs on the CPU, where races
                        and accesses that are out of place are found

checking
  --params, --in, --entry, --device as for run; what is not given is random
  --size T=8            the size of an axis that is known only when called
  --set ids[0,3]=7      also change one token, and show what changes with it
  --seed N              of what is random
  --save DIR            write parameters, inputs, results and the float64 results as npy files

  --help  --version
)";
}
