// A module has up to 39 members, a model as many entries as anyone will write.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: %if gxx12 %{ %gxx -fsyntax-only %s %}
// REQUIRES: clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct C : Axis<"C", 4> {};
using P = Param<f32, C>;
using X = Tensor<f32, B, C>;

struct Many {
  BOOST_HANA_DEFINE_STRUCT(Many,
    (P, p0), (P, p1), (P, p2), (P, p3),
    (P, p4), (P, p5), (P, p6), (P, p7),
    (P, p8), (P, p9), (P, p10), (P, p11),
    (P, p12), (P, p13), (P, p14), (P, p15),
    (P, p16), (P, p17), (P, p18), (P, p19),
    (P, p20), (P, p21), (P, p22), (P, p23),
    (P, p24), (P, p25), (P, p26), (P, p27),
    (P, p28), (P, p29), (P, p30), (P, p31),
    (P, p32), (P, p33), (P, p34), (P, p35),
    (P, p36), (P, p37), (P, p38));
  auto e0(X x) const { return x * p15; } auto e1(X x) const { return x * p16; } auto e2(X x) const { return x * p17; }
  auto e3(X x) const { return x * p18; } auto e4(X x) const { return x * p19; } auto e5(X x) const { return x * p20; }
  auto e6(X x) const { return x * p21; } auto e7(X x) const { return x * p22; } auto e8(X x) const { return x * p23; }
  auto e9(X x) const { return x * p24; } auto e10(X x) const { return x * p25; } auto e11(X x) const { return x * p26; }
  auto e12(X x) const { return x * p27; } auto e13(X x) const { return x * p28; } auto e14(X x) const { return x * p29; }
  auto e15(X x) const { return x * p30; } auto e16(X x) const { return x * p31; } auto e17(X x) const { return x * p32; }
  auto e18(X x) const { return x * p33; } auto e19(X x) const { return x * p34; } auto e20(X x) const { return x * p35; }
  auto e21(X x) const { return x * p36; } auto e22(X x) const { return x * p37; } auto e23(X x) const { return x * p38; }
};
NAX_MODEL(many, Many,
          (e0, (x), (y)), (e1, (x), (y)), (e2, (x), (y)), (e3, (x), (y)),
          (e4, (x), (y)), (e5, (x), (y)), (e6, (x), (y)), (e7, (x), (y)),
          (e8, (x), (y)), (e9, (x), (y)), (e10, (x), (y)), (e11, (x), (y)),
          (e12, (x), (y)), (e13, (x), (y)), (e14, (x), (y)), (e15, (x), (y)),
          (e16, (x), (y)), (e17, (x), (y)), (e18, (x), (y)), (e19, (x), (y)),
          (e20, (x), (y)), (e21, (x), (y)), (e22, (x), (y)), (e23, (x), (y)));

// CHECK: func.func @e0(
// CHECK-NEXT: "nax.param"() <{name = "p15"}>
// CHECK: func.func @e23(
// CHECK-NEXT: "nax.param"() <{name = "p38"}>
