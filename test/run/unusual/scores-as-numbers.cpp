// Scores as plain numbers: a bias that is itself a match, and scores that an entry returns. Scales of T5, of muP and of
// Gemma; a query that has its scale before.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=scales --size B=2 --size T=7 --size P=5
#include <cmath>
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct C : Axis<"C", 64> {};
struct H : Axis<"H", 3> {};
struct D : Axis<"D", 8> {};
struct E : Axis<"E", 5> {};
using S = Read<T>;
using R = Read<P>;

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, E>, wp));
  auto biased(Tensor<f32, B, T, C> x) const {
    auto y = dot<C>(x, wp);
    auto b = scores<E>(y, read<T>(y), Scale{1}).values() * 0.3 + 1;
    auto s = bias(softcap(scores<D>(dot<C>(x, wq), read<T>(dot<C>(x, wk))), 3.0), b);
    return dot<S>(softmax<S>(causal_mask(s)), read<T>(x));
  }
  auto given(Tensor<f32, B, P, C> x) const {
    auto s = scores<D>(dot<C>(x, wq), read<P>(dot<C>(x, wk)));
    return std::tuple(s.values(), dot<R>(softmax<R>(s), read<P>(x)), softmax<R>(s.values() * 2).values());
  }
  auto scales(Tensor<f32, B, T, C> x) const {
    auto q = dot<C>(x, wq);
    auto k = read<T>(dot<C>(x, wk));
    auto mix = [&](auto s) { return dot<S>(softmax<S>(causal_mask(s)), read<T>(dot<C>(x, wp))); };
    return std::tuple(mix(scores<D>(q, k, Scale{1})), mix(scores<D>(q, k, Scale{1.0 / 8})),
                      mix(scores<D>(q, k, Scale{1 / std::sqrt(168.0)})), mix(scores<D>(q / std::sqrt(8.0), k, Scale{1})),
                      mix(scores<D>(rope<T, D>(q), rope<S, D>(k), Scale{1 / std::sqrt(8.0)})));
  }
};
NAX_MODEL(numbers, Model, (biased, (x), (y)), (given, (x), (s, y, w)), (scales, (x), (a, b, c, d, e)));
