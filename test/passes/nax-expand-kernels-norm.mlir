// Sums of a norm are made in f64, and the columns behind the last whole vector
// are neither read nor written.
// RUN: nax-opt %s --nax-expand-kernels --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @layer(
// CHECK:         call @nax_layer_norm_C20(
func.func @layer(%ctx: !llvm.ptr, %x: memref<?x20xf32>, %g: memref<20xf32>, %y: memref<?x20xf32>) {
  nax.kernel.norm "layer" %x, %g shift %g : memref<20xf32> into %y eps 1.0e-5
      : memref<?x20xf32>, memref<20xf32>, memref<?x20xf32>
  return
}

// CHECK:       func.func private @nax_layer_norm_C20(
// CHECK:         %[[COUNT:.*]] = arith.constant 2.000000e+01 : f64
// CHECK-NOT:     alloca
// CHECK:         nax.parallel
// CHECK:         arith.extf {{.*}} : vector<16xf32> to vector<16xf64>
// CHECK:         %[[REST:.*]] = vector.constant_mask [4] : vector<16xi1>
// CHECK:         vector.maskedload %{{.*}}, %[[REST]]
// CHECK:         vector.reduction <add>
// CHECK:         %[[MEAN:.*]] = arith.divf %{{.*}}, %[[COUNT]] : f64
// The lanes that are not there do not count as far from the mean.
// CHECK:         arith.select %[[REST]], %{{.*}}, %{{.*}} : vector<16xi1>, vector<16xf64>
// CHECK:         math.sqrt %{{.*}} : f64
// CHECK:         vector.maskedstore %{{.*}}, %[[REST]]
// CHECK:         nax.done
