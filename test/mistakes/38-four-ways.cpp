// Positions that nothing declares: held in a variable, in a helper, in a nested module, swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct N : Positions<"N"> {};
struct P : Positions<"P"> {};
struct L : Axis<"L"> {};
struct Old : Axis<"Old"> {};
struct New : Axis<"New"> {};
struct All : Concat<"All", Old, New> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};

auto held(Tensor<f32, B, Old, D> cache, Tensor<f32, B, New, D> x) {
  auto keys = concat<All>(cache, x);
  return rope<All, D>(keys);  // error: rope<All,D>: All = Old + New does not say which position each is at; declare one sequence, struct All : Causal<"All"> {}, and rotate all of it  [N0038]
}

template <class A>
auto helper(auto x) {
  return rope<A, D>(x);  // error: rope<L,D>: L of [B,L,H,D] is not declared to have positions; declare it: struct L : Causal<"L"> {} or Positions<"L">, with LeftPadded or Packed if its data is  [N0038]
}
auto helped(Tensor<f32, B, L, H, D> x) { return helper<L>(x); }

struct Attention {
  auto operator()(Tensor<f32, B, N, D> q, Tensor<f32, B, P, D> k) const {
    return softmax<Read<P>>(scores<D>(rope<N, D>(q), read<P>(rope<P, D>(k))));  // error: scores<D>: N and P both count from 0 in rope, and nothing says how far N is from P; rotate and read one sequence, or neither  [N0038]
  }
};
struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Attention, attention));
  auto operator()(Tensor<f32, B, N, D> q, Tensor<f32, B, P, D> k) const { return attention(q, k); }
};

auto swapped(Tensor<f32, B, N, D> q, Tensor<f32, B, P, D> k) { return scores<D>(rope<P, D>(k), read<N>(rope<N, D>(q))); }  // error: scores<D>: P and N both count from 0 in rope, and nothing says how far P is from N; rotate and read one sequence, or neither  [N0038]
