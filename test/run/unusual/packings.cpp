// One matrix for queries, keys and values, packed in three ways: in sections, by head, by group of heads.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=sections,heads,groups --size T=9
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 12> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 4> {};
using S = Read<T>;

auto attend(auto q, auto k, auto v) {
  return dot<S>(softmax<S>(causal_mask(scores<D>(q, read<T>(k)))), read<T>(v));
}

// All queries, then all keys, then all values: GPT-2.
struct Qs : Product<"Qs", H, D> {};
struct Ks : Product<"Ks", K, D> {};
struct Vs : Product<"Vs", K, D> {};
struct Sections : Concat<"Sections", Qs, Ks, Vs> {};
// For each head its query, key and value: GPT-NeoX.
struct Dq : Product<"Dq", D> {};
struct Dk : Product<"Dk", D> {};
struct Dv : Product<"Dv", D> {};
struct One : Concat<"One", Dq, Dk, Dv> {};
struct ByHead : Product<"ByHead", H, One> {};
// For each key head its queries, then its key and value: Falcon.
struct Gq : Product<"Gq", G, D> {};
struct Group : Concat<"Group", Gq, Dk, Dv> {};
struct ByGroup : Product<"ByGroup", K, Group> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, Sections>, sectioned), (Param<f32, C, ByHead>, by_head),
                           (Param<f32, C, ByGroup>, by_group), (Param<f32, ByGroup>, bias));
  auto sections(Tensor<f32, B, T, C> x) const {
    auto p = dot<C>(x, sectioned);
    return attend(split<H>(split<Qs>(part<Qs>(p))), split<Ks>(part<Ks>(p)), split<Vs>(part<Vs>(p)));
  }
  auto heads(Tensor<f32, B, T, C> x) const {
    auto p = split<ByHead>(dot<C>(x, by_head));
    return attend(split<Dq>(part<Dq>(p)), split<Dk>(part<Dk>(p)), split<Dv>(part<Dv>(p)));
  }
  auto groups(Tensor<f32, B, T, C> x) const {
    auto p = split<ByGroup>(dot<C>(x, by_group) + bias);
    return attend(split<Gq>(part<Gq>(p)), split<Dk>(part<Dk>(p)), split<Dv>(part<Dv>(p)));
  }
};
NAX_MODEL(packings, Model, (sections, (x), (y)), (heads, (x), (y)), (groups, (x), (y)));
