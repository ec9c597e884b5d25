// The operations on buffers are read back as they are printed.
// RUN: nax-opt %s --allow-unregistered-dialect --verify-roundtrip | FileCheck %s
// RUN: nax-opt %s --allow-unregistered-dialect --mlir-print-op-generic | nax-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func @dot(
// CHECK: nax.kernel.dot %{{.*}}, %{{.*}} into %{{.*}} : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>
func.func @dot(%a: memref<?x64xf32>, %panels: memref<3x64x48xf32>, %c: memref<?x130xf32>) {
  nax.kernel.dot %a, %panels into %c
      : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>
  return
}

// CHECK-LABEL: func @transposed_dot(
// CHECK: nax.kernel.dot %{{.*}}, %{{.*}} into %{{.*}} : memref<?x64xbf16>, memref<130x64xbf16>, memref<?x130xf32>
func.func @transposed_dot(%a: memref<?x64xbf16>, %matrix: memref<130x64xbf16>, %c: memref<?x130xf32>) {
  nax.kernel.dot %a, %matrix into %c
      : memref<?x64xbf16>, memref<130x64xbf16>, memref<?x130xf32>
  return
}

// CHECK-LABEL: func @epilogue(
// CHECK:       nax.kernel.dot %{{.*}}, %{{.*}} into %{{.*}} epilogue() {
// CHECK-NEXT:  ^bb0(%[[SUM:.*]]: f32):
// CHECK-NEXT:    arith.negf %[[SUM]] : f32
// CHECK-NEXT:    nax.yield
// CHECK-NEXT:  } : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>
// CHECK:       nax.kernel.dot %{{.*}}, %{{.*}} into %[[C:.*]] epilogue(%{{.*}}, %[[C]], %{{.*}} : memref<130xbf16>, memref<?x130xf32>, memref<?x130xi32, strided<[?, 1]>>) {
// CHECK-NEXT:  ^bb0(%{{.*}}: f32, %{{.*}}: bf16, %{{.*}}: f32, %{{.*}}: i32):
func.func @epilogue(%a: memref<?x64xf32>, %panels: memref<3x64x48xf32>, %c: memref<?x130xf32>,
                    %bias: memref<130xbf16>, %z: memref<?x130xi32, strided<[?, 1]>>, %factor: f32) {
  nax.kernel.dot %a, %panels into %c epilogue() {
  ^bb0(%sum: f32):
    %y = arith.negf %sum : f32
    nax.yield %y : f32
  } : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>
  // The residual lies where the result goes; a number comes from outside.
  nax.kernel.dot %a, %panels into %c epilogue(%bias, %c, %z : memref<130xbf16>, memref<?x130xf32>, memref<?x130xi32, strided<[?, 1]>>) {
  ^bb0(%sum: f32, %b: bf16, %r: f32, %i: i32):
    %scaled = arith.mulf %sum, %factor : f32
    %wide = arith.extf %b : bf16 to f32
    %zero = arith.constant 0 : i32
    %some = arith.cmpi ne, %i, %zero : i32
    %x = arith.addf %scaled, %wide : f32
    %y = arith.addf %x, %r : f32
    %chosen = arith.select %some, %y, %r : f32
    nax.yield %chosen : f32
  } : memref<?x64xf32>, memref<3x64x48xf32>, memref<?x130xf32>
  return
}

// CHECK-LABEL: func @norm(
// CHECK: nax.kernel.norm "rms" %{{.*}}, %{{.*}} into %{{.*}} eps 1.000000e-05 one_plus : memref<?x576xf32>
// CHECK: nax.kernel.norm "layer" %{{.*}}, %{{.*}} shift %{{.*}} : memref<576xf32> into %{{.*}} eps 1.000000e-05 :
func.func @norm(%x: memref<?x576xf32>, %gain: memref<576xf32>, %out: memref<?x576xf32>) {
  nax.kernel.norm "rms" %x, %gain into %out eps 1.0e-05 one_plus
      : memref<?x576xf32>, memref<576xf32>, memref<?x576xf32>
  nax.kernel.norm "layer" %x, %gain shift %gain : memref<576xf32> into %out eps 1.0e-05
      : memref<?x576xf32>, memref<576xf32>, memref<?x576xf32>
  return
}

