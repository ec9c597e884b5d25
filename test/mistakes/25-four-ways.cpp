// What has seen the whole sequence meets it again: held in a variable, in a helper, in a nested module, swapped.
// RUN: %python %S/check.py ways %s
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 4> {};
struct D : Axis<"D", 6> {};
struct E : Axis<"E", 8> {};
struct F : Axis<"F", 10> {};

auto held(Tensor<f32, B, T, C> x) {
  auto level = mean<T>(x);
  auto scaled = level * 2;
  return x - scaled;  // error: operator-: [B,C] has seen every position of the causal T; joining it to [B,T,C] tells position t what comes after it  [N0025]
}

auto helper(auto x) { return x / (max<T>(x) + 1); }  // error: operator/: [B,D] has seen every position of the causal T; joining it to [B,T,D] tells position t what comes after it  [N0025]
auto helped(Tensor<f32, B, T, D> x) { return helper(x); }

struct Gate {
  auto operator()(Tensor<f32, B, T, E> x) const { return x * sigmoid(last<T>(x)); }  // error: operator*: [B,E] has seen every position of the causal T; joining it to [B,T,E] tells position t what comes after it  [N0025]
};
struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (Gate, gate));
  auto operator()(Tensor<f32, B, T, E> x) const { return gate(x); }
};

auto swapped(Tensor<f32, B, T, F> x) { return mean<T>(x) + x; }  // error: operator+: [B,F] has seen every position of the causal T; joining it to [B,T,F] tells position t what comes after it  [N0025]
