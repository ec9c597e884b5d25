// A step on a GPU: keys and values of one size take their slots in one launch, others
// in one each.
// RUN: nax-opt %s --nax-to-linalg=target=gpu --canonicalize | FileCheck %s

#B = #nax.axis<"B">
#T = #nax.axis<"T", causal, continued>
#ReadT = #nax.axis<read #T>
#span = #nax.axis<"T.span", 2>
#slots = #nax.axis<"T.cache">
#D = #nax.axis<"D", 8>
#E = #nax.axis<"E", 4>
!x = !nax.tensor<[#B, #T, #D], f32>
!e = !nax.tensor<[#B, #T, #E], f32>
!k = !nax.tensor<[#B, #ReadT, #D], f32>
!v = !nax.tensor<[#B, #ReadT, #E], f32>
!c = !nax.tensor<[#B, #slots, #D], f32>
!ce = !nax.tensor<[#B, #slots, #E], f32>
!s = !nax.tensor<[#B, #span], i32>

// CHECK-LABEL: func.func @same.body(
// CHECK: nax.kernel.attention(%{{.*}}) cached(%[[K:[^,]*]], %[[V:[^,]*]], %{{.*}} : memref<?x?x8xf32>
// CHECK: scf.parallel (%[[ROW:.*]], %[[T:.*]], %[[D:.*]]) =
// CHECK: %[[SLOT:.*]] = arith.remui
// CHECK: memref.store %{{.*}}, %[[K]][%[[ROW]], %[[SLOT]], %[[D]]]
// CHECK: memref.store %{{.*}}, %[[V]][%[[ROW]], %[[SLOT]], %[[D]]]
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @same(%x: !x {nax.name = "x"}, %s: !s {nax.name = "T_lengths", nax.span = #T},
                %kc: !c {nax.cache = {index = 0 : i64}, nax.name = "k"},
                %vc: !c {nax.cache = {index = 1 : i64}, nax.name = "v"})
    -> (!x {nax.name = "y"}) attributes {nax.entry} {
  %k = nax.cached %x, %kc span %s along #T : (!x, !c, !s) -> !k
  %v = nax.cached %x, %vc span %s along #T : (!x, !c, !s) -> !k
  %y = nax.attention %x, %k, %v data %s over #D along #ReadT scale 0.5 causal : (!x, !k, !k, !s) -> !x
  return %y : !x
}

// CHECK-LABEL: func.func @others.body(
// CHECK: nax.kernel.attention
// CHECK: scf.parallel
// CHECK-COUNT-1: memref.store
// CHECK: scf.parallel
// CHECK-COUNT-1: memref.store
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @others(%x: !x {nax.name = "x"}, %e: !e {nax.name = "e"}, %s: !s {nax.name = "T_lengths", nax.span = #T},
                  %kc: !c {nax.cache = {index = 0 : i64}, nax.name = "k"},
                  %vc: !ce {nax.cache = {index = 1 : i64}, nax.name = "v"})
    -> (!e {nax.name = "y"}) attributes {nax.entry} {
  %k = nax.cached %x, %kc span %s along #T : (!x, !c, !s) -> !k
  %v = nax.cached %e, %vc span %s along #T : (!e, !ce, !s) -> !v
  %y = nax.attention %x, %k, %v data %s over #D along #ReadT scale 0.5 causal : (!x, !k, !v, !s) -> !e
  return %y : !e
}
