# SPDX-License-Identifier: Apache-2.0
"""The runtime library computes nothing with tensors: python3 check_runtime.py libnaxrt.a

Floating-point arithmetic is allowed where stored numbers (f16, Q4_1, ...) are read and written: elements.c, blocks.c
and blocks_k.c.
There is no function of libm, which a softmax, a GELU or a rope would need.
"""
import re, subprocess, sys

ARITHMETIC = re.compile(r"\bv?(?:fn?m(?:add|sub)\d+|mul|add|sub|div|sqrt|rsqrt|rcp|dp)[sp][sdh]\b|\bf(?:mul|add|div|sqrt)p?\b")
LIBM = {name + end for name in "exp exp2 expm1 log log2 tanh erf sin cos sqrt pow fma".split() for end in ("", "f")}


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def main(library):
    faults, arithmetic, member, function = [], 0, None, None
    for line in output("llvm-objdump", "-d", "--no-show-raw-insn", library).splitlines():
        if found := re.match(r".*\((\S+)\):\s+file format", line):
            member = found.group(1)
        elif found := re.match(r"[0-9a-f]+ <(.*)>:", line):
            function = found.group(1)
        elif ARITHMETIC.search(line):
            arithmetic += 1
            if not member.startswith(("elements.", "blocks.", "blocks_k.")):
                faults.append(f"{member}: {function}: {' '.join(line.split())}")
    undefined = set(output("llvm-nm", "-u", "--format=just-symbols", library).split())
    faults += [f"libm's {name} is called" for name in sorted(undefined & LIBM)]
    if not arithmetic:
        faults.append("they compute nothing either, so this check sees no arithmetic at all")
    print("\n".join(faults) or f"arithmetic only where stored numbers are read and written: {arithmetic} instructions")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
