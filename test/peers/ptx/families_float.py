# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of f32 and f64 (PTX ISA, section 9.7.3), and their comparisons."""
import math
import operator

import functions
import numbers_of_ptx as n

INF, NAN = math.inf, math.nan
TINY = 2.0 ** -149
F32 = [("a", "f32", [1.0, 1.5, -0.1, 3e38, 1e-38, TINY * 3, -0.0, INF, NAN]),
       ("b", "f32", [2.0 ** -25, -1.5, 0.3, 3e38, -9e-39, -0.5, 0.0, -INF, 1.0]),
       ("c", "f32", [0.75, 2.25, 0.03, -INF, 1e-45, 1e-45, -0.0, 2.0, 3.0])]
F64 = [("a", "f64", [1.0, 1.5, -0.1, 1.7e308, 3e-308, 5e-324, -0.0, INF, NAN]),
       ("b", "f64", [2.0 ** -54, -1.5, 0.3, 1.7e308, -2.9e-308, -0.5, 0.0, -INF, 1.0]),
       ("c", "f64", [0.75, 2.25, 0.03, -INF, 5e-324, 5e-324, -0.0, 2.0, 3.0])]


def rounding_rows(form):
    for mode in "nzmp":
        yield form, f"add.r{mode}.{form} {{d}}, %a, %b", lambda a, b, c, m=mode: n.add(form, a, b, mode=m)
        yield form, f"mul.r{mode}.{form} {{d}}, %a, %b", lambda a, b, c, m=mode: n.mul(form, a, b, mode=m)
        yield form, f"fma.r{mode}.{form} {{d}}, %a, %b, %c", lambda a, b, c, m=mode: n.fma(form, a, b, c, mode=m)
    yield form, f"sub.{form} {{d}}, %a, %b", lambda a, b, c: n.add(form, a, -b)
    yield form, f"sub.rm.{form} {{d}}, %a, %a", lambda a, b, c: n.add(form, a, -a, mode="m")
    yield form, f"mad.rn.{form} {{d}}, %a, %b, %c", lambda a, b, c: n.fma(form, a, b, c)


def f32_rows():
    f = "f32"
    for flags in (dict(ftz=True), dict(sat=True), dict(ftz=True, sat=True)):
        suffix = "".join("." + flag for flag in flags)
        yield f, f"add{suffix}.f32 {{d}}, %a, %b", lambda a, b, c, how=flags: n.add(f, a, b, **how)
        yield f, f"sub{suffix}.f32 {{d}}, %b, %a", lambda a, b, c, how=flags: n.add(f, b, -a, **how)
        yield f, f"mul{suffix}.f32 {{d}}, %a, %b", lambda a, b, c, how=flags: n.mul(f, a, b, **how)
        yield f, f"fma.rn{suffix}.f32 {{d}}, %a, %b, %c", lambda a, b, c, how=flags: n.fma(f, a, b, c, **how)
    yield f, "abs.f32 {d}, %b", lambda a, b, c: abs(b)
    yield f, "abs.ftz.f32 {d}, %c", lambda a, b, c: abs(n.flushed(f, c))
    yield f, "neg.f32 {d}, %a", lambda a, b, c: -a
    yield f, "neg.ftz.f32 {d}, %a", lambda a, b, c: -n.flushed(f, a)
    yield from extreme_rows(f)
    for name, large in (("min", False), ("max", True)):
        yield f, f"{name}.ftz.f32 {{d}}, %a, %c", lambda a, b, c, large=large: n.extreme(f, large, [a, c], ftz=True)
        yield f, f"{name}.ftz.NaN.f32 {{d}}, %a, %c", \
            lambda a, b, c, large=large: n.extreme(f, large, [a, c], nan=True, ftz=True)
    yield f, "max.xorsign.abs.f32 {d}, %b, %c", \
        lambda a, b, c: math.copysign(max(abs(b), abs(c)), math.copysign(1, b) * math.copysign(1, c))


