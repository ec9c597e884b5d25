/* SPDX-License-Identifier: Apache-2.0 */
/* e^x that is the same on every machine: the C libraries' differ in the last bit, and a last bit can decide over a
   token. Only additions, multiplications and conversions that IEEE 754 rounds in one way. */
#include "tokenizer.h"

#include <float.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "nax: what is drawn must not depend on how the compiler rearranges sums: no -ffast-math"
#endif
_Static_assert(FLT_EVAL_METHOD == 0, "nax: float64 must be computed as float64");

/* For x <= 0. x = n ln 2 + r with |r| <= ln 2 / 2; then e^x = 2^n e^r. The high part of ln 2 has 32 bits, so that n
   times it is exact; the low part is the rest. */
double naxtext_exponential(double x) {
  const double high = 0x1.62e42feep-1, low = 0x1.a39ef35793c76p-33, inverse = 0x1.71547652b82fep+0;
  // 1/k! for k = 13 down to 2: what a longer sum would add is below 2^-57.
  static const double terms[] = {0x1.6124613a86d09p-33, 0x1.1eed8eff8d898p-29, 0x1.ae64567f544e4p-26,
                                 0x1.27e4fb7789f5cp-22, 0x1.71de3a556c734p-19, 0x1.a01a01a01a01ap-16,
                                 0x1.a01a01a01a01ap-13, 0x1.6c16c16c16c17p-10, 0x1.1111111111111p-7,
                                 0x1.5555555555555p-5,  0x1.5555555555555p-3,  0x1p-1};
  if (!(x >= -708))
    return 0; // so that no result is subnormal, which some processors are set to flush to 0
  int64_t n = (int64_t)(x * inverse - 0.5); // towards zero, so to the nearest
  double r = (x - (double)n * high) - (double)n * low;
  double sum = terms[0];
  for (size_t i = 1; i < sizeof terms / sizeof *terms; ++i)
    sum = sum * r + terms[i];
  double value = 1 + (r + r * r * sum);
  uint64_t bits = (uint64_t)(1023 + n) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return value * power;
}
