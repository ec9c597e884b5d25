# SPDX-License-Identifier: Apache-2.0
"""Bits, shifts and moves (PTX ISA, sections 9.7.1, 9.7.8 and 9.7.9)."""
import integers
from integers import mask, signed

M32, M64 = mask(32), mask(64)

PATTERNS = [("a", "b32", [0, 1, 0x80000000, 0xffffffff, 0x12345678, 0xf0f0a5a5]),
            ("b", "b32", [0, 0xffffffff, 0x0000ffff, 0x0f0f0f0f, 0x87654321, 0x55aa00ff]),
            ("c", "b32", [0xffffffff, 0, 0xff00ff00, 0x33333333, 0x9abcdef0, 0x00000001])]
LONG_PATTERNS = [("a", "b64", [0, 1, 1 << 63, M64, 0x123456789abcdef0, 0xf0f0a5a500ff0001]),
                 ("b", "b64", [0, M64, 0xffffffff, 0x0f0f0f0f0f0f0f0f, 0x8765432100000001, 0x5555aaaa00ffff00])]


def logic_rows(bits, arity):
    def of(function):
        return lambda *v: function(*v)
    pad = (lambda f: lambda a, b, c: f(a, b)) if arity == 3 else of
    t = f"b{bits}"
    return [(t, f"and.{t} {{d}}, %a, %b", pad(lambda a, b: a & b)), (t, f"or.{t} {{d}}, %a, %b", pad(lambda a, b: a | b)),
            (t, f"xor.{t} {{d}}, %a, %b", pad(lambda a, b: a ^ b)), (t, f"not.{t} {{d}}, %a", pad(lambda a, b: ~a)),
            (t, f"cnot.{t} {{d}}, %a", pad(lambda a, b: int(a == 0))),
            (t, f"brev.{t} {{d}}, %a", pad(lambda a, b: integers.brev(a, bits))),
            ("u32", f"popc.{t} {{d}}, %a", pad(lambda a, b: bin(a).count("1"))),
            ("u32", f"clz.{t} {{d}}, %a", pad(lambda a, b: integers.clz(a, bits))),
            ("b32", f"bfind.u{bits} {{d}}, %a", pad(lambda a, b: integers.bfind(a, bits, False))),
            ("b32", f"bfind.s{bits} {{d}}, %a", pad(lambda a, b: integers.bfind(a, bits, True))),
            ("b32", f"bfind.shiftamt.u{bits} {{d}}, %a", pad(lambda a, b: integers.bfind(a, bits, False, True))),
            ("b32", f"bfind.shiftamt.s{bits} {{d}}, %a", pad(lambda a, b: integers.bfind(a, bits, True, True)))]


def lop3_rows():
    for table in (0x00, 0x80, 0xE8, 0xCA, 0x96, 0x1D):
        yield "b32", f"lop3.b32 {{d}}, %a, %b, %c, 0x{table:02X}", \
            lambda a, b, c, table=table: integers.lop3(a, b, c, table)


def predicate_rows():
    start = "setp.ne.b32 %q, %a, 0; setp.gt.s32 %s, %b, 0; "
    for name, holds in (("and", lambda x, y: x and y), ("or", lambda x, y: x or y), ("xor", lambda x, y: x != y)):
        yield "pred", start + f"{name}.pred {{d}}, %q, %s", \
            lambda a, b, c, holds=holds: bool(holds(a != 0, signed(b, 32) > 0))
    yield "pred", start + "not.pred {d}, %q", lambda a, b, c: a == 0
    yield "pred", start + "mov.pred {d}, %s", lambda a, b, c: signed(b, 32) > 0


SHIFTED = [("a", "b32", [0x80000001, 0x80000001, 0x7ffffff0, 0xffffffff, 0x12345678, 0x87654321]),
           ("b", "u32", [0, 1, 31, 32, 33, 255]), ("c", "b32", [0xf, 0x80000000, 0xabcdef01, 0, 0x55555555, M32])]


def shift(value, by, bits, left=False, is_signed=False):
    if left:
        return value << by if by < bits else 0
    value = signed(value, bits) if is_signed else value & mask(bits)
    return value >> min(by, bits)


def shift_rows():
    yield "b32", "shl.b32 {d}, %a, %b", lambda a, b, c: shift(a, b, 32, left=True)
    yield "b32", "shr.u32 {d}, %a, %b", lambda a, b, c: shift(a, b, 32)
    yield "b32", "shr.b32 {d}, %a, %b", lambda a, b, c: shift(a, b, 32)
    yield "b32", "shr.s32 {d}, %a, %b", lambda a, b, c: shift(a, b, 32, is_signed=True)
    wide = "mov.b64 %y, {%c, %a}; "
    yield "b64", wide + "shl.b64 {d}, %y, %b", lambda a, b, c: shift(a << 32 | c, b, 64, left=True)
    yield "b64", wide + "shr.u64 {d}, %y, %b", lambda a, b, c: shift(a << 32 | c, b, 64)
    yield "b64", wide + "shr.s64 {d}, %y, %b", lambda a, b, c: shift(a << 32 | c, b, 64, is_signed=True)
    short = "cvt.u16.u32 %i, %a; "
    yield "b16", short + "shl.b16 {d}, %i, %b", lambda a, b, c: shift(a, b, 16, left=True)
    yield "b16", short + "shr.u16 {d}, %i, %b", lambda a, b, c: shift(a, b, 16)
    yield "b16", short + "shr.s16 {d}, %i, %b", lambda a, b, c: shift(a & 65535, b, 16, is_signed=True)
    for direction in ("l", "r"):
        for mode in ("wrap", "clamp"):
            yield "b32", f"shf.{direction}.{mode}.b32 {{d}}, %a, %c, %b", \
                lambda a, b, c, d=direction, m=mode: integers.shf(a, c, b, d == "l", m == "wrap")


