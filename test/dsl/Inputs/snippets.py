# SPDX-License-Identifier: Apache-2.0
"""snippets.py PAGE.md FOLDER HEADERS: writes the page's `cpp` blocks into FOLDER as 1.cpp, 2.cpp, ..., and fails if an
operation that HEADERS define is not on the page."""
import glob
import os
import re
import sys

page, folder, headers = sys.argv[1:]
text = open(page, encoding="utf-8").read()
blocks = re.findall(r"^```cpp\n(.*?)^```", text, re.M | re.S)
for i, block in enumerate(blocks, 1):
    with open(f"{folder}/{i}.cpp", "w", encoding="utf-8") as f:
        f.write(block)

# Each operation has a deleted overload for g++, or is one of a family that a header is included for.
operations = set()
for header in glob.glob(os.path.join(headers, "*.h")) + glob.glob(os.path.join(headers, "ops", "*.h")):
    if os.path.basename(header) == "other_names.h":  # names of other libraries, which are refused
        continue
    source = open(header, encoding="utf-8").read()
    operations |= set(re.findall(r"^NAX_WRONG\(.*\), (\w+),\s*\(", source, re.M))
    operations |= set(re.findall(r"^#define NAX_OP (\w+)$", source, re.M))
operations -= {"NAX_OP"}
missing = [name for name in sorted(operations) if not re.search(rf"\b{name}\b", re.sub(r"^```cpp\n.*?^```", "", text, flags=re.M | re.S))]
for name in missing:
    print(f"{page} does not name {name}")
sys.exit(bool(missing) or len(operations) < 30 or not blocks)
