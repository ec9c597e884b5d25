# SPDX-License-Identifier: Apache-2.0
# Calls naxc with each command line of options-invalid.test; every one must end with the status given.
while read -r line; do
  echo "$line"
  # shellcheck disable=SC2086
  $line 2>&1
  status=$?
  [ "$status" -eq "$1" ] || echo "status $status"
done <<'END'
naxc
naxc --frob m.cpp
naxc m.cpp -o
naxc m.cpp -o=
naxc m.cpp -o -
naxc m.cpp --cxx=
naxc m.cpp -I
naxc m.cpp -isystem
naxc m.cpp -std=c++11
naxc m.cpp -- -std=gnu++17
naxc m.cpp -std=c17
naxc m.cpp --emit=cubin
naxc m.cpp --targets=cpu,nvptx --gpu-type=int8
naxc check m.cpp --targets=cpu,nvptx --gpu-type=f16
naxc m.cpp --targets=nvptx
naxc m.cpp --weights=int4
naxc m.cpp --weights=f16 --weights-of=m.gguf
naxc check m.cpp --weights=f16 --device=emulated
naxc m.cpp --weights=q8_0 --activations=bf16
naxc m.cpp --weights=f16 --activations=int8
naxc m.cpp --cpu=v9
naxc m.cpp --cpu=v3,neon
naxc m.cpp --decode=
naxc m.cpp --decode=forward,,all
naxc m.cpp --decode --emit=nax
naxc m.cpp -o --decode=forward
naxc a.mlir b.cpp
naxc m.cpp --in ids=ids.npy
naxc run m.cpp -o m.o
naxc run m.cpp --set ids[0]=1
naxc check m.cpp --out logits=logits.npy
naxc run m.cpp --in ids
naxc run m.cpp --in ids=a.npy --in ids=b.npy
naxc run m.cpp --threads many
naxc check m.cpp --threads 2
naxc run m.cpp --seed 2
naxc check m.cpp --size T
naxc check m.cpp --set ids=7
END
