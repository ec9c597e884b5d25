// Functions of f32 become arithmetic; those of other types are left.
// RUN: nax-opt %s --nax-expand-math | FileCheck %s

// CHECK-LABEL: func.func @vectors(
// CHECK-NOT:     math.exp
// CHECK-NOT:     math.tanh
// CHECK:         math.fma {{.*}} : vector<16xf32>
// CHECK-NOT:     fastmath
// CHECK:         return
func.func @vectors(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %0 = math.exp %x : vector<16xf32>
  %1 = math.tanh %x : vector<16xf32>
  return %0, %1 : vector<16xf32>, vector<16xf32>
}

// CHECK-LABEL: func.func @numbers(
// CHECK-NOT:     math.{{log|erf|exp2}}
// CHECK:         return
func.func @numbers(%x: f32) -> (f32, f32, f32) {
  %0 = math.log %x : f32
  %1 = math.erf %x : f32
  %2 = math.exp2 %x : f32
  return %0, %1, %2 : f32, f32, f32
}

// CHECK-LABEL: func.func @doubles(
// CHECK:         math.exp %{{.*}} : f64
// CHECK:         math.sqrt %{{.*}} : f32
func.func @doubles(%x: f64, %y: f32) -> (f64, f32) {
  %0 = math.exp %x : f64
  %1 = math.sqrt %y : f32
  return %0, %1 : f64, f32
}
