# SPDX-License-Identifier: Apache-2.0
"""check.py wrong|ways|right FILE: what clang 22, g++ 12, naxc and clangd 22 say of a small model.

wrong  One line ends in `// error: SENTENCE`: each of the four gives exactly this error, and names this line. Or it ends
       in `// naxc error: SENTENCE`, a mistake that no type can know: the compilers accept the file, naxc refuses it there.
ways   The same mistake on four lines; one compile shows all of them, each once.
right  The correction of one line: the compilers say no word, and `naxc check` runs the model.

The sentence ends in the code of the file's number, where it has one. For a result thrown away, N0045, the compilers have
a sentence of their own. What is not installed is left out; clang++ or g++ must be there.
"""
import difflib
import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile

# The header that a build makes, or for trials by hand its source.
here = os.path.dirname(os.path.abspath(__file__))
headers = [os.environ.get("NAX_HEADERS"), os.path.join(here, "../../build/include"), os.path.join(here, "../../dsl/include")]
include = next(h for h in headers if h and os.path.exists(os.path.join(h, "nax/nax.h")))
flags = ["-std=c++20", "-Wall", "-Wextra", "-Wno-unused-parameter", "-fsyntax-only", "-I", include]
compilers = [c for c in ("clang++", "g++") if shutil.which(c)]
nodiscard = re.compile(r"ignoring return(ed)? value of type .*nodiscard")
failed = False


def complain(who, what, output=""):
    global failed
    failed = True
    print(f"{who}: {what}\n{output}")


