# SPDX-License-Identifier: Apache-2.0
"""make_vocabulary.py OUT.gguf [CHANGE]: SmolLM2's vocabulary as a GGUF file without weights, from vocabulary.xz.
make_vocabulary.py --faults FOLDER: one file for each of FAULTS.

test/peers/smollm2_tokens.py says what vocabulary.xz holds. CHANGE is one of CHANGES or FAULTS.
"""
import lzma
import os
import struct
import sys

U32, I32, BOOL, STRING, ARRAY = 4, 5, 7, 8, 9
NORMAL, CONTROL = 1, 3
CHAT = "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"


def letter_of_byte():
    """GPT-2's letters for bytes."""
    prints = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in prints]
    return {b: chr(b) for b in prints} | {b: chr(256 + i) for i, b in enumerate(others)}


def string(text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<Q", len(data)) + data


def strings(items):
    return ARRAY, struct.pack("<IQ", STRING, len(items)) + b"".join(map(string, items))


def numbers(items):
    return ARRAY, struct.pack(f"<IQ{len(items)}i", I32, len(items), *items)


def vocabulary():
    """The metadata, key by key, as (type, bytes), and the lists behind it."""
    with lzma.open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "vocabulary.xz"), "rt", encoding="utf-8") as file:
        specials, singles, merges = (part.strip("\n").split("\n") for part in file.read().split("\n\n"))
    letters = letter_of_byte()
    tokens = specials + [letters[int(b, 16)] for b in singles] + [m.replace(" ", "") for m in merges]
    return tokens, [CONTROL] * len(specials) + [NORMAL] * (len(tokens) - len(specials)), merges



def first_merges(v, count):
    v["merges"] = v["merges"][:count]
    v["tokens"] = v["tokens"][:252 + count]
    v["kinds"] = v["kinds"][:252 + count]


# name -> a function that alters the lists or the metadata
CHANGES = {
    "gpt-2": lambda v: v["meta"].update({"tokenizer.ggml.pre": (STRING, string("gpt-2"))}),
    "user-defined": lambda v: v["kinds"].__setitem__(3, 4),
    "small": lambda v: first_merges(v, 150),
}
FAULTS = {
    "another-model": lambda v: v["meta"].update({"tokenizer.ggml.model": (STRING, string("llama"))}),
    "another-pre": lambda v: v["meta"].update({"tokenizer.ggml.pre": (STRING, string("qwen2"))}),
    "no-model": lambda v: v["meta"].pop("tokenizer.ggml.model"),
    "no-pre": lambda v: v["meta"].pop("tokenizer.ggml.pre"),
    "no-tokens": lambda v: v["meta"].update({"tokenizer.ggml.tokens": (U32, struct.pack("<I", 7))}),
    "no-merges": lambda v: v["meta"].update({"tokenizer.ggml.merges": None}),
    "no-kinds": lambda v: v["meta"].update({"tokenizer.ggml.token_type": (STRING, string("normal"))}),
    "few-kinds": lambda v: v["kinds"].pop(),
    "empty-token": lambda v: v["tokens"].__setitem__(300, ""),
    "space-in-token": lambda v: v["tokens"].__setitem__(300, "a b"),
    "latin1-token": lambda v: v["tokens"].__setitem__(300, b"caf\xe9"),
    "same-token": lambda v: v["tokens"].__setitem__(300, v["tokens"][299]),
    "merge-without-space": lambda v: v["merges"].__setitem__(2, "in"),
    "merge-with-two-spaces": lambda v: v["merges"].__setitem__(2, "i  n"),
    "merge-of-nothing": lambda v: v["merges"].__setitem__(2, " n"),
    "merge-empty": lambda v: v["merges"].__setitem__(2, ""),
    "merge-left-unknown": lambda v: v["merges"].__setitem__(2, "qzqzq n"),
    "merge-right-unknown": lambda v: v["merges"].__setitem__(2, "i qzqzq"),
    "merge-makes-unknown": lambda v: v["merges"].__setitem__(2, "q z"),
    "end-outside": lambda v: v["meta"].update({"tokenizer.ggml.eos_token_id": (U32, struct.pack("<I", 49152))}),
    "end-is-text": lambda v: v["meta"].update({"tokenizer.ggml.eos_token_id": (STRING, string("</s>"))}),
}


def write(path, change=None):
    tokens, kinds, merges = vocabulary()
    v = {"tokens": tokens, "kinds": kinds, "merges": merges, "meta": {
        "tokenizer.ggml.model": (STRING, string("gpt2")),
        "tokenizer.ggml.pre": (STRING, string("smollm")),
        "tokenizer.ggml.bos_token_id": (U32, struct.pack("<I", 1)),
        "tokenizer.ggml.eos_token_id": (U32, struct.pack("<I", 2)),
        "tokenizer.chat_template": (STRING, string(CHAT)),
    }}
    if change:
        change(v)
    lists = {"tokens": strings(v["tokens"]), "token_type": numbers(v["kinds"]), "merges": strings(v["merges"])}
    meta = {"tokenizer.ggml." + key: value for key, value in lists.items()} | v["meta"]
    meta = {key: value for key, value in meta.items() if value}
    with open(path, "wb") as out:
        out.write(b"GGUF" + struct.pack("<IQQ", 3, 0, len(meta)))
        for key, (kind, data) in meta.items():
            out.write(string(key) + struct.pack("<I", kind) + data)


def main():
    both = CHANGES | FAULTS
    if len(sys.argv) == 3 and sys.argv[1] == "--faults":
        os.makedirs(sys.argv[2], exist_ok=True)
        for name, change in FAULTS.items():
            write(os.path.join(sys.argv[2], name + ".gguf"), change)
    elif len(sys.argv) == 2 or (len(sys.argv) == 3 and sys.argv[2] in both):
        write(sys.argv[1], both[sys.argv[2]] if len(sys.argv) == 3 else None)
    else:
        sys.exit("usage: make_vocabulary.py OUT.gguf [" + " | ".join(both) + "] or make_vocabulary.py --faults FOLDER")


if __name__ == "__main__":
    main()
