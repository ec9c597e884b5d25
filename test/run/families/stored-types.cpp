// Parameters kept in 16 bits and computed with in f32: only the parameters are rounded.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s | FileCheck %s
// CHECK: out [B,F] against float64 {{[0-9.]+e-0[789]}} of the largest
// CHECK: logits [B,V] against float64 {{[0-9.]+e-0[789]}} of the largest
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 37> {};
struct F : Axis<"F", 21> {};
struct V : Axis<"V", 23> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<bf16, C, F>, up), (Param<f16, V, C>, tokens));
  auto forward(Tensor<Ids<V>, B> ids) const {
    auto x = to<f32>(embed<V>(ids, tokens));
    return std::tuple(dot<C>(x, to<f32>(up)), unembed<V>(x, to<f32>(tokens)));
  }
};
NAX_MODEL(stored, Model, (forward, (ids), (out, logits)));
