// Attention sinks (a window and the first positions), and a prefix that all may read.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=sinks,past_as_causal,not_prefix --size T=20 --size P=20
// RUN: naxc check %s --size T=2 --size P=2
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P", Ragged> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 5> {};

struct Model {
  auto sinks(Tensor<f32, B, T, H, D> x) const {
    auto s = causal_mask(mask(scores<D>(x, read<T>(x)), window<T>(4) | prefix<T>(2)));
    return dot<Read<T>>(softmax<Read<T>>(s), read<T>(x));
  }
  auto prefix_only(Tensor<f32, B, P, H, D> x) const {
    return dot<Read<P>>(softmax<Read<P>>(mask(scores<D>(x, read<P>(x)), prefix<P>(3))), read<P>(x));
  }
  auto prefix_lm(Tensor<f32, B, P, H, D> x, Tensor<boolean, P, Read<P>> before) const {
    auto s = mask(scores<D>(x, read<P>(x)), prefix<P>(3) | allowed_where_true(before));
    return dot<Read<P>>(softmax<Read<P>>(s), read<P>(x));
  }
  // Liu et al., "Generating Wikipedia": a prefix of each row, read by all, then what is past.
  auto prefix_of_each_row(Tensor<f32, B, P, H, D> x, Tensor<i32, B> lengths) const {
    auto s = mask(scores<D>(x, read<P>(x)), past<P>() | shorter_than<P>(lengths));
    return dot<Read<P>>(softmax<Read<P>>(s), read<P>(x));
  }
  auto past_as_causal(Tensor<f32, B, T, H, D> x, Tensor<f32, B, P, H, D> y) const {
    auto w = softmax<Read<T>>(causal_mask(mask(scores<D>(x, read<T>(x)), past<T>())));
    auto strictly = softmax<Read<P>>(mask(scores<D>(y, read<P>(y)), past<P>() & !window<P>(1)));
    return std::tuple(dot<Read<T>>(w, read<T>(x)), dot<Read<P>>(strictly, read<P>(y)));
  }
  auto not_prefix(Tensor<f32, B, T, H, D> x) const { // the first rows read nothing
    auto s = causal_mask(mask(scores<D>(x, read<T>(x)), !prefix<T>(3)));
    return dot<Read<T>>(softmax<Read<T>>(s), read<T>(x));
  }
};
NAX_MODEL(prefixes, Model, (sinks, (x), (y)), (prefix_only, (x), (y)), (prefix_lm, (x, before), (y)),
          (prefix_of_each_row, (x, lengths), (y)), (past_as_causal, (x, y), (z, before)),
          (not_prefix, (x), (y)));
