// Masks are no bools: && would ask whether there is a mask.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct T : Causal<"T"> {};

auto model() {
  auto result = window<T>(128) & !prefix<T>(4);
  return result;
}
