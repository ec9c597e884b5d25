# SPDX-License-Identifier: Apache-2.0
"""make_wordpiece.py OUT.txt: the vocabulary in wordpiece-vocabulary.xz, one token a line.
make_wordpiece.py --faults FOLDER: a small one with each of FAULTS.
"""
import lzma
import os
import sys

SMALL = b"[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\n##a\n##b\nab\n"
FAULTS = {
    "empty": b"",
    "empty-line": SMALL.replace(b"a\nb\n", b"a\n\nb\n", 1),
    "only-a-return": SMALL.replace(b"a\nb\n", b"a\n\r\nb\n", 1),
    "same-token": SMALL + b"##b\n",
    "latin1": SMALL + b"caf\xe9\n",
    "cut-short": SMALL + "é".encode()[:1],
    "zero-byte": SMALL + b"a\0b\n",
    "no-unknown": SMALL.replace(b"[UNK]\n", b""),
    "no-begin": SMALL.replace(b"[CLS]\n", b""),
    "no-end": SMALL.replace(b"[SEP]\n", b""),
    "lower-case-names": SMALL.lower(),
    "one-line": SMALL.replace(b"\n", b" "),
}


def vocabulary():
    with lzma.open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "wordpiece-vocabulary.xz")) as file:
        return file.read()


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--faults":
        os.makedirs(sys.argv[2], exist_ok=True)
        for name, data in FAULTS.items():
            with open(os.path.join(sys.argv[2], name + ".txt"), "wb") as out:
                out.write(data)
    elif len(sys.argv) == 2:
        with open(sys.argv[1], "wb") as out:
            out.write(vocabulary())
    else:
        sys.exit("usage: make_wordpiece.py OUT.txt or make_wordpiece.py --faults FOLDER")


if __name__ == "__main__":
    main()
