# SPDX-License-Identifier: Apache-2.0
"""run_readme.py README FOLDER BIN [KIND=FILE...]: writes the README's first block of each KIND into that file of
FOLDER, without one its model (cpp=tiny.cpp), and runs its `console` blocks there.

Each line after a `$ command` must occur in what the command prints, in this order; `...` stands for anything.
"""
import os
import re
import subprocess
import sys

readme, folder, bin_dir = (os.path.abspath(path) for path in sys.argv[1:4])
text = open(readme, encoding="utf-8").read()
blocks = re.findall(r"^```(\w+)\n(.*?)^```", text, re.M | re.S)
for wanted, name in (pair.split("=") for pair in sys.argv[4:] or ["cpp=tiny.cpp"]):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(next(body for kind, body in blocks if kind == wanted))
environment = dict(os.environ, PATH=bin_dir + os.pathsep + os.environ["PATH"])


def matches(expected, line):
    return re.fullmatch(".*".join(re.escape(part) for part in expected.split("...")), line)


def run(command):
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    return done.stdout.splitlines()


failed = 0
count = 0
for kind, body in blocks:
    if kind not in ("console", "c"):
        continue
    if kind == "c":  # declarations of the generated header
        commands = [("cat tiny.h", [line.replace("nax_status", "NAX_NODISCARD nax_status", 1) for line in body.splitlines()])]
    else:
        commands = []
        for line in body.splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            else:
                commands[-1][1].append(line)
    for command, expected in commands:
        output = run(command)
        at = 0
        count += 1
        for line in expected:
            found = next((i for i in range(at, len(output)) if matches(line, output[i])), None)
            if found is None:
                failed += 1
                print(f"README: `{command}` does not print (after line {at}):\n  {line}\nbut:")
                print("\n".join("  " + o[:200] for o in output[at:at + 40]))
                break
            at = found + 1
print(f"{count} commands, {failed} wrong")
sys.exit(failed != 0 or count == 0)
