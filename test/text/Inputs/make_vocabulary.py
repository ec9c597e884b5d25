# SPDX-License-Identifier: Apache-2.0
"""make_vocabulary.py OUT.gguf [CHANGE]: SmolLM2's vocabulary as a GGUF file without weights, from vocabulary.xz.
make_vocabulary.py --faults FOLDER: one file for each of FAULTS.
make_vocabulary.py --chat-changes FOLDER: one for each of CHATS.
make_vocabulary.py --chats GOLDEN FOLDER: one file for each chat template of the golden file.

test/peers/smollm2_tokens.py says what vocabulary.xz holds. CHANGE is one of CHANGES or FAULTS.
"""
import lzma
import os
import re
import struct
import sys

U32, I32, BOOL, STRING, ARRAY = 4, 5, 7, 8, 9
NORMAL, CONTROL = 1, 3
# SmolLM2's own.
CHAT = (
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\nYou are a "
    "helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + message['role'] "
    "+ '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ "
    "'<|im_start|>assistant\n' }}{% endif %}"
)
CHATML = CHAT.replace(CHAT[len("{% for message in messages %}"):CHAT.index("{{'<|im_start|>'")], "")
MISTRAL = (
    "{{ bos_token }}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ "
    "raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if "
    "message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' "
    "%}{{ message['content'] + eos_token}}{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}"
    "{% endif %}{% endfor %}"
)
LLAMA2 = (
    "{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system_message = "
    "messages[0]['content'] %}{% else %}{% set loop_messages = messages %}{% set system_message = false %}{% endif %}"
    "{% for message in loop_messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception("
    "'Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if loop.index0 == 0 and "
    "system_message != false %}{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message['content'] %}"
    "{% else %}{% set content = message['content'] %}{% endif %}{% if message['role'] == 'user' %}{{ bos_token + '[INST] ' "
    "+ content.strip() + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ ' '  + content.strip() + ' ' + eos_token "
    "}}{% endif %}{% endfor %}"
)
# The special tokens of other families of chat templates, in the place of some of SmolLM2's.
MARKS = ["<s>", "</s>", "<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>", "<start_of_turn>", "<end_of_turn>",
         "<|user|>", "<|assistant|>", "<|system|>", "<|end|>"]
FIRST_MARK = 3


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


def with_marks(v):
    first_merges(v, 150)
    v["tokens"][FIRST_MARK:FIRST_MARK + len(MARKS)] = MARKS
    v["meta"]["tokenizer.ggml.bos_token_id"] = (U32, struct.pack("<I", FIRST_MARK))
    v["meta"]["tokenizer.ggml.eos_token_id"] = (U32, struct.pack("<I", FIRST_MARK + 1))


def with_marks_and_sys(v):
    with_marks(v)
    v["tokens"][FIRST_MARK + len(MARKS)] = "<<SYS>>"


VOCABULARIES = {"whole": lambda v: None, "marks": with_marks, "marks-sys": with_marks_and_sys}


def with_template(text, vocabulary="whole"):
    def change(v):
        VOCABULARIES[vocabulary](v)
        v["meta"]["tokenizer.chat_template"] = (STRING, string(text))
    return change


# name -> a function that alters the lists or the metadata
CHANGES = {
    "gpt-2": lambda v: v["meta"].update({"tokenizer.ggml.pre": (STRING, string("gpt-2"))}),
    "user-defined": lambda v: v["kinds"].__setitem__(3, 4),
    "small": lambda v: first_merges(v, 150),
}
# What is wrong with the chat templates of these, or with the vocabulary for them.
CHATS = {
    "marks": with_marks,
    "no-template": lambda v: v["meta"].pop("tokenizer.chat_template"),
    "other-template": with_template("{%- if tools %}<tools>{%- endif %}" + CHAT),
    "nearly-template": with_template(CHAT.replace("'<|im_end|>' +", "'<|im_end|> ' +")),
    "broken-template": with_template(CHAT.replace("{% endfor %}", "{% endfor")),
    "blank-that-stays": with_template(CHAT.replace("{% endfor %}", " {% endfor %}")),
    "line-end-that-stays": with_template(CHAT.replace("{% endfor %}", "{% endfor +%}\n")),
    "carriage-return": with_template(CHAT + "\r"),
    "more-ends": lambda v: v["meta"].update({f"tokenizer.ggml.eo{c}_token_id": (U32, struct.pack("<I", i)) for c, i in [("t", 5), ("m", 6)]}),
    "template-without-mark": lambda v: v["tokens"].__setitem__(2, "<|im_stop|>"),
    "template-without-begin": lambda v: (with_template("{{ bos_token }}" + CHATML)(v), v["meta"].pop("tokenizer.ggml.bos_token_id")),
    "template-without-end": lambda v: (with_template(MISTRAL)(v), v["meta"].pop("tokenizer.ggml.eos_token_id")),
    "template-without-utf-8": with_template(CHAT.encode().replace(b"helpful", b"help\xFFful")),
    "template-without-byte": with_template(CHAT.replace("helpful", "help\x04ful")),
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


def unescaped(field):
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t", "r": "\r"}.get(m[1], m[1]), field)


def write_chats(golden, folder):
    """A file for each template of the golden file, 0.gguf and so on; test/peers/chat_templates.py has its form."""
    with open(golden, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    for number, line in enumerate(line for line in lines if line[0] == "template"):
        write(os.path.join(folder, f"{number}.gguf"), with_template(unescaped(line[4]), line[1]))


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
    groups = {"--faults": FAULTS, "--chat-changes": CHATS}
    if len(sys.argv) == 3 and sys.argv[1] in groups:
        os.makedirs(sys.argv[2], exist_ok=True)
        for name, change in groups[sys.argv[1]].items():
            write(os.path.join(sys.argv[2], name + ".gguf"), change)
    elif len(sys.argv) == 4 and sys.argv[1] == "--chats":
        os.makedirs(sys.argv[3], exist_ok=True)
        write_chats(sys.argv[2], sys.argv[3])
    elif len(sys.argv) == 2 or (len(sys.argv) == 3 and sys.argv[2] in both):
        write(sys.argv[1], both[sys.argv[2]] if len(sys.argv) == 3 else None)
    else:
        sys.exit("usage: make_vocabulary.py OUT.gguf [" + " | ".join(both) + "] or make_vocabulary.py --faults FOLDER")


if __name__ == "__main__":
    main()
