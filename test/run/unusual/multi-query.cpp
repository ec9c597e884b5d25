// One key head for all queries, heads that do not divide the width, values of another size than keys.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=attend,many_values --size T=19
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 13> {};
struct H : Axis<"H", 5> {};
struct D : Axis<"D", 4> {};
struct E : Axis<"E", 9> {};
using S = Read<T>;

struct MultiQuery {
  BOOST_HANA_DEFINE_STRUCT(MultiQuery, (Param<f32, C, H, D>, wq), (Param<f32, C, D>, wk), (Param<f32, C, E>, wv),
                           (Param<f32, H, E, C>, wo), (Param<f32, C, H, E>, wide));
  auto attend(Tensor<f32, B, T, C> x) const {
    auto w = softmax<S>(causal_mask(scores<D>(rope<T, D>(dot<C>(x, wq)), rope<S, D>(read<T>(dot<C>(x, wk))))));
    return dot<H, E>(dot<S>(w, read<T>(dot<C>(x, wv))), wo);
  }
  // Keys of one head, values of many; and values first.
  auto many_values(Tensor<f32, B, T, C> x) const {
    auto w = softmax<S>(causal_mask(scores<D>(dot<C>(x, wq), read<T>(dot<C>(x, wk)), Scale{0.3})));
    return dot<S>(read<T>(dot<C>(x, wide)), w);
  }
};
NAX_MODEL(multi_query, MultiQuery, (attend, (x), (out)), (many_values, (x), (out)));
