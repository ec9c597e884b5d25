#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ./nax demo --chat: a conversation with SmolLM2. Needs a build of nax, and libedit; ../07-smollm2/smollm2.sh says what
# NAX_BUILD and OUT are.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)

usage() {
  cat <<'END'
./nax demo --chat: talks with SmolLM2-135M-Instruct in the terminal, or through a pipe a question a line
  --model FILE.gguf       weights of your own, instead of fetching them
  --system TEXT           what the model is told before the first question
  --temperature X         0: always the likeliest token (0.2)
  --top-k N               draw from the N likeliest tokens only; 0: from all (0)
  --top-p X               draw from the likeliest tokens that have X of the weight (0.9)
  --min-p X               draw from tokens that have X of the likeliest one's weight (0)
  --repetition-penalty X  above 1: less of what the last 64 tokens were; 1: off (1.1)
  --seed N                of the draws: the same one gives the same conversation (0)
  --tokens N              stop an answer after N tokens (512)
  --context N             room for N tokens of questions and answers, at most 8192 (2048)
  --load FILE             go on with a conversation that /save has written
END
}

flags=
values="--system --temperature --top-k --top-p --min-p --repetition-penalty --seed --tokens --context --load"
. "$here/../07-smollm2/smollm2.sh"
find_model
compile_model
link_program chat -ledit main.c conversation.c terminal.c
exec "$out/chat" --model "$model" "$@"
