#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ./nax demo --embeddings: from this folder's model.cpp and a file of weights to sentences compared. Needs a build of nax.
# The sentences are
# compared by main.c.
#
#   NAX_BUILD  the folder nax is built in; the project's build/ otherwise
#   OUT        where the object, its header and the program go; a folder in $NAX_BUILD otherwise
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
build=${NAX_BUILD:-$root/build}
out=${OUT:-$build/examples/09-embeddings/run}
. "$root/examples/compile-once.sh"

usage() {
  cat <<'END'
./nax demo --embeddings: all-MiniLM-L6-v2, written in nax, compiled to an object file, compares sentences
  SENTENCE...        your own, two or more; else five that come with it
  --model FOLDER     with model.safetensors and vocab.txt, instead of fetching them; before the sentences
END
}

folder=
case ${1:-} in
  -h | --help) usage && exit 0 ;;
  --model)
    [ $# -gt 1 ] || { say "--model needs a value" && exit 2; }
    folder=$2
    shift 2
    ;;
  --*) refuse "there is no option $1; above are those that there are" ;;
esac
checked_options

if [ -z "$folder" ]; then
  status=0
  folder=$(sh "$here/fetch.sh") || status=$?
  if [ "$status" = 3 ]; then
    say "without network there is no MiniLM. Running examples/06-encoder instead, a small one whose weights are here"
    exec sh "$here/../06-encoder/run.sh"
  fi
  [ "$status" = 0 ] || exit "$status"
fi
for file in model.safetensors vocab.txt; do
  [ -r "$folder/$file" ] || fail "there is no file $folder/$file to read"
done

needs_naxc
compile_once "$here/model.cpp" minilm
${CC:-cc} -std=c11 -Wall -Wextra -O1 -I"$out" -I"$root/runtime/include" "$here/main.c" "$out/minilm.o" \
  "$build/lib/libnaxtext.a" "$build/lib/libnaxrt.a" -pthread -lm -ldl -o "$out/main.$$"
mv -f "$out/main.$$" "$out/main" # another demo may be running
exec "$out/main" --model "$folder" "$@"
