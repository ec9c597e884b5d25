// Two sequences with no order between them: held in a variable, in a helper, in a nested module, swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct N : Causal<"N"> {};
struct P : Positions<"P"> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};

auto held(Tensor<f32, B, T, D> q, Tensor<f32, B, P, D> k) {
  auto s = scores<D>(q, read<P>(k));
  return softmax<Read<P>>(causal_mask(s));  // error: causal_mask: scores [B,T,Read<P>] reads P from T: two sequences have no order between them; for padding write mask(scores, shorter_than<P>(lengths))  [N0030]
}

auto helper(auto s) { return softmax<Read<P>>(alibi<H>(s)); }  // error: alibi: scores [B,N,H,Read<P>] reads P from N: two sequences have no distance between them  [N0030]
auto helped(Tensor<f32, B, N, H, D> q, Tensor<f32, B, P, H, D> k) { return helper(scores<D>(q, read<P>(k))); }

struct Attention {
  auto operator()(Tensor<f32, B, T, H, D> q, Tensor<f32, B, N, H, D> k) const {
    return softmax<Read<N>>(causal_mask(scores<D>(q, read<N>(k))));  // error: scores<D>: T reads the other causal sequence N and nothing says how their positions align; declare N as Positions if all of it may be read  [N0030]
  }
};
struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Attention, attention));
  auto operator()(Tensor<f32, B, T, H, D> q, Tensor<f32, B, N, H, D> k) const { return attention(q, k); }
};

auto swapped(Tensor<f32, B, T, D> q, Tensor<f32, B, N, D> k) { return scores<D>(k, read<T>(q)); }  // error: scores<D>: N reads the other causal sequence T and nothing says how their positions align; declare T as Positions if all of it may be read  [N0030]
