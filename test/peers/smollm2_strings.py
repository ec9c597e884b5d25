# SPDX-License-Identifier: Apache-2.0
"""The texts of smollm2_tokens.py: some written by hand, one group after another, and some drawn from their parts."""
import random

WORDS = [
    "Hello, world!", "hello", " hello", "hello ", "  hello", "Hello", "HELLO", "a", "A", " ", "", "The quick brown fox jumps over the lazy dog.",
    "antidisestablishmentarianism", "internationalization", "supercalifragilisticexpialidocious", "tokenizer", "untokenizable",
    "camelCaseIdentifier", "snake_case_identifier", "SCREAMING_SNAKE", "kebab-case", "dot.separated.name", "path/to/a/file.txt", "C:\\Windows\\System32",
    "https://example.com/a?b=c&d=e#f", "someone@example.com", "#hashtag @mention", "e.g. this, i.e. that; etc.", "Mr. O'Neill-Smith's", "x" * 100, "ab" * 64,
    "The capital of France is Paris.", "What is gravity?", "Once upon a time,", "to be or not to be: that is the question",
]
DIGITS = [
    "0", "1", "12", "123", "1234", "12345", "1234567890", "3.14159", "-42", "+7", "1,000,000", "0x1F", "1e-5", "2024-02-29", "12:34:56", "a1b2c3", "1a", "a1", "1 2 3",
    " 1", "1 ", "  1", "1  ", "  1  ", "x 1 y", "x  1  y", "x   1   y", "½", "x²", "Ⅷ", "①②③", "٣٤٥", "१२३", "１２３", "abc１２３", " ½ ", "  ²", "9's", "9'll", "1\n2", "1\t2", "1 \n 2", "5%", "$5", "v1.2.3-rc4",
    "一二三", "〇", "3rd", "²³¹", "৳৫০", "𝟘𝟙𝟚",
]
CONTRACTIONS = [
    "it's", "don't", "we're", "I've", "I'm", "they'll", "she'd", "IT'S", "DON'T", "We'Re", "'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'x", "'", "''", "'''", "''s", "'s's", " 's", "  's", "it 's", "it's's", "rock'n'roll",
    "'tis", "'twas", "o'clock", "y'all'd've", "it’s", "don’t", "'re'", "'r", "'v", "'l", "'lx", "'rx", "can't've", "\"it's\"", "!'s", "1's", "'1", "'日", "é's", "'é", "'sé", "\n's", "'s\n",
]
SPACES = [
    "  ", "   ", "    ", "        ", " " * 16, " " * 17, " " * 31, " " * 64, " " * 81, "\t", "\t\t", "\n", "\n\n", "\n\n\n", "\r\n", "\r\n\r\n", "\r", " \n", "\n ", " \n ", "\n \n", "\t\n\t", "a  b", "a   b", "a    b", "a\tb", "a\t\tb", "a \tb", "a\t b", "a\nb", "a\n\nb", "a \n b",
    "a  \n  b", "  a", "a  ", "\na", "a\n", "\n\na", "a\n\n", "def f():\n    return 1\n", "\tif x:\n\t\ty()\n", "a\u00a0b", "a\u00a0\u00a0b", "\u00a0", "a\u3000b", "a\u3000\u3000b", "a\u2003b", "a\u2009 b", "a \u2009b", "a\u200bb", "a\u2028b", "a\u2029b", "a\u0085b", "a\u0085\u0085b", "a\u1680b", "a\u180eb", "a\ufeffb", "\ufeffa",
    "a\u000bb", "a\u000cb", "\u000b\u000c", " \u00a0 ", "! !", "!  !", "  !", "!  ", "a \u3000 b", "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a", "x\u202fy", "x\u205fy",
]
SYMBOLS = [
    "!", "!!", "!!!", "...", "…", "--", "---", "—", "–", "==", "!=", ">=", "<=", "=>", "->", "::", "&&", "||", "++", "<<", ">>", "**", "//", "/* c */", "# c", "{}", "()", "[]", "({[]})", "<html>", "</div>", "$x", "%d\\n", "\\", "\\\\", "\\n", "\"quoted\"", "`code`", "```c\nint x;\n```", "~", "^", "_", "__init__", "a_b",
    "€", "£5", "¥", "©", "®", "™", "°C", "±", "×", "÷", "≠", "≤", "∞", "∑", "√2", "∀x∈ℝ", "→", "←", "⇒", "★", "☃", "♥", "♥♥", " ♥", "■□▪", "│┌┐", "«guillemets»", "„low“", "¿Qué?", "¡Hola!", "a…b", "a—b", "\u0301", "e\u0301", "\u0301\u0302", "ﬁ", "№", "℃", "\u200d", "\ufe0f", "¼½¾",
]
SCRIPTS = [
    "日本語", "日本語のテキスト", "こんにちは、世界！", "カタカナ", "ひらがな", "中文", "你好，世界。", "漢字とkanaとABC", "한국어", "안녕하세요 세계", "Привет, мир!", "Ελληνικά", "Καλημέρα κόσμε", "עברית", "שלום עולם", "العربية", "مرحبا بالعالم", "हिन्दी", "नमस्ते दुनिया", "ไทย", "สวัสดีชาวโลก", "தமிழ்", "తెలుగు", "ქართული", "Հայերեն", "አማርኛ",
    "བོད་ཡིག", "ខ្មែរ", "မြန်မာ", "සිංහල", "ગુજરાતી", "বাংলা", "Tiếng Việt", "naïve café", "Zażółć gęślą jaźń", "Árvíztűrő tükörfúrógép", "Größe", "ÅÄÖ åäö", "İstanbul ıssız", "œuvre", "þæð", "ǅ", "ʰ", "ª º", "𝒜𝒷𝒸", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "Ꭰ", "ᚠᚢᚦ", "𐍈", "𠮷野家", "㐀", "豈", "ﷺ", "ＡＢＣ", "ｶﾞ", "Ω≈ç√∫",
    "日本 語", "日本  語", "日1本2語", "mixЖed日scripts한글", "abcабв", "ñandú", "n\u0303andu\u0301", "ё", "е\u0308", "हिं", "ก็", "ﺍﻟ",
]
EMOJI = [
    "😀", "😀😀", " 😀", "a😀b", "😀 😃", "👍🏽", "👩‍👩‍👧‍👦", "🇫🇷", "🇫🇷🇩🇪", "❤️", "❤", "☺️", "🏳️‍🌈", "1️⃣", "#️⃣", "🤷🏾‍♀️", "🧑‍💻 codes", "ok👌ok", "🎉🎉🎉 party!", "🦊 the fox", "it's 🔥", "😂'll", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🫠", "🪿", "\U0001fae8", "👨🏻‍🦱", "⏰3", "💯%",
]
CONTROLS = ["a" + chr(c) + "b" for c in [*range(0, 9), *range(14, 32), 0x7F, *range(0x80, 0xA0), 0xAD]] + ["\x00", "\x00\x00", "\x1b[31mred\x1b[0m", "a\x00", "\x07\x08", "\ufffd", "a\ufffdb", "\ue000", "\U000f0000", "\U00100000", "\ufdd0", "\uffff", "\U0010ffff", "\U0003134a", "\U00040000", "\u0378"]
CODE = [
    "int main(void) { return 0; }", "for (int i = 0; i < 10; ++i)\n  sum += a[i];\n", "import numpy as np\nx = np.zeros((3, 4))", "SELECT * FROM t WHERE id = 42;", "<p class=\"a\">Hi &amp; bye</p>", "{\"key\": [1, 2.5, null, true]}", "$ ls -la | grep '^d' > out.txt", "template <class T>\nstruct X : Y<T> {};", "fn main() {\n    println!(\"{}\", 1);\n}",
    "\\frac{a}{b} = \\sqrt{x^2 + y^2}", "- item\n- item\n  - nested\n\n1. one\n2. two\n", "| a | b |\n|---|---|\n| 1 | 2 |", "x = [i**2 for i in range(10) if i % 2 == 0]", "\tgo func() {\n\t\tdefer wg.Done()\n\t}()", "#!/bin/sh\nset -eu\n", "assert(a[0] == 'b');", "    \n    \n", "if x:\n        pass\n    else:\n  y",
]


