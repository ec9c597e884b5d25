# SPDX-License-Identifier: Apache-2.0
# build.sh KERNELS.mlir OUT.so LEVEL: the kernels as a shared library for a CPU
# level, by the passes that the compiler runs, through files.
set -e
nax-opt "$1" --nax-expand-kernels=cpu="$3" --nax-expand-math --canonicalize --cse \
  --loop-invariant-code-motion --convert-scf-to-cf --expand-strided-metadata \
  --lower-affine --convert-vector-to-llvm --canonicalize --cse \
  --convert-math-to-llvm --convert-arith-to-llvm --convert-index-to-llvm \
  --finalize-memref-to-llvm --convert-ub-to-llvm --convert-func-to-llvm \
  --convert-cf-to-llvm --reconcile-unrealized-casts --nax-outline-parallel \
  -o "$2.llvm.mlir"
mlir-translate --mlir-to-llvmir "$2.llvm.mlir" -o "$2.ll"
clang -Wno-override-module -O3 -march=x86-64-"$3" -fPIC -shared "$2.ll" -o "$2"
