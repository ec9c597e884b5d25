// An i32 counts to 2147483647.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct Many : Axis<"Many", 3000000000> {};

auto model(Tensor<Ids<Many, i64>, B> ids) {
  auto result = ids;
  return result;
}