def extreme_rows(form):
    for name, large in (("min", False), ("max", True)):
        yield form, f"{name}.{form} {{d}}, %a, %b", lambda a, b, c, large=large: n.extreme(form, large, [a, b])
        if form == "f32":
            yield form, f"{name}.NaN.f32 {{d}}, %a, %b", \
                lambda a, b, c, large=large: n.extreme(form, large, [a, b], nan=True)


def sign_rows(form):
    bits = n.FORMATS[form][2]
    yield form, f"copysign.{form} {{d}}, %a, %b", lambda a, b, c: math.copysign(b, a)
    tests = [("finite", math.isfinite), ("infinite", math.isinf), ("number", lambda x: not math.isnan(x)),
             ("notanumber", math.isnan),
             ("normal", lambda x: math.isfinite(x) and x != 0 and n.flushed(form, x) != 0),
             ("subnormal", lambda x: math.isfinite(x) and x != 0 and n.flushed(form, x) == 0)]
    for name, holds in tests:
        yield "pred", f"testp.{name}.{form} {{d}}, %a", lambda a, b, c, holds=holds: holds(a)
    assert bits in (32, 64)


ORDERED = [("eq", operator.eq), ("ne", operator.ne), ("lt", operator.lt), ("le", operator.le), ("gt", operator.gt),
           ("ge", operator.ge)]


def compare_rows(form):
    def unordered(a, b):
        return math.isnan(a) or math.isnan(b)

    for name, holds in ORDERED:
        # Python's != holds for NaNs, while ne is false of them, as every ordered comparison is.
        yield "pred", f"setp.{name}.{form} {{d}}, %a, %b", \
            lambda a, b, holds=holds: not unordered(a, b) and holds(a, b)
        yield "pred", f"setp.{name}u.{form} {{d}}, %a, %b", lambda a, b, holds=holds: unordered(a, b) or holds(a, b)
    yield "pred", f"setp.num.{form} {{d}}, %a, %b", lambda a, b: not unordered(a, b)
    yield "pred", f"setp.nan.{form} {{d}}, %a, %b", unordered
    if form == "f32":
        yield "pred", "setp.eq.ftz.f32 {d}, %a, %b", \
            lambda a, b: not unordered(a, b) and n.flushed(form, a) == n.flushed(form, b)
        yield "f32", "set.lt.f32.f32 {d}, %a, %b", lambda a, b: float(a < b)
        yield "b32", "set.leu.u32.f32 {d}, %a, %b", lambda a, b: -int(unordered(a, b) or a <= b)
    yield form, f"setp.gt.{form} %q, %a, %b; selp.{form} {{d}}, %a, %b, %q", lambda a, b: a if a > b else b


def divide_rows(form):
    for mode in "nzmp":
        yield form, f"div.r{mode}.{form} {{d}}, %a, %b", lambda a, b, m=mode: n.div(form, a, b, mode=m)
        yield form, f"rcp.r{mode}.{form} {{d}}, %b", lambda a, b, m=mode: n.div(form, 1.0, b, mode=m)
        yield form, f"sqrt.r{mode}.{form} {{d}}, %a", lambda a, b, m=mode: n.sqrt(form, a, mode=m)
    if form == "f32":
        yield form, "div.rn.ftz.f32 {d}, %a, %b", lambda a, b: n.div(form, a, b, ftz=True)
        yield form, "rcp.rn.ftz.f32 {d}, %b", lambda a, b: n.div(form, 1.0, b, ftz=True)
        yield form, "sqrt.rn.ftz.f32 {d}, %a", lambda a, b: n.sqrt(form, a, ftz=True)


F32_QUOTIENTS = [("a", "f32", [1.0, 2.0, -7.0, 1e-40, 3e38, 0.0, 4.0, INF, NAN]),
                 ("b", "f32", [3.0, -0.7, 1e-40, 7.0, 0.1, 0.0, -0.0, 5.0, INF])]
F64_QUOTIENTS = [("a", "f64", [1.0, 2.0, -7.0, 1e-310, 3e307, 0.0, 4.0, INF, NAN]),
                 ("b", "f64", [3.0, -0.7, 1e-310, 7.0, 0.1, 0.0, -0.0, 5.0, INF])]

