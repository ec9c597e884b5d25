#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `./nax bench` runs:
#   test/bench/run.sh [OPTION...] [ROW...]  the rows of cpu/rows.py in turns with other libraries and with what the machine
#                                           can do; cpu/bench.py has the options
#   test/bench/run.sh prefill [SECONDS]     examples 05 and 07 alone, on one thread and on all: whole prefixes; seconds to
#                                           spend on each line, 3 unless given
#   test/bench/run.sh decode [ROUNDS]       single steps of SmolLM2 behind 200 and 2000 positions, in turns with
#                                           llama.cpp (decode.py); the median of 3 rounds unless given
#   NAX_BUILD                               the folder nax is built in; build-release unless given
#   NAX_BENCH_OUT                           where results of rows go; bench in that folder unless given
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
build=${NAX_BUILD:-$root/build-release}
out=$build/bench
mkdir -p "$out"

case ${1:-} in
  prefill | decode) ;;
  *) exec python3 "$here/cpu/bench.py" "$build" "${NAX_BENCH_OUT:-$out}" "$@" ;;
esac

sed -n '/^model name/{s/[^:]*: */processor: /p;q}' /proc/cpuinfo
echo "cores: $(nproc)"

if [ "${1:-}" = decode ]; then
  "$build/bin/naxc" "$root/examples/07-smollm2/model.cpp" -o "$out/smollm2.o"
  ${CC:-cc} -std=c11 -O1 -I"$out" "$here/decode.c" "$out/smollm2.o" "$build/lib/libnaxrt.a" -pthread -lm -ldl \
    -o "$out/decode"
  exec python3 "$here/decode.py" "$out/decode" "$(sh "$root/examples/07-smollm2/fetch.sh")" ${2:+"$2"}
fi

seconds=${2:-3}

# compile MODEL SOURCE: the object, and the program that measures it
compile() {
  began=$(date +%s)
  "$build/bin/naxc" "$2" -o "$out/$1.o"
  echo "$1: compiled in $(($(date +%s) - began)) s, object of $(($(wc -c <"$out/$1.o") / 1024)) KB"
  ${CC:-cc} -std=c11 -O1 -DMODEL="$1_desc" -I"$root/runtime/include" "$here/prefill.c" "$out/$1.o" "$build/lib/libnaxrt.a" \
    -pthread -lm -ldl -o "$out/$1"
}

# measure MODEL ENTRY B T [PARAMS]
measure() {
  model=$1 entry=$2 b=$3 t=$4
  shift 4
  for threads in 1 $(nproc); do
    "$out/$model" "$entry" "$b" "$t" "$seconds" "$threads" "$@"
  done
}

compile gpt "$root/examples/05-gpt/model.cpp"
measure gpt forward 1 96 "$root/examples/05-gpt/gpt.safetensors"
measure gpt forward 16 96 "$root/examples/05-gpt/gpt.safetensors"
measure gpt follow 1 96 "$root/examples/05-gpt/gpt.safetensors"

# Its own weights make no difference to the time, so they are drawn.
if [ -f "$root/examples/07-smollm2/model.cpp" ]; then
  compile smollm2 "$root/examples/07-smollm2/model.cpp"
  measure smollm2 forward 1 16
  measure smollm2 forward 1 128
fi
