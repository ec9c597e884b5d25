# SPDX-License-Identifier: Apache-2.0
"""What ptxas makes of a PTX file: registers, spills, and instructions by name.

    sass.py FILE.ptx [CHIP]

An instruction of sm_70 to sm_120 is 16 bytes long and begins with an opcode of 12 bits.
Of accesses to global memory "16:4" says that 4 instructions access 16 bytes each; the
width is in 3 bits of the upper half (found by assembling one access of each).
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
GLOBAL = {0xFAE: "LDGSTS", 0x981: "LDG", 0x986: "STG"}
WIDTHS = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 8, 6: 16}  # bytes


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
    counts, widths = {}, {}
    for name, code in sections(ptx + ".cubin"):
        if name.startswith(".text."):
            pairs = [struct.unpack_from("<QQ", code, at) for at in range(0, len(code), 16)]
            counts[name[6:]] = collections.Counter(low & 0xFFF for low, _ in pairs)
            widths[name[6:]] = collections.Counter(
                (low & 0xFFF, WIDTHS[high >> 9 & 7])
                for low, high in pairs
                if low & 0xFFF in GLOBAL
            )
    for name, stores, loads, registers in sorted(used):
        found = [f"{OPCODES[opcode]} {counts[name][opcode]}" for opcode in OPCODES]
        for opcode, mnemonic in GLOBAL.items():
            of_width = sorted((width, n) for (o, width), n in widths[name].items() if o == opcode)
            found.append(
                f"{mnemonic} " + (",".join(f"{width}:{n}" for width, n in of_width) or "none")
            )
        print(f"{name}: registers {registers} spills {stores} {loads} {' '.join(found)}")


if __name__ == "__main__":
    main()
