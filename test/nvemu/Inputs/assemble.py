# SPDX-License-Identifier: Apache-2.0
"""`assemble.py FOLDER`: runs ptxas on every .ptx file below, each for its own .target."""
import os
import re
import subprocess
import sys
import tempfile


def main(folder):
    count = wrong = 0
    with tempfile.TemporaryDirectory() as out:
        for root, _, names in sorted(os.walk(folder)):
            for name in sorted(n for n in names if n.endswith(".ptx")):
                path = os.path.join(root, name)
                text = open(path).read()
                if "split-file" in text:  # several modules, which are to be refused
                    continue
                target = re.search(r"^\.target (\w+)", text, re.M)[1]
                run = subprocess.run(["ptxas", f"-arch={target}", path, "-o", out + "/cubin"], capture_output=True, text=True)
                count += 1
                if run.returncode:
                    wrong += 1
                    print(f"{path}: {(run.stdout + run.stderr).strip()}")
    print(f"{count} files, {wrong} wrong")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
