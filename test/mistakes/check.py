# SPDX-License-Identifier: Apache-2.0
"""check.py wrong FILE | right FILE: what each compiler says of a small model.

A wrong file has one line that ends in `// error: SENTENCE`. clang 22, g++ 12 and naxc must each refuse the file with
exactly one error, which is this sentence, and name this line. A right file, its one-token correction, must compile
without a warning. Compilers that are not installed are left out; clang or g++ must be.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

mode, path = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
flags = ["-std=c++20", "-Wall", "-Wextra", "-Wno-unused-parameter", "-fsyntax-only", "-I", os.path.join(here, "../../dsl/include")]
compilers = [c for c in ("clang++", "g++") if shutil.which(c)]
failed = False


def complain(who, what, output):
    global failed
    failed = True
    print(f"{who}: {what}\n{output}")


def run(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def sentence_of(compiler, line):
    """The computed text of a line with an error; the line itself where there is none."""
    if compiler == "g++":  # a template argument: ...Words<136>{"softmax<T>: ..."}
        found = re.search(r'Words<\d+>\{"(.*?[^\\])"\}', line)
        return found.group(1).replace('\\"', '"') if found else line
    return re.sub(r"^.*?error: (static assertion failed( due to requirement '.*?')?: )?", "", line)


def check_wrong(sentence, number):
    place = f"{os.path.basename(path)}:{number}:"
    for compiler in compilers:
        code, output = run(compiler, *flags, path)
        errors = [line for line in output.splitlines() if re.match(r"\S+:\d+:\d+: error: ", line)]
        if code == 0 or len(errors) != 1:
            complain(compiler, f"expects exactly one error, but got {len(errors)}", output)
        elif sentence_of(compiler, errors[0]) != sentence:
            complain(compiler, f"expects the sentence\n  {sentence}\nbut got\n  {sentence_of(compiler, errors[0])}", output)
        elif place not in output:
            complain(compiler, f"does not name {place}", output)
    if shutil.which("naxc"):
        with tempfile.TemporaryDirectory() as folder:
            code, output = run("naxc", path, "-o", os.path.join(folder, "model.o"))
        first = output.splitlines()[0] if output else ""
        if code == 0 or not re.match(rf".*{re.escape(place)}\d+: error: {re.escape(sentence)}$", first):
            complain("naxc", f"expects its first line to be {place}COLUMN: error: {sentence}", output)


def check_right():
    for compiler in compilers:
        code, output = run(compiler, *flags, path)
        if code or output:
            complain(compiler, "expects no word", output)


if not compilers:
    sys.exit("no clang++ and no g++ on PATH")
if mode == "right":
    check_right()
else:
    lines = open(path, encoding="utf-8").read().splitlines()
    marked = [(i + 1, line.split("// error: ", 1)[1]) for i, line in enumerate(lines) if "// error: " in line]
    if len(marked) != 1:
        sys.exit(f"{path} has {len(marked)} lines marked `// error: `, not one")
    check_wrong(marked[0][1], marked[0][0])
sys.exit(failed)
