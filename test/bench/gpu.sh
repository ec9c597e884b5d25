#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a real GPU has to say, in at most six minutes: right numbers, the same answers as nvemu's, and times.
#   test/bench/gpu.sh prepare [--tiny] DIR      compiles all of it into DIR, for any machine with a GPU: naxc, nvemu,
#                                               clang and numpy are needed here, no GPU
#   test/bench/gpu.sh run [--tiny] DIR [OUT]    runs it: needs DIR, a driver and awk, and PyTorch for its figures. Writes
#                                               OUT/gpu.md and OUT/gpu.json (OUT is DIR/results unless given), and in
#                                               OUT/opcodes what each kernel of test/nvemu gives, to be frozen
#   NAX_BUILD     the folder nax is built in; build unless given
# DIR holds programs that are linked with the C library alone, objects with PTX in them, and references: it is carried
# to the GPU as it is. --tiny: so little that the emulator's driver gets through (LD_LIBRARY_PATH=build/lib/nvemu
# NVEMU_CC=90), to see that the script works; an emulated GPU has no clock, so its times are 0.
# Exit status: 1 if a number is wrong or a part did not come to its end.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
gpu=$here/gpu

usage() { sed -n '4,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
die() { printf 'gpu.sh: %s\n' "$*" >&2; exit 1; }
say() { printf '%s s: %s\n' "$(($(date +%s) - began))" "$*" >&2; }

[ $# -ge 2 ] || usage
command=$1
shift
tiny=
[ "$1" = --tiny ] && tiny=yes && shift
[ $# -ge 1 ] && [ $# -le 2 ] || usage
mkdir -p "$1"
dir=$(CDPATH= cd -- "$1" && pwd)
began=$(date +%s)
# What a folder was prepared for is what it can run.
[ "$command" = prepare ] || [ ! -e "$dir/tiny" ] || tiny=yes

# Sizes. H*D = 2048 and B*T = 16k as others measure attention.
if [ "$tiny" ]; then
  sizes="2x65" times="64" tokens=64 width=64 square=64 runs=2 prompt=32 position=24
  types="bf16" opcodes="mma-bf16 vote move convert-integers"
else
  sizes="2x1 2x63 2x64 2x65 2x127 2x128 2x129 2x200 1x1000 1x4096"
  times="512 1024 2048 4096 8192 16384" tokens=16384 width=2048 square=4096 runs=11 prompt=512 position=200
  types="f32 tf32 f16 bf16" opcodes=
fi

# --- prepare ------------------------------------------------------------------

# link NAME SOURCE OBJECT
link() {
  "$clang" -std=c11 -O1 $flags -I"$root/runtime/include" "$gpu/$2.c" "$dir/work/$3.o" "$build/lib/libnaxrt.a" \
    -pthread -lm -ldl -s -o "$dir/$1"
}

# program NAME SOURCE MODEL.cpp OPTION...: a program of SOURCE with the model's object
program() {
  name=$1 source=$2 model=$3
  shift 3
  naxc "$model" "$@" --targets=cpu,nvptx -o "$dir/work/$name.o"
  link "$name" "$source" "$name"
}

# numbers FOLDER MODEL.cpp ENTRY TITLE OPTION...: programs for each type, and what they are compared with
numbers() {
  folder=$1 model=$2 entry=$3 title=$4
  shift 4
  say "numbers: $title"
  if [ "$folder" = decoder ]; then
    "$python" "$gpu/references.py" "$dir/references/$folder" "$model" "$entry" $sizes --
  else
    "$python" "$gpu/references.py" "$dir/references/$folder" "$model" "$entry" $sizes -- -DELEMENT=bf16 "$@"
  fi
  for type in $types; do
    case $type in f32) tolerance=1e-5 ;; tf32 | f16) tolerance=3e-3 ;; bf16) tolerance=2e-2 ;; esac
    # The decoder says f32, whatever the GPU has for it; the other models say their own type.
    if [ "$folder" = decoder ] || [ "$type" = tf32 ]; then memory=$type; else memory=f32; fi
    base=${folder%%-*}
    [ -x "$dir/numbers-$base-$type" ] || program "numbers-$base-$type" numbers "$model" -DELEMENT="${type#t}" --gpu-type="$memory" "$@"
    printf '%s\t%s\t%s\t%s\t%s\n' "numbers-$base-$type" "$title, $type" "$entry" "$tolerance" "references/$folder" \
      >>"$dir/numbers.list"
  done
}

# A model of SmolLM2's form, with the sizes that sed gives it.
decoder() { sed 's/NAX_MODEL(smollm2/NAX_MODEL(model/;'"$1" "$root/examples/07-smollm2/model.cpp"; }
small='s/"V", 49152/"V", 512/;s/"C", 576/"C", 96/;s/"K", 3/"K", 1/;s/"G", 3/"G", 2/;s/"F", 1536/"F", 160/;s/Block, 30/Block, 2/'

