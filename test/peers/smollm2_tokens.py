# SPDX-License-Identifier: Apache-2.0
# needs: gguf==0.19.0 numpy==2.4.6 tokenizers==0.23.3
"""Golden tokens of SmolLM2, made without nax: test/peers/run smollm2_tokens.py MODEL.gguf

The package `tokenizers` gets the file's own vocabulary and merges. Writes two files:

test/text/Inputs/vocabulary.xz, from which test/text/Inputs/make_vocabulary.py makes a GGUF file without weights, so that the tests
of the tokenizer need no download. Lines: the special tokens, an empty line, the single bytes in hex, an empty line, the
merges. (The other tokens follow: the tokens are the special ones, the bytes, then what each merge makes.)

test/text/Inputs/golden.txt, with lines of three fields between tabs; \\n \\r \\t \\\\ and \\xNN (a byte) are escapes:

    plain    IDS  TEXT      the text's ids, special tokens being letters like others
    named    IDS  TEXT      the same with special tokens recognised
    refused  TEXT           a byte that has no token, as "OFFSET BYTE", is in the second field
    broken   OFFSET  TEXT   no UTF-8 from this byte on, as python sees it
    bytes    IDS  TEXT      ids to text, where it may need U+FFFD; python's decode(errors="replace") is the judge
"""
import lzma
import os
import random
import sys

from gguf import GGUFReader
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from smollm2_strings import broken, strings
from text_peers import escaped

CONTROL = 3


def field(reader, key):
    return reader.fields["tokenizer.ggml." + key].contents()


def letter_of_byte():
    """GPT-2's letters for bytes."""
    prints = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in prints]
    return {b: chr(b) for b in prints} | {b: chr(256 + i) for i, b in enumerate(others)}


def tokenizer_of(reader, specials=True):
    """The file's vocabulary behind the steps that SmolLM2's own tokenizer.json names."""
    assert field(reader, "model") == "gpt2" and field(reader, "pre") == "smollm"
    tokens, kinds = field(reader, "tokens"), field(reader, "token_type")
    merges = [tuple(m.split(" ")) for m in field(reader, "merges")]
    made = Tokenizer(models.BPE(vocab={t: i for i, t in enumerate(tokens)}, merges=merges))
    made.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=True, use_regex=True),
    ])
    made.decoder = decoders.ByteLevel()
    if specials:
        made.add_special_tokens([AddedToken(t, special=True, normalized=False) for t, k in zip(tokens, kinds) if k == CONTROL])
    return made


def write_vocabulary(reader, path):
    tokens, kinds, merges = field(reader, "tokens"), field(reader, "token_type"), field(reader, "merges")
    byte_of_letter = {c: b for b, c in letter_of_byte().items()}
    specials = [t for t, k in zip(tokens, kinds) if k == CONTROL]
    made = {m.replace(" ", "") for m in merges}
    singles = [byte_of_letter[t] for t in tokens if t not in made and t not in specials]
    again = specials + [letter_of_byte()[b] for b in singles] + [m.replace(" ", "") for m in merges]
    assert again == tokens, "the tokens do not follow from the merges"
    text = "\n".join([*specials, "", *(f"{b:02X}" for b in singles), "", *merges]) + "\n"
    with open(path, "wb") as out:
        out.write(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    return {b for b in range(256) if b not in singles}


def write_golden(reader, missing, path):
    plain, named = tokenizer_of(reader, specials=False), tokenizer_of(reader)
    letters = letter_of_byte()
    byte_of_letter = {c: b for b, c in letters.items()}
    specials = [t for t, k in zip(field(reader, "tokens"), field(reader, "token_type")) if k == CONTROL]
    lines = []
    for text in dict.fromkeys(strings(specials)):
        data = text.encode()
        lost = [i for i, b in enumerate(data) if b in missing]
        if lost:
            lines.append(f"refused\t{lost[0]} {data[lost[0]]:02X}\t{escaped(data)}")
            continue
        modes = [("plain", plain)] + ([("named", named)] if any(s in text for s in specials) else [])
        for mode, tokenizer in modes:
            ids = tokenizer.encode(text).ids
            assert tokenizer.decode(ids, skip_special_tokens=False) == text
            lines.append(f"{mode}\t{' '.join(map(str, ids))}\t{escaped(data)}")
    for data in broken():
        try:
            data.decode()
            raise AssertionError("this is whole UTF-8")
        except UnicodeDecodeError as error:
            lines.append(f"broken\t{error.start}\t{escaped(data)}")
    draw = random.Random(4)
    tokens = field(reader, "tokens")
    singles = [i for i, t in enumerate(tokens) if len(t) == 1]
    for i in range(60):
        ids = [draw.choice(singles) if draw.random() < 0.8 else draw.randrange(len(specials), len(tokens)) for _ in range(draw.randint(1, 12))]
        data = b"".join(bytes(byte_of_letter[c] for c in tokens[i]) for i in ids)
        lines.append(f"bytes\t{' '.join(map(str, ids))}\t{escaped(data.decode(errors='replace').encode())}")
    with open(path, "w", encoding="utf-8") as out:
        out.write("# Made by test/peers/smollm2_tokens.py, whose first lines explain the form.\n")
        out.write("\n".join(lines) + "\n")
    counts = {}
    for line in lines:
        kind = line.split("\t")[0]
        counts[kind] = counts.get(kind, 0) + 1
    print(path, counts)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: smollm2_tokens.py MODEL.gguf")
    reader = GGUFReader(sys.argv[1])
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../text/Inputs")
    missing = write_vocabulary(reader, os.path.join(folder, "vocabulary.xz"))
    write_golden(reader, missing, os.path.join(folder, "golden.txt"))


if __name__ == "__main__":
    main()
