# SPDX-License-Identifier: Apache-2.0
# needs: tokenizers==0.23.3
"""Random texts through libnaxtext's WordPiece and the package `tokenizers`:
test/peers/run wordpiece_compare.py TOKENIZER.json VOCAB.txt [ROUNDS] [SEED]

First every character of Unicode by itself between letters, signs, spaces and digits, then drawn texts. Compiles the
libraries for itself with cc.
"""
import ctypes
import random
import sys
import tempfile

from text_peers import build_library
from wordpiece_strings import strings
from wordpiece_tokens import SPECIALS, tokenizers_of


class Library:
    def __init__(self, path, folder):
        self.c = build_library(folder)
        self.context, self.vocabulary = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.c.nax_context_create(None, ctypes.byref(self.context)) == 0
        assert self.c.nax_wordpiece_open(self.context, path.encode(), ctypes.byref(self.vocabulary)) == 0, self.error()

    def error(self):
        return self.c.nax_last_error(self.context).decode()

    def encode(self, text, named, capacity):
        data = text.encode()
        ids, count = (ctypes.c_int32 * capacity)(), ctypes.c_int64()
        status = self.c.nax_wordpiece_encode(self.context, self.vocabulary, data, ctypes.c_size_t(len(data)), named, ids, ctypes.c_int64(capacity), ctypes.byref(count))
        assert status == 0, self.error()
        assert 2 <= count.value <= len(data) + 2
        return ids[:min(count.value, capacity)]


def texts(draw, rounds):
    known = [chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]
    for c in known:
        yield f"a{c}b !{c}! {c} {c}{c}1{c}2  {c}\n{c}"
    low = known[:0x3000]
    parts = [s for s in strings(SPECIALS) if 0 < len(s) < 12] + SPECIALS
    for _ in range(rounds):
        yield "".join(draw.choice(parts) if draw.random() < 0.7 else draw.choice(draw.choice([known, low])) for _ in range(draw.randint(1, 12)))


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: wordpiece_compare.py TOKENIZER.json VOCAB.txt [ROUNDS] [SEED]")
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 100000
    draw = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    judges = tokenizers_of(sys.argv[1])
    compared = cut = differ = 0
    with tempfile.TemporaryDirectory() as folder:
        ours = Library(sys.argv[2], folder)
        for text in texts(draw, rounds):
            named, room = draw.randrange(2), draw.choice([2, 3, 5, 16, 400, 400, 400])
            judged = judges[named].encode(text).ids
            if len(judged) > room:  # what `tokenizers` does when it truncates, which is slow to switch
                judged = judged[:room - 1] + judged[-1:]
                cut += 1
            compared += 1
            if ours.encode(text, named, room) != judged:
                differ += 1
                if differ < 10:
                    print(ascii(text), ours.encode(text, named, room), judged)
    print(f"{compared} texts compared, {cut} of them cut, {differ} differ")
    sys.exit(differ != 0)


if __name__ == "__main__":
    main()
