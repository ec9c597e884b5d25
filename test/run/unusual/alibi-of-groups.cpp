// ALiBi over heads that are split in groups: slopes count over both axes, in the order in which they are named.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=groups --entry groups --size T=15
// RUN: naxc check %s --entry encoder --size P=15
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P", Ragged> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 4> {};

struct Model {
  auto groups(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, K, D> k) const {
    auto s = scores<D>(split<H>(q), read<T>(k));
    auto v = read<T>(k);
    return std::tuple(merge<H>(dot<Read<T>>(softmax<Read<T>>(causal_mask(alibi<K, G>(s))), v)),
                      dot<Read<T>>(softmax<Read<T>>(causal_mask(alibi<G, K>(s))), v),
                      dot<Read<T>>(softmax<Read<T>>(causal_mask(alibi<G>(softcap(s, 2.0)))), v),
                      dot<Read<T>>(softmax<Read<T>>(causal_mask(alibi<H>(scores<D>(q, read<T>(q))))), read<T>(q)));
  }
  auto encoder(Tensor<f32, B, P, H, D> x) const {
    return dot<Read<P>>(softmax<Read<P>>(alibi<H>(scores<D>(x, read<P>(x)))), read<P>(x));
  }
};
NAX_MODEL(alibi_groups, Model, (groups, (q, k), (by_k, by_g, capped, merged)), (encoder, (x), (y)));
