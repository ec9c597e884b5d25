#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# llama.cpp and ggml as peers of `./nax bench`, built from source with clang (gcc's ggml is half as fast): the sources
# are those in the PyPI package llama-cpp-python.
#   test/peers/llama.sh FOLDER     leaves in FOLDER: include/, lib/*.a, version; does nothing if they are there
#   CC, CXX                        the compilers; clang 22 unless given
# Only one job, and politely: others may be at work here. Exit status 3: the sources can't be had.
set -eu
[ $# = 1 ] || { echo "usage: test/peers/llama.sh FOLDER" >&2; exit 2; }
version=0.3.36
mkdir -p "$1"
folder=$(CDPATH= cd -- "$1" && pwd)
[ "$(cat "$folder/version" 2>/dev/null)" = "llama-cpp-python $version" ] && exit 0
export CC="${CC:-/usr/lib/llvm-22/bin/clang}" CXX="${CXX:-/usr/lib/llvm-22/bin/clang++}"

work=$folder/work
rm -rf "$work" "$folder/lib" "$folder/include"
mkdir -p "$work" "$folder/lib"
python3 -m pip download -q --no-deps --no-binary :all: --disable-pip-version-check -d "$work" \
  "llama-cpp-python==$version" >&2 || exit 3
tar -xzf "$work"/llama_cpp_python-*.tar.gz -C "$work"
source=$(echo "$work"/llama_cpp_python-*/vendor/llama.cpp)
cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DGGML_NATIVE=ON \
  -DGGML_OPENMP=OFF -DGGML_LLAMAFILE=ON -DLLAMA_CURL=OFF -DLLAMA_BUILD_COMMON=OFF -DLLAMA_BUILD_TESTS=OFF \
  -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_SERVER=OFF >"$work/log"
nice -n 19 ninja -C "$work/build" -j 1 llama >>"$work/log" || { tail -n 20 "$work/log" >&2; exit 1; }
find "$work/build" -name '*.a' -exec cp {} "$folder/lib/" \;
cp -r "$source/include" "$folder/include"
cp "$source"/ggml/include/*.h "$folder/include/"
rm -rf "$work"
echo "llama-cpp-python $version" >"$folder/version"
