# SPDX-License-Identifier: Apache-2.0
# needs: unicodedata2==16.0.0
"""Writes runtime/text/unicode_ranges.inc: the letters (\\p{L}) and numbers (\\p{N}) of Unicode 16, as sorted ranges."""
import os

import unicodedata2 as unicode


def ranges(group):
    found, first = [], None
    for code in range(0x110001):
        inside = code < 0x110000 and unicode.category(chr(code))[0] == group
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            found.append((first, code - 1))
            first = None
    return found


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../runtime/text/unicode_ranges.inc")
    with open(path, "w", encoding="ascii") as out:
        out.write("// SPDX-License-Identifier: Apache-2.0\n")
        out.write(f"// Made by test/peers/unicode_ranges.py from Unicode {unicode.unidata_version}: first and last of each range.\n")
        for name, group in (("letters", "L"), ("numbers", "N")):
            all_of_them = [f"{{0x{a:04X}, 0x{b:04X}}}" for a, b in ranges(group)]
            out.write(f"\nstatic const naxtext_range {name}[] = {{\n")
            for i in range(0, len(all_of_them), 6):
                out.write("    " + ", ".join(all_of_them[i:i + 6]) + ",\n")
            out.write("};\n")


if __name__ == "__main__":
    main()
