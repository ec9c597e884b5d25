# SPDX-License-Identifier: Apache-2.0
"""cvt (PTX ISA, section 9.7.9): between integers, between formats, and from each to the other."""
import math

import numbers_of_ptx as n
from integers import clamp, mask, signed

INF, NAN = math.inf, math.nan

WORDS = [("a", "b32", [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x12345678, 0x80000000, 0xffffffff]),
         ("b", "b64", [0, 1, 0x7f, 0x80, 0xff, 0x7fffffff, 0x80000000, 0x123456789abcdef0, 1 << 63, mask(64)])]


def integer_rows():
    for to in ("u8", "s8", "u16", "s16"):
        bits = int(to[1:])
        yield "s32", f"cvt.{to}.u32 {{d}}, %a", \
            lambda a, b, t=to, z=bits: signed(a, z) if t[0] == "s" else a & mask(z)
        for source in ("u32", "s32"):
            yield "s32", f"cvt.sat.{to}.{source} {{d}}, %a", \
                lambda a, b, t=to, z=bits, s=source: clamp(signed(a, 32) if s == "s32" else a, z, t[0] == "s")
    yield "s32", "cvt.s32.s8 {d}, %a", lambda a, b: signed(a, 8)
    yield "s32", "cvt.u32.u8 {d}, %a", lambda a, b: a & 255
    yield "s64", "cvt.s64.s32 {d}, %a", lambda a, b: signed(a, 32)
    yield "s64", "cvt.u64.u32 {d}, %a", lambda a, b: a
    yield "s64", "cvt.s64.s16 {d}, %a", lambda a, b: signed(a, 16)
    yield "s32", "cvt.u32.u64 {d}, %b", lambda a, b: b
    yield "s32", "cvt.sat.s32.s64 {d}, %b", lambda a, b: clamp(signed(b, 64), 32, True)
    yield "u32", "cvt.sat.u32.s64 {d}, %b", lambda a, b: clamp(signed(b, 64), 32, False)
    yield "u32", "cvt.sat.u32.u64 {d}, %b", lambda a, b: clamp(b, 32, False)
    yield "u32", "cvt.sat.u32.s32 {d}, %a", lambda a, b: clamp(signed(a, 32), 32, False)


def from_integer_rows():
    for mode in "nzmp":
        for source, bits in (("s32", 32), ("u32", 32), ("s64", 64), ("u64", 64)):
            for form in ("f32", "f64") if bits == 64 else ("f32",):
                def formula(a, b, m=mode, s=source, f=form):
                    value = a if s.endswith("32") else b
                    value = signed(value, int(s[1:])) if s[0] == "s" else value
                    return n.rounded(f, n.Fraction(value), m)
                yield form, f"cvt.r{mode}.{form}.{source} {{d}}, {'%a' if bits == 32 else '%b'}", formula
    yield "f64", "cvt.rn.f64.s32 {d}, %a", lambda a, b: float(signed(a, 32))
    yield "f16", "cvt.rn.f16.s32 {d}, %a", lambda a, b: n.rounded("f16", n.Fraction(signed(a, 32)))
    yield "f16", "cvt.rz.f16.u32 {d}, %a", lambda a, b: n.rounded("f16", n.Fraction(a), "z")
    yield "f32", "cvt.rn.f32.u8 {d}, %a", lambda a, b: float(a & 255)
    yield "f32", "cvt.rn.f32.s16 {d}, %a", lambda a, b: float(signed(a, 16))


INTEGERS = [("a", "b32", [0, 1, 0xff, 16777217, 16777219, 0x7fffffff, 0x80000001, 0xffffff7f, 0xffffffff, 65519]),
            ("b", "b64", [0, 1, 2**53 + 1, 2**53 + 3, 2**63 - 1, 2**63 + 1, mask(64), 2**40 + 2**16, 2**40 + 1,
                          2**64 - 2**38])]

FLOATS = [("a", "f32", [0.5, 1.5, -1.5, 2.7, -0.25, 127.9, 3e9, -3e9, 1e20, INF, -INF, NAN]),
          ("b", "f64", [0.5, 2.5, -2.5, 4294967294.7, -0.25, 2147483647.5, 1e10, -1e10, 1e20, INF, -INF, NAN])]


def to_integer_rows():
    for mode in "nzmp":
        for to in ("s32", "u32", "s64", "u64"):
            yield to, f"cvt.r{mode}i.{to}.f32 {{d}}, %a", \
                lambda a, b, m=mode, t=to: n.to_integer(a, int(t[1:]), t[0] == "s", m)
    yield "s32", "cvt.rzi.s8.f32 {d}, %a", lambda a, b: n.to_integer(a, 8, True, "z")
    yield "u32", "cvt.rni.u16.f32 {d}, %a", lambda a, b: n.to_integer(a, 16, False, "n")
    for to in ("s32", "u32", "s64", "u64"):
        yield to, f"cvt.rni.{to}.f64 {{d}}, %b", \
            lambda a, b, t=to: n.to_integer(b, int(t[1:]), t[0] == "s", "n", from_f64=True)


