# SPDX-License-Identifier: Apache-2.0
# Sourced by the demos of 07, 08 and 09, which set `root`, the project's folder, `build` and `out`.

say() { printf 'demo: %s\n' "$*" >&2; }
fail() { say "$*" && exit 1; }

# `usage`, then what is wrong.
refuse() { usage >&2 && say "$*" && exit 2; }

# ./nax asks whether the options are good before it builds anything.
checked_options() { [ -z "${NAX_ONLY_OPTIONS:-}" ] || exit 0; }

needs_naxc() { [ -x "$build/bin/naxc" ] || fail "there is no $build/bin/naxc: run ./nax build first"; }

# compile_once MODEL.cpp NAME: $out/NAME.o, made once for each compiler and model: what it depends on is summed up in one
# number.
compile_once() {
  key=$({ find "$root/dsl" -type f | sort && echo "$1" "$build/bin/naxc" "$build/lib/libnaxemit.a"; } |
    xargs cat | cksum)
  mkdir -p "$out"
  if [ "$(cat "$out/key" 2>/dev/null)" = "$key" ] && [ -f "$out/$2.o" ]; then
    say "compiled already: $out/$2.o"
    return
  fi
  begin=$(date +%s)
  rm -f "$out/key"
  say "naxc model.cpp -o $2.o"
  "$build/bin/naxc" "$1" -o "$out/$2.o"
  echo "$key" >"$out/key"
  say "compiled $(wc -l <"$1") lines of nax to $(($(wc -c <"$out/$2.o") / 1024)) KB of object code in $(($(date +%s) - begin)) s"
}
