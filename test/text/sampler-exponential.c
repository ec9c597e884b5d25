/* SPDX-License-Identifier: Apache-2.0 */
/* The sampler's own e^x is within one unit in the last place of the C library's in long double, and never falls.

   REQUIRES: lowering
   RUN: %cc -std=c11 -O1 -Wall -Werror %s %build/lib/libnaxtext.a %naxrt -o %t
   RUN: %t | FileCheck %s

   CHECK-NOT: FAILED
   CHECK: 200000 values, 0 failed
*/
#include "Inputs/text_test.h"

#include <math.h>

double naxtext_exponential(double x);

static void check(double x) {
  double found = naxtext_exponential(x);
  long double exact = expl(x), unit = nextafter((double)exact, 2) - (double)exact;
  EXPECT(fabsl((long double)found - exact) <= unit, "e^%a is %a", x, found);
  double before = naxtext_exponential(nextafter(x, -1000));
  EXPECT(before <= found, "e^x falls at %a", x);
}

int main(void) {
  enum { VALUES = 200000 };
  for (int i = 0; i < VALUES; ++i) {
    // Up to -708 in even steps, and as many that come ever closer to 0.
    check(-708.0 * i / VALUES);
    check(-708.0 * pow(2, -i / 2000.0));
  }
  EXPECT(naxtext_exponential(0) == 1 && naxtext_exponential(-0.0) == 1, "e^0");
  EXPECT(naxtext_exponential(-708.0000001) == 0 && naxtext_exponential(-INFINITY) == 0, "small ones");
  EXPECT(naxtext_exponential(-1e300) == 0, "small ones");
  printf("%d values, %d failed\n", VALUES, failures);
  return failures != 0;
}