def integral_rows():
    def whole(value, mode):
        if not math.isfinite(value) or value == 0:
            return value
        return math.copysign(float(n.integral(n.Fraction(value), mode)), value)
    for mode in "nzmp":
        yield "f32", f"cvt.r{mode}i.f32.f32 {{d}}, %a", lambda a, b, m=mode: whole(a, m)
        yield "f64", f"cvt.r{mode}i.f64.f64 {{d}}, %b", lambda a, b, m=mode: whole(b, m)
    yield "f32", "cvt.sat.f32.f32 {d}, %a", lambda a, b: n.saturated(a)
    yield "f32", "cvt.rzi.sat.f32.f32 {d}, %a", lambda a, b: n.saturated(whole(a, "z"))


FORMATS = [("a", "f32", [1.0, -2.0009765, 65519.996, 65520.0, 1e-7, 3e-8, -1e-40, 3.3999e38, 1.00390625, INF, NAN, -0.0]),
           ("b", "f64", [1.0, 1 + 2.0 ** -24, 1 + 3 * 2.0 ** -24, -1e-45, 3.4e38, 3.5e38, 1e-310, -0.0, 0.1, INF, NAN,
                         -1e300])]


def format_rows():
    for mode in "nzmp":
        yield "f32", f"cvt.r{mode}.f32.f64 {{d}}, %b", lambda a, b, m=mode: n.convert("f32", b, m)
        yield "f16", f"cvt.r{mode}.f16.f32 {{d}}, %a", lambda a, b, m=mode: n.convert("f16", a, m)
    for mode in "nz":
        yield "bf16", f"cvt.r{mode}.bf16.f32 {{d}}, %a", lambda a, b, m=mode: n.convert("bf16", a, m)
        yield "bf16", f"cvt.r{mode}.relu.bf16.f32 {{d}}, %a", lambda a, b, m=mode: n.convert("bf16", a, m, relu=True)
        yield "f16", f"cvt.r{mode}.relu.f16.f32 {{d}}, %a", lambda a, b, m=mode: n.convert("f16", a, m, relu=True)
    yield "f64", "cvt.f64.f32 {d}, %a", lambda a, b: a
    yield "f64", "cvt.ftz.f64.f32 {d}, %a", lambda a, b: n.flushed("f32", a)
    yield "f32", "cvt.rn.ftz.f32.f64 {d}, %b", lambda a, b: n.convert("f32", b, ftz=True)
    yield "f32", "cvt.rn.sat.f32.f64 {d}, %b", lambda a, b: n.convert("f32", b, sat=True)
    yield "f32", "cvt.rn.f16.f32 %h, %a; cvt.f32.f16 {d}, %h", lambda a, b: n.convert("f16", a)
    yield "f32", "cvt.rn.bf16.f32 %h, %a; cvt.f32.bf16 {d}, %h", lambda a, b: n.convert("bf16", a)
    yield "f64", "cvt.rn.f16.f32 %h, %a; cvt.f64.f16 {d}, %h", lambda a, b: n.convert("f16", a)
    yield "f16", "cvt.rn.f16.f64 {d}, %b", lambda a, b: n.convert("f16", b)


PACKED = [("a", "f32", [1.0, -2.0009765, 65520.0, 1e-7, -1e-40, 1.00390625, -INF]),
          ("b", "f32", [0.1, 3.0, -65504.0, 2.0 ** -24, 3.0e38, -1.5, 5e-324])]


def pack_rows():
    for mode in "nz":
        for form in ("f16", "bf16"):
            for relu in (False, True):
                yield "b32", f"cvt.r{mode}{'.relu' if relu else ''}.{form}x2.f32 {{d}}, %a, %b", \
                    lambda a, b, m=mode, f=form, r=relu: (n.to_bits(f, n.convert(f, a, m, relu=r)) << 16
                                                         | n.to_bits(f, n.convert(f, b, m, relu=r)))
    # To 10 bits after the point; a GPU defines the other bits too, as 0.
    yield "b32", "cvt.rna.tf32.f32 {d}, %a", lambda a, b: n.to_bits("f32", n.convert("tf32", a, "a"))


FAMILIES = [
    dict(name="convert-integers", title="Integers narrower, wider, and stopped at the ends of the range.", inputs=WORDS,
         rows=list(integer_rows())),
    dict(name="convert-from-integers", title="Integers to floating point in every rounding mode.", inputs=INTEGERS,
         rows=list(from_integer_rows())),
    dict(name="convert-to-integers", title="Floating point to integers: rounded, clamped, and what a NaN becomes.",
         inputs=FLOATS, rows=list(to_integer_rows())),
    dict(name="convert-to-integral", title="Floating point to whole numbers of the same format.", inputs=FLOATS,
         rows=list(integral_rows())),
    dict(name="convert-formats", title="From one floating-point format to another.", inputs=FORMATS,
         rows=list(format_rows()), target="sm_90"),
    dict(name="convert-packed", title="Two numbers rounded into one word, the first into the upper half.",
         inputs=PACKED, rows=list(pack_rows())),
]