FIELDS = [("a", "b32", [0x12345678, 0x12345678, 0xf0000000, 0x0000ff80, 0xffffffff, 0x89abcdef, 0x89abcdef]),
          ("b", "u32", [4, 0, 28, 7, 31, 40, 260]), ("c", "u32", [8, 32, 8, 9, 1, 5, 300])]


def field_rows():
    for t, is_signed in (("u32", False), ("s32", True)):
        yield "b32", f"bfe.{t} {{d}}, %a, %b, %c", lambda a, b, c, s=is_signed: integers.bfe(a, b, c, 32, s)
        yield "b64", f"mov.b64 %y, {{%a, %a}}; bfe.{t[0]}64 {{d}}, %y, %b, %c", \
            lambda a, b, c, s=is_signed: integers.bfe(a << 32 | a, b, c, 64, s)
    yield "b32", "bfi.b32 {d}, %a, 0xAAAAAAAA, %b, %c", lambda a, b, c: integers.bfi(a, 0xaaaaaaaa, b, c, 32)
    yield "b64", "mov.b64 %y, {%a, %a}; bfi.b64 {d}, %y, 0, %b, %c", \
        lambda a, b, c: integers.bfi(a << 32 | a, 0, b, c, 64)
    for mode in ("clamp", "wrap"):
        for t in ("u32", "s32"):
            yield "b32", f"szext.{mode}.{t} {{d}}, %a, %c", \
                lambda a, b, c, m=mode, t=t: integers.szext(a, c, t == "s32", m == "clamp")
        yield "b32", f"bmsk.{mode}.b32 {{d}}, %b, %c", lambda a, b, c, m=mode: integers.bmsk(b, c, m == "clamp")


PERMUTED = [("a", "b32", [0x44332211, 0x84838281, 0x01020304, 0xf0e0d0c0]),
            ("b", "b32", [0x88776655, 0x08070605, 0x11121314, 0x0a0b0c0d]), ("c", "b32", [0x3210, 0x7b6a, 0xfedc, 0x0526])]


def permute_rows():
    yield "b32", "prmt.b32 {d}, %a, %b, %c", lambda a, b, c: integers.prmt(a, b, c)
    yield "b32", "prmt.b32 {d}, %a, %b, 0x5410", lambda a, b, c: integers.prmt(a, b, 0x5410)
    for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        yield "b32", f"prmt.b32.{mode} {{d}}, %a, %b, %c", lambda a, b, c, m=mode: integers.prmt(a, b, c, m)


MOVED = [("a", "b32", [0x11223344, 0xffee8001]), ("b", "b32", [0x55667788, 0x00017fff])]
PACKED = [
    ("b64", "mov.b64 {d}, {%a, %b}", lambda a, b: a | b << 32),
    ("b32", "mov.b64 %y, {%a, %b}; mov.b64 {%t, {d}}, %y", lambda a, b: b),
    ("b32", "mov.b64 %y, {%a, %b}; mov.b64 {{d}, _}, %y", lambda a, b: a),
    ("b16", "mov.b32 {%i, {d}}, %a", lambda a, b: a >> 16),
    ("b32", "mov.b32 {%i, %j}, %a; mov.b32 {d}, {%j, %i}", lambda a, b: a >> 16 | (a & 65535) << 16),
    ("b64", "mov.b32 {%i, %j}, %a; mov.b64 {d}, {%j, %i, %i, %j}",
     lambda a, b: (a >> 16) * (1 | 1 << 48) | (a & 65535) * (1 << 16 | 1 << 32)),
    ("b32", "mov.b32 {d}, -2", lambda a, b: -2),
    ("b32", "mov.f32 {d}, 0fC0490FDB", lambda a, b: 0xc0490fdb),
    ("b32", "mov.f32 {d}, 1.5", lambda a, b: 0x3fc00000),
    ("b64", "mov.f64 {d}, 0d400921FB54442D18", lambda a, b: 0x400921fb54442d18),
    ("b64", "mov.f64 {d}, -0.25", lambda a, b: 0xbfd0000000000000),
    ("b32", "mov.u32 {d}, (0x10 | 1) << 4 - 2", lambda a, b: 17 << 2),
    ("b32", "mov.u32 {d}, 0b101U + 017 * WARP_SZ", lambda a, b: 5 + 15 * 32),
]

FAMILIES = [
    dict(name="logic-b32", title="Bits of a word, one by one.", inputs=PATTERNS,
         rows=logic_rows(32, 3) + list(lop3_rows()) + list(predicate_rows())),
    dict(name="logic-b64", title="Bits of a double word, one by one.", inputs=LONG_PATTERNS, rows=logic_rows(64, 2)),
    dict(name="shift", title="Shifts; a count beyond the width is clamped, of shf.wrap taken modulo 32.", inputs=SHIFTED,
         rows=list(shift_rows())),
    dict(name="fields", title="Fields of bits that are taken out, put in, extended and masked.", inputs=FIELDS,
         rows=list(field_rows())),
    dict(name="permute", title="Bytes of two words, in an order that is asked for.", inputs=PERMUTED,
         rows=list(permute_rows())),
    dict(name="move", title="Registers packed and unpacked, and literals of every form.", inputs=MOVED, rows=PACKED),
]