// CHECK-LABEL: func @attention(
// CHECK: nax.kernel.attention(%{{.*}}, %{{.*}}, %{{.*}}) into %{{.*}} scratch %{{.*}} : memref<2097152xi8> {causal
// CHECK: nax.kernel.attention_weights(%{{.*}}, %{{.*}}) into %{{.*}} extras(%{{.*}} : memref<?xi32>)
// CHECK-SAME: mask = ["and", ["window", 4], ["not", ["less_than", 0]]]
func.func @attention(%q: memref<?x?x64xf32>, %k: memref<?x?x64xf32>, %v: memref<?x?x64xf32>,
                     %out: memref<?x?x64xf32>, %weights: memref<?x?x?xf32>,
                     %lengths: memref<?xi32>, %scratch: memref<2097152xi8>) {
  nax.kernel.attention(%q, %k, %v) into %out
      scratch %scratch : memref<2097152xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>,
      k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>,
      out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      extra_maps = [], num_batch = 1 : i64, scale = 0.125 : f64, causal}
      : memref<?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x64xf32>
  nax.kernel.attention_weights(%q, %k) into %weights extras(%lengths : memref<?xi32>)
      scratch %scratch : memref<2097152xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>,
      k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      out_map = affine_map<(b, t, s, d, e) -> (b, t, s)>,
      extra_maps = [affine_map<(b, t, s, d, e) -> (b)>], num_batch = 1 : i64, scale = 0.125 : f64,
      mask = ["and", ["window", 4], ["not", ["less_than", 0]]]}
      : memref<?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x?xf32>
  return
}

// Tables of each position of a row, of all components or of some.
// CHECK-LABEL: func @rotated_attention(
// CHECK: nax.kernel.attention(%{{.*}}, %{{.*}}, %{{.*}}) rotate("halves", %{{.*}}, %{{.*}} : memref<?x32xf32>, memref<?x32xf32>) into
// CHECK-SAME: rope_map = #{{.*}}
// CHECK: nax.kernel.attention(%{{.*}}, %{{.*}}, %{{.*}}) rotate("interleaved", %{{.*}}, %{{.*}} : memref<?x?x8xf32>, memref<?x?x8xf32>)
// CHECK-SAME: cached(
// CHECK-SAME: rope_map = #{{.*}}
func.func @rotated_attention(%q: memref<?x?x64xbf16>, %k: memref<?x?x64xbf16>, %out: memref<?x?x64xbf16>,
                             %cosines: memref<?x32xf32>, %sines: memref<?x32xf32>,
                             %kc: memref<?x?x64xbf16>, %span: memref<?x2xi32>,
                             %rowCosines: memref<?x?x8xf32>, %rowSines: memref<?x?x8xf32>,
                             %scratch: memref<?xi8>) {
  nax.kernel.attention(%q, %k, %k) rotate("halves", %cosines, %sines : memref<?x32xf32>, memref<?x32xf32>)
      into %out {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>,
      k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>,
      out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      rope_map = affine_map<(b, t, s, d, e) -> (t)>,
      extra_maps = [], num_batch = 1 : i64, scale = 0.125 : f64, causal}
      : memref<?x?x64xbf16>, memref<?x?x64xbf16>, memref<?x?x64xbf16>, memref<?x?x64xbf16>
  nax.kernel.attention(%q, %k, %k) rotate("interleaved", %rowCosines, %rowSines : memref<?x?x8xf32>, memref<?x?x8xf32>)
      cached(%kc, %kc, %span : memref<?x?x64xbf16>, memref<?x?x64xbf16>, memref<?x2xi32>)
      into %out scratch %scratch : memref<?xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>,
      k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>,
      out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      span_map = affine_map<(b, t, s, d, e) -> (b)>, rope_map = affine_map<(b, t, s, d, e) -> (b, t)>,
      extra_maps = [], num_batch = 1 : i64, scale = 0.125 : f64, causal}
      : memref<?x?x64xbf16>, memref<?x?x64xbf16>, memref<?x?x64xbf16>, memref<?x?x64xbf16>
  return
}

