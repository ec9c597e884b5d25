// Blocks inside of blocks that rotate: sines and cosines are worked out once for each rope, in the entry, and handed down.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward --size T=14
// RUN: naxc check %s --decode=forward --size T=14 -DDATA=LeftPadded
// RUN: naxc check %s --decode=forward --size T=14 -DDATA=Packed
// RUN: naxc %s --emit=linalg | FileCheck %s
// CHECK-NOT:     math.cos
// CHECK-LABEL:   @forward.body(
// CHECK-COUNT-2: math.cos
// CHECK-NOT:     math.cos
#include <array>
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
#ifdef DATA
struct T : Causal<"T", DATA> {};
#else
struct T : Causal<"T"> {};
#endif
struct H : Axis<"H", 3> {};
struct D : Axis<"D", 8> {};
struct C : Axis<"C", 24> {};
using S = Read<T>;
inline constexpr Rope whole{.base = 10000, .pairing = Rope::halves};
inline constexpr Rope some{.base = 500, .pairing = Rope::interleaved, .scaling = 2, .dims = 4};

template <Rope R>
struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention,
    (Param<f32, C>, gain), (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv),
    (Param<f32, H, D, C>, wo));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const {
    auto y = rms_norm<C>(x, gain, Eps{1e-5});
    auto q = rope<T, D, R>(dot<C>(y, wq)), k = rope<T, D, R>(dot<C>(y, wk));
    auto w = softmax<S>(causal_mask(scores<D>(q, read<T>(k))));
    return x + dot<H, D>(dot<S>(w, read<T>(dot<C>(y, wv))), wo);
  }
};
struct Pair {
  using Wholes = std::array<Attention<whole>, 2>;
  using Parts = std::array<Attention<some>, 2>;
  BOOST_HANA_DEFINE_STRUCT(Pair, (Wholes, wholes), (Parts, parts));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> x) const { return repeat(parts, repeat(wholes, x)); }
};
struct Model {
  using Pairs = std::array<Pair, 2>;
  BOOST_HANA_DEFINE_STRUCT(Model, (Pairs, pairs));
  auto forward(Tensor<f32, B, T, C> x) const { return repeat(pairs, x); }
};
NAX_MODEL(blocks, Model, (forward, (x), (y)));
