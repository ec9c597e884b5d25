#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the model to an object, links the program with it and runs it.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
model=gpt
. "$here/../compile-and-run.sh"
exec "$out/main" "$here/gpt.safetensors" "$@"
