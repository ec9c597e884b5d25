# SPDX-License-Identifier: Apache-2.0
# needs: gguf==0.19.0 numpy==2.4.6 tokenizers==0.23.3
"""Random texts through libnaxtext and the package `tokenizers`: test/peers/run smollm2_compare.py MODEL.gguf [ROUNDS] [SEED]

First every character of Unicode by itself between letters, signs, spaces and digits, then drawn texts. Compiles the
libraries for itself with cc. Characters newer than Unicode 16 may be classed differently and are not drawn.
"""
import ctypes
import random
import sys
import tempfile
import unicodedata

from gguf import GGUFReader

from smollm2_strings import strings
from smollm2_tokens import field, tokenizer_of
from text_peers import build_library


class Library:
    def __init__(self, path, folder):
        self.c = build_library(folder)
        self.context, self.tokenizer = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.c.nax_context_create(None, ctypes.byref(self.context)) == 0
        assert self.c.nax_tokenizer_open(self.context, path.encode(), ctypes.byref(self.tokenizer)) == 0, self.error()

    def error(self):
        return self.c.nax_last_error(self.context).decode()

    def encode(self, text, named):
        data = text.encode()
        ids, count = (ctypes.c_int32 * max(len(data), 1))(), ctypes.c_int64()
        status = self.c.nax_text_encode(self.context, self.tokenizer, data, ctypes.c_size_t(len(data)), named, ids, ctypes.c_int64(len(data)), ctypes.byref(count))
        return None if status else ids[:count.value]


def texts(draw, specials, rounds):
    known = [c for c in map(chr, range(0x110000)) if unicodedata.category(c) not in ("Cs", "Cn", "Co")]
    for c in known:
        yield f"a{c}b !{c}! {c} {c}{c}1{c}2  {c}\n{c}"
    parts = [s for s in strings(specials) if 0 < len(s) < 12]
    for _ in range(rounds):
        yield "".join(draw.choice(parts) if draw.random() < 0.7 else draw.choice(known) for _ in range(draw.randint(1, 12)))


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: smollm2_compare.py MODEL.gguf [ROUNDS] [SEED]")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    reader = GGUFReader(sys.argv[1])
    specials = [t for t, k in zip(field(reader, "tokens"), field(reader, "token_type")) if k == 3]
    judges = [tokenizer_of(reader, specials=False), tokenizer_of(reader)]
    compared = refused = differ = 0
    with tempfile.TemporaryDirectory() as folder:
        ours = Library(sys.argv[1], folder)
        for text in texts(draw, specials, rounds):
            named = draw.randrange(2)
            mine, judged = ours.encode(text, named), judges[named].encode(text).ids
            compared += 1
            if mine is None:
                # Refused is what `tokenizers` would lose a byte of without a word.
                refused += 1
                differ += judges[named].decode(judged, skip_special_tokens=False) == text
            elif mine != judged:
                differ += 1
                if differ < 10:
                    print(ascii(text), mine, judged)
    print(f"{compared} texts compared, {refused} of them refused, {differ} differ")
    sys.exit(differ != 0)


if __name__ == "__main__":
    main()
