# SPDX-License-Identifier: Apache-2.0
"""What ptxas makes of a PTX file: registers, spills, and instructions by name.

    sass.py FILE.ptx [CHIP]

An instruction of sm_70 to sm_120 is 16 bytes long and begins with an opcode of 12 bits.
"""

import collections
import re
import struct
import subprocess
import sys

OPCODES = {
    0x23C: "HMMA",
    0x83B: "LDSM",
    0xFAE: "LDGSTS",
    0x983: "LDL",
    0x387: "STL",
}


def sections(file):
    """(name, contents) of an ELF file of 64 bits."""
    with open(file, "rb") as opened:
        elf = opened.read()
    table = struct.unpack_from("<Q", elf, 0x28)[0]
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [
        struct.unpack_from("<IIQQQQIIQQ", elf, table + i * size) for i in range(count)
    ]
    for header in headers:
        start = headers[names][4] + header[0]
        name = elf[start : elf.index(0, start)].decode()
        yield name, elf[header[4] : header[4] + header[5]]


def main():
    ptx = sys.argv[1]
    chip = sys.argv[2] if len(sys.argv) > 2 else "sm_80"
    command = ["ptxas", "-v", f"-arch={chip}", ptx, "-o", ptx + ".cubin"]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode:
        sys.exit(ran.stderr)
    used = re.findall(
        r"entry function '(\w+)'.*?(\d+) bytes spill stores, (\d+) bytes spill loads"
        r".*?Used (\d+) registers",
        ran.stderr,
        re.S,
    )
    counts = {}
    for name, code in sections(ptx + ".cubin"):
        if name.startswith(".text."):
            counts[name[6:]] = collections.Counter(
                struct.unpack_from("<Q", code, at)[0] & 0xFFF
                for at in range(0, len(code), 16)
            )
    for name, stores, loads, registers in sorted(used):
        found = " ".join(
            f"{OPCODES[opcode]} {counts[name][opcode]}" for opcode in OPCODES
        )
        print(f"{name}: registers {registers} spills {stores} {loads} {found}")


if __name__ == "__main__":
    main()
