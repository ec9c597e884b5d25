# SPDX-License-Identifier: Apache-2.0
"""The list of kernels that opcodes.cpp runs on a GPU, and what nvemu prints for them.

    opcodes.py PTX-FOLDER TO [PART...]

Of every .ptx file below PTX-FOLDER (test/nvemu) with a PART in its path, each RUN line that has a sound kernel print
something: a line of TO/list, the file as TO/ptx/NAME, and the output as TO/expected/NAME. Kernels with mistakes, which
a GPU may do anything with, are left out.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys


def commands(text):
    """The RUN lines of a file, those that go on in the next one joined."""
    lines = re.findall(r"^// RUN: (.*)$", text, re.M)
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [line.strip() for line in joined.split("\n")]


def words_of(command):
    """The words between `nvemu` and the pipe; None: no sound kernel is run, or nothing is printed."""
    words = command.split("|")[0].replace("2>&1", "").split()
    if words[:2] != ["nvemu", "%s"] or not ("--print" in words) or "@" in command or "%t" in command:
        return None
    return words[2:]


def cases(folder, parts):
    for root, _, names in sorted(os.walk(folder)):
        for name in sorted(n for n in names if n.endswith(".ptx")):
            path = os.path.join(root, name)
            relative = os.path.relpath(path, folder)
            text = open(path).read()
            if "Inputs" in relative or (parts and not any(part in relative for part in parts)):
                continue
            for number, command in enumerate(commands(text)):
                words = words_of(command)
                if words is not None:
                    kernel = words[words.index("--kernel") + 1] if "--kernel" in words else str(number)
                    yield path, relative[: -len(".ptx")].replace(os.sep, ".") + "." + kernel, words


def main(folder, to, *parts):
    for each in ("ptx", "expected"):
        os.makedirs(os.path.join(to, each), exist_ok=True)

    def run(case):
        path, name, words = case
        done = subprocess.run(["nvemu", path] + words, capture_output=True, text=True)
        return case, done.returncode, done.stdout

    lines, left_out, names = [], 0, set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (path, name, words), status, printed in pool.map(run, cases(folder, parts)):
            if status != 0:
                left_out += 1
                continue
            while name in names:
                name += "+"
            names.add(name)
            copy = name.rsplit(".", 1)[0] + ".ptx"
            shutil.copyfile(path, os.path.join(to, "ptx", copy))
            open(os.path.join(to, "expected", name), "w").write(printed)
            lines.append("\t".join([name, "ptx/" + copy] + words))
    open(os.path.join(to, "list"), "w").write("".join(line + "\n" for line in lines))
    print("opcodes: %d kernels, %d left out because nvemu finds mistakes" % (len(lines), left_out))
    return 0 if lines else 1


sys.exit(main(*sys.argv[1:]))
