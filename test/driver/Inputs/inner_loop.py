# SPDX-License-Identifier: Apache-2.0
"""The innermost loop of a function in assembly text: python3 inner_loop.py FUNCTION < model.s

Of the blocks of the function, which one has the most arithmetic of f32; what it does, by the kind of instruction and
register, how often it uses the stack, and what it calls.
"""
import collections, re, sys

ARITHMETIC = re.compile(r"v?fn?m(?:add|la)\S*|v?(?:mul|add)ps|fmul|fadd|v?t?dpbf16ps")
TILES = re.compile(r"tile\w+|[ls][dt]tilecfg")
LOADS_ONE = re.compile(r"v?broadcastss|vpbroadcastd|shufps|ld1r")

BRANCH = re.compile(r"j|b(\.|$)|cbn?z|tbn?z|ret")


def blocks(lines, function):
    inside, block = False, []
    for line in lines:
        if re.match(r'"?[\w.]+"?:', line) and not line.startswith("."):
            inside = re.match(r'"?' + function, line)
        if not inside:
            continue
        if re.match(r"\.LBB", line):
            yield block
            block = []
        elif line.startswith("\t") and not line.startswith(("\t.", "\t#")):
            block.append(line.split("#")[0].split())
            if BRANCH.match(block[-1][0]):
                yield block
                block = []
    yield block


def register(operands):
    found = re.search(r"%([xyzt]mm)|\bv\d+\.(4s)", operands[-1] if "%" in operands[-1] else operands[0])
    return (found.group(1) or found.group(2)) if found else ""


def main(function):
    def arithmetic(block):
        return sum(bool(ARITHMETIC.fullmatch(i[0])) for i in block)

    found = list(blocks(sys.stdin, function))
    # What the stack is counted from where its size is not fixed.
    base = {i[2] for block in found for i in block if i[:2] == ["movq", "%rsp,"]} & {"%rbp", "%rbx"}
    stack = re.compile(r"%[re]sp\b|\bsp\b" + "".join(rf"|\({name}\b" for name in base))
    loop, counts = max(found, key=arithmetic), collections.Counter()
    for name, *operands in loop:
        if TILES.fullmatch(name):
            counts[name] += 1
        if ARITHMETIC.fullmatch(name) or LOADS_ONE.fullmatch(name):
            counts[f"{name} {register(operands)}".strip()] += 1
        if stack.search(" ".join(operands)):
            counts["stack"] += 1
        if re.match(r"call|bl$", name):
            counts["call"] += 1
    for what, count in sorted(counts.items()):
        print(f"{what}: {count}")


main(sys.argv[1])
