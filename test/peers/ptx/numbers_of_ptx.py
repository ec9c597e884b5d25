# SPDX-License-Identifier: Apache-2.0
"""Floating-point numbers of PTX, computed exactly with fractions and rounded once.

A number is a Python float, which holds every f16, bf16, f32 and f64. Nothing here
relies on the rounding of the machine, and nothing on nvemu.
"""
import math
import struct
from fractions import Fraction

# Bits of the significand (with the hidden one), of the exponent, and of all.
FORMATS = {"f16": (11, 5, 16), "bf16": (8, 8, 16), "tf32": (11, 8, 32), "f32": (24, 8, 32), "f64": (53, 11, 64)}


def quantum(form, value):
    """The distance of neighbours of a format around |value|, and the least normal number."""
    precision, exponent_bits, _ = FORMATS[form]
    least = 2 - (1 << (exponent_bits - 1))
    exponent = least
    if value:
        exponent = max(least, math.floor(math.log2(value.numerator) - math.log2(value.denominator)) - 1)
        while Fraction(2) ** (exponent + 1) <= value:
            exponent += 1
    return Fraction(2) ** (exponent - precision + 1), Fraction(2) ** least


def largest(form):
    precision, exponent_bits, _ = FORMATS[form]
    return (2 - Fraction(2) ** (1 - precision)) * Fraction(2) ** ((1 << (exponent_bits - 1)) - 1)


def integral(value, mode):
    """An exact number to an integer. n: to the nearest, ties to even; a: ties away from zero; z, m, p."""
    down = math.floor(value)
    if mode == "m":
        return down
    if mode == "p":
        return math.ceil(value)
    if mode == "z":
        return math.trunc(value)
    rest = value - down
    if rest == Fraction(1, 2):
        return down + (down % 2 if mode == "n" else value > 0)
    return down + (rest > Fraction(1, 2))


def rounded(form, value, mode="n", negative_zero=False):
    """An exact number to the format (`mode` as above), overflow included."""
    if value == 0:
        return -0.0 if negative_zero else 0.0
    step, _ = quantum(form, abs(value))
    result = integral(value / step, mode) * step
    if abs(result) > largest(form):
        toward_zero = mode == "z" or (mode == "m" and value > 0) or (mode == "p" and value < 0)
        result = float(largest(form)) if toward_zero else math.inf
        return -result if value < 0 else result
    return math.copysign(float(result), -1 if value < 0 else 1)


def flushed(form, value):
    """A subnormal number to zero, as .ftz does to operands and results."""
    if math.isfinite(value) and abs(Fraction(value)) < quantum(form, Fraction(0))[1]:
        return math.copysign(0.0, value)
    return value


def saturated(value):
    """.sat: to [0, 1], and a NaN to 0."""
    return 0.0 if math.isnan(value) or value <= 0 else min(value, 1.0)


def to_bits(form, value):
    if form == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    if form in ("f32", "tf32"):
        return struct.unpack("<I", struct.pack("<f", value))[0]
    if form == "bf16":
        return to_bits("f32", value) >> 16
    return struct.unpack("<H", struct.pack("<e", value))[0]