// CHECK-LABEL: func @cached_attention(
// CHECK: nax.kernel.attention(%{{.*}}, %{{.*}}, %{{.*}}) cached(%{{.*}}, %{{.*}}, %{{.*}} : memref<?x?x64xf32>, memref<?x?x32xf32>, memref<?x2xi32>)
// CHECK-SAME: into %{{.*}} extras(%{{.*}}, %{{.*}} : memref<?x?xi32>, memref<?x?xi32>) scratch %{{.*}} : memref<?xi8>
// CHECK-SAME: extra_caches = array<i64: 1, -1>
// CHECK-SAME: span_map = #{{.*}}
func.func @cached_attention(%q: memref<?x?x64xf32>, %k: memref<?x?x64xf32>, %v: memref<?x?x32xf32>,
                            %kc: memref<?x?x64xf32>, %vc: memref<?x?x32xf32>, %span: memref<?x2xi32>,
                            %documents: memref<?x?xi32>, %cached: memref<?x?xi32>,
                            %out: memref<?x?x32xf32>, %scratch: memref<?xi8>) {
  nax.kernel.attention(%q, %k, %v)
      cached(%kc, %vc, %span : memref<?x?x64xf32>, memref<?x?x32xf32>, memref<?x2xi32>)
      into %out extras(%documents, %cached : memref<?x?xi32>, memref<?x?xi32>)
      scratch %scratch : memref<?xi8> {
      q_map = affine_map<(b, t, s, d, e) -> (b, t, d)>,
      k_map = affine_map<(b, t, s, d, e) -> (b, s, d)>,
      v_map = affine_map<(b, t, s, d, e) -> (b, s, e)>,
      out_map = affine_map<(b, t, s, d, e) -> (b, t, e)>,
      span_map = affine_map<(b, t, s, d, e) -> (b)>,
      extra_maps = [affine_map<(b, t, s, d, e) -> (b, t)>, affine_map<(b, t, s, d, e) -> (b, t)>],
      extra_caches = array<i64: 1, -1>,
      num_batch = 1 : i64, scale = 0.125 : f64, causal, mask = ["same", 0]}
      : memref<?x?x64xf32>, memref<?x?x64xf32>, memref<?x?x32xf32>, memref<?x?x32xf32>
  return
}

// Blocks of the LLVM dialect live in the region like anything else.
// CHECK-LABEL: func @parallel(
// CHECK:       nax.parallel %[[I:.*]] = 0 to %{{.*}} {
// CHECK:         "test.use"(%[[I]])
// CHECK:         cf.br ^[[NEXT:.*]]
// CHECK:       ^[[NEXT]]:
// CHECK:         nax.done
func.func @parallel(%ctx: !llvm.ptr, %n: i64) {
  nax.parallel %i = 0 to %n {
    "test.use"(%i) : (i64) -> ()
    cf.br ^next
  ^next:
    nax.done
  }
  return
}

// CHECK-LABEL: func @phases(
// CHECK:       nax.phases {
// CHECK-NEXT:    nax.parallel %{{.*}} = 0 to %{{.*}} rounds %{{.*}} {
// CHECK:         "test.use"
// CHECK-NEXT:    nax.done
// CHECK-NEXT:  } then {
// CHECK-NEXT:    nax.done
// CHECK-NEXT:  }
func.func @phases(%ctx: !llvm.ptr, %n: i64, %r: i64) {
  nax.phases {
    nax.parallel %i = 0 to %n rounds %r {
      nax.done
    }
    "test.use"(%n) : (i64) -> ()
    nax.done
  } then {
    nax.done
  }
  return
}
