# SPDX-License-Identifier: Apache-2.0
"""Bit-field instructions as the PTX ISA defines them (section 9.7.1), bit by bit."""


def mask(bits):
    return (1 << bits) - 1


def signed(value, bits):
    value &= mask(bits)
    return value - (1 << bits) if value >> (bits - 1) else value


def clamp(value, bits, is_signed):
    least, most = (-(1 << (bits - 1)), mask(bits - 1)) if is_signed else (0, mask(bits))
    return min(max(value, least), most)


def quotient(a, b):
    """Toward zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def bfe(a, position, length, bits, is_signed):
    position, length, top = position & 255, length & 255, bits - 1
    fill = (a >> min(position + length - 1, top)) & 1 if is_signed and length else 0
    return sum(((a >> (position + i)) & 1 if i < length and position + i <= top else fill) << i for i in range(bits))


def bfi(a, b, position, length, bits):
    position, length = position & 255, length & 255
    for i in range(length):
        if position + i < bits:
            b = b & ~(1 << (position + i)) | ((a >> i) & 1) << (position + i)
    return b


def bfind(a, bits, is_signed, shift_amount=False):
    a = ~a & mask(bits) if is_signed and a >> (bits - 1) & 1 else a & mask(bits)
    found = a.bit_length() - 1
    return bits - 1 - found if shift_amount and found >= 0 else found


def brev(a, bits):
    return int(f"{a & mask(bits):0{bits}b}"[::-1], 2)


def clz(a, bits):
    return bits - (a & mask(bits)).bit_length()


def lop3(a, b, c, table):
    return sum((table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i for i in range(32))


# Source bytes of the result, the highest first, for each value of the two control bits.
PERMUTATIONS = {
    "f4e": ["3210", "4321", "5432", "6543"],
    "b4e": ["5670", "6701", "7012", "0123"],
    "rc8": ["0000", "1111", "2222", "3333"],
    "ecl": ["3210", "3211", "3222", "3333"],
    "ecr": ["0000", "1110", "2210", "3210"],
    "rc16": ["1010", "3232", "1010", "3232"],
}


def prmt(a, b, control, mode=None):
    source = (a & mask(32)) | (b & mask(32)) << 32
    if mode:
        selectors = [int(digit) for digit in reversed(PERMUTATIONS[mode][control & 3])]
    else:
        selectors = [control >> (4 * i) & 15 for i in range(4)]
    result = 0
    for i, selector in enumerate(selectors):
        byte = source >> (8 * (selector & 7)) & 255
        if selector & 8:
            byte = 255 if byte & 128 else 0
        result |= byte << (8 * i)
    return result


def shf(a, b, count, left, wrap):
    """The pair b:a shifted; the upper word of it to the left, the lower to the right."""
    count = count & 31 if wrap else min(count & mask(32), 32)
    pair = (b & mask(32)) << 32 | (a & mask(32))
    return (pair << count) >> 32 & mask(32) if left else pair >> count & mask(32)


def szext(a, size, is_signed, clamped):
    size = size & mask(32)
    bits = size & 31
    if size >= 32 and clamped:
        return a & mask(32)
    low = a & mask(bits)
    negative = is_signed and bits and a >> (bits - 1) & 1
    return low | (mask(32) & ~mask(bits) if negative else 0)


def bmsk(start, width, clamped):
    start, width = start & mask(32), width & mask(32)
    low, count = start & 31, width & 31
    from_start = 0 if clamped and start >= 32 else mask(32) & ~mask(low)
    if low + count >= 32 or (clamped and (start >= 32 or width >= 32)):
        above = 0
    else:
        above = mask(32) & ~mask(low + count) if count else mask(32)
    return from_start & ~above


def dot(a, b, parts_of_a, parts_of_b, signed_a, signed_b):
    """dp4a and dp2a: products of parts (bits and first bit of each) summed."""
    total = 0
    for (bits_a, at_a), (bits_b, at_b) in zip(parts_of_a, parts_of_b):
        x, y = a >> at_a & mask(bits_a), b >> at_b & mask(bits_b)
        total += (signed(x, bits_a) if signed_a else x) * (signed(y, bits_b) if signed_b else y)
    return total
