// NAX_DECODE marks the entries whose step is derived, and no others; in as many lines as one likes.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && FileCheck %s --input-file=%t.gxx.mlir %}
// REQUIRES: clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct D : Axis<"D", 8> {};
using S = Read<T>;

struct Model {
  auto all(Tensor<f32, B, T, D> x) const {
    return dot<S>(softmax<S>(causal_mask(scores<D>(x, read<T>(x)))), read<T>(x));
  }
  auto forward(Tensor<f32, B, T, D> x) const { return last<T>(all(x)); }
  auto mean(Tensor<f32, B, T, D> x) const { return nax::mean<T>(all(x)); }
  auto twice(Tensor<f32, B, T, D> x) const { return all(all(x)); }
};
NAX_MODEL(model, Model, (all, (x), (y)), (forward, (x), (y)), (mean, (x), (y)), (twice, (x), (y)));
// Two on a line.
#define DECODED                                                                                                        \
  NAX_DECODE(forward, all);                                                                                            \
  NAX_DECODE(twice)
DECODED;

// CHECK: func.func @all({{.*}} attributes {nax.entry, nax.decode} {
// CHECK: func.func @forward({{.*}} attributes {nax.entry, nax.decode} {
// CHECK: func.func @mean({{.*}} attributes {nax.entry} {
// CHECK: func.func @twice({{.*}} attributes {nax.entry, nax.decode} {
