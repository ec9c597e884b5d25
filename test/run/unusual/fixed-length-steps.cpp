// A step of a sequence whose length is fixed, where rows say how much of it is there: the entry takes all places, whatever
// the rows have. `last` is compared with beginnings only where an argument says how long they are.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward | FileCheck %s
// RUN: naxc check %s --decode=forward -DDATA=Ragged | FileCheck %s
// RUN: naxc check %s --decode=forward -DDATA=LeftPadded | FileCheck %s
// CHECK:      lm.forward_step
// CHECK-NEXT:   y [B,T,D] in one chunk, steps, odd chunks {{.*}} ok
// CHECK-NEXT:   end [B,D] in one chunk, steps, odd chunks {{.*}} ok
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
#ifdef DATA
struct T : Causal<"T", 12, DATA> {};
#else
struct T : Causal<"T", 12> {};
#endif
struct D : Axis<"D", 8> {};
inline constexpr Rope rotary{.base = 100, .pairing = Rope::halves};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, D>, gain));
  auto forward(Tensor<f32, B, T, D> x) const {
    auto y = rope<T, D, rotary>(x * gain);
    auto w = softmax<Read<T>>(causal_mask(scores<D>(y, read<T>(y))));
    auto z = dot<Read<T>>(w, read<T>(x));
    return std::tuple(z, last<T>(z));
  }
};
NAX_MODEL(lm, Model, (forward, (x), (y, end)));
