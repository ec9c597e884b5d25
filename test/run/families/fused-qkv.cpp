// Queries, keys and values in one matrix: laid one after another, and head by head. Both are types, so neither can be read as
// the other.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --entry sections --size T=13
// RUN: naxc check %s --entry heads --size T=13
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 20> {};
struct H : Axis<"H", 5> {};
struct D : Axis<"D", 6> {};
struct Q : Product<"Q", H, D> {};
struct K : Product<"K", H, D> {};
struct V : Product<"V", H, D> {};
struct QKV : Concat<"QKV", Q, K, V> {};
struct Dq : Axis<"Dq", 6> {};
struct Dv : Axis<"Dv", 4> {};
struct Dk : Axis<"Dk", 6> {};
struct One : Concat<"One", Dq, Dk, Dv> {};
struct Packed3 : Product<"Packed3", H, One> {};
using S = Read<T>;

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, QKV>, in_sections), (Param<f32, C, Packed3>, by_head),
                           (Param<f32, H, D, C>, out), (Param<f32, H, Dv, C>, out_by_head), (Param<f32, Dq, D>, turn_q),
                           (Param<f32, Dk, D>, turn_k));
  auto sections(Tensor<f32, B, T, C> x) const {
    auto qkv = dot<C>(x, in_sections);
    auto q = split<Q>(part<Q>(qkv));
    auto k = split<K>(part<K>(qkv));
    auto v = split<V>(part<V>(qkv));
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return dot<H, D>(dot<S>(w, read<T>(v)), out);
  }
  auto heads(Tensor<f32, B, T, C> x) const {
    auto qkv = split<Packed3>(dot<C>(x, by_head)); // [B,T,H,One]
    auto q = dot<Dq>(part<Dq>(qkv), turn_q);
    auto k = dot<Dk>(part<Dk>(qkv), turn_k);
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return dot<H, Dv>(dot<S>(w, read<T>(part<Dv>(qkv))), out_by_head);
  }
};
NAX_MODEL(fused_qkv, Model, (sections, (x), (out)), (heads, (x), (out)));
