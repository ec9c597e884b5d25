// Masks are no bools: && would ask whether there is a mask.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct T : Causal<"T"> {};

auto model() {
  auto result = window<T>(128) && !prefix<T>(4);  // error: operator&&: masks are joined by &, | and !: write x & y  [N0017]
  return result;
}
