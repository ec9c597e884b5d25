# SPDX-License-Identifier: Apache-2.0
"""`refused.py NVEMU-ARGUMENTS... FILE`: PTX that must be refused, and how.

In FILE, after the line #---, are cases: lines of PTX, then an indented line, the message. PTX that does not begin with
.version is put into a kernel whose first line of PTX is line 7 (`%r0` to `%r8`, `%rd0` to `%rd8`, `%p0` to `%p3`, `%f0`
to `%f3`, `%h0` to `%h3`, `%fd0` to `%fd3`, `%s`, and a parameter p).
"""
import os
import subprocess
import sys
import tempfile

KERNEL = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
\t.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<4>; .reg .b16 %h<4>; .reg .f64 %fd<4>; .reg .s32 %s;
BODY
\tret;
}
"""


def cases(path):
    lines = open(path).read().split("#---\n")[1].splitlines()
    body = []
    for line in lines:
        if line.startswith("  "):
            yield "\n".join(body), line.strip()
            body = []
        else:
            body.append(line)
    assert not body, body


def main(path):
    wrong = count = 0
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "k.ptx")
        for body, message in cases(path):
            with open(name, "w") as file:
                file.write(body if body.startswith(".version") or not body else KERNEL.replace("BODY", body))
            run = subprocess.run(["nvemu", name, "u64:0"], capture_output=True, text=True)
            said = run.stderr.replace(name, "k.ptx")
            expected = f"nvemu: error: k.ptx: {message}\n"
            count += 1
            if run.returncode != 2 or said != expected:
                wrong += 1
                print(f"{body}\n  {said.strip()}\n  but expected, with status 2 and not {run.returncode}\n  {expected}")
    print(f"{count} cases, {wrong} wrong")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