prepare() {
  build=${NAX_BUILD:-$root/build}
  clang=/usr/lib/llvm-22/bin/clang llvm=/usr/lib/llvm-22
  [ -x "$clang" ] || clang=$(command -v clang-22) || die "clang 22 is missing: ./nax build installs it"
  [ -x "$build/bin/naxc" ] && [ -x "$build/bin/nvemu" ] || die "$build has no naxc or nvemu: ./nax build makes them"
  python=
  for each in "${NAX_PYTHON:-}" python3 /usr/bin/python3; do
    [ "$python" ] || ! "$each" -c 'import numpy' 2>/dev/null || python=$each
  done
  [ "$python" ] || die "no python3 has numpy: ./nax build installs Debian's"
  PATH=$build/bin:$PATH
  flags="${CFLAGS:-}"
  rm -rf "$dir/references" "$dir/opcodes" "$dir/work" "$dir/tiny" "$dir"/numbers* "$dir"/speed*
  mkdir -p "$dir/work" "$dir/opcodes"
  cp "$gpu/peers.py" "$gpu/table.awk" "$0" "$dir/"
  git -C "$root" rev-parse --short HEAD >"$dir/commit" 2>/dev/null || echo unknown >"$dir/commit"

  say "opcodes"
  tool=$root/runtime/nvemu/tool
  "${clang%clang*}clang++${clang##*/clang}" -std=c++20 -O1 -fno-exceptions -ffunction-sections $flags \
    -I"$root/runtime/nvemu/include" -I"$tool" -isystem "$llvm/include" "$gpu/opcodes.cpp" "$gpu/Device.cpp" \
    "$tool/Argument.cpp" "$tool/CommandLine.cpp" "$tool/Npy.cpp" "$tool/Number.cpp" "$tool/Run.cpp" \
    "$llvm/lib/libLLVMSupport.a" -static-libstdc++ -static-libgcc -fuse-ld=lld -Wl,--gc-sections -pthread -ldl \
    -o "$dir/opcodes/opcodes"
  "$python" "$gpu/opcodes.py" "$root/test/nvemu" "$dir/opcodes" $opcodes >&2

  decoder "$small" >"$dir/work/decoder.cpp"
  numbers attention "$gpu/attention.cpp" causal "attention, D=64"
  if [ "$tiny" ]; then
    numbers matmul-plain "$gpu/matmul.cpp" plain "matmul"
  else # gated has the plain products in it; all references together are about 50 MB
    numbers matmul-biased "$gpu/matmul.cpp" biased "matmul, bias, relu"
    numbers matmul-gated "$gpu/matmul.cpp" gated "matmul, gate"
    numbers attention128 "$gpu/attention.cpp" causal "attention, D=128" -DWIDTH=128 -DHEADS=1
    numbers attention256 "$gpu/attention.cpp" causal "attention, D=256" -DWIDTH=256 -DHEADS=1
    numbers grouped "$gpu/grouped.cpp" windowed "attention, groups, window, cap, D=80, values 48"
  fi
  numbers decoder "$dir/work/decoder.cpp" forward "decoder"

  say "speed"
  for d in 64 128; do
    [ "$tiny" ] && [ "$d" = 128 ] || program "speed-attention-$d" speed "$gpu/attention.cpp" -DWIDTH=$d \
      -DHEADS=$((width / d))
  done
  for shape in $square,$square 576,576 576,1536 1536,576 576,49152; do
    [ "$tiny" ] && [ "$shape" != "$square,$square" ] || program "speed-matmul-$shape" speed "$gpu/matmul.cpp" \
      -DINNER="${shape%,*}" -DOUTER="${shape#*,}"
  done
  if [ "$tiny" ]; then
    link speed-smollm2 speed numbers-decoder-bf16
  else
    decoder '' >"$dir/work/smollm2.cpp"
    program speed-smollm2 speed "$dir/work/smollm2.cpp" --gpu-type=bf16
  fi
  rm -rf "$dir/work"
  [ ! "$tiny" ] || : >"$dir/tiny"
  say "done: $(du -sm "$dir" | cut -f1) MB in $dir"
}

# --- run ----------------------------------------------------------------------

# part NAME SECONDS COMMAND...: appends what it prints to the figures; a part that fails or lasts too long is said to
part() {
  name=$1 limit=$2
  shift 2
  left=$((350 - ($(date +%s) - began)))
  [ "$left" -lt "$limit" ] && limit=$left
  if [ ! "$tiny" ] && [ "$limit" -lt 3 ]; then
    printf 'parts\t%s\tended\tnot begun: no time left\t\t\n' "$name" >>"$out/figures"
    failed=1
    return 0
  fi
  [ "$tiny" ] && limit=600
  status=0
  timeout -k 5 "$limit" "$@" >>"$out/figures" 2>>"$out/messages" || status=$?
  [ $status = 0 ] && return 0
  failed=1
  case $status in 124 | 137) how="took more than $limit s" ;; *) how="status $status" ;; esac
  printf 'parts\t%s\tended\t%s; %s\t\t\n' "$name" "$how" "$(tail -n 1 "$out/messages" | tr '\t' ' ')" >>"$out/figures"
}

