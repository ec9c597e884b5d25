// repeat() over nothing, one layer, layers that do nothing, with masks handed in; tables in either order of axes, with two
// features, ids on more axes; norms over two axes whatever their order.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --size B=3 --size T=5
#include <array>
#include <nax/nax.h>
#include <vector>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct V : Axis<"V", 13> {};
struct H : Axis<"H", 3> {};
struct D : Axis<"D", 4> {};
struct HD : Product<"HD", H, D> {};
struct C : Axis<"C", 12> {};
struct K : Axis<"K", 5> {};
struct Ca : Axis<"Ca", 1> {};
struct Cb : Axis<"Cb", 6> {};
struct Cc : Axis<"Cc", 3> {};
struct Abc : Concat<"Abc", Ca, Cb, Cc> {};
struct Cba : Concat<"Cba", Cc, Cb, Ca> {};
using S = Read<T>;

struct Same {
  BOOST_HANA_DEFINE_STRUCT(Same, (Param<f32, C>, gain));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const { return x; }
};
struct Turned {
  BOOST_HANA_DEFINE_STRUCT(Turned, (Param<f32, C>, gain));
  Tensor<f32, C, T, B> operator()(Tensor<f32, C, T, B> x) const { return x * gain + x; }
};
struct forward { // called as an entry is
  BOOST_HANA_DEFINE_STRUCT(forward, (Param<f32, C>, gain));
  auto operator()(Tensor<f32, B, T, C> x, auto mask_, Tensor<boolean, T, S> hidden) const {
    auto s = mask(mask(scores<C>(x * gain, read<T>(x)), mask_), blocked_where_true(hidden));
    return x + dot<S>(softmax<S>(causal_mask(s)), read<T>(x));
  }
};
struct Model {
  using Forwards = std::array<::forward, 3>;
  BOOST_HANA_DEFINE_STRUCT(Model, (std::vector<Turned>, none), (std::array<Turned, 1>, one), (std::array<Same, 2>, same),
                           (Forwards, masked), (Param<f32, C, V>, table), (Param<f32, V, H, D>, wide), (Param<f32, D, H>, gain),
                           (Param<f32, H, D>, shift), (Param<f32, HD>, flat));
  auto forward(Tensor<f32, B, T, C> x, Tensor<boolean, T, S> hidden, Tensor<boolean, B, S> seen) const {
    Tensor<f32, C, T, B> y = x;
    auto m = window<T>(3) | allowed_where_true(seen);
    return std::tuple(repeat(none, y), repeat(one, y), repeat(same, x), repeat(masked, x, m, hidden));
  }
  auto tables(Tensor<Ids<V>, B, T, K> many, Tensor<Ids<V, i64>, B, T> ids) const {
    auto y = embed<V>(ids, wide);
    return std::tuple(sum<K>(embed<V>(many, table)), unembed<V>(y, wide), layer_norm<H, D>(y, gain, shift, Eps{1e-3}),
                      layer_norm<D, H>(y, gain, Eps{1e-3}), rms_norm<HD>(merge<HD>(y), flat, Eps{1e-2}),
                      rms_norm_unit_offset<D, H>(y, gain, Eps{1e-6}), last<T>(ids), first<T>(many));
  }
  auto not_last(Tensor<f32, H, B, D, T> x) const {
    auto w = softmax<S>(causal_mask(scores<D>(x, read<T>(x))));
    return std::tuple(layer_norm<H, D>(x, shift, Eps{1e-3}), dot<S>(w, read<T>(x)), mean<D>(x), max<H>(x));
  }
  auto pieces(Tensor<f32, B, Abc, T> x) const {
    auto a = part<Ca>(x);
    auto b = part<Cb>(x);
    auto c = part<Cc>(x);
    return std::tuple(concat<Cba>(c, b, a), a, b + 1, concat<Abc>(a * 2, b, exp(c) - 0.5), sum<Cba>(concat<Cba>(c, b, a)),
                      softmax<Abc>(x).values());
  }
};
NAX_MODEL(layers, Model, (forward, (x, hidden, seen), (none, one, same, masked)),
          (tables, (many, ids), (a, b, c, d, e, f, g, h)), (not_last, (x), (a, b, c, d)), (pieces, (x), (a, b, c, d, e, f)));
