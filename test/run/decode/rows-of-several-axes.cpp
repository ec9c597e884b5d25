// SPDX-License-Identifier: Apache-2.0
// Rows on several axes, of a size known when called and of a fixed one; a sequence whose size is fixed; no rows.
// REQUIRES: lowering, cpu-v3
// UNSUPPORTED: asan
// RUN: naxc check %s --decode=two,fixed,mixed,ragged,packed,none,six | FileCheck %s
//
// CHECK: rows.two_step A=3 B=3
// CHECK: a row alone and in the batch {{ *}}the same bits {{ *}}ok
// CHECK: rows.fixed_step T=8
// CHECK: a row while the others wait {{ *}}the same bits {{ *}}ok
// CHECK: rows.mixed_step B=3
// CHECK: a row while the others wait {{ *}}the same bits {{ *}}ok
// CHECK: rows.ragged_step A=3 B=3
// CHECK: rows.packed_step B=3
// CHECK: rows.none_step T=8
// CHECK: rows.six_step B=3
// CHECK: a row alone and in the batch {{ *}}the same bits {{ *}}ok
#include <nax/nax.h>
using namespace nax;
struct A : Axis<"A"> {};
struct B : Axis<"B"> {};
struct E : Axis<"E", 3> {};
struct T : Causal<"T"> {};
struct U : Causal<"U", 6> {};
struct Tr : Causal<"Tr", Ragged> {};
struct Tp : Causal<"Tp", Packed> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, D>, gain));
  template <class S>
  auto attend(auto x) const {
    auto k = rope<S, D>(x * gain);
    return dot<Read<S>>(softmax<Read<S>>(causal_mask(scores<D>(k, read<S>(k)))), read<S>(x));
  }
  auto two(Tensor<f32, A, B, T, H, D> x) const { return attend<T>(x); }
  auto fixed(Tensor<f32, E, T, H, D> x) const { return attend<T>(x); }
  auto mixed(Tensor<f32, B, E, T, H, D> x) const { return last<T>(attend<T>(x)); }
  auto ragged(Tensor<f32, A, B, Tr, H, D> x) const { return attend<Tr>(x); }
  auto packed(Tensor<f32, E, B, Tp, H, D> x) const { return attend<Tp>(x); }
  auto none(Tensor<f32, T, H, D> x) const { return attend<T>(x); }
  auto six(Tensor<f32, B, U, H, D> x) const { return attend<U>(x); }
};
NAX_MODEL(rows, Model, (two, (x), (y)), (fixed, (x), (y)), (mixed, (x), (y)), (ragged, (x), (y)), (packed, (x), (y)),
          (none, (x), (y)), (six, (x), (y)));
