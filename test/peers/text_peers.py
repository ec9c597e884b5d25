# SPDX-License-Identifier: Apache-2.0
"""What the scripts about the tokenizers share: libnaxtext from Python, and the escapes of the golden files."""
import ctypes
import glob
import os
import subprocess


def build_library(folder):
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../runtime")
    sources = glob.glob(root + "/src/*.c") + glob.glob(root + "/text/*.c")
    path = os.path.join(folder, "libnaxtext.so")
    subprocess.run(["cc", "-std=c11", "-O2", "-shared", "-fPIC", "-pthread", f"-I{root}/include", f"-I{root}/src", *sources, "-o", path, "-lm"], check=True)
    library = ctypes.CDLL(path)
    library.nax_last_error.restype = ctypes.c_char_p
    return library


def escaped(data):
    """Readable where it can be: whole characters stay, control characters and lone bytes become escapes."""
    plain = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
    out = []
    for c in data.decode("utf-8", errors="surrogateescape"):
        code = ord(c)
        if c in plain:
            out.append(plain[c])
        elif 0xDC80 <= code <= 0xDCFF:
            out.append(f"\\x{code - 0xDC00:02X}")
        elif not c.isprintable():
            out.append("".join(f"\\x{b:02X}" for b in c.encode()))
        else:
            out.append(c)
    return "".join(out)
