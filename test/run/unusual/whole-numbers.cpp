// Counts: sums, products and comparisons of whole numbers, which are exact; what is not 0 is true; what is too large.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --size T=11
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Positions<"T"> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct KG : Concat<"KG", K, G> {};

struct Model {
  auto counts(Tensor<i32, B, T> x, Tensor<i32, B> y) const {
    return std::tuple(sum<T>(x), x + y, y - x, x * x, sum<B, T>(x), dot<B>(x, y), dot<T>(x, x), spread<T>(y));
  }
  auto casts(Tensor<i32, B, T> x, Tensor<f32, B> y, Tensor<boolean, B, T> z) const {
    return std::tuple(to<f32>(x), to<i64>(x), to<boolean>(x), to<boolean>(y), to<i32>(y * 3.0), to<i32>(z), to<f64>(z),
                      sum<T>(to<i32>(z)));
  }
  auto shapes(Tensor<i64, B, H> x, Tensor<i64, B, KG> y) const {
    return std::tuple(split<H>(x), merge<H>(split<H>(x)), part<K>(y), concat<KG>(part<K>(y), part<G>(y)));
  }
  // Beyond what the type holds, and no number at all.
  auto ends(Tensor<f32, B, T> x, Tensor<f64, B> y, Tensor<bf16, B> z) const {
    auto far = x / (x - x), none = (x - x) / (x - x);
    return std::tuple(to<i32>(far), to<i32>(none), to<i64>(far), to<i64>(none), to<i32>(x * 1e15), to<i32>(y * -1e10),
                      to<i64>(y * 1e19), to<i32>(z * 1e10));
  }
  // Lengths that are counted in the model, of a sequence that may look ahead.
  auto lengths(Tensor<f32, B, T, G> x, Tensor<boolean, B, T> there) const {
    auto s = mask(scores<G>(x, read<T>(x)), shorter_than<T>(sum<T>(to<i32>(there))));
    return dot<Read<T>>(softmax<Read<T>>(s), read<T>(x));
  }
};
NAX_MODEL(whole, Model, (counts, (x, y), (a, b, c, d, e, f, g, h)), (casts, (x, y, z), (a, b, c, d, e, f, g, h)),
          (shapes, (x, y), (a, b, c, d)), (ends, (x, y, z), (a, b, c, d, e, f, g, h)), (lengths, (x, there), (y)));
