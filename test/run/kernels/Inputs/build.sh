# SPDX-License-Identifier: Apache-2.0
# build.sh KERNELS.mlir OUT.so LEVEL: the kernels as a shared library for a CPU
# level, by the passes that the compiler runs, through files.
set -e
fma='' bits=--nax-bf16-bits
case $3 in
  v2) fma=--nax-split-fma bits="$bits --nax-f16-bits" cpu=x86-64-v2 ;;
  v4+) cpu="x86-64-v4 -mavx512vnni -mavx512bf16" ;;
  amx) cpu="x86-64-v4 -mavx512vnni -mavx512bf16 -mamx-tile -mamx-bf16" ;;
  *) cpu=x86-64-$3 ;;
esac
nax-opt "$1" --nax-expand-kernels=cpu="$3" $fma --nax-expand-math --canonicalize --cse \
  --loop-invariant-code-motion --convert-scf-to-cf --expand-strided-metadata \
  --lower-affine --convert-vector-to-llvm --canonicalize --cse \
  --convert-math-to-llvm --arith-expand=include-bf16=true --convert-arith-to-llvm \
  --convert-index-to-llvm --finalize-memref-to-llvm --convert-ub-to-llvm \
  --convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts \
  --nax-outline-parallel $bits -o "$2.llvm.mlir"
mlir-translate --mlir-to-llvmir "$2.llvm.mlir" -o "$2.ll"
clang -Wno-override-module -O3 -march=$cpu -fPIC -shared "$2.ll" -o "$2"
