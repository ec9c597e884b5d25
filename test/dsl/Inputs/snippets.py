# SPDX-License-Identifier: Apache-2.0
"""snippets.py PAGE.md FOLDER: writes the page's `cpp` blocks into FOLDER as 1.cpp, 2.cpp, ..."""
import re
import sys

page, folder = sys.argv[1:]
blocks = re.findall(r"^```cpp\n(.*?)^```", open(page, encoding="utf-8").read(), re.M | re.S)
for i, block in enumerate(blocks, 1):
    with open(f"{folder}/{i}.cpp", "w", encoding="utf-8") as f:
        f.write(block)
sys.exit(not blocks)
