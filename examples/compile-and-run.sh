# SPDX-License-Identifier: Apache-2.0
# Sourced by the examples' run.sh, which set `model`, the model's name, and `here`, the example's folder.
#
#   NAX_BUILD  the folder nax is built in; the project's build/ otherwise
#   OUT        where the object, the headers and the program go; a folder in $NAX_BUILD otherwise
root=$(CDPATH= cd -- "$here/../.." && pwd)
build=${NAX_BUILD:-$root/build}
out=${OUT:-$build/examples/$(basename "$here")/run}
mkdir -p "$out"

naxc=$build/bin/naxc
[ -x "$naxc" ] || { echo "there is no $naxc: run ./nax build first" >&2; exit 1; }
libraries="$build/lib/libnaxtext.a $build/lib/libnaxrt.a -pthread -lm -ldl"

"$naxc" "$here/model.cpp" -o "$out/$model.o"
if [ -f "$here/main.c" ]; then
  # shellcheck disable=SC2086  # one word a library
  ${CC:-cc} -std=c11 -Wall -Wextra -O1 -I"$out" -I"$root/runtime/include" "$here/main.c" "$out/$model.o" $libraries -o "$out/main"
else
  # shellcheck disable=SC2086
  ${CXX:-c++} -std=c++20 -Wall -Wextra -O1 -I"$out" -I"$root/runtime/include" "$here/main.cpp" "$out/$model.o" $libraries -o "$out/main"
fi
