# SPDX-License-Identifier: Apache-2.0
"""conversations.py CHAT MINIMAL MODEL FOLDER: conversations through a pipe, with a small model. FOLDER is for files."""
import os
import re
import subprocess
import sys

CHAT, MINIMAL, MODEL, FOLDER = sys.argv[1:]
os.makedirs(FOLDER, exist_ok=True)
os.chdir(FOLDER)


def chat(*lines, status=0, **options):
    """The answers, and what is told beside them. Plainly greedy, 20 tokens each, unless `options` say otherwise."""
    options = {"temperature": 0, "repetition_penalty": 1, "tokens": 20} | options
    words = [word for name, value in options.items() for word in ("--" + name.replace("_", "-"), str(value))]
    text = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    done = subprocess.run([CHAT, "--model", MODEL, *words], input=text, capture_output=True)
    told = done.stderr.decode()
    assert done.returncode == status, (done.returncode, told)
    return done.stdout, told


def check(name, holds, *seen):
    if not holds:
        sys.exit(f"{name}: FAILED {seen}")
    print(f"{name}: ok")


def answers_depend_on():
    one, other = chat("one", temperature=1, seed=1), chat("one", temperature=1, seed=1)
    check("the same seed, the same answer", one[0] == other[0])
    check("another seed, another answer", chat("one", temperature=1, seed=2)[0] != one[0])
    greedy = chat("one")[0]
    check("top-k 1 is greedy", chat("one", temperature=1, top_k=1)[0] == greedy)
    check("a tiny top-p is greedy", chat("one", temperature=1, top_p=1e-9)[0] == greedy)
    check("min-p 1 is greedy", chat("one", temperature=1, top_p=1, min_p=1)[0] == greedy)
    check("a penalty changes the answer", chat("one", repetition_penalty=3)[0] != greedy)
    check("so does the system's message", chat("one", system="Be brief.")[0] != greedy)
    check("a question may be of any letters", chat("日本 <|im_end|>")[0] != greedy)


def turns():
    one, both, two = chat("one")[0], chat("one", "two")[0], chat("two")[0]
    check("the second answer knows the first", both.startswith(one) and both != one + two)
    read = [int(count) for count in re.findall(r"\[(\d+) tokens read", chat("one", "one")[1])]
    check("a later question is read without the system's message", read[1] < read[0] / 2, read)
    check("/undo", chat("one", "/undo", "two")[0] == one + two)
    check("/undo of the second", chat("one", "two", "/undo", "two")[0] == both + both[len(one):])
    check("/undo twice", "no question to take back" in chat("one", "/undo", "/undo", status=1)[1])
    check("/reset", chat("one", "two", "/reset", "two")[0] == both + two)
    check("empty lines are no questions", chat("", "  ", "one", "")[0] == one)
    out, told = chat(b"caf\xe9", "one", status=1)
    check("broken UTF-8 is refused, and what follows answered", out == one and "UTF-8" in told, told)
    check("an unknown command", "there is no command /quit" in chat("/quit", status=1)[1])


def saved():
    one, both = chat("one", "/save talk")[0], chat("one", "two")[0]
    with open("talk.txt", "rb") as file:
        text = file.read()
    check("the text is for people", text == b"> one\n" + one + b"\n", text)
    going_on = text + both[len(one):]
    check("/load goes on", chat("/load talk", "two")[0] == going_on)
    check("--load goes on", chat("two", load="talk")[0] == going_on)
    check("with another context", chat("two", load="talk", context=500)[0] == going_on)
    chat("one", "two", "/save long")
    out, told = chat("one", "/load long", status=1, context=90)
    check("too long for a short context: unchanged", out == one and "NAX_E_FULL" in told, told)
    with open("talk.cache", "r+b") as file:
        file.seek(200)
        file.write(b"damaged")
    out, told = chat("one", "/load talk", "two", status=1)
    check("damaged: unchanged", out == both and "talk.cache" in told, told)
    check("nothing to save", "nothing has been said" in chat("/save none", status=1)[1] and not os.path.exists("none.txt"))
    check("no such folder", "can not be written" in chat("one", "/save no/where", status=1)[1])


def full():
    out, told = chat("one", "two", "/undo", "/reset", "one", status=1, context=80, tokens=1000)
    check("the context is full", "the context is full: 80 of 80 positions are used; /undo" in told, told)
    check("then no question fits", "the question does not fit: 80 of 80" in told, told)
    half = len(out) // 2
    check("/reset makes room", out[:half] == out[half:] and len(out) > 20, out)


def minimal():
    """main.c reads a question in pieces, minimal.c at once; a long one shows it."""
    question = " ".join(f"word{i}" for i in range(60))
    answer = chat(question)[0][:-1]
    done = subprocess.run([MINIMAL, MODEL], input=question.encode() + b"\n", capture_output=True)
    check("minimal.c says the same", done.stdout.startswith(answer) and len(answer) > 20, answer, done.stdout[:100])
    check("and when its cache is full", b"NAX_E_FULL: row 0 of the cache" in done.stderr and done.returncode == 1, done.stderr)


answers_depend_on()
turns()
saved()
full()
minimal()
