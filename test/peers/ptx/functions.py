# SPDX-License-Identifier: Apache-2.0
"""Elementary functions to 60 digits, for what PTX calls approximate: nvemu gives the f32 nearest to the true value."""
import math
from decimal import Decimal, getcontext
from fractions import Fraction

import numbers_of_ptx as numbers

getcontext().prec = 80
LN2 = Decimal(2).ln()
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")


def exact(value):
    return Decimal(value)


def series(x, first):
    """The sum of x^n / n! over n = first, first + 2, ... with signs that alternate: sin from 1, cos from 0."""
    term = Decimal(1) if first == 0 else x
    total, n = Decimal(0), first
    while abs(term) > Decimal(10) ** -75:
        total += term
        term = -term * x * x / ((n + 1) * (n + 2))
        n += 2
    return total


def reduced(value):
    x = exact(value)
    return x - (x / (2 * PI)).to_integral_value() * 2 * PI


def nearest(form, value):
    return numbers.rounded(form, Fraction(value), "n")


def apply(form, function, value, at_infinity, ftz=False, negative=None):
    """`function` of a Decimal, rounded once; `at_infinity` holds its limits at -inf and inf."""
    value = numbers.flushed(form, value) if ftz else value
    if math.isnan(value):
        return math.nan
    if math.isinf(value):
        return at_infinity[value > 0]
    if negative is not None and value < 0:
        return negative
    result = function(exact(value))
    result = nearest(form, result) if isinstance(result, Decimal) else result
    return numbers.flushed(form, result) if ftz else result


def ex2(form, a, **how):
    return apply(form, lambda x: (x * LN2).exp(), a, (0.0, math.inf), **how)


def lg2(form, a, **how):
    return apply(form, lambda x: x.ln() / LN2 if x else -math.inf, a, (math.nan, math.inf), negative=math.nan, **how)


def rsqrt(form, a, **how):
    if a == 0 or (how.get("ftz") and numbers.flushed(form, a) == 0):
        return math.copysign(math.inf, a)
    return apply(form, lambda x: 1 / x.sqrt(), a, (math.nan, 0.0), negative=math.nan, **how)


def sin(form, a, **how):
    return math.copysign(0.0, a) if a == 0 else apply(form, lambda x: series(reduced(x), 1), a, (math.nan,) * 2, **how)


def cos(form, a, **how):
    return apply(form, lambda x: series(reduced(x), 0), a, (math.nan,) * 2, **how)


def tanh(form, a):
    def of(x):
        e = (2 * x).exp()
        return (e - 1) / (e + 1)
    return math.copysign(0.0, a) if a == 0 else apply(form, of, a, (-1.0, 1.0))
