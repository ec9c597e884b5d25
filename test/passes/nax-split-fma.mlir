// Fused products and sums become a product and a sum, of any type, and nothing
// else changes.
// RUN: nax-opt %s --nax-split-fma | FileCheck %s

// CHECK-LABEL: func.func @vectors(
// CHECK-SAME:    %[[X:.*]]: vector<16xf32>, %[[Y:.*]]: vector<16xf32>, %[[Z:.*]]: vector<16xf32>)
// CHECK-NEXT:    %[[XY:.*]] = arith.mulf %[[X]], %[[Y]] : vector<16xf32>
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[XY]], %[[Z]] : vector<16xf32>
// CHECK-NEXT:    return %[[SUM]]
func.func @vectors(%x: vector<16xf32>, %y: vector<16xf32>, %z: vector<16xf32>) -> vector<16xf32> {
  %0 = vector.fma %x, %y, %z : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func.func @numbers(
// CHECK-SAME:    %[[X:.*]]: f64, %[[Y:.*]]: f32, %[[N:.*]]: index)
// CHECK:         scf.for
// CHECK-NEXT:      %[[XX:.*]] = arith.mulf %[[X]], %[[X]] : f64
// CHECK-NEXT:      arith.addf %[[XX]], %{{.*}} : f64
// CHECK:         %[[YY:.*]] = arith.mulf %[[Y]], %[[Y]] : f32
// CHECK-NEXT:    arith.addf %[[YY]], %[[Y]] : f32
// CHECK-NOT:     fma
func.func @numbers(%x: f64, %y: f32, %n: index) -> (f64, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> f64 {
    %2 = math.fma %x, %x, %s : f64
    scf.yield %2 : f64
  }
  %1 = math.fma %y, %y, %y : f32
  return %0, %1 : f64, f32
}
