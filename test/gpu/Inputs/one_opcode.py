# SPDX-License-Identifier: Apache-2.0
"""A list for opcodes.cpp of one kernel of a prepared folder, three times: with another expectation, with a file that is
not there, and as it is.

    one_opcode.py PREPARED NAME TO
"""
import os
import sys

prepared, name, to = sys.argv[1:]
os.makedirs(os.path.join(to, "got"))
words = next(l.split("\t") for l in open(os.path.join(prepared, "list")).read().split("\n") if l.startswith(name + "\t"))
words[1] = os.path.join(prepared, words[1])
expected = open(os.path.join(prepared, "expected", name)).read()
numbers = expected.split(" ")
numbers[2] = "77"
with open(os.path.join(to, "list"), "w") as file:
    for each, path in (name, words[1]), ("vote.lost", to + "/lost.ptx"), ("vote.right", words[1]):
        file.write("\t".join([each, path] + words[2:]) + "\n")
        open(os.path.join(to, each), "w").write(" ".join(numbers) if each == name else expected)
