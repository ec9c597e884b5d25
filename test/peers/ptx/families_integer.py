# SPDX-License-Identifier: Apache-2.0
"""Integer arithmetic (PTX ISA, section 9.7.1), with carries (9.7.2) and comparisons (9.7.6)."""
from integers import clamp, dot, mask, quotient, signed

M32 = mask(32)

WORDS = [("a", "s32", [7, -7, 2147483647, -2147483648, 123456789, -1]),
         ("b", "s32", [3, 3, 1, -1, -987654321, 65535]),
         ("c", "s32", [100, -100, 2147483647, -2147483648, 5, -6])]
LONGS = [("a", "s64", [7, -7, 2**63 - 1, -2**63, 123456789012345678, -1]),
         ("b", "s64", [3, 3, 1, 2, -9876543210, 2**40 - 1]),
         ("c", "s64", [100, -100, 2**62, -2**62, 5, -6])]
SHORTS = [("a", "s16", [7, -7, 32767, -32768, 12345, -1]),
          ("b", "s16", [3, 3, 1, 2, -321, 255]),
          ("c", "s16", [100, -100, 32767, -32768, 5, -6])]


def unsigned(*values, bits=32):
    return [value & mask(bits) for value in values]


def add_rows(t):
    bits = int(t[1:])
    return [(f"s{bits}", f"add.s{bits} {{d}}, %a, %b", lambda a, b, c: a + b),
            (f"s{bits}", f"sub.s{bits} {{d}}, %a, %b", lambda a, b, c: a - b),
            (f"u{bits}", f"add.u{bits} {{d}}, %a, 5", lambda a, b, c: a + 5),
            (f"s{bits}", f"neg.s{bits} {{d}}, %a", lambda a, b, c: -a),
            (f"s{bits}", f"abs.s{bits} {{d}}, %b", lambda a, b, c: abs(b)),
            (f"s{bits}", f"min.s{bits} {{d}}, %a, %b", lambda a, b, c: min(a, b)),
            (f"s{bits}", f"max.s{bits} {{d}}, %a, %b", lambda a, b, c: max(a, b)),
            (f"u{bits}", f"min.u{bits} {{d}}, %a, %b", lambda a, b, c: min(unsigned(a, b, bits=bits))),
            (f"u{bits}", f"max.u{bits} {{d}}, %a, %b", lambda a, b, c: max(unsigned(a, b, bits=bits)))]


def multiply_rows(bits):
    def high(a, b):
        return (a * b) >> bits

    rows = [(f"s{bits}", f"mul.lo.s{bits} {{d}}, %a, %b", lambda a, b, c: a * b),
            (f"s{bits}", f"mul.hi.s{bits} {{d}}, %a, %b", lambda a, b, c: high(a, b)),
            (f"u{bits}", f"mul.hi.u{bits} {{d}}, %a, %b", lambda a, b, c: high(*unsigned(a, b, bits=bits))),
            (f"s{bits}", f"mad.lo.s{bits} {{d}}, %a, %b, %c", lambda a, b, c: a * b + c),
            (f"s{bits}", f"mad.hi.s{bits} {{d}}, %a, %b, %c", lambda a, b, c: high(a, b) + c),
            (f"u{bits}", f"mad.hi.u{bits} {{d}}, %a, %b, %c", lambda a, b, c: high(*unsigned(a, b, bits=bits)) + c)]
    if bits < 64:
        wide = 2 * bits
        extend = f"cvt.s{wide}.s{bits} {'%y' if wide == 64 else '%t'}, %c; "
        third = "%y" if wide == 64 else "%t"
        rows += [(f"s{wide}", f"mul.wide.s{bits} {{d}}, %a, %b", lambda a, b, c: a * b),
                 (f"u{wide}", f"mul.wide.u{bits} {{d}}, %a, %b",
                  lambda a, b, c: (a & mask(bits)) * (b & mask(bits))),
                 (f"s{wide}", extend + f"mad.wide.s{bits} {{d}}, %a, %b, {third}", lambda a, b, c: a * b + c),
                 (f"u{wide}", extend + f"mad.wide.u{bits} {{d}}, %a, %b, {third}",
                  lambda a, b, c: (a & mask(bits)) * (b & mask(bits)) + c)]
    return rows


