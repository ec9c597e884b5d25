// Products of products and of one factor, axes of one element and of sizes known when called, results that are arguments.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --size B=3 --size N=4 --size M=5
// RUN: naxc check %s --size B=0
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct N : Axis<"N"> {};
struct M : Axis<"M"> {};
struct U : Positions<"U", 6> {};
struct H : Axis<"H", 2> {};
struct One : Axis<"One", 1> {};
struct E : Axis<"E", 3> {};
struct F : Axis<"F", 5> {};
struct HE : Product<"HE", H, One, E> {};
struct Outer : Product<"Outer", HE, F> {};
struct Alone : Product<"Alone", F> {};
struct BH : Product<"BH", B, H> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, HE, E>, w), (Param<f32>, scalar), (Param<f32, One>, one), (Param<f32, E>, shift));
  auto products(Tensor<f32, B, Outer> x, Tensor<f32, B, H, E> y) const {
    auto parts = split<HE>(split<Outer>(x)); // [B,H,One,E,F]
    auto z = merge<HE>(parts);               // [B,HE,F]
    return std::tuple(parts, merge<Outer>(z), dot<HE>(z, w) * scalar, sum<One>(parts), split<Alone>(merge<Alone>(z)),
                      max<H, E>(parts), mean<F, H>(parts), sum<BH>(merge<BH>(y)));
  }
  auto known_when_called(Tensor<f32, B, N> x, Tensor<f32, N, M> y, Tensor<f32, B, M> z) const {
    auto d = dot<N>(x, y);
    return std::tuple(d + z, softmax<N>(x).values(), max<N>(x), argmax<M>(z), spread<M>(x), sum<B>(d), dot<B>(x, z),
                      dot<B, M>(d, z), mean<B, N>(x));
  }
  auto fixed_sequence(Tensor<f32, B, U, E> x, Tensor<f32, U, B> g) const {
    auto w = softmax<Read<U>>(scores<E>(x, read<U>(x)));
    return std::tuple(dot<Read<U>>(w, read<U>(x)), x * g, last<U>(x), first<U>(x), mean<U>(x), sum<U>(x * g));
  }
  auto given_back(Tensor<f32, B, E> x, Tensor<i32, B> n, Tensor<boolean, B> b, Tensor<Ids<E>, B> i) const {
    return std::tuple(x, w, n, b, i, scalar, one, x, w);
  }
  auto not_used(Tensor<f32, B, E> x, Tensor<f32, N> y) const { return x + shift; }
  auto chain(Tensor<f32, B, E> x) const {
    Tensor<f32, B, E> y = x;
    for (int i = 0; i < 100; ++i) y = tanh(y * 1.1 + x * 0.01);
    return y;
  }
};
NAX_MODEL(axes, Model, (products, (x, y), (parts, whole, d, s, alone, most, mean, rows)),
          (known_when_called, (x, y, z), (a, b, c, d, e, f, g, h, i)), (fixed_sequence, (x, g), (a, b, c, d, e, f)),
          (given_back, (x, n, b, i), (a, c, d, e, f, g, h, j, k)), (not_used, (x, y), (z)), (chain, (x), (y)));
