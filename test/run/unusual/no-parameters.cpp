// A model that is a plain struct; entries without a batch, without any axis, that give back what they take.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=same,turned --size T=8
#include <nax/nax.h>
using namespace nax;

struct T : Causal<"T"> {};
struct C : Axis<"C", 6> {};
using S = Read<T>;

struct Model {
  auto attend(Tensor<f32, T, C> x) const {
    auto w = softmax<S>(causal_mask(scores<C>(x, read<T>(x))));
    return std::tuple(dot<S>(w, read<T>(x)), w.values());
  }
  auto scalar(Tensor<f32, T, C> x, Tensor<f32> temperature) const {
    return std::pair(sum<T, C>(x / temperature), temperature * temperature);
  }
  auto same(Tensor<f32, T, C> x) const { return std::tuple(x, x, x * 1.0); }
  Tensor<f32, C, T> turned(Tensor<f32, T, C> x) const { return x; }
};
NAX_MODEL(plain, Model, (attend, (x), (y, w)), (scalar, (x, temperature), (sum, square)), (same, (x), (a, b, c)),
          (turned, (x), (y)));
