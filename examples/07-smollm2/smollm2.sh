# SPDX-License-Identifier: Apache-2.0
# Sourced by demo.sh of the examples 07 and 08: from this model's text and a file of weights to a program that has both.
# They set `here`, their own folder, `flags` and `values`, the options that their program takes without and with a value,
# and define usage. What is sourced takes --model out of "$@" and leaves what the program is given.
#
#   NAX_BUILD  the folder nax is built in; the project's build/ otherwise
#   OUT        where the object and the programs go; a folder in $NAX_BUILD otherwise
smollm2=$(CDPATH= cd -- "$here/../07-smollm2" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
build=${NAX_BUILD:-$root/build}
out=${OUT:-$build/examples/07-smollm2/run}
. "$root/examples/compile-once.sh"

# `model` is a file of the user's own, or nothing.
model=
count=$#
while [ "$count" -gt 0 ]; do
  argument=$1
  shift
  count=$((count - 1))
  case $argument in -h | --help) usage && exit 0 ;; esac
  case " $flags " in *" $argument "*) set -- "$@" "$argument" && continue ;; esac
  case " --model $values " in *" $argument "*) ;; *) refuse "there is no option $argument; above are those that there are" ;; esac
  [ "$count" -gt 0 ] || fail "$argument needs a value"
  value=$1
  shift
  count=$((count - 1))
  if [ "$argument" = --model ]; then model=$value; else set -- "$@" "$argument" "$value"; fi
done
checked_options

# Sets `model`; without network there is example 05.
find_model() {
  needs_naxc
  if [ -z "$model" ]; then
    status=0
    model=$(sh "$smollm2/fetch.sh") || status=$?
    if [ "$status" = 3 ]; then
      say "without network there is no SmolLM2. Running examples/05-gpt instead, a small model whose weights are here"
      NAX_BUILD=$build
      export NAX_BUILD
      unset OUT
      exec sh "$root/examples/05-gpt/run.sh"
    fi
    [ "$status" = 0 ] || exit "$status"
  fi
  [ -r "$model" ] || fail "there is no file $model to read"
}

compile_model() { compile_once "$smollm2/model.cpp" smollm2; }

# link_program NAME LIBRARY SOURCE...: $out/NAME, of sources in `here`. LIBRARY is one more to link, or empty.
link_program() {
  name=$1
  library=$2
  shift 2
  say "cc $* smollm2.o -lnaxtext -lnaxrt${library:+ $library} -o $name"
  for source; do
    shift
    set -- "$@" "$here/$source"
  done
  # shellcheck disable=SC2086  # one word a library
  ${CC:-cc} -std=c11 -O1 -I"$out" -I"$root/runtime/include" "$@" "$out/smollm2.o" \
    "$build/lib/libnaxtext.a" "$build/lib/libnaxrt.a" $library -pthread -lm -ldl -o "$out/$name.$$"
  mv -f "$out/$name.$$" "$out/$name" # another demo may be running
}
