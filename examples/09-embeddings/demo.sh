#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ./nax demo --embeddings: from this folder's model.cpp and a file of weights to sentences compared. Needs a build of nax.
# NAX_BUILD and OUT are as compile-and-run.sh says.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)

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
    [ $# -gt 1 ] || { echo "demo: --model needs a value" >&2 && exit 2; }
    folder=$2
    shift 2
    ;;
  --*) usage >&2 && exit 2 ;;
esac

if [ -z "$folder" ]; then
  status=0
  folder=$(sh "$here/fetch.sh") || status=$?
  if [ "$status" = 3 ]; then
    echo "demo: without network there is no MiniLM. Running examples/06-encoder instead, a small one whose weights are here"
    exec sh "$here/../06-encoder/run.sh"
  fi
  [ "$status" = 0 ] || exit "$status"
fi
for file in model.safetensors vocab.txt; do
  [ -r "$folder/$file" ] || { echo "demo: there is no file $folder/$file to read" >&2 && exit 1; }
done

model=minilm
. "$here/../compile-and-run.sh"
echo "demo: compiled $(wc -l <"$here/model.cpp") lines of nax to $(($(wc -c <"$out/minilm.o") / 1024)) KB of object code"
exec "$out/main" --model "$folder" "$@"
