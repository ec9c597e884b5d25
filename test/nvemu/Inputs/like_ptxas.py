# SPDX-License-Identifier: Apache-2.0
"""`like_ptxas.py`: nvemu takes an operand where ptxas takes it, and only there.

Each operand of the instructions below becomes, in turn, a register of each type, a literal of each kind, an address
and so on. ptxas says of all lines of one kernel which it does not take; nvemu is asked about each line.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HEAD = """.version 8.0
.target sm_90
.address_size 64
.global .align 16 .b8 g[64];
.shared .align 16 .b8 s[64];
.visible .entry k(.param .u64 p)
{
  .reg .pred %p<3>; .reg .b16 %h<3>; .reg .b32 %r<6>; .reg .b64 %d<6>;
  .reg .u16 %uh; .reg .s32 %sr; .reg .u64 %ud; .reg .f16 %fh; .reg .f32 %f<3>; .reg .f64 %fd<3>;
"""
OTHERS = ["%p1", "%h1", "%r1", "%d1", "%uh", "%sr", "%ud", "%fh", "%f1", "%fd1", "3", "1.0", "0f3F800000", "s",
          "%tid.x", "%clock64", "_", "!%p1", "[%d5]"]
ADDRESSES = ["[%r1]", "[%d1]", "[%ud]", "[%f1]", "[%fd1]", "[%p1]", "[g]", "[s]", "[p]", "[g+4]", "[16]", "%d1"]
# Of each operand one that is right: a register of the type, or an address.
INSTRUCTIONS = """
add.s32 %r2, %r2, %r2
add.f32 %f2, %f2, %f2
add.f16 %h2, %h2, %h2
mad.wide.u32 %d2, %r2, %r2, %d2
and.b64 %d2, %d2, %d2
xor.pred %p2, %p2, %p2
shl.b64 %d2, %d2, %r2
popc.b64 %r2, %d2
setp.lt.s32 %p2, %r2, %r2
selp.b32 %r2, %r2, %r2, %p2
slct.f32.s32 %f2, %f2, %f2, %r2
mov.u32 %r2, %r2
mov.b64 %d2, %d2
mov.f32 %f2, %f2
cvt.u16.u32 %h2, %r2
cvt.s64.s32 %d2, %r2
cvt.rn.f32.s32 %f2, %r2
cvt.rzi.s32.f32 %r2, %f2
cvt.f64.f32 %fd2, %f2
ld.global.u8 %h2, [%d5]
ld.global.f32 %f2, [%d5]
st.global.u16 [%d5], %h2
st.shared.f64 [%r5], %fd2
cvta.to.global.u64 %d2, %d2
atom.global.add.f64 %fd2, [%d5], %fd2
atom.shared.cas.b32 %r2, [%r5], %r2, %r2
redux.sync.add.s32 %r2, %r2, %r2
match.any.sync.b64 %r2, %d2, %r2
bar.red.popc.u32 %r2, %r2, %p2
mbarrier.test_wait.shared.b64 %p2, [%r5], %d2
"""


def cases():
    lines = []
    for instruction in INSTRUCTIONS.split("\n")[1:-1]:
        name, operands = instruction.split(" ", 1)
        operands = operands.split(", ")
        lines.append(instruction)
        for place, right in enumerate(operands):
            for other in ADDRESSES if right[0] == "[" else OTHERS:
                lines.append(name + " " + ", ".join(operands[:place] + [other] + operands[place + 1 :]))
    return list(dict.fromkeys(lines))


def write(path, lines):
    with open(path, "w") as file:
        file.write(HEAD + "".join(line + ";\n" for line in lines) + "ret;\n}\n")


def ask_ptxas(folder, lines, asked, refused, unknown):
    """Adds to `refused` those of the numbers in `asked` whose lines ptxas does not take.

    After a fatal error it reads no further: it gets the rest of them again. Where it ends without a word it gets halves.
    """
    path = folder + "/all.ptx"
    while asked:
        write(path, [lines[i] for i in asked])
        run = subprocess.run(["ptxas", "-arch=sm_90", path, "-o", path + ".cubin"], capture_output=True, text=True)
        if run.returncode == 0:
            return
        places = r"line (\d+); (?:error|fatal)|32-bit address on line '(\d+)'"
        said = re.findall(places, run.stdout + run.stderr)
        found = {asked[int(a or b) - HEAD.count("\n") - 1] for a, b in said}
        if not found and len(asked) == 1:
            return unknown.update(asked)
        if not found:
            for half in asked[: len(asked) // 2], asked[len(asked) // 2 :]:
                ask_ptxas(folder, lines, half, refused, unknown)
            return
        refused |= found
        asked = [i for i in asked if i not in found]


def main():
    lines = cases()
    with tempfile.TemporaryDirectory() as folder:
        refused, unknown = set(), set()
        ask_ptxas(folder, lines, list(range(len(lines))), refused, unknown)

        def takes(i):
            path = f"{folder}/{i}.ptx"
            write(path, [lines[i]])
            run = subprocess.run(["nvemu", "--list", path], capture_output=True, text=True)
            assert run.returncode in (0, 2), run
            os.remove(path)
            return run.returncode == 0, run.stderr.strip()

        wrong, known = 0, [i for i in range(len(lines)) if i not in unknown]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for i, (taken, message) in zip(known, pool.map(takes, known)):
                if taken == (i in refused):
                    wrong += 1
                    print(lines[i], "is taken, but not by ptxas" if taken else f"is not taken, but by ptxas: {message}")
    print(f"{len(refused)} of {len(lines)} refused, {len(unknown)} without an answer, {wrong} wrong")
    return 1 if wrong or not refused or len(unknown) > len(lines) // 20 else 0


if __name__ == "__main__":
    sys.exit(main())
