# SPDX-License-Identifier: Apache-2.0
"""The texts of wordpiece_tokens.py and wordpiece_compare.py: those of the other tokenizer, and what BERT's has corners for."""
import random

import smollm2_strings

ACCENTS = [
    "Crème brûlée", "Ångström", "ÅNGSTRÖM", "naïve façade", "Łódź", "Đorđe", "Straße STRASSE ẞ", "İstanbul", "ISPARTA", "ısı ISI İSİ", "Dvořák", "Nguyễn Văn Trỗi",
    "e\u0301", "E\u0301\u0323", "e\u0323\u0301", "\u0301e", "\u0301", "a\u0300\u0316\u0334b", "o\u0338", "ǖǘǚǜ", "ﬁre ﬂow", "ﬀ", "ŉ", "ǆ ǅ Ǆ", "K Å Ω", "ΟΔΥΣΣΕΥΣ", "Σ σ ς", "ΆΈΉΊΌΎΏ", "ᾈ ᾳ ῼ",
    "ЁЖИК й ї", "הַשָּׁלוֹם", "مُحَمَّد", "हिन्दी किताब", "தமிழ் கொடி", "ไม่ได้", "កម្ពុជា", "ẛ̣", "ǅungla", "ﷺ", "Ａｂｃ", "ⅷ Ⅷ ⓐ Ⓐ", "𝐀𝐁", "Ꭰꭰ", "𐐀𐐨",
]
IDEOGRAPHS = ["中国人", "我love你", "漢字かな", "ひらがなとカタカナ", "가나다 각", "한국어입니다", "각", "豈更車", "㐀㐁", "𠀀𠀁", "𫝀", "丽", "𫠝𫠞", "〇一二", "、。「」", "ｶﾞ", "ー々", "1中2", "中1", "中.国", "中 国", "ㄅㄆ", "々中"]
MARKS = [
    "don't", "can’t", "l'été", "U.S.A.", "e-mail", "1,000.50", "50%", "$9.99", "a+b=c", "a<b>c", "^_^", "~tilde~", "`tick`", "a|b", "{a}[b](c)", "€10", "£5 ¥6", "§7 ¶8", "¿qué?", "«oui»", "„nein“", "…", "‽", "⸺", "・", "॥", "؟", "،", "።", "᠁", "−", "×÷", "©®™", "№ ℃", "→ ⇒", "½ ¼", "²³", "#hash @at", "##ing", "## #", "a##b", "###",
    "'\"!?.,;:", "-—–‐‑", "\u00b7", "\u2019\u2018", "\u037e", "\u1fef", "\u055a", "\u05be", "\U00010100", "\u2e3a", "\u3030", "\uff01\uff0c",
]
LONG = [
    "a" * 99, "a" * 100, "a" * 101, "é" * 100, "é" * 101, "각" * 33, "각" * 34, "ab" * 50, "x" * 100 + " y", "x" * 101 + " y", "y " + "x" * 300, "word" * 25, "word" * 25 + "s", "中" * 101, "." * 101, "e\u0301" * 100, "e\u0301" * 101, "supercalifragilisticexpialidocious" * 3, "https://example.org/" + "a" * 90,
    "Donaudampfschifffahrtsgesellschaftskapitän", "pneumonoultramicroscopicsilicovolcanoconiosis", "unaffable", "embeddings", "tokenization", "antidisestablishmentarianism", "qqqqqqqq", "zxqj", "a\u00adb", "co\u00adop\u00aderate",
]
HIDDEN = [
    "a\u200bb", "a\u200cb", "a\u200db", "a\ufeffb", "\ufeffstart", "a\u2060b", "a\u00a0b", "a\u3000b", "a\u2028b", "a\u2029b", "a\u0085b", "a\u000bb", "a\u000cb", "a\u001cb", "a\u0000b", "a\ufffdb", "a\ue000b", "a\ufdd0b", "a\U000e0041b", "a\U0010fffdb", "a\u180eb", "a\u1680b", "a\u202eb", "\u202a\u202c", "\t\n\r", "a\tb\nc\rd", "a\u034fb", "a\ufe0fb", "❤\ufe0f", "1\ufe0f\u20e3", "\u0378", "\U0003ffff",
]
SENTENCES = [
    "A man is playing a guitar.", "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG", "The 2 Kittens Were Sleeping On The Windowsill, weren't they?", "How do I reset my password?", "Ich habe meinen Schlüssel verloren.", "J'ai perdu mes clés à l'hôtel.", "¿Dónde está la biblioteca?", "Я потерял ключи.", "私は鍵をなくしました。", "I ❤️ NY 🗽!!!", "pip install --no-deps \"x>=1.0\"", "if (a[i] != b[j]) { return -1; }", "E = mc² (Einstein, 1905)", "O'Neill's wife said: “Let’s go!”", "3.14159265358979 is irrational; 22/7 isn't.",
]
NAMED = ["[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]", "[cls]", "[ SEP ]", "a[SEP]b", "a [SEP] b", "The [MASK] sat.", "[MASK][MASK]", "[[MASK]]", "x[MASK", "MASK]", "[unused1]", "[CLS] a [SEP] b [SEP]", "é[MASK]é", "a[PAD]", "[MASK]中", "[MASK]\u0301"]
GROUPS = [ACCENTS, IDEOGRAPHS, MARKS, LONG, HIDDEN, SENTENCES]


def strings(specials):
    """Every text that the golden file is made of; `specials` are the names of the special tokens."""
    for group in GROUPS:
        yield from group
    yield from NAMED
    yield from smollm2_strings.strings(specials)
    draw = random.Random(5)
    parts = [s for group in GROUPS for s in group if len(s) < 20]
    for _ in range(160):
        yield "".join(draw.choice(parts) for _ in range(draw.randint(2, 5)))
    for _ in range(60):
        yield " ".join(draw.choice(parts) for _ in range(draw.randint(2, 9)))
