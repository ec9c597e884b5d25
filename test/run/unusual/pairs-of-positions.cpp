// What needs a value for each pair of positions and is no plain attention: a warning says that it is kept in memory, and it
// is right all the same.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=additive --size T=9 --size P=6 --size B=4 2>&1 | FileCheck %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P", Ragged> {};
struct Bucket : Axis<"Bucket", 5> {};
struct H : Axis<"H", 3> {};
struct I : Axis<"I", 2> {};
struct D : Axis<"D", 4> {};
struct C : Axis<"C", 6> {};
using S = Read<P>;

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv),
                           (Param<f32, Bucket, H>, relative), (Param<f32, H, I>, talk), (Param<f32, C, D>, ask),
                           (Param<f32, C, D>, key), (Param<f32, D>, energy));
  // Raffel et al., T5: a bias by the distance's bucket.
  // CHECK: pairs-of-positions.cpp:[[#@LINE+2]]:{{[0-9]+}}: warning: [P,Read<P>,H] is kept in memory, which grows with the square of P
  auto relative_bias(Tensor<f32, B, P, C> x, Tensor<Ids<Bucket>, P, S> buckets) const {
    auto s = bias(scores<D>(dot<C>(x, wq), read<P>(dot<C>(x, wk)), Scale{1}), embed<Bucket>(buckets, relative));
    return dot<S>(softmax<S>(s), read<P>(dot<C>(x, wv)));
  }
  // Ke et al., TUPE: positions are matched apart.
  auto untied(Tensor<f32, B, P, C> x, Tensor<f32, P, C> places) const {
    auto apart = softcap(scores<D>(dot<C>(places, ask), read<P>(dot<C>(places, key))), 3.0).values();
    auto s = bias(scores<D>(dot<C>(x, wq), read<P>(dot<C>(x, wk))), apart);
    return dot<S>(softmax<S>(s), read<P>(dot<C>(x, wv)));
  }
  // Bahdanau et al.: a layer in place of the product.
  auto additive(Tensor<f32, B, T, C> x, Tensor<f32, B, P, C> y) const {
    auto k = read<P>(dot<C>(y, key));
    auto e = dot<D>(tanh(spread<S>(dot<C>(x, ask)) + k), energy);
    return dot<S>(softmax<S>(e), read<P>(y));
  }
  // Shazeer et al., talking heads.
  auto heads_talk(Tensor<f32, B, P, C> x) const {
    auto w = softmax<S>(scores<D>(dot<C>(x, wq), read<P>(dot<C>(x, wk))));
    return dot<S>(dot<H>(w.values(), talk), read<P>(x));
  }
  auto dropped(Tensor<f32, B, T, C> x, Training training) const {
    auto w = softmax<Read<T>>(causal_mask(scores<D>(dot<C>(x, wq), read<T>(dot<C>(x, wk)))));
    return dot<Read<T>>(dropout(training, 0.25, w), read<T>(dot<C>(x, wv)));
  }
};
NAX_MODEL(pairs, Model, (relative_bias, (x, buckets), (y)), (untied, (x, places), (y)), (additive, (x, y), (z)),
          (heads_talk, (x), (y)), (dropped, (x, training), (y)));

// CHECK: pairs.relative_bias
// CHECK: y [B,P,H,D] against float64 {{.*}} ok
// CHECK: pairs.dropped
// CHECK: y before a changed future of T {{.*}} ok
