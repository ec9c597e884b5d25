# SPDX-License-Identifier: Apache-2.0
"""Registers that ptxas keeps in memory, in all kinds of attention kernels of a type.

    attention_spills.py FOLDER TYPE CHIP...
"""

import os
import re
import subprocess
import sys

import attention
import launches

FUNCTION = re.compile(
    r"entry function '(\w+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores, "
    r"(\d+) bytes spill loads",
    re.S,
)


def cases(kind):
    for d in (64, 128, 256):
        #        b  k  g  t   s   d  e  slots
        sizes = [1, 1, 2, 20, 20, d, d, 40]
        masked = {
            "cap": 5.0,
            "bias": 0,
            "mask": ["and", ["window", 9], ["same", 1]],
            "extras": [("kgts", "f32", None), ("bt", "i32", None)],
        }
        windowed = {
            "cap": 5.0,
            "alibi": 0,
            "mask": ["window", 9],
            "extras": [("kg", "f32", None)],
            "span": [(9, 10)],
        }
        for more in (
            {},
            {"rope": ("halves", "t", None)},
            masked,
            {"span": [(9, 10)]},
            {"span": [(9, 10)], "rope": ("halves", "bt", None)},
            windowed,
        ):
            yield attention.case(kind, sizes, causal=True, **more)


def main():
    folder, kind, *chips = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/in.mlir", "w") as file:
        for number, case in enumerate(cases(kind)):
            file.write(attention.module_of(case).replace("@f(", f"@f{number}("))
    command = ["nax-opt", f"{folder}/in.mlir", launches.kernels_pass(kind)]
    command += [f"--nax-gpu-to-ptx=dir={folder}", "-o", f"{folder}/host.mlir"]
    subprocess.run(command, check=True)
    for chip in chips:
        command = ["ptxas", "-v", f"-arch={chip}", f"{folder}/nax_kernels.ptx"]
        command += ["-o", f"{folder}/{chip}.cubin"]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            sys.exit(ran.stderr)
        found = FUNCTION.findall(ran.stderr)
        bad = [function for function in found if function[1:] != ("0", "0", "0")]
        for name, stack, stores, loads in bad:
            print(f"{name}: {stack} bytes of stack, spills {stores} {loads}")
        print(f"{chip} {kind}: {len(found)} kernels, {len(bad)} with registers in memory")


if __name__ == "__main__":
    main()
