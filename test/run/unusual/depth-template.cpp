// Depth and width are template arguments.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward --size T=8
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
using S = Read<T>;
template <int Width>
struct Sizes;
template <>
struct Sizes<8> {
  struct C : Axis<"C", 8> {};
  struct F : Axis<"F", 20> {};
};

template <class C, class F>
struct Mlp {
  BOOST_HANA_DEFINE_STRUCT(Mlp, (Param<f32, C, F>, up), (Param<f32, F, C>, down));
  auto operator()(auto x) const { return dot<F>(gelu(dot<C>(x, up)), down); }
};
template <class C>
auto attend(auto x) {
  return dot<S>(softmax<S>(causal_mask(scores<C>(x, read<T>(x)))), read<T>(x));
}
template <int Depth, class C, class F>
struct Stack {
  BOOST_HANA_DEFINE_STRUCT(Stack, (Mlp<C, F>, mlp), (Stack<Depth - 1, C, F>, rest));
  auto operator()(Tensor<f32, B, T, C> x) const {
    auto y = x + attend<C>(x);
    return rest(y + mlp(y));
  }
};
template <class C, class F>
struct Stack<0, C, F> {
  BOOST_HANA_DEFINE_STRUCT(Stack, (Param<f32, C>, gain));
  auto operator()(Tensor<f32, B, T, C> x) const { return rms_norm<C>(x, gain, Eps{1e-5}); }
};
template <int Width, int Depth>
struct Model {
  using C = typename Sizes<Width>::C;
  using F = typename Sizes<Width>::F;
  using Layers = Stack<Depth, C, F>;
  BOOST_HANA_DEFINE_STRUCT(Model, (Layers, layers));
  auto forward(Tensor<f32, B, T, C> x) const { return layers(x); }
};
using Small = Model<8, 3>;
NAX_MODEL(small, Small, (forward, (x), (y)));
