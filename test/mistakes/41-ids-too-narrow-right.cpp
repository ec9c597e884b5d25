// An i32 counts to 2147483647.
// RUN: %python %S/check.py right %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct Many : Axis<"Many", 3000000000> {};

struct Model {
  auto forward(Tensor<Ids<Many, i64>, B> ids) const {
    return ids;
  }
};
NAX_MODEL(model, Model, (forward, (ids), (same)));