run_numbers() {
  say "numbers"
  while IFS="$(printf '\t')" read -r program title entry tolerance folder; do
    part "$title" 60 "$dir/$program" "$title" "$entry" "$tolerance" "$dir/$folder" $sizes
  done <"$dir/numbers.list"
}

run_attention() {
  for d in 64 128; do
    [ -x "$dir/speed-attention-$d" ] || continue
    for t in $times; do
      b=$((tokens / t)) h=$((width / d)) row="D=$d T=$t"
      part "attention $row" 30 "$dir/speed-attention-$d" call "attention, causal, bf16" "$row" nax causal "$b" "$t" \
        $((2 * b * h * t * t * d)) "$runs"
      peers="$peers
attention:attention, causal, bf16:$row:$b:$t:$h:$d"
    done
  done
}

run_matmul() {
  for m in $square 512 1; do
    for program in "$dir"/speed-matmul-*; do
      shape=${program##*-} row=
      k=${shape%,*} n=${shape#*,}
      # The square alone with as many rows, the others with those of a prefill and a step.
      case $m,$shape in $square,$square,$square) ;; $square,* | *,$square,$square) continue ;; esac
      row="$m x $k x $n"
      part "matmul $row" 30 "$program" call "matmul, bf16" "$row" nax plain 1 "$m" $((2 * m * k * n)) "$runs"
      peers="$peers
matmul:matmul, bf16:$row:$m:$k:$n"
    done
  done
}

run_peers() {
  say "peers"
  if ! command -v python3 >/dev/null; then
    printf 'peers\tPyTorch\t\tnot measured\t\tthere is no python3\n' >>"$out/figures"
    return 0
  fi
  [ ! "$tiny" ] || peers=$(printf '%s\n' "$peers" | head -n 2)
  (
    IFS='
'
    set -f
    part peers 110 python3 "$dir/peers.py" 100 $peers
    exit "$failed"
  ) || failed=1
}

run_opcodes() {
  say "opcodes"
  mkdir -p "$out/opcodes"
  old=$(pwd)
  cd "$dir/opcodes"
  part opcodes 100 ./opcodes list expected "$out/opcodes"
  cd "$old"
}

run() {
  out=${1:-$dir/results}
  [ -s "$dir/numbers.list" ] || die "$dir holds nothing to run: gpu.sh prepare $dir makes it"
  rm -rf "$out"
  mkdir -p "$out"
  out=$(CDPATH= cd -- "$out" && pwd)
  : >"$out/figures"
  failed=0 peers=
  [ -x "$dir/speed-smollm2" ] || die "$dir is not complete: gpu.sh prepare $dir makes it"
  "$dir/speed-smollm2" about >"$out/about" || die "there is no GPU to run on"
  run_numbers
  say "speed"
  run_attention
  run_matmul
  part SmolLM2 60 "$dir/speed-smollm2" decoder "SmolLM2-135M, bf16, one sequence" "$prompt" "$position" "$runs"
  run_opcodes
  run_peers
  write_tables
  ! grep -q 'WRONG$' "$out/figures" || failed=1
  say "done: $out/gpu.md"
  exit "$failed"
}

# "key": "value", lines for JSON; and "key: value" for people
write_tables() {
  {
    printf 'date\t%s\n' "$(date -u +%Y-%m-%d)"
    cat "$out/about"
    printf 'driver\t%s\n' "$(sed -n 's/.*Kernel Module[^0-9]*\([0-9.]*\).*/\1/p' /proc/driver/nvidia/version 2>/dev/null)"
    printf 'nax\t%s\n' "$(cat "$dir/commit")"
    [ ! "$tiny" ] || printf 'sizes\ttiny\n'
    printf 'seconds\t%s\n' "$(($(date +%s) - began))"
  } | awk -F '\t' '$2 != ""' >"$out/about.all"
  about=$(tr -d '"\\' <"$out/about.all" | awk -F '\t' '{ printf "  \"%s\": \"%s\",\\n", $1, $2 }')
  title=$(awk -F '\t' '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $1, $2 }' "$out/about.all")
  awk -v title="$title" -v about="$about" -v json="$out/gpu.json" -f "$dir/table.awk" "$out/figures" >"$out/gpu.md"
  rm "$out/about" "$out/about.all"
}

case $command in
  prepare)
    [ $# = 1 ] || usage
    prepare
    ;;
  run) run ${2:+"$2"} ;;
  *) usage ;;
esac
