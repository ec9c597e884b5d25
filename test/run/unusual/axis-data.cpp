// Ragged and packed axes under every operation that asks which positions there are; rows on two axes and on none.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --size T=9 --size P=17 --size Y=3
// RUN: naxc check %s --size B=1 --size T=1 --size P=1
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct Y : Axis<"Y"> {};
struct T : Causal<"T", Ragged> {};
struct P : Positions<"P", Packed> {};
struct V : Axis<"V", 11> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, D>, tokens));
  auto ragged(Tensor<Ids<V>, B, T> ids) const {
    auto x = embed<V>(ids, tokens);
    auto q = rope<T, D>(x);
    auto y = dot<S>(softmax<S>(causal_mask(scores<D>(q, read<T>(q)))), read<T>(x));
    auto losses = cross_entropy<V>(unembed<V>(y, tokens), next<T>(ids));
    return std::tuple(last<T>(y), first<T>(y), max<T>(y), mean<T>(y), sum<B, T>(y), losses, mean<B, T>(losses), mean<T>(losses),
                      sum<T>(losses), mean<B>(mean<T>(losses)), last<T>(ids));
  }
  auto packed(Tensor<Ids<V>, B, P> ids) const {
    auto x = embed<V>(ids, tokens);
    auto q = rope<P, D>(x);
    return dot<Read<P>>(softmax<Read<P>>(scores<D>(q, read<P>(q))), read<P>(x));
  }
  auto rows_on_two_axes(Tensor<Ids<V>, B, Y, T> ids) const {
    auto x = embed<V>(ids, tokens);
    auto w = softmax<S>(causal_mask(scores<D>(x, read<T>(x))));
    return std::tuple(mean<T>(x), mean<Y, T>(x), last<T>(x), dot<S>(w, read<T>(x)));
  }
  auto no_rows(Tensor<Ids<V>, T> ids) const {
    auto x = embed<V>(ids, tokens);
    return std::tuple(mean<T>(x), dot<S>(softmax<S>(causal_mask(scores<D>(x, read<T>(x)))), read<T>(x)));
  }
};
NAX_MODEL(lengths, Model, (ragged, (ids), (last, first, most, mean, sum, each, loss, row, total, rows, token)),
          (packed, (ids), (y)), (rows_on_two_axes, (ids), (m, n, o, y)), (no_rows, (ids), (m, y)));