def run(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def compile_with(compiler, path):
    with tempfile.TemporaryDirectory() as folder:
        if compiler == "naxc":
            return run("naxc", path, "-o", os.path.join(folder, "model.o"))
        if compiler == "clangd":
            with open(os.path.join(folder, "compile_flags.txt"), "w", encoding="utf-8") as f:
                f.write("\n".join(flags))
            only_diagnostics = ["--enable-config=false", "--check-lines=1-1", "--log=error"]
            return run("clangd", f"--check={path}", f"--compile-commands-dir={folder}", *only_diagnostics)
        return run(compiler, *flags, path)


def precompiled(compiler):
    """Options by which a compiler takes the header precompiled; the first who asks makes it. Only for what must be silent:
    in a message the header is included from elsewhere."""
    if include == headers[-1]:
        return []
    source, folder = os.path.join(include, "nax/nax.h"), os.path.join(include, "../precompiled")
    made = os.path.join(folder, "nax/nax.h.gch" if compiler == "g++" else "nax.pch")  # g++ looks for a .gch before the .h
    os.makedirs(os.path.dirname(made), exist_ok=True)
    with open(made + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(made) or os.path.getmtime(made) < os.path.getmtime(source):
            options = [f for f in flags if f != "-fsyntax-only"]
            status, output = run(compiler, *options, "-w", "-x", "c++-header", source, "-o", made + ".new")
            if status:
                complain(compiler, "expects to precompile the header", output)
                return []
            os.replace(made + ".new", made)
    return ["-I", folder] if compiler == "g++" else ["-include-pch", made]


def most_lines(compiler, sentence):
    """How many lines the one error of a file may take. A conversion has no call of its own to stand at, nor has an axis."""
    if compiler == "g++":
        return 12 if code == "N0045" else 8
    return 11 if sentence.startswith(("passing ", "Product: ", "Concat: ")) else 8


def sentence_of(line):
    """The computed text of a line with an error; the line itself where there is none."""
    found = re.search(r'Words<\d+>\{"(.*?[^\\])"\}', line)  # g++: a template argument of the sentence
    if found:
        return found.group(1).replace('\\"', '"')
    return re.sub(r"^.*?error: (static assertion failed( due to requirement '.*?')?: )?", "", line)


def errors_in(output, path):
    """Each error as (the first line of the file that it or its notes name, the sentence)."""
    place = re.compile(rf"(?:\S*/)?{re.escape(os.path.basename(path))}:(\d+):\d+: ")
    # clangd has a form of its own.
    output = re.sub(r"^E\[.*?\] \[.*?\] Line (\d+): (in template: )?", rf"{path}:\1:1: error: ", output, flags=re.M)
    lines = output.splitlines()
    at = [i for i, line in enumerate(lines) if re.match(r"\S+:\d+:\d+: error: |\S+: error: ", line)]
    errors = []
    for begin, end in zip(at, at[1:] + [len(lines)]):
        # g++ tells of a class that is not well formed in its header, and names the user's line before.
        before = [line for line in lines[:begin][-1:] if "required from" in line]
        named = [m for m in map(place.match, lines[begin : begin + 1] + before + lines[begin + 1 : end]) if m]
        errors.append((int(named[0].group(1)) if named else 0, sentence_of(lines[begin])))
    return sorted(errors)


def check_errors(who, expected, path):
    """That the output has these errors, [(line, sentence)], and no others."""
    status, output = compile_with(who, path)
    found = errors_in(output, path)
    if who != "naxc":
        found = [(n, dict(expected).get(n) if code == "N0045" and nodiscard.search(s) else s) for n, s in found]
    if status == 0 or found != expected:
        told = "".join(f"\n  line {n}: {s}" for n, s in expected)
        complain(who, f"expects exactly{told}\nbut got" + "".join(f"\n  line {n}: {s}" for n, s in found), output)
    if who == "naxc" and not re.match(r"\S+:\d+:\d+: error: ", output):
        complain(who, "expects its first line to be the error", output)
    if re.search(r"\bboost[/:]|/c\+\+/", output):
        complain(who, "expects no word from inside a library", output)
    if who in compilers and len(expected) == 1 and include != headers[-1]:  # the source's header takes a line or two more
        most, count = most_lines(who, expected[0][1]), len(output.splitlines())
        if count > most:
            complain(who, f"expects at most {most} lines, but got {count}", output)


def check_silent(path):
    for compiler in compilers:
        status, output = run(compiler, *precompiled(compiler), *flags, path)
        if status or output:
            complain(compiler, "expects no word", output)


def marks(path):
    """The marked lines of a file, [(line, sentence)], and those that only naxc refuses."""
    lines = open(path, encoding="utf-8").read().splitlines()
    return [
        [(i + 1, line.split(mark, 1)[1]) for i, line in enumerate(lines) if mark in line]
        for mark in ("// error: ", "// naxc error: ")
    ]


def unmarked(path):
    lines = open(path, encoding="utf-8").read().splitlines()
    return [re.sub(r"\s*// (naxc )?error: .*", "", line) for line in lines if not line.startswith("// RUN:")]


def check_correction(path):
    twin = path.replace("-right.cpp", "-wrong.cpp")
    if twin == path:  # a file that is no pair
        return
    if "NAX_MODEL" not in open(path, encoding="utf-8").read():
        complain(path, "expects a NAX_MODEL, so that naxc check can run it")
    edits = difflib.SequenceMatcher(None, unmarked(twin), unmarked(path), autojunk=False).get_opcodes()
    changed = sum(max(i2 - i1, j2 - j1) for what, i1, i2, j1, j2 in edits if what != "equal")
    if changed != 1:
        complain(path, f"expects one line that differs from {os.path.basename(twin)}, but got {changed}")


mode, path = sys.argv[1:]
number = re.match(r"\d\d-", os.path.basename(path))
code = f"N00{number.group()[:2]}" if number else ""
if not compilers:
    sys.exit("no clang++ and no g++ on PATH")
if mode == "right":
    check_correction(path)
    check_silent(path)
    if shutil.which("naxc"):
        status, output = run("naxc", "check", path, "--", *precompiled("clang++"))
        if status:
            complain("naxc check", "expects success", output)
else:
    shown, traced = marks(path)
    expected = shown or traced
    if len(expected) != (4 if mode == "ways" else 1) or (shown and traced):
        sys.exit(f"{path} has {len(shown)} lines marked `// error: ` and {len(traced)} marked `// naxc error: `")
    for line, sentence in expected:
        if code and not sentence.endswith(f"  [{code}]"):
            complain(f"{path}:{line}", f"expects a sentence that ends in two spaces and [{code}]")
    if traced:
        check_silent(path)
    tools = ["naxc"] + ["clangd"] * (mode == "wrong" and bool(shown))
    for who in compilers * bool(shown) + [tool for tool in tools if shutil.which(tool)]:
        check_errors(who, expected, path)
sys.exit(failed)
