// A step: new positions after cached ones.
// RUN: nax-opt %s --nax-to-linalg --canonicalize --cse --split-input-file | FileCheck %s
// RUN: nax-opt %s --nax-to-linalg --canonicalize --cse --nax-share-buffers --nax-plan-memory --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=PLAN

#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal, continued>
#ReadT = #nax.axis<read #T>
#span = #nax.axis<"T.span", 2>
#slots = #nax.axis<"T.cache">
#rope = #nax.rope<base = 1.0e4, pairing = halves, scaling = 1.0, dims = 0>
!x = !nax.tensor<[#B, #T, #D], f32>
!r = !nax.tensor<[#B, #T, #D], f32, rotated<#T, #D, #rope>>
!rk = !nax.tensor<[#B, #ReadT, #D], f32, rotated<#ReadT, #D, #rope>>
!k = !nax.tensor<[#B, #ReadT, #D], f32>
!c = !nax.tensor<[#B, #slots, #D], f32>
!s = !nax.tensor<[#B, #span], i32>

// Sizes are B, the new positions and the slots; span and caches are bytes, too.
// CHECK-DAG:   #[[KEYS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3)>
// CHECK-DAG:   #[[VALUES:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4)>
// CHECK-DAG:   #[[ROWS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0)>
// CHECK-LABEL: func.func @forward_step.body(
// CHECK-SAME:    %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: memref<?xi8>, %[[B:[^:]*]]: index, %[[T:[^:]*]]: index, %[[SLOTS:[^:]*]]: index,
// CHECK-SAME:    %[[XB:[^:]*]]: memref<?xi8>, %[[SPANB:[^:]*]]: memref<?xi8>, %[[KB:[^:]*]]: memref<?xi8>, %[[VB:[^:]*]]: memref<?xi8>, %[[YB:[^:]*]]: memref<?xi8>, %{{[^:]*}}: memref<?xi8>)
// CHECK-DAG:     %[[X:.*]] = memref.view %[[XB]][%{{.*}}][%[[B]], %[[T]]] : memref<?xi8> to memref<?x?x4xf32>
// CHECK-DAG:     %[[SPAN:.*]] = memref.view %[[SPANB]][%{{.*}}][%[[B]]] : memref<?xi8> to memref<?x2xi32>
// CHECK-DAG:     %[[KC:.*]] = memref.view %[[KB]][%{{.*}}][%[[B]], %[[SLOTS]]] : memref<?xi8> to memref<?x?x4xf32>
// CHECK-DAG:     %[[VC:.*]] = memref.view %[[VB]][%{{.*}}][%[[B]], %[[SLOTS]]] : memref<?xi8> to memref<?x?x4xf32>
// CHECK-DAG:     %[[Y:.*]] = memref.view %[[YB]][%{{.*}}][%[[B]]] : memref<?xi8> to memref<?x4xf32>

// Position t of a row is its start + t.
// CHECK:         %[[AT:.*]] = memref.alloc(%[[B]], %[[T]]) {{.*}} : memref<?x?xi32>
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%[[AT]]
// CHECK:           %[[ROW:.*]] = linalg.index 0
// CHECK:           memref.load %[[SPAN]][%[[ROW]], %c0]
// CHECK:           arith.addi

// The angles are those of these positions, a row of its own for each.
// CHECK:         %[[COS:.*]] = memref.alloc(%[[B]], %[[T]]) {{.*}} : memref<?x?x2xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[AT]] :
// CHECK:           math.cos

// Attention reads the cache where it is.
// CHECK:         nax.kernel.attention(%[[Q:.*]], %[[Q]], %[[X]]) cached(%[[KC]], %[[VC]], %[[SPAN]] : {{.*}}) into %[[OUT:.*]] scratch
// CHECK-SAME:      causal, extra_caches = array<i64>
// CHECK-SAME:      k_map = #[[KEYS]]
// CHECK-SAME:      span_map = #[[ROWS]]
// CHECK-SAME:      v_map = #[[VALUES]]

// Afterwards the new ones take their slots; those that the cache has no slot
// for any more are left out.
// CHECK:         scf.for %[[R:.*]] = %c0 to %[[B]] step %c1 {
// CHECK:           %[[S32:.*]] = memref.load %[[SPAN]][%[[R]], %c0]
// CHECK:           %[[START:.*]] = arith.index_cast %[[S32]]
// CHECK:           %[[E32:.*]] = memref.load %[[SPAN]][%[[R]], %c1]
// CHECK:           %[[END:.*]] = arith.index_cast %[[E32]]
// CHECK:           %[[COUNT:.*]] = arith.subi %[[END]], %[[START]]
// CHECK:           %[[MORE:.*]] = arith.subi %[[COUNT]], %[[SLOTS]]
// CHECK:           %[[FIRST:.*]] = arith.maxsi %[[MORE]], %c0
// CHECK:           scf.for %[[I:.*]] = %[[FIRST]] to %[[COUNT]] step %c1 {
// CHECK:             %[[POSITION:.*]] = arith.addi %[[START]], %[[I]]
// CHECK:             %[[SLOT:.*]] = arith.remui %[[POSITION]], %[[SLOTS]]
// CHECK:             scf.for %[[J:.*]] = %c0 to %c4 step %c1 {
// CHECK:               %[[NUMBER:.*]] = memref.load %[[Q]][%[[R]], %[[I]], %[[J]]]
// CHECK:               memref.store %[[NUMBER]], %[[KC]][%[[R]], %[[SLOT]], %[[J]]]
// CHECK:         scf.for
// CHECK:               %[[VALUE:.*]] = memref.load %[[X]][
// CHECK:               memref.store %[[VALUE]], %[[VC]][

// The last of a row's new ones; zero for a row without any.
// CHECK:         linalg.generic {{.*}} outs(%[[Y]] :
// CHECK:           %[[N:.*]] = arith.subi
// CHECK:           %[[SOME:.*]] = arith.cmpi ugt, %[[N]], %c0
// CHECK:           %[[LAST:.*]] = arith.subi %[[N]], %c1
// CHECK:           scf.if %[[SOME]]
// CHECK:             memref.load %[[OUT]][%{{.*}}, %[[LAST]], %{{.*}}]

// No buffer grows with the slots: what they are is of no matter.
// PLAN-LABEL:  func.func private @forward_step.workspace(
// PLAN-SAME:     %[[B:.*]]: index, %[[T:.*]]: index, %[[SLOTS:.*]]: index) -> index
// PLAN-NOT:      %[[SLOTS]]
// PLAN:          return
// PLAN-LABEL:  func.func @forward_step.body(
// PLAN-NOT:      memref.alloc
// PLAN:          return
func.func @forward_step(%x: !x {nax.name = "x"}, %span: !s {nax.name = "T_lengths", nax.span = #T},
                        %keys: !c {nax.name = "cache.0", nax.cache = {index = 0}}, %values: !c {nax.name = "cache.1", nax.cache = {index = 1}})
    -> (!nax.tensor<[#B, #D], f32, whole #T> {nax.name = "y"}) attributes {nax.entry, nax.step = "forward"} {
  %at = nax.positions %span along #T : (!s) -> !nax.tensor<[#B, #T], i32>
  %q = nax.rope %x data %at positions #T features #D by #rope : (!x, !nax.tensor<[#B, #T], i32>) -> !r
  %k = nax.cached %q, %keys span %span along #T : (!r, !c, !s) -> !rk
  %v = nax.cached %x, %values span %span along #T : (!x, !c, !s) -> !k
  %o = nax.attention %q, %k, %v data %span over #D along #ReadT scale 0.5 causal : (!r, !rk, !k, !s) -> !x
  %y = nax.last %o data %span of #T : (!x, !s) -> !nax.tensor<[#B, #D], f32, whole #T>
  return %y : !nax.tensor<[#B, #D], f32, whole #T>
}

// -----

// A block hands its caches on; it writes to them itself. What is cached lies in
// the order of the cache, whatever that of the value.
#B = #nax.axis<"B">
#K = #nax.axis<"K", 2>
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal, continued>
#ReadT = #nax.axis<read #T>
#span = #nax.axis<"T.span", 2>
#slots = #nax.axis<"T.ring16">
!x = !nax.tensor<[#B, #K, #T, #D], f32>
!k = !nax.tensor<[#B, #K, #ReadT, #D], f32>
!c = !nax.tensor<[#B, #slots, #K, #D], f32>
!s = !nax.tensor<[#B, #span], i32>

// CHECK-LABEL: func.func private @Block_step.body(
// CHECK-SAME:    %[[X:[^:]*]]: memref<?x2x?x4xf32>, %[[SPAN:[^:]*]]: memref<?x2xi32>, %[[CACHE:[^:]*]]: memref<?x?x2x4xf32>, %[[Y:[^:]*]]: memref<?x2x?x4xf32>
// CHECK:         %[[NEW:.*]] = memref.alloc({{.*}}) {{.*}} : memref<?x?x2x4xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[NEW]] :
// CHECK-NOT:     scf.for
// CHECK:         nax.kernel.attention(%[[X]], %[[NEW]], %[[NEW]]) cached(%[[CACHE]], %[[CACHE]], %[[SPAN]]
// CHECK-SAME:      mask = ["window", 16]
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK-NOT:     scf.for
// CHECK:         return
func.func private @Block_step(%x: !x, %span: !s, %cache: !c) -> !x {
  %k = nax.cached %x, %cache span %span along #T : (!x, !c, !s) -> !k
  %w = nax.window of #T size 16 : !nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>
  %o = nax.attention %x, %k, %k mask %w data %span over #D along #ReadT scale 0.5 causal : (!x, !k, !k, !nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>, !s) -> !x
  return %o : !x
}
// CHECK-LABEL: func.func @forward_step.body(
// CHECK:         %[[SPAN:.*]] = memref.view %{{.*}} to memref<?x2xi32>
// CHECK:         %[[CACHE:.*]] = memref.view %{{.*}} to memref<?x?x2x4xf32>
// CHECK:         call @Block_step.body({{.*}}, %[[SPAN]], %[[CACHE]],
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @forward_step(%x: !x {nax.name = "x"}, %span: !s {nax.name = "T_lengths", nax.span = #T},
                        %cache: !c {nax.name = "cache.0", nax.cache = {index = 0, ring = 16}}) -> (!x {nax.name = "y"}) attributes {nax.entry, nax.step = "forward"} {
  %y = call @Block_step(%x, %span, %cache) : (!x, !s, !c) -> !x
  return %y : !x
}

// -----

// Documents: positions restart, and the first new one looks back into the cache.
// A bias of what is read and its cache are a pair of extras, and so are the
// documents.
#B = #nax.axis<"B">
#P = #nax.axis<"P", 100>
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal, continued>
#ReadT = #nax.axis<read #T>
#span = #nax.axis<"T.span", 2>
#slots = #nax.axis<"T.cache">
!x = !nax.tensor<[#B, #T, #D], f32>
!k = !nax.tensor<[#B, #ReadT, #D], f32>
!c = !nax.tensor<[#B, #slots, #D], f32>
!s = !nax.tensor<[#B, #span], i32>
!d = !nax.tensor<[#B, #T], i32>
!m = !nax.tensor<[#B, #T, #ReadT], i1, mask<#T, #ReadT>>

// CHECK-DAG:   #[[QUERIES:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>
// CHECK-DAG:   #[[READ:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2)>
// CHECK-LABEL: func.func @documents_step.body(
// CHECK-SAME:    %[[B:[^:]*]]: index, %[[T:[^:]*]]: index, %[[SLOTS:[^:]*]]: index,
// CHECK-DAG:     %[[DOCS:.*]] = memref.view %{{.*}}[%[[B]], %[[T]]] : memref<?xi8> to memref<?x?xi32>
// CHECK-DAG:     %[[KEPT:.*]] = memref.view %{{.*}}[%[[B]], %[[SLOTS]]] : memref<?xi8> to memref<?x?xi32>

// CHECK:         %[[AT:.*]] = memref.alloc({{.*}}) {{.*}} : memref<?x?xi32>
// CHECK:         scf.for %[[ROW:.*]] = %c0 to
// CHECK:           %[[S32:.*]] = memref.load %{{.*}}[%[[ROW]], %c0]
// CHECK:           %[[START:.*]] = arith.index_cast %[[S32]]
// CHECK:           scf.for %[[I:.*]] = %c0 to {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}, %[[POSITION:.*]] = %
// CHECK:             %[[DOC:.*]] = memref.load %[[DOCS]][%[[ROW]], %[[I]]]
// CHECK:             scf.if
// CHECK:               scf.while (%[[N:.*]] = %c0)
// CHECK:                 %[[IN:.*]] = arith.cmpi slt, %[[N]], %[[START]]
// CHECK:                 scf.if %[[IN]]
// CHECK:                   arith.remui %{{.*}}, %[[SLOTS]]
// CHECK:                   memref.load %[[KEPT]][
// CHECK:             } else {
// CHECK:               %[[NEXT:.*]] = arith.addi %[[POSITION]], %c1_i32
// CHECK:               %[[SAME:.*]] = arith.cmpi eq, %[[DOC]], %[[BEFORE]]
// CHECK:               arith.select %[[SAME]], %[[NEXT]], %c0_i32
// CHECK:             memref.store %{{.*}}, %[[AT]][%[[ROW]], %[[I]]]

// Padding may have a position that the table has not.
// CHECK:         linalg.generic
// CHECK:           %[[P32:.*]] = memref.load %[[AT]][
// CHECK:           %[[P:.*]] = arith.index_cast %[[P32]]
// CHECK:           %[[LOW:.*]] = arith.maxsi %[[P]], %c0
// CHECK:           arith.minsi %[[LOW]], %c99

// CHECK:         nax.kernel.attention({{.*}}) cached({{.*}}) into
// CHECK-SAME:      extras(%{{.*}}, %{{.*}}, %[[DOCS]], %[[KEPT]] : memref<?x?xf32>, memref<?x?xf32>, memref<?x?xi32>, memref<?x?xi32>)
// CHECK-SAME:      bias = 0
// CHECK-SAME:      extra_caches = array<i64: 1, -1, 3, -1>
// CHECK-SAME:      extra_maps = [#[[READ]], #[[READ]], #[[QUERIES]], #[[QUERIES]]]
// CHECK-SAME:      mask = ["same", 2]

// The last one to read the documents is attention, by its mask.
// CHECK-NOT:     nax.kernel
// CHECK:         memref.store %{{.*}}, %[[KEPT]][
func.func @documents_step(%x: !x {nax.name = "x"}, %bias: !nax.tensor<[#B, #T], f32> {nax.name = "b"}, %d: !d {nax.name = "T_documents", nax.data = #T},
                          %span: !s {nax.name = "T_lengths", nax.span = #T}, %kept: !nax.tensor<[#B, #slots], i32> {nax.name = "cache.0", nax.cache = {index = 0}},
                          %keys: !c {nax.name = "cache.1", nax.cache = {index = 1}}, %biases: !nax.tensor<[#B, #slots], f32> {nax.name = "cache.2", nax.cache = {index = 2}})
    -> (!x {nax.name = "y"}) attributes {nax.entry, nax.step = "documents"} {
  %table = nax.param "table" : !nax.tensor<[#P, #D], f32>
  %all = nax.cached %d, %kept span %span along #T : (!d, !nax.tensor<[#B, #slots], i32>, !s) -> !nax.tensor<[#B, #ReadT], i32>
  %at = nax.positions %span documents %d cached %all along #T : (!s, !d, !nax.tensor<[#B, #ReadT], i32>) -> !d
  %e = nax.embed_positions %x, %table data %at along #T : (!x, !nax.tensor<[#P, #D], f32>, !d) -> !x
  %k = nax.cached %e, %keys span %span along #T : (!x, !c, !s) -> !k
  %b = nax.cached %bias, %biases span %span along #T : (!nax.tensor<[#B, #T], f32>, !nax.tensor<[#B, #slots], f32>, !s) -> !nax.tensor<[#B, #ReadT], f32>
  %m = nax.same_document %d cached %all of #T : (!d, !nax.tensor<[#B, #ReadT], i32>) -> !m
  %o = nax.attention %e, %k, %k bias %b mask %m data %span over #D along #ReadT scale 0.5 causal : (!x, !k, !k, !nax.tensor<[#B, #ReadT], f32>, !m, !s) -> !x
  return %o : !x
}
