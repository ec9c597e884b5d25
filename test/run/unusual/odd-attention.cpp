// Values without features, with several, with heads of their own; no batch; biases on any axes; values that differ with each
// pair; weights as results in another order; heads whose number is known when called; keys over a product.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=no_batch,many_heads,product --size T=13 --size P=9 --size N=3
// RUN: naxc check %s --size T=1 --size P=1 --size B=1
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct N : Axis<"N"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 2> {};
struct J : Axis<"J", 3> {};
struct D : Axis<"D", 4> {};
struct HD : Product<"HD", H, D> {};
struct E : Axis<"E", 3> {};
struct F : Axis<"F", 2> {};
using S = Read<T>;

auto weights(auto x) { return softmax<S>(causal_mask(scores<D>(x, read<T>(x)))); }

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32>, constant));
  auto values(Tensor<f32, B, T, H, D> x, Tensor<f32, B, T> none, Tensor<f32, B, T, H, E, F> two,
              Tensor<f32, T, J, E> others) const {
    auto w = weights(x);
    return std::tuple(dot<S>(w, read<T>(none)), dot<S>(w, read<T>(two)), dot<S>(w, read<T>(others)), dot<S>(read<T>(two), w), w);
  }
  auto no_batch(Tensor<f32, T, D> q, Tensor<f32, D, T> k) const {
    return dot<S>(softmax<S>(causal_mask(scores<D>(q, read<T>(k)))), read<T>(k));
  }
  auto pairs(Tensor<f32, B, T, D> q, Tensor<f32, B, P, D> k, Tensor<f32, T, Read<P>> b, Tensor<f32, T, Read<P>, E> v) const {
    auto w = softmax<Read<P>>(bias(scores<D>(q, read<P>(k)), b));
    return std::tuple(dot<Read<P>>(w, v), w.values());
  }
  auto biases(Tensor<f32, B, T, H, D> x, Tensor<f32> all, Tensor<f32, T> asked, Tensor<f32, S, H> read_by_head) const {
    auto with = [&](auto b) {
      return dot<S>(softmax<S>(causal_mask(bias(scores<D>(x, read<T>(x)), b))), read<T>(x));
    };
    return std::tuple(with(all), with(asked), with(read_by_head), with(constant));
  }
  auto many_heads(Tensor<f32, B, T, N, D> x) const { return dot<S>(weights(x), read<T>(x)); }
  auto product(Tensor<f32, B, T, HD> x) const {
    return dot<S>(softmax<S>(causal_mask(scores<HD>(x, read<T>(x)))), read<T>(x));
  }
  std::tuple<Tensor<f32, S, B, T>, Tensor<f32, B, D, T>> reordered(Tensor<f32, B, T, D> x) const {
    return {weights(x).values(), dot<S>(weights(x), read<T>(x))};
  }
};
NAX_MODEL(odd, Model, (values, (x, none, two, others), (a, b, c, d, w)), (no_batch, (q, k), (y)),
          (pairs, (q, k, b, v), (y, w)), (biases, (x, all, asked, read), (a, b, c, d)), (many_heads, (x), (y)),
          (product, (x), (y)), (reordered, (x), (w, y)));
