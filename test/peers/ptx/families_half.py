# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of f16, bf16 and pairs of them (PTX ISA, section 9.7.4)."""
import math

import functions
import numbers_of_ptx as n

INF, NAN = math.inf, math.nan
HALF = [("a", "f16", [1.0, 1.5, -0.1, 60000.0, 1e-5, 6e-8, -0.0, INF, NAN]),
        ("b", "f16", [2.0 ** -11, -1.5, 0.3, 60000.0, -9e-6, -0.5, 0.0, -INF, 1.0]),
        ("c", "f16", [0.75, 2.25, 0.03, -INF, 1e-7, 6e-8, -0.0, 2.0, 3.0])]
BRAIN = [("a", "bf16", [1.0, 1.5, -0.1, 3e38, 1e-38, 1e-40, -0.0, INF, NAN]),
         ("b", "bf16", [2.0 ** -8, -1.5, 0.3, 3e38, -9e-39, -0.5, 0.0, -INF, 1.0]),
         ("c", "bf16", [0.75, 2.25, 0.03, -INF, 1e-40, 1e-40, -0.0, 2.0, 3.0])]


def common_rows(f):
    yield f, f"fma.rn.{f} {{d}}, %a, %b, %c", lambda a, b, c: n.fma(f, a, b, c)
    yield f, f"fma.rn.relu.{f} {{d}}, %a, %b, %c", lambda a, b, c: n.fma(f, a, b, c, relu=True)
    for name, large in (("min", False), ("max", True)):
        for nan in (False, True):
            yield f, f"{name}{'.NaN' if nan else ''}.{f} {{d}}, %a, %b", \
                lambda a, b, c, large=large, nan=nan: n.extreme(f, large, [a, b], nan=nan)
    yield f, f"abs.{f} {{d}}, %b", lambda a, b, c: abs(b)
    yield f, f"neg.{f} {{d}}, %a", lambda a, b, c: -a
    yield "pred", f"setp.lt.{f} {{d}}, %a, %b", lambda a, b, c: a < b
    yield "pred", f"setp.geu.{f} {{d}}, %a, %b", lambda a, b, c: not a < b


def sum_rows(f, flags):
    for how in flags:
        suffix = "".join("." + flag for flag in how)
        yield f, f"add{suffix}.{f} {{d}}, %a, %b", lambda a, b, c, how=how: n.add(f, a, b, **how)
        yield f, f"sub{suffix}.{f} {{d}}, %a, %b", lambda a, b, c, how=how: n.add(f, a, -b, **how)
        yield f, f"mul{suffix}.{f} {{d}}, %a, %b", lambda a, b, c, how=how: n.mul(f, a, b, **how)


def half_rows():
    yield from sum_rows("f16", (dict(), dict(ftz=True), dict(sat=True)))
    yield "f16", "fma.rn.ftz.f16 {d}, %a, %b, %c", lambda a, b, c: n.fma("f16", a, b, c, ftz=True)
    yield "f16", "fma.rn.sat.f16 {d}, %a, %b, %c", lambda a, b, c: n.fma("f16", a, b, c, sat=True)
    yield "f16", "ex2.approx.f16 {d}, %a", lambda a, b, c: functions.ex2("f16", a)
    yield "f16", "tanh.approx.f16 {d}, %a", lambda a, b, c: functions.tanh("f16", a)


PAIRS = {
    "f16": [("a", "b32", [0x3c003c00, 0x7bff4200, 0xc500b800]), ("b", "b32", [0x3c01c000, 0x7bff0001, 0x45003800]),
            ("c", "b32", [0x00000001, 0xfbff3555, 0xbc007c00])],
    "bf16": [("a", "b32", [0x3f803f80, 0x7f7f4040, 0xc0a0bf00]), ("b", "b32", [0x3f81c000, 0x7f7f0001, 0x40a03f00]),
             ("c", "b32", [0x00000001, 0xff7f3eab, 0xbf807f80])],
}


def halves(f, function):
    """The same to both halves of words."""
    def of(*words):
        low = function(*[n.from_bits(f, word & 65535) for word in words])
        high = function(*[n.from_bits(f, word >> 16) for word in words])
        return n.to_bits(f, low) | n.to_bits(f, high) << 16
    return of


def pair_rows(f):
    t = f"{f}x2"
    yield "b32", f"fma.rn.{t} {{d}}, %a, %b, %c", halves(f, lambda a, b, c: n.fma(f, a, b, c))
    yield "b32", f"fma.rn.relu.{t} {{d}}, %a, %b, %c", halves(f, lambda a, b, c: n.fma(f, a, b, c, relu=True))
    yield "b32", f"min.{t} {{d}}, %a, %b", halves(f, lambda a, b, c: n.extreme(f, False, [a, b]))
    yield "b32", f"max.NaN.{t} {{d}}, %a, %b", halves(f, lambda a, b, c: n.extreme(f, True, [a, b], nan=True))
    yield "b32", f"neg.{t} {{d}}, %a", halves(f, lambda a, b, c: -a)
    yield "b32", f"abs.{t} {{d}}, %a", halves(f, lambda a, b, c: abs(a))
    yield "b32", f"setp.lt.{t} %p|%q, %a, %b; selp.b32 %t, 1, 0, %p; selp.b32 %u, 2, 0, %q; or.b32 {{d}}, %t, %u", \
        lambda a, b, c: ((n.from_bits(f, a & 65535) < n.from_bits(f, b & 65535))
                         | (n.from_bits(f, a >> 16) < n.from_bits(f, b >> 16)) << 1)
    if f == "f16":
        yield "b32", "add.f16x2 {d}, %a, %b", halves(f, lambda a, b, c: n.add(f, a, b))
        yield "b32", "sub.sat.f16x2 {d}, %a, %b", halves(f, lambda a, b, c: n.add(f, a, -b, sat=True))
        yield "b32", "mul.ftz.f16x2 {d}, %a, %b", halves(f, lambda a, b, c: n.mul(f, a, b, ftz=True))


FAMILIES = [
    dict(name="arithmetic-f16", title="Arithmetic of f16.", inputs=HALF, rows=[*common_rows("f16"), *half_rows()]),
    dict(name="arithmetic-bf16", title="Arithmetic of bf16.", inputs=BRAIN,
         rows=[*common_rows("bf16"), *sum_rows("bf16", [dict()])], target="sm_90"),
    dict(name="pairs-f16x2", title="Two f16 at once.", inputs=PAIRS["f16"], rows=list(pair_rows("f16"))),
    dict(name="pairs-bf16x2", title="Two bf16 at once.", inputs=PAIRS["bf16"], rows=list(pair_rows("bf16")),
         target="sm_90"),
]
