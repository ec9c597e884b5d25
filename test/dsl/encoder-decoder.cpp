// Cross-attention between two sequences; modules as templates over what asks and what is read.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir
// RUN: nax-opt %t.mlir --nax-check-causality -o %t.opt && FileCheck %s --input-file=%t.opt
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && nax-opt %t.gxx.mlir | diff %t.opt - %}
// REQUIRES: lowering, clang22
#include <nax/nax.h>
#include <array>
using namespace nax;

namespace translate {
struct B : Axis<"B"> {};
struct E : Positions<"E"> {};  // the source sentence
struct T : Causal<"T"> {};     // the target sentence
struct Vs : Axis<"Vs", 160> {};
struct Vt : Axis<"Vt", 200> {};
struct H : Axis<"H", 8> {};
struct D : Axis<"D", 64> {};
struct C : Axis<"C", 512> {};

template <class Q, class K>
struct Attention {
  BOOST_HANA_DEFINE_STRUCT(Attention, (Param<f32, C, H, D>, wq), (Param<f32, C, H, D>, wk), (Param<f32, C, H, D>, wv),
                           (Param<f32, H, D, C>, wo));
  auto operator()(Tensor<f32, B, Q, C> x, Tensor<f32, B, K, C> y, auto hide) const {
    auto s = hide(scores<D>(dot<C>(x, wq), read<K>(dot<C>(y, wk))));
    return dot<H, D>(dot<Read<K>>(softmax<Read<K>>(s), read<K>(dot<C>(y, wv))), wo);
  }
};
struct Encoder {
  BOOST_HANA_DEFINE_STRUCT(Encoder, (Attention<E, E>, attention));
  Tensor<f32, B, E, C> operator()(Tensor<f32, B, E, C> x, Tensor<i32, B> lengths) const {
    return x + attention(x, x, [&](auto s) { return mask(s, shorter_than<E>(lengths)); });
  }
};
struct Decoder {
  BOOST_HANA_DEFINE_STRUCT(Decoder, (Attention<T, T>, self), (Attention<T, E>, cross));
  Tensor<f32, B, T, C> operator()(Tensor<f32, B, T, C> y, Tensor<f32, B, E, C> x, Tensor<i32, B> lengths) const {
    y = y + self(y, y, [](auto s) { return causal_mask(s); });
    return y + cross(y, x, [&](auto s) { return mask(s, shorter_than<E>(lengths)); });
  }
};
struct Translate {
  BOOST_HANA_DEFINE_STRUCT(Translate, (Param<f32, Vs, C>, source), (Param<f32, Vt, C>, target),
                           (std::array<Encoder, 2>, encoder), (std::array<Decoder, 2>, decoder));
  auto forward(Tensor<Ids<Vs>, B, E> from, Tensor<i32, B> lengths, Tensor<Ids<Vt>, B, T> to) const {
    auto x = repeat(encoder, embed<Vs>(from, source), lengths);
    return unembed<Vt>(repeat(decoder, embed<Vt>(to, target), x, lengths), target);
  }
};
}  // namespace translate
NAX_MODEL(translate, translate::Translate, (forward, (from, lengths, to), (logits)));

// Captured values follow the parameters; a mask is stated again where it is used.
// CHECK: func.func private @Decoder(%arg0: !nax.tensor<[#B, #T, #C], f32>, {{.*}} {nax.param}, %{{[a-z0-9]+}}: !nax.tensor<[#B, #E, #C], f32>, %[[N:[a-z0-9]+]]: !nax.tensor<[#B], i32>)
// CHECK: nax.scores {{.*}} scores<#T, #ReadT>>
// CHECK: nax.scores {{.*}} scores<#T, #ReadE>>
// CHECK: nax.shorter_than %[[N]] of #E : (!nax.tensor<[#B], i32>) -> !nax.tensor<[#B, #ReadE], i1, mask<every, #ReadE>>
// CHECK: func.func private @Encoder(%arg0: !nax.tensor<[#B, #E, #C], f32>, {{.*}} {nax.param}, %[[N:[a-z0-9]+]]: !nax.tensor<[#B], i32>) -> !nax.tensor<[#B, #E, #C], f32> {
// CHECK: nax.shorter_than %[[N]] of #E
// CHECK: nax.softmax {{.*}} along #ReadE
// CHECK: func.func @forward
// CHECK: %[[E:.*]] = call @Encoder(
// CHECK: %[[E2:.*]] = call @Encoder(%[[E]],
// CHECK: call @Decoder({{.*}}, %[[E2]], %arg1)
