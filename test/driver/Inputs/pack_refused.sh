# SPDX-License-Identifier: Apache-2.0
# What naxc pack can't do, and what it says; for pack.test.
say() {
  echo "$*"
  naxc pack model.mlir --cpu=v2 "$@" 2>&1 && echo "packed all the same"
}
say --weights=q4_k w.gguf
say -o w.nax
say w.gguf -o w.gguf
say w.gguf -o w.nax --params ids.npy
say w.gguf -o w.nax --entry forward
say w.gguf -o w.nax --device=emulated
say nowhere.gguf -o w.nax
say w.gguf -o nowhere/w.nax
say w.gguf -o folder.nax
say w.gguf -o w.nax --weights=q6_k
say ids.npy -o w.nax
