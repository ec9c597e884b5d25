// SPDX-License-Identifier: Apache-2.0
// The operations that no transformer of test/run needs, each in the smallest entry that shows it: for naxc check, and for
// check_ops.py, which has them in numpy.
#include <nax/nax.h>
#include <tuple>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct Tr : Causal<"Tr", Ragged> {};
struct Tl : Causal<"Tl", LeftPadded> {};
struct Tp : Causal<"Tp", Packed> {};
struct P : Positions<"P", Packed> {};
struct V : Axis<"V", 9> {};
struct Two : Axis<"Two", 2> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct X : Axis<"X", 4> {};
struct Y : Axis<"Y", 3> {};
struct Z : Concat<"Z", X, Y> {};
struct N : Axis<"N", 16> {};
struct C : Axis<"C", 4> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, table), (Param<f32, N, C>, positions), (Param<f32, C>, gain));

  auto reduce(Tensor<f32, B, Tr, C> x) const {
    return std::tuple(sum<Tr>(x), mean<Tr>(x), max<Tr>(x), last<Tr>(x), first<Tr>(x), mean<B, Tr, C>(x));
  }
  auto padded(Tensor<f32, B, Tl, C> x) const {
    return std::tuple(embed_positions<Tl>(x, positions), mean<Tl>(x), first<Tl>(x), last<Tl>(x));
  }
  auto packed(Tensor<Ids<V>, B, Tp> ids, Tensor<f32, B, Tp, C> x) const {
    auto losses = cross_entropy<V>(unembed<V>(x, table), next<Tp>(ids));
    return std::tuple(embed_positions<Tp>(x, positions), losses, mean<B, Tp>(losses), sum<B, Tp>(losses));
  }
  auto shapes(Tensor<f32, B, H> h, Tensor<f32, B, Z> z) const {
    return std::tuple(split<H>(h), merge<H>(split<H>(h) * 2), part<X>(z), part<Y>(z),
                   concat<Z>(neg(part<X>(z)), part<Y>(z)), spread<C>(part<Y>(z)));
  }
  auto picks(Tensor<f32, B, V> x) const { return std::tuple(argmax<V>(logits<V>(x)), top_k<V, Two>(logits<V>(x)), softmax<V>(x)); }
  auto functions(Tensor<f32, B, C> x) const {
    return std::tuple(silu(x), gelu(x), gelu_tanh(x), relu(x), exp(x), tanh(x), sigmoid(x), sqrt(x * x + 1), 1 - x, x / 8,
                   x / (x * x + 1));
  }
  auto norms(Tensor<f32, B, C> x) const {
    return std::tuple(rms_norm_unit_offset<C>(x, gain, Eps{1e-6}), layer_norm<C>(x, gain, Eps{1e-3}));
  }
  auto casts(Tensor<f32, B, C> x) const { return std::tuple(to<f16>(x), to<bf16>(x), to<f64>(x) * 3, to<i32>(x * 10)); }
  auto drops(Training training, Tensor<f32, B, C> x) const {
    return std::tuple(dropout(training, 0.25, x), dropout(training, 0.5, x));
  }
  auto masked(Tensor<f32, B, P, C> x, Tensor<i32, B> lengths, Tensor<i32, B, P> documents) const {
    auto s = mask(scores<C>(x, read<P>(x)), (window<P>(3) & same_document<P>(documents)) | !shorter_than<P>(lengths));
    return dot<Read<P>>(softmax<Read<P>>(s), read<P>(x));
  }
  auto biased(Tensor<f32, B, T, C> x, Tensor<f32, T, Read<T>> b, Tensor<boolean, B, Read<T>> blocked) const {
    auto s = mask(bias(softcap(scores<C>(x, read<T>(x)), 2.0), b), blocked_where_true(blocked) | prefix<T>(2));
    return dot<Read<T>>(softmax<Read<T>>(causal_mask(s)), read<T>(x));
  }
};
NAX_MODEL(ops, Model, (reduce, (x), (total, average, largest, end, begin, all)),
          (padded, (x), (placed, average, begin, end)), (packed, (ids, x), (placed, losses, loss, total)),
          (shapes, (h, z), (parts, doubled, x, y, joined, wide)), (picks, (x), (best, two, weights)),
          (functions, (x), (a, b, c, d, e, f, g, h, i, j, k)), (norms, (x), (rms, layer)),
          (casts, (x), (half, brain, wide, whole)), (drops, (training, x), (some, half)),
          (masked, (x, lengths, documents), (out)), (biased, (x, b, blocked), (out)));
