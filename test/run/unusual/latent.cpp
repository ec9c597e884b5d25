// Keys and values out of one latent of low rank; a rotated piece of the key shared by all heads beside what each has.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward,absorbed --size T=12
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct C : Axis<"C", 16> {};
struct L : Axis<"L", 6> {};
struct H : Axis<"H", 3> {};
struct Dr : Axis<"Dr", 4> {};           // rotated
struct Dn : Axis<"Dn", 5> {};           // not rotated
struct D : Concat<"D", Dr, Dn> {};
struct E : Axis<"E", 7> {};
using S = Read<T>;
inline constexpr Rope rotary{.base = 1000, .pairing = Rope::interleaved, .dims = 4};

struct Latent {
  BOOST_HANA_DEFINE_STRUCT(Latent, (Param<f32, C, L>, down), (Param<f32, L>, gain), (Param<f32, L, H, Dn>, up_key),
                           (Param<f32, L, H, E>, up_value), (Param<f32, C, Dr>, shared_key), (Param<f32, C, H, D>, wq),
                           (Param<f32, H, E, C>, wo));
  auto forward(Tensor<f32, B, T, C> x) const {
    auto latent = rms_norm<L>(dot<C>(x, down), gain, Eps{1e-6});
    auto k = concat<D>(spread<H>(dot<C>(x, shared_key)), dot<L>(latent, up_key));
    auto q = dot<C>(x, wq);
    auto w = softmax<S>(causal_mask(scores<D>(rope<T, D, rotary>(q), read<T>(rope<T, D, rotary>(k)))));
    return dot<H, E>(dot<S>(w, read<T>(dot<L>(latent, up_value))), wo);
  }
  // The same latent read once, both come out of what is read; and queries that match the latent itself.
  auto absorbed(Tensor<f32, B, T, C> x) const {
    auto latent = read<T>(dot<C>(x, down));
    auto q = dot<Dn>(part<Dn>(dot<C>(x, wq)), up_key);          // [B,T,H,L]
    auto w = softmax<S>(causal_mask(scores<L>(q, latent, Scale{0.447})));
    return dot<H, E>(dot<L>(dot<S>(w, latent), up_value), wo);
  }
};
NAX_MODEL(latent, Latent, (forward, (x), (y)), (absorbed, (x), (y)));
