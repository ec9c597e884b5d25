// What types do not know is refused while the model is traced, at the user's line.
// DEFINE: %{case} =
// DEFINE: %{refuse} = %nax-cxx -DCASE=%{case} %s %build/lib/libnaxemit.a -o %t && not %t %t.mlir 2>&1 | FileCheck %s --check-prefix=CASE%{case}
// REDEFINE: %{case} = 1
// RUN: %{refuse}
// REDEFINE: %{case} = 2
// RUN: %{refuse}
// REDEFINE: %{case} = 3
// RUN: %{refuse}
// REDEFINE: %{case} = 4
// RUN: %{refuse}
// REDEFINE: %{case} = 5
// RUN: %{refuse}
// REDEFINE: %{case} = 6
// RUN: %{refuse}
// REDEFINE: %{case} = 7
// RUN: %{refuse}
// REDEFINE: %{case} = 8
// RUN: %{refuse}
// REDEFINE: %{case} = 9
// RUN: %{refuse}
// REDEFINE: %{case} = 10
// RUN: %{refuse}
// REDEFINE: %{case} = 11
// RUN: %{refuse}
// REQUIRES: clang22
#include <nax/nax.h>
#include <array>
#include <utility>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct R : Positions<"R", Ragged> {};
struct X : Axis<"X"> {};
struct C : Axis<"C", 8> {};
using S = Read<T>;

struct Layer {
  BOOST_HANA_DEFINE_STRUCT(Layer, (Param<f32, C>, gain));
  auto operator()(Tensor<f32, B, T, C> x, auto change) const { return change(x * gain); }
};
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C>, gain), (std::array<Layer, 2>, layers));
  Param<f32, C> forgotten;

  auto forward(Tensor<f32, B, T, C> x, Tensor<f32, B, R, C> r) const {
#if CASE == 1
    return std::pair(x, mask(scores<C>(x, read<T>(x)), window<T>(0)));
// CASE1: refused-values.cpp:[[#@LINE-1]]:56: error: window<T>(0) would block everything; the size counts the position itself [N0017]
#elif CASE == 2
    return std::pair(x / 0, r);
// CASE2: refused-values.cpp:[[#@LINE-1]]:22: error: scale: by is not a finite number
#elif CASE == 3
    return std::pair(dropout(Training{}, 0.1, x), r);
// CASE3: refused-values.cpp:[[#@LINE-1]]:22: error: dropout: a Training comes as an argument of the entry; this one was made by hand [N0043]
#elif CASE == 4
    return std::pair(x * forgotten, r);
// CASE4: refused-values.cpp:[[#@LINE-1]]:{{.*}}: error: mul: an operand has no value; a Param is a member that BOOST_HANA_DEFINE_STRUCT names, any other Tensor comes from an argument or an operation
#elif CASE == 5
    return std::pair(x * gain, spread<X>(r));
// CASE5: refused-values.cpp:[[#@LINE-1]]:32: error: spread: nothing says how large X of [B,R,C,X] is; give it a size, or an argument that stands on it
#elif CASE == 6
    auto before = x;
    auto change = [&](auto y) { return std::exchange(before, y) + y; };
    return std::pair(r, repeat(layers, x, change));
// CASE6: refused-values.cpp:[[#@LINE-2]]:{{.*}}: error: add: an operand is a value inside of a repeated layer; a layer hands on only what it returns
#elif CASE == 7
    Tensor<f32> all = mean<B, T, C>(x);
    return std::pair(r, x * all);
// CASE7: refused-values.cpp:[[#@LINE-1]]:{{.*}}: error: operator*: [] has seen every position of the causal T; joining it to [B,T,C] tells position t what comes after it [N0025]
#elif CASE == 8
    return std::pair(x, mean<R>(sum<B>(r)));
// CASE8: refused-values.cpp:[[#@LINE-1]]:25: error: mean: which positions of R there are depends on B, which [R,C] has not; do this before B is summed away, or over both at once
#elif CASE == 9
    auto s = spread<X>(x);
    return std::pair(r, scores<X>(s, read<T>(s)));
// CASE9: refused-values.cpp:[[#@LINE-1]]:25: error: scores<X>: X has no fixed size to scale by; say the scale: scores<X>(q, k, Scale{s}) [N0016]
#elif CASE == 10
    return std::pair(r, layer_norm<C>(x, gain, Eps{-1e-5}));
// CASE10: refused-values.cpp:[[#@LINE-1]]:25: error: layer_norm: the eps is not negative
#elif CASE == 11
    return std::pair(r, softcap(scores<C>(x, read<T>(x)), 0));
// CASE11: refused-values.cpp:[[#@LINE-1]]:25: error: softcap: the cap is positive
#endif
  }
};
NAX_MODEL(model, Model, (forward, (x, r), (a, b)));
