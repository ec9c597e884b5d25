#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ./nax demo: SmolLM2 answers a prompt. Needs a build of nax; smollm2.sh says what NAX_BUILD and OUT are.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)

usage() {
  cat <<'END'
./nax demo: SmolLM2-135M-Instruct, written in nax, compiled to an object file, answers a prompt
  --prompt TEXT      the question
  --tokens N         at most N tokens of answer (48)
  --raw              go on with the text instead of answering it
  --model FILE.gguf  weights of your own, instead of fetching them
END
}

flags="--raw"
values="--prompt --tokens"
. "$here/smollm2.sh"
find_model
compile_model
link_program answer "" main.c
exec "$out/answer" --model "$model" "$@"
