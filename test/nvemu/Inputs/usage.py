# SPDX-License-Identifier: Apache-2.0
"""`usage.py PTX CASES`: after the line #--- a command (FILE is the PTX) and, indented, what it must say on stderr."""
import os
import subprocess
import sys
import tempfile


def main(ptx, cases):
    lines = open(cases).read().split("#---\n")[1].splitlines()
    assert len(lines) % 2 == 0
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for command, message in zip(lines[::2], lines[1::2]):
            words = [ptx if word == "FILE" else word for word in command.split()]
            run = subprocess.run(words, capture_output=True, text=True, cwd=folder)
            expected = f"nvemu: error: {message.strip()}\n"
            left = os.listdir(folder)
            if run.returncode != 2 or run.stderr != expected or run.stdout or left:
                wrong += 1
                print(f"{command}\n  {run.stdout}{run.stderr}  status {run.returncode}, files {left}; expected\n  {expected}")
    print(f"{len(lines) // 2} cases, {wrong} wrong")
    return 1 if wrong or not lines else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