def divide_rows(bits):
    return [(f"s{bits}", f"div.s{bits} {{d}}, %a, %b", lambda a, b, c: quotient(a, b)),
            (f"s{bits}", f"rem.s{bits} {{d}}, %a, %b", lambda a, b, c: a - quotient(a, b) * b),
            (f"u{bits}", f"div.u{bits} {{d}}, %a, %b", lambda a, b, c: (a & mask(bits)) // (b & mask(bits))),
            (f"u{bits}", f"rem.u{bits} {{d}}, %a, %b", lambda a, b, c: (a & mask(bits)) % (b & mask(bits)))]


SATURATED = [
    ("s32", "add.sat.s32 {d}, %a, %b", lambda a, b, c: clamp(a + b, 32, True)),
    ("s32", "sub.sat.s32 {d}, %a, %b", lambda a, b, c: clamp(a - b, 32, True)),
    ("s32", "mad.hi.sat.s32 {d}, %a, %b, %c", lambda a, b, c: clamp(((a * b) >> 32) + c, 32, True)),
    ("s32", "min.relu.s32 {d}, %a, %b", lambda a, b, c: max(min(a, b), 0)),
    ("s32", "max.relu.s32 {d}, %a, %b", lambda a, b, c: max(a, b, 0)),
    ("u32", "sad.s32 {d}, %a, %b, %c", lambda a, b, c: c + abs(a - b)),
    ("u32", "sad.u32 {d}, %a, %b, %c", lambda a, b, c: c + abs((a & M32) - (b & M32))),
    ("s32", "slct.s32.s32 {d}, %a, %b, %c", lambda a, b, c: a if c >= 0 else b),
    ("s32", "slct.b32.f32 {d}, %a, %b, 0f80000000", lambda a, b, c: a),
    ("s32", "slct.b32.f32 {d}, %a, %b, 0fFF800000", lambda a, b, c: b),
]


def halves(function):
    """What .u16x2 and .s16x2 do: the same to both halves."""
    def of(a, b, c):
        return function(a & 65535, b & 65535) & 65535 | (function(a >> 16 & 65535, b >> 16 & 65535) & 65535) << 16
    return of


PAIRS = [
    ("b32", "add.u16x2 {d}, %a, %b", halves(lambda x, y: x + y)),
    ("b32", "min.s16x2 {d}, %a, %b", halves(lambda x, y: min(signed(x, 16), signed(y, 16)))),
    ("b32", "max.u16x2 {d}, %a, %b", halves(max)),
    ("b32", "max.relu.s16x2 {d}, %a, %b", halves(lambda x, y: max(signed(x, 16), signed(y, 16), 0))),
]

BYTES, HALVES = [(8, 0), (8, 8), (8, 16), (8, 24)], [(16, 0), (16, 16)]


def dot_rows():
    for ta, tb in ("uu", "us", "su", "ss"):
        yield ("s32", f"dp4a.{ta}32.{tb}32 {{d}}, %a, %b, %c",
               lambda a, b, c, ta=ta, tb=tb: c + dot(a, b, BYTES, BYTES, ta == "s", tb == "s"))
        for mode, parts in (("lo", BYTES[:2]), ("hi", BYTES[2:])):
            yield ("s32", f"dp2a.{mode}.{ta}32.{tb}32 {{d}}, %a, %b, %c",
                   lambda a, b, c, ta=ta, tb=tb, parts=parts: c + dot(a, b, HALVES, parts, ta == "s", tb == "s"))


def whole(low, high):
    return low | high << 32


CARRY = [
    # A sum of 64 bits by halves, and the carry out of it.
    ("u32", "add.cc.u32 %t, %a, %c; addc.u32 {d}, %b, 0", lambda a, b, c: (whole(a, b) + c) >> 32),
    ("u32", "add.cc.u32 %t, %a, %c; addc.cc.u32 %u, %b, %b; addc.u32 {d}, 0, 0",
     lambda a, b, c: (whole(a, b) + whole(c, b)) >> 64),
    ("u32", "sub.cc.u32 %t, %a, %c; subc.u32 {d}, %b, 1", lambda a, b, c: (whole(a, b) - whole(c, 1)) >> 32),
    ("u32", "sub.cc.u32 %t, %a, %c; subc.cc.u32 %u, %b, 1; subc.u32 {d}, 0, 0",
     lambda a, b, c: -(whole(a, b) < whole(c, 1))),
    ("u32", "mad.lo.cc.u32 %t, %a, %b, %c; madc.hi.u32 {d}, %a, %b, %c",
     lambda a, b, c: (a * b + whole(c, c)) >> 32),
    ("u32", "mad.lo.cc.u32 %t, %a, %b, %c; madc.hi.cc.u32 %u, %a, %b, %c; addc.u32 {d}, 0, 0",
     lambda a, b, c: (a * b + whole(c, c)) >> 64),
    ("u32", "mad.hi.cc.u32 %t, %a, %b, %c; madc.lo.u32 {d}, %a, %b, %c",
     lambda a, b, c: a * b + c + ((((a * b) >> 32) + c) >> 32)),
    ("u64", "cvt.u64.u32 %y, %a; cvt.u64.u32 %z, %b; shl.b64 %z, %z, 32; add.cc.u64 %y, %y, %z; "
            "addc.cc.u64 %z, -1, 0; addc.u64 {d}, 0, 0", lambda a, b, c: 0),
]

COMPARISONS = [("eq", lambda a, b: a == b), ("ne", lambda a, b: a != b), ("lt", lambda a, b: a < b),
               ("le", lambda a, b: a <= b), ("gt", lambda a, b: a > b), ("ge", lambda a, b: a >= b)]
UNSIGNED_COMPARISONS = [("lo", lambda a, b: a < b), ("ls", lambda a, b: a <= b), ("hi", lambda a, b: a > b),
                        ("hs", lambda a, b: a >= b)]


def compare_rows():
    for name, holds in COMPARISONS:
        yield "pred", f"setp.{name}.s32 {{d}}, %a, %b", lambda a, b, c, holds=holds: holds(a, b)
    for name, holds in UNSIGNED_COMPARISONS:
        yield "pred", f"setp.{name}.u32 {{d}}, %a, %b", lambda a, b, c, holds=holds: holds(a & M32, b & M32)
    third = "setp.gt.s32 %q, %c, 0; "
    yield "pred", third + "setp.lt.and.s32 {d}, %a, %b, %q", lambda a, b, c: a < b and c > 0
    yield "pred", third + "setp.lt.or.s32 {d}, %a, %b, !%q", lambda a, b, c: a < b or c <= 0
    yield "pred", third + "setp.lt.xor.s32 {d}, %a, %b, %q", lambda a, b, c: (a < b) != (c > 0)
    # The second result is of the opposite comparison, joined with the same predicate.
    yield "pred", third + "setp.lt.and.s32 %s|{d}, %a, %b, %q", lambda a, b, c: not a < b and c > 0
    yield "b32", "set.ge.u32.s32 {d}, %a, %b", lambda a, b, c: M32 if a >= b else 0
    yield "f32", "set.ge.f32.s32 {d}, %a, %b", lambda a, b, c: 1.0 if a >= b else 0.0
    yield "b32", third + "set.lt.and.s32.u32 {d}, %a, %b, %q", lambda a, b, c: M32 if a & M32 < b & M32 and c > 0 else 0
    yield "s32", third + "selp.b32 {d}, %a, %b, %q", lambda a, b, c: a if c > 0 else b
    yield "s32", third + "mov.b32 {d}, -3; @%q mov.b32 {d}, %a; @!%q add.s32 {d}, {d}, %b", \
        lambda a, b, c: a if c > 0 else b - 3


EQUAL = [("a", "s32", [5, 5, -5, 0, -2147483648, 6]), ("b", "s32", [5, -5, 5, 0, 2147483647, 7]),
         ("c", "s32", [1, -1, 0, 1, 9, -9])]
WORD_BITS = [("a", "b32", [0x01020304, 0xff80017f, 0xffffffff, 0x7fff8000]),
             ("b", "b32", [0x05060708, 0x80ff7f01, 0x00ff00ff, 0x80808080]), ("c", "b32", [0, 1, 0x7fffffff, 0xfffffff0])]
CARRIES = [("a", "u32", [1, M32, M32, 0, 0x80000000]), ("b", "u32", [2, M32, 0, 0, 0x80000000]),
           ("c", "u32", [3, 1, M32, 1, M32])]

FAMILIES = [
    dict(name="add-s16", title="Integers of 16 bits wrap around.", inputs=SHORTS, rows=add_rows("s16")),
    dict(name="add-s32", title="Integers of 32 bits wrap around.", inputs=WORDS, rows=add_rows("s32")),
    dict(name="add-s64", title="Integers of 64 bits wrap around.", inputs=LONGS, rows=add_rows("s64")),
    dict(name="multiply-s16", title="Low and high halves of products of 16 bits, and whole ones.", inputs=SHORTS,
         rows=multiply_rows(16)),
    dict(name="multiply-s32", title="Low and high halves of products of 32 bits, and whole ones.", inputs=WORDS,
         rows=multiply_rows(32)),
    dict(name="multiply-s64", title="Low and high halves of products of 64 bits.", inputs=LONGS, rows=multiply_rows(64)),
    dict(name="divide-s16", title="Quotients of 16 bits go toward zero, remainders have the dividend's sign.",
         inputs=SHORTS, rows=divide_rows(16)),
    dict(name="divide-s32", title="Quotients of 32 bits go toward zero, remainders have the dividend's sign.",
         inputs=[(n, k, [7, -7, 7, -2147483648, 123456789, -1] if n == "a" else
                  [3, 3, -3, 2, -98765, 65535] if n == "b" else v) for n, k, v in WORDS], rows=divide_rows(32)),
    dict(name="divide-s64", title="Quotients of 64 bits go toward zero, remainders have the dividend's sign.",
         inputs=LONGS, rows=divide_rows(64)),
    dict(name="saturate-s32", title="Integers that stop at the ends of their range, sad and slct.", inputs=WORDS,
         rows=SATURATED, version="8.0", target="sm_90"),
    dict(name="pairs-s16x2", title="Two halves of a word at once.", inputs=WORD_BITS, rows=PAIRS, target="sm_90"),
    dict(name="dot-products", title="Sums of products of bytes and halves.", inputs=WORD_BITS, rows=list(dot_rows())),
    dict(name="carry", title="Sums and products longer than a register, by the carry.", inputs=CARRIES, rows=CARRY),
    dict(name="compare-s32", title="Comparisons of integers, joined with predicates, and choices by them.",
         inputs=EQUAL, rows=list(compare_rows())),
]