def from_bits(form, bits):
    if form == "bf16":
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    return struct.unpack({16: "<e", 32: "<f", 64: "<d"}[FORMATS[form][2]],
                         bits.to_bytes(FORMATS[form][2] // 8, "little"))[0]


def combine(form, exact, special, operands, mode="n", ftz=False, sat=False, relu=False):
    """What PTX's add, mul, fma and div have in common: `exact` of fractions where all operands
    are finite, else `special` of floats, whose infinities and NaNs are IEEE's."""
    if ftz:
        operands = [flushed(form, x) for x in operands]
    if all(math.isfinite(x) for x in operands):
        result = exact(*operands)
        if isinstance(result, Fraction):
            # An exact zero of a sum takes its sign from the operation, not from here.
            result = rounded(form, result, mode, special(*operands, mode))
    else:
        result = special(*operands, None)
    if ftz:
        result = flushed(form, result)
    if sat:
        result = saturated(result)
    if relu:
        result = math.nan if math.isnan(result) else max(result, 0.0) + 0.0
    return result


def sum_is_negative_zero(x, y, mode):
    """The sign of an exact sum that is 0: of both terms if they agree, else + unless rounding down."""
    signs = math.copysign(1, x), math.copysign(1, y)
    return signs == (-1, -1) if signs[0] == signs[1] else mode == "m"


def add(form, a, b, **how):
    def special(x, y, mode):
        return x + y if mode is None else sum_is_negative_zero(x, y, mode)
    return combine(form, lambda x, y: Fraction(x) + Fraction(y), special, [a, b], **how)


def mul(form, a, b, **how):
    def special(x, y, mode):
        return x * y if mode is None else math.copysign(1, x) != math.copysign(1, y)
    return combine(form, lambda x, y: Fraction(x) * Fraction(y), special, [a, b], **how)


def fma(form, a, b, c, **how):
    def special(x, y, z, mode):
        if mode is None:
            # The product of finite numbers is finite, however large.
            return z if math.isfinite(x) and math.isfinite(y) else x * y + z
        product = math.copysign(1, x) * math.copysign(1, y)
        return sum_is_negative_zero(math.copysign(0.0, product), z, mode)
    return combine(form, lambda x, y, z: Fraction(x) * Fraction(y) + Fraction(z), special, [a, b, c], **how)


def div(form, a, b, **how):
    def exact(x, y):
        return Fraction(x) / Fraction(y) if y else special(x, y, None)

    def special(x, y, mode):
        sign = math.copysign(1, x) * math.copysign(1, y)
        if mode is not None:
            return sign < 0
        if math.isnan(x) or math.isnan(y) or (math.isinf(x) and math.isinf(y)) or (x == 0 and y == 0):
            return math.nan
        return math.copysign(math.inf if math.isinf(x) or y == 0 else 0.0, sign)
    return combine(form, exact, special, [a, b], **how)


def sqrt(form, a, mode="n", ftz=False):
    a = flushed(form, a) if ftz else a
    if not a > 0 or math.isinf(a):
        return a if a == 0 or a > 0 else math.nan
    # An integer root with 80 bits more than needed, and one bit that says whether it is exact.
    scaled = Fraction(a) * Fraction(4) ** 700
    root = math.isqrt(scaled.numerator // scaled.denominator)
    inexact = Fraction(root) ** 2 != scaled
    return rounded(form, Fraction(2 * root + inexact) / Fraction(2) ** 701, mode)


def extreme(form, largest_of, values, nan=False, ftz=False):
    """min and max: -0 is below +0; a NaN loses unless .NaN is said."""
    values = [flushed(form, x) if ftz else x for x in values]
    known = [x for x in values if not math.isnan(x)]
    if not known or (nan and len(known) < len(values)):
        return math.nan
    return (max if largest_of else min)(known, key=lambda x: (x, math.copysign(1, x)))


def convert(form, value, mode="n", ftz=False, sat=False, relu=False):
    """cvt between formats."""
    if math.isfinite(value):
        value = rounded(form, Fraction(value), mode, math.copysign(1, value) < 0)
    value = flushed(form, value) if ftz else value
    value = saturated(value) if sat else value
    return max(value, 0.0) + 0.0 if relu and not math.isnan(value) else value


def to_integer(value, bits, signed, mode, from_f64=False):
    """cvt to an integer: clamped. What a NaN becomes is in the ISA's notes on cvt."""
    least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if math.isnan(value):
        return 1 << (bits - 1) if from_f64 or bits == 64 else 0
    if math.isinf(value):
        return most if value > 0 else least
    return min(max(integral(Fraction(value), mode), least), most)
