#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ./nax demo: from this folder's model.cpp and a file of weights to an answer. Needs a build of nax.
#   NAX_BUILD  the folder nax is built in; the project's build/ otherwise
#   OUT        where the object and the program go; a folder in $NAX_BUILD otherwise
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
build=${NAX_BUILD:-$root/build}
out=${OUT:-$build/examples/07-smollm2/run}

usage() {
  cat <<'END'
./nax demo: SmolLM2-135M-Instruct, written in nax, compiled to an object file, answers a prompt
  --prompt TEXT      the question
  --tokens N         at most N tokens of answer (48)
  --raw              go on with the text instead of answering it
  --model FILE.gguf  weights of your own, instead of fetching them
END
}
say() { printf 'demo: %s\n' "$*"; }

model=
count=$#
while [ "$count" -gt 0 ]; do
  argument=$1
  shift
  count=$((count - 1))
  case $argument in
    -h | --help) usage && exit 0 ;;
    --raw) set -- "$@" --raw && continue ;;
    --model | --prompt | --tokens) ;;
    *) usage >&2 && exit 2 ;;
  esac
  [ "$count" -gt 0 ] || { echo "demo: $argument needs a value" >&2 && exit 2; }
  value=$1
  shift
  count=$((count - 1))
  if [ "$argument" = --model ]; then model=$value; else set -- "$@" "$argument" "$value"; fi
done

[ -x "$build/bin/naxc" ] || { echo "demo: there is no $build/bin/naxc: run ./nax build first" >&2 && exit 1; }

if [ -z "$model" ]; then
  status=0
  model=$(sh "$here/fetch.sh") || status=$?
  if [ "$status" = 3 ]; then
    say "without network there is no SmolLM2. Running examples/05-gpt instead, a small model whose weights are here"
    NAX_BUILD=$build
    export NAX_BUILD
    unset OUT
    exec sh "$root/examples/05-gpt/run.sh"
  fi
  [ "$status" = 0 ] || exit "$status"
fi
[ -r "$model" ] || { echo "demo: there is no file $model to read" >&2 && exit 1; }

# The object is made once for each compiler and model: what it depends on is summed up in one number.
libraries="$build/lib/libnaxtext.a $build/lib/libnaxrt.a"
# shellcheck disable=SC2086  # one word a library
key=$({ find "$root/dsl" "$root/runtime/include" -type f | sort &&
  echo "$here/model.cpp" "$here/main.c" "$build/bin/naxc" "$build/lib/libnaxemit.a" $libraries; } | xargs cat | cksum)
mkdir -p "$out"
if [ "$(cat "$out/key" 2>/dev/null)" = "$key" ] && [ -x "$out/main" ]; then
  say "compiled already: $out/smollm2.o"
else
  begin=$(date +%s)
  rm -f "$out/key"
  say "naxc model.cpp -o smollm2.o"
  "$build/bin/naxc" "$here/model.cpp" -o "$out/smollm2.o"
  say "cc main.c smollm2.o -lnaxtext -lnaxrt -o main"
  # shellcheck disable=SC2086
  ${CC:-cc} -std=c11 -O1 -I"$out" -I"$root/runtime/include" "$here/main.c" "$out/smollm2.o" $libraries -pthread -lm -ldl -o "$out/main.$$"
  mv -f "$out/main.$$" "$out/main" # another demo may be running
  echo "$key" >"$out/key"
  say "compiled $(wc -l <"$here/model.cpp") lines of nax to $(($(wc -c <"$out/smollm2.o") / 1024)) KB of object code in $(($(date +%s) - begin)) s"
fi
exec "$out/main" --model "$model" "$@"
