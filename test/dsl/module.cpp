// The module around the functions: names table, locations, an output that is whole or not there, nothing printed.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir > %t.out 2>&1 && count 0 < %t.out
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: sed -E 's/:[0-9]+[)]/)/g' %t.mlir > %t.lines
// RUN: not %t %t.nowhere/model.mlir 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not %t 2>&1 | FileCheck %s --check-prefix=USAGE
// Both compilers give an operation the same line (of an expression over several lines, g++ may take another); columns differ.
// RUN: %if gxx12 %{ %gxx %s %build/lib/libnaxemit.a -o %t && %t %t.gxx.mlir && sed -E 's/:[0-9]+[)]/)/g' %t.gxx.mlir | diff %t.lines - %}
// REQUIRES: clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 8> {};
struct F : Axis<"F", 4> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, F>, up), (Param<f32, F>, bias));
  auto forward(Tensor<f32, B, C> x) const {
    auto y = dot<C>(x, up) + bias;
    return y + silu(y) * 2.0;
  }
};
NAX_MODEL(model, Model, (forward, (x), (y)));
NAX_NAMES(gguf, {"up", "blk.up.weight", "F C"}, {"bias", "blk.up.bias"});
NAX_NAMES(reference, {"up", "a \"quoted\" name", "C F"});

// CHECK: module attributes {nax.model = "model", nax.format = 1 : i64, nax.names = [
// CHECK-SAME: {table = "gguf", param = "up", file = "blk.up.weight", axes = "F C"},
// CHECK-SAME: {table = "gguf", param = "bias", file = "blk.up.bias"},
// CHECK-SAME: {table = "reference", param = "up", file = "a \22quoted\22 name", axes = "C F"}]} {
// CHECK: func.func @forward(%x: {{.*}} {nax.name = "x"} loc("{{.*}}module.cpp":24:{{.*}}))
// CHECK: "nax.dot"({{.*}} loc("{{.*}}module.cpp":20:14)
// CHECK-NEXT: "nax.add"({{.*}} loc("{{.*}}module.cpp":20:
// CHECK-NEXT: "nax.silu"({{.*}} loc("{{.*}}module.cpp":21:16)
// CHECK-NEXT: "nax.scale"({{.*}} loc("{{.*}}module.cpp":21:16)
// CHECK-NEXT: "nax.add"({{.*}} loc("{{.*}}module.cpp":21:12)
// NOWHERE: nax: error: cannot write {{.*}}nowhere/model.mlir
// USAGE: nax: error: this program takes one argument, the file to write
