// Masks joined by and, or, not; from predicates and from buffers of either polarity.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --entry predicates --size T=40
// RUN: naxc check %s --entry buffers --size T=23
// RUN: naxc check %s --entry encoder --size P=17
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 12> {};

template <class A>
auto attend(auto q, auto k, auto v, auto hide) {
  return dot<Read<A>>(softmax<Read<A>>(hide(scores<D>(q, read<A>(k)))), read<A>(v));
}

struct Model {
  auto predicates(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v) const {
    return attend<T>(q, k, v, [](auto s) {
      return causal_mask(mask(s, (window<T>(9) | prefix<T>(3)) & !(prefix<T>(2) & window<T>(4))));
    });
  }
  auto buffers(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, B, T, H, D> v,
               Tensor<boolean, B, T, Read<T>> blocked, Tensor<boolean, B, Read<T>> allowed) const {
    return attend<T>(q, k, v, [&](auto s) {
      return causal_mask(mask(s, blocked_where_true(blocked) & allowed_where_true(allowed)));
    });
  }
  auto encoder(Tensor<f32, B, P, H, D> q, Tensor<f32, B, P, H, D> k, Tensor<f32, B, P, H, D> v, Tensor<i32, B> lengths,
               Tensor<f32, H, P, Read<P>> distance) const {
    return attend<P>(q, k, v, [&](auto s) {
      return mask(bias(softcap(s, 4.0), distance), shorter_than<P>(lengths));
    });
  }
};
NAX_MODEL(masks, Model, (predicates, (q, k, v), (out)), (buffers, (q, k, v, blocked, allowed), (out)),
          (encoder, (q, k, v, lengths, distance), (out)));
