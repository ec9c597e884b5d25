// An i32 counts to 2147483647.
// RUN: %python %S/check.py wrong %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct Many : Axis<"Many", 3000000000> {};

struct Model {
  auto forward(Tensor<Ids<Many>, B> ids) const {  // error: Tensor: ids [B] of i32 are too narrow for Many (3000000000); write Ids<Many, i64>  [N0041]
    return ids;
  }
};
NAX_MODEL(model, Model, (forward, (ids), (same)));