APPROXIMATE = [("a", "f32", [0.0, 0.5, 1.0, -3.25, 100.0, 1e-40, -150.0, INF, NAN])]


def approximate_rows():
    f = "f32"
    for ftz in (False, True):
        suffix = ".ftz" if ftz else ""
        yield f, f"ex2.approx{suffix}.f32 {{d}}, %a", lambda a, z=ftz: functions.ex2(f, a, ftz=z)
        yield f, f"lg2.approx{suffix}.f32 {{d}}, %a", lambda a, z=ftz: functions.lg2(f, a, ftz=z)
        yield f, f"rcp.approx{suffix}.f32 {{d}}, %a", lambda a, z=ftz: n.div(f, 1.0, a, ftz=z)
        yield f, f"sqrt.approx{suffix}.f32 {{d}}, %a", lambda a, z=ftz: n.sqrt(f, a, ftz=z)
        yield f, f"rsqrt.approx{suffix}.f32 {{d}}, %a", lambda a, z=ftz: functions.rsqrt(f, a, ftz=z)
        yield f, f"sin.approx{suffix}.f32 {{d}}, %a", lambda a, z=ftz: functions.sin(f, a, ftz=z)
        yield f, f"cos.approx{suffix}.f32 {{d}}, %a", lambda a, z=ftz: functions.cos(f, a, ftz=z)
        yield f, f"div.full{suffix}.f32 {{d}}, %a, 0f40400000", lambda a, z=ftz: n.div(f, a, 3.0, ftz=z)
        yield f, f"div.approx{suffix}.f32 {{d}}, %a, 0f40400000", lambda a, z=ftz: n.div(f, a, 3.0, ftz=z)
    yield f, "tanh.approx.f32 {d}, %a", lambda a: functions.tanh(f, a)


COMPARED_32 = [("a", "f32", [1.0, 2.0, -1.0, 0.0, 1e-45, NAN, NAN, INF]),
               ("b", "f32", [2.0, 1.0, -1.0, -0.0, 2e-45, NAN, 1.0, INF])]
COMPARED_64 = [("a", "f64", [1.0, 2.0, -1.0, 0.0, 5e-324, NAN, NAN, INF]),
               ("b", "f64", [2.0, 1.0, -1.0, -0.0, 1e-323, NAN, 1.0, INF])]

FAMILIES = [
    dict(name="round-f32", title="Sums and products of f32 in every rounding mode.", inputs=F32,
         rows=list(rounding_rows("f32"))),
    dict(name="round-f64", title="Sums and products of f64 in every rounding mode.", inputs=F64,
         rows=list(rounding_rows("f64"))),
    dict(name="arithmetic-f32", title="f32 with .ftz and .sat, and minima and maxima with NaNs.", inputs=F32,
         rows=list(f32_rows()), target="sm_86"),
    dict(name="extremes-f64", title="Minima and maxima of f64, signs and classes.", inputs=F64,
         rows=[("f64", "abs.f64 {d}, %b", lambda a, b, c: abs(b)), ("f64", "neg.f64 {d}, %a", lambda a, b, c: -a),
               *extreme_rows("f64"), *sign_rows("f64")]),
    dict(name="classes-f32", title="Signs and classes of f32.", inputs=F32, rows=list(sign_rows("f32"))),
    dict(name="divide-f32", title="Quotients and roots of f32 in every rounding mode.", inputs=F32_QUOTIENTS,
         rows=list(divide_rows("f32"))),
    dict(name="divide-f64", title="Quotients and roots of f64 in every rounding mode.", inputs=F64_QUOTIENTS,
         rows=list(divide_rows("f64"))),
    dict(name="approximate-f32", title="Functions that a GPU approximates are rounded from their true values.",
         inputs=APPROXIMATE, rows=list(approximate_rows())),
    dict(name="compare-f32", title="Comparisons of f32, ordered and unordered.", inputs=COMPARED_32,
         rows=list(compare_rows("f32"))),
    dict(name="compare-f64", title="Comparisons of f64, ordered and unordered.", inputs=COMPARED_64,
         rows=list(compare_rows("f64"))),
]
