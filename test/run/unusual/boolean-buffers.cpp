// Masks from buffers of either polarity on every set of axes, joined with predicates by & | !.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --size P=17
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 3> {};
using R = Read<P>;

struct Model {
  auto attend(auto x, auto m) const { return dot<R>(softmax<R>(mask(scores<D>(x, read<P>(x)), m)), read<P>(x)); }
  auto joined(Tensor<f32, B, P, H, D> x, Tensor<boolean, B, P, R> a, Tensor<boolean, R> b, Tensor<boolean, H, R> c,
              Tensor<boolean, P, R, H> d, Tensor<i32, B> lengths, Tensor<i64, B, H> by_head) const {
    auto m = allowed_where_true(a) | !blocked_where_true(b);
    auto n = !(allowed_where_true(c) & blocked_where_true(d)) | window<P>(2);
    return std::tuple(attend(x, m & n), attend(x, !m | !n), attend(x, shorter_than<P>(lengths) & m),
                      attend(x, shorter_than<P>(by_head) | prefix<P>(1)));
  }
  // Two masks, one after the other, are both.
  auto twice(Tensor<f32, B, P, H, D> x, Tensor<boolean, B, R> a, Tensor<boolean, P, R> b) const {
    auto s = mask(mask(scores<D>(x, read<P>(x)), allowed_where_true(a)), blocked_where_true(b));
    return dot<R>(softmax<R>(s), read<P>(x));
  }
};
NAX_MODEL(buffers, Model, (joined, (x, a, b, c, d, lengths, by_head), (y, z, u, v)), (twice, (x, a, b), (y)));