def specials_in_text(specials):
    for s in specials:
        yield s
        yield "a" + s + "b"
    yield "".join(specials)
    yield "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    yield "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n<|im_start|>user\nIt's 12 o'clock<|im_end|>\n<|im_start|>assistant\n"
    yield from ["<|im_start", "|im_start|>", "<<|im_start|>>", "<|im_start|><|im_start|>", "<|im_start|> <|im_end|>", "  <|im_end|>", "a  <|im_end|>  b", "1<|im_end|>2", "<|IM_START|>", "< |im_start|>", "<|im_start|>'s", "'<|im_end|>s", "<repo_name>x<file_sep>y", "<reponame>", "<|endoftext|>\n\n<|endoftext|>"]


def strings(specials):
    """Every text that the golden file is made of; `specials` are the names of the special tokens."""
    groups = [WORDS, DIGITS, CONTRACTIONS, SPACES, SYMBOLS, SCRIPTS, EMOJI, CONTROLS, CODE]
    for group in groups:
        yield from group
    yield from specials_in_text(specials)
    draw = random.Random(3)
    parts = [s for group in groups for s in group if len(s) < 20]
    for _ in range(160):
        yield "".join(draw.choice(parts) for _ in range(draw.randint(2, 6)))
    for _ in range(40):
        yield " ".join(draw.choice(parts) for _ in range(draw.randint(2, 6)))
    for _ in range(80):  # the corners of the pattern: spaces, numbers, letters, signs, apostrophes
        yield "".join(draw.choice([" ", "  ", "\n", "\t", "\u00a0", "7", "½", "a", "Z", "é", "語", "'", "'s", "'ll", "!", "<", "😀", "\u0301", "_"]) for _ in range(draw.randint(3, 14)))


def broken():
    """Bytes that are no UTF-8."""
    yield from [
        b"\x80", b"\xbf", b"abc\x80def", b"\xc0\x80", b"\xc1\xbf", b"\xc2", b"a\xc3", b"\xc3(", b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xe2\x82", b"ab\xe2\x82", b"\xe2(\xa1", b"\xe2\x82(", b"\xed\xa0\x80", b"\xed\xbf\xbf",
        b"\xf0\x80\x80\x80", b"\xf0\x8f\xbf\xbf", b"\xf0\x9f\x98", b"smile \xf0\x9f\x98", b"\xf0\x9f", b"\xf0", b"\xf0(\x8c\xbc", b"\xf0\x90(\xbc", b"\xf0\x90\x8c(", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80", b"\xfe", b"\xff", b"\xff\xfe", b"caf\xe9",
        "日本語".encode()[:-1], "日本語".encode()[1:], "😀".encode() + b"\xff", b"\x00\xff", "é".encode("latin-1") * 3, b"<|im_end|>\xc3", "héllo".encode("utf-16-le"), b" " * 100 + b"\x9f",
    ]
