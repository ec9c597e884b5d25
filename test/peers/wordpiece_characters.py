# SPDX-License-Identifier: Apache-2.0
# needs: tokenizers==0.23.3
"""Writes runtime/text/wordpiece_characters.inc: what WordPiece of uncased models makes of each character.

The package `tokenizers` is asked, character by character. Its tables come from several versions of Unicode, 8 or later,
and models were trained behind them, so that the tables of one version would cut texts in other places. Hangul
syllables are left out: their jamo follow by the formula of the Unicode standard, section 3.12.
"""
import os

from tokenizers import normalizers, pre_tokenizers

SYLLABLES = range(0xAC00, 0xD7A4)


def ranges(codes):
    found = []
    for code in codes:
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return [f"{{0x{a:04X}, 0x{b:04X}}}" for a, b in found]


def hangul(code):
    index = code - SYLLABLES.start
    tail = [0x11A7 + index % 28] if index % 28 else []
    return "".join(map(chr, [0x1100 + index // 588, 0x1161 + index % 588 // 28, *tail]))


def classes():
    normal = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True)
    cut = pre_tokenizers.BertPreTokenizer()
    gone, ideographs, punctuation, one, several = [], [], [], {}, {}
    for code in range(0x110000):
        if 0xD800 <= code <= 0xDFFF:
            continue
        made = normal.normalize_str(chr(code))
        if len(cut.pre_tokenize_str(f"a{chr(code)}b")) == 3:
            punctuation.append(code)
        if made == "":
            gone.append(code)
        elif len(made) > 2 and made[0] == made[-1] == " ":
            ideographs.append(code)
            made = made[1:-1]
        if code in SYLLABLES:
            assert made == hangul(code)
        elif made in ("", " ", chr(code)):
            assert made != " " or chr(code).isspace()
        elif len(made) == 1:
            one[code] = ord(made)
        else:
            several[code] = [*map(ord, made), 0][:3]
    return gone, ideographs, punctuation, one, several


def table(out, declaration, items, columns):
    out.write(f"\nstatic const {declaration}[] = {{\n")
    for i in range(0, len(items), columns):
        out.write("    " + ", ".join(items[i:i + columns]) + ",\n")
    out.write("};\n")


def main():
    gone, ideographs, punctuation, one, several = classes()
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../runtime/text/wordpiece_characters.inc")
    with open(path, "w", encoding="ascii") as out:
        out.write("// SPDX-License-Identifier: Apache-2.0\n")
        out.write("// Made by test/peers/wordpiece_characters.py, whose first lines say from what.\n")
        table(out, "naxtext_range gone", ranges(gone), 6)
        table(out, "naxtext_range ideographs", ranges(ideographs), 6)
        table(out, "naxtext_range punctuation", ranges(punctuation), 6)
        table(out, "One one", [f"{{0x{a:04X}, 0x{b:04X}}}" for a, b in one.items()], 6)
        rows = (f"{{0x{a:04X}, {{" + ", ".join(f"0x{c:04X}" if c else "0" for c in b) + "}}" for a, b in several.items())
        table(out, "Several several", list(rows), 3)


if __name__ == "__main__":
    main()
