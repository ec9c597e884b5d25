// Kernels in phases become loops of chunks, which share functions.
// RUN: nax-opt %s --nax-fuse-parallel --split-input-file --verify-diagnostics | FileCheck %s

// What the kernel does before its loop is done before all phases, and with it
// nothing but the number of its chunks is left of it at a call.
// CHECK-LABEL: func.func @two(
// CHECK-SAME:    %[[CTX:.*]]: !llvm.ptr, %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>)
// CHECK:         %[[N:.*]] = arith.index_cast
// CHECK:         %[[M:.*]] = arith.index_cast
// CHECK:         nax.phases {
// CHECK-NEXT:      nax.parallel %[[I:.*]] = 0 to %[[N]] {
// CHECK-NEXT:        func.call @kernel_chunk(%[[X]], %[[I]]) : (memref<?xf32>, i64) -> ()
// CHECK-NEXT:        nax.done
// CHECK-NEXT:      }
// CHECK-NEXT:      nax.parallel %[[J:.*]] = 0 to %[[M]] {
// CHECK-NEXT:        func.call @kernel_chunk(%[[Y]], %[[J]])
// CHECK-NEXT:        nax.done
// CHECK-NEXT:      }
// CHECK-NEXT:      nax.done
// CHECK-NEXT:    } then {
// Another operation is one chunk.
// CHECK-NEXT:      nax.parallel %{{.*}} = 0 to %c1_i64
// CHECK-NEXT:        scf.for
// CHECK:             nax.done
// CHECK-NEXT:      }
// CHECK-NEXT:      nax.done
// CHECK-NEXT:    }
// CHECK-NEXT:    return
// CHECK-LABEL: func.func private @kernel_chunk(
// CHECK-SAME:    memref<?xf32>, %{{.*}}: i64) attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
// CHECK-NEXT:    %[[VALUE:.*]] = arith.constant 2.5
// CHECK:         memref.store %[[VALUE]]
// CHECK-NEXT:    return
// CHECK-NOT:   @kernel(
func.func @two(%ctx: !llvm.ptr, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  nax.phases {
    func.call @kernel(%ctx, %x) : (!llvm.ptr, memref<?xf32>) -> ()
    func.call @kernel(%ctx, %y) : (!llvm.ptr, memref<?xf32>) -> ()
    nax.done
  } then {
    scf.for %i = %c0 to %c1 step %c1 {
      %0 = memref.load %x[%i] : memref<?xf32>
      memref.store %0, %y[%i] : memref<?xf32>
    }
    nax.done
  }
  return
}
func.func private @kernel(%ctx: !llvm.ptr, %x: memref<?xf32>) attributes {llvm.linkage = #llvm.linkage<internal>} {
  %c0 = arith.constant 0 : index
  %value = arith.constant 2.5 : f32
  %size = memref.dim %x, %c0 : memref<?xf32>
  %n = arith.index_cast %size : index to i64
  nax.parallel %i = 0 to %n {
    %at = arith.index_cast %i : i64 to index
    memref.store %value, %x[%at] : memref<?xf32>
    nax.done
  }
  return
}

// -----

// A kernel of several loops takes several phases, those of another one beside
// them; rounds have theirs. A loop that need not run has no chunks.
// CHECK-LABEL: func.func @stages(
// CHECK-SAME:    %[[CTX:.*]]: !llvm.ptr, %[[SPAN:.*]]: memref<?xi32>, %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>, %[[N:.*]]: i64)
// What it reads of an argument that no phase writes is read before.
// CHECK:         %[[R32:.*]] = memref.load %[[SPAN]]
// CHECK:         %[[R:.*]] = arith.extsi %[[R32]]
// CHECK:         %[[LATER:.*]] = arith.select %{{.*}}, %[[N]], %c0_i64
// CHECK:         nax.phases {
// CHECK-NEXT:      nax.parallel %{{.*}} = 0 to %[[N]] {
// CHECK-NEXT:        func.call @simple_chunk(%[[Y]]
// CHECK:             nax.done
// CHECK-NEXT:      }
// CHECK-NEXT:      nax.done
// CHECK-NEXT:    } then {
// CHECK-NEXT:      nax.parallel %{{.*}} = 0 to %[[N]] rounds %[[R]] {
// CHECK-NEXT:        func.call @several_chunk(
// CHECK:             nax.done
// CHECK-NEXT:      }
// CHECK-NEXT:      nax.done
// CHECK-NEXT:    } then {
// CHECK-NEXT:      nax.parallel %{{.*}} = 0 to %c1_i64
// CHECK-NEXT:        memref.store
// CHECK:             nax.done
// CHECK-NEXT:      }
// CHECK-NEXT:      nax.done
// CHECK-NEXT:    } then {
// CHECK-NEXT:      nax.parallel %{{.*}} = 0 to %[[LATER]] {
// CHECK-NEXT:        func.call @several_chunk_0(
func.func @stages(%ctx: !llvm.ptr, %span: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: i64) {
  nax.phases {
    func.call @several(%ctx, %span, %x, %n) : (!llvm.ptr, memref<?xi32>, memref<?xf32>, i64) -> ()
    func.call @simple(%ctx, %y, %n) : (!llvm.ptr, memref<?xf32>, i64) -> ()
    nax.done
  }
  return
}
func.func private @simple(%ctx: !llvm.ptr, %x: memref<?xf32>, %n: i64) {
  %value = arith.constant 2.5 : f32
  nax.parallel %i = 0 to %n {
    %at = arith.index_cast %i : i64 to index
    memref.store %value, %x[%at] : memref<?xf32>
    nax.done
  }
  return
}
func.func private @several(%ctx: !llvm.ptr, %span: memref<?xi32>, %x: memref<?xf32>, %n: i64) {
  %value = arith.constant 2.5 : f32
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %start = memref.load %span[%c0] : memref<?xi32>
  %rounds = arith.extsi %start : i32 to i64
  nax.parallel %i = 0 to %n rounds %rounds {
    %at = arith.index_cast %i : i64 to index
    memref.store %value, %x[%at] : memref<?xf32>
    nax.done
  }
  memref.store %value, %x[%c0] : memref<?xf32>
  %more = arith.cmpi sgt, %rounds, %zero : i64
  scf.if %more {
    nax.parallel %i = 0 to %n {
      %at = arith.index_cast %i : i64 to index
      memref.store %value, %x[%at] : memref<?xf32>
      nax.done
    }
  }
  return
}

// -----

// What a phase writes can't be read before it.
func.func @read_early(%ctx: !llvm.ptr, %x: memref<?xi64>) {
  nax.phases {
    // expected-error @below {{'func.call' op expects a kernel whose loops follow each other, but got 'memref.load' beside them}}
    func.call @early(%ctx, %x) : (!llvm.ptr, memref<?xi64>) -> ()
    nax.done
  }
  return
}
func.func private @early(%ctx: !llvm.ptr, %x: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %n = memref.load %x[%c0] : memref<?xi64>
  nax.parallel %i = 0 to %n {
    %at = arith.index_cast %i : i64 to index
    memref.store %i, %x[%at] : memref<?xi64>
    nax.done
  }
  return
}

// -----

func.func @inside(%ctx: !llvm.ptr, %n: i64, %to: index) {
  %c1 = arith.constant 1 : index
  nax.phases {
    // expected-error @below {{'scf.for' op expects no nax.parallel inside of it in a nax.phases}}
    scf.for %i = %c1 to %to step %c1 {
      nax.parallel %j = 0 to %n {
        nax.done
      }
    }
    nax.done
  }
  return
}

// -----

// A loop over elements is cut into chunks of rows, those of its two outer
// dimensions, where each writes elements of its own. How many follows from the
// sizes and from what an element costs.
// CHECK-LABEL: func.func @elements(
// CHECK-SAME:    %[[CTX:.*]]: !llvm.ptr, %[[X:.*]]: memref<?x?x8xf32>,
// CHECK-DAG:     %[[B:.*]] = memref.dim %[[X]], %c0
// CHECK-DAG:     %[[T:.*]] = memref.dim %[[X]], %c1
// CHECK:         %[[WORK:.*]] = arith.muli %{{.*}}, %c8
// CHECK:         %[[MANY:.*]] = arith.divui %[[WORK]], %c65536
// CHECK:         %[[N:.*]] = arith.index_cast
// CHECK:         nax.phases {
// CHECK-NEXT:      nax.parallel %{{.*}} = 0 to %[[N]] {
// CHECK:             scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT:          %[[I:.*]] = arith.divui %[[ROW]], %[[T]]
// CHECK-NEXT:          %[[J:.*]] = arith.remui %[[ROW]], %[[T]]
// CHECK-NEXT:          scf.for %[[K:.*]] = %c0{{.*}} to %c8{{.*}} step
// CHECK-NEXT:            affine.apply #{{.*}}(%[[I]])
// CHECK-NEXT:            affine.apply #{{.*}}(%[[J]])
// CHECK-NEXT:            affine.apply #{{.*}}(%[[K]])
// CHECK-NEXT:            memref.load %[[X]]
// CHECK:                 memref.store %{{.*}}, %[[X]]
// Rows that have a result in common are not: the first one may write last.
// CHECK:         } then {
// CHECK-NEXT:      nax.parallel %{{.*}} = 0 to %c1_i64
// CHECK-NEXT:        linalg.generic
// A loop that reads elsewhere in what it writes is one chunk, too.
// CHECK:         } then {
// CHECK-NEXT:      nax.parallel %{{.*}} = 0 to %c1_i64
// CHECK-NEXT:        linalg.generic
#all = affine_map<(b, t, c) -> (b, t, c)>
#turned = affine_map<(b, t, c) -> (t, b, c)>
#rows = affine_map<(b, t, c) -> (b, c)>
func.func @elements(%ctx: !llvm.ptr, %x: memref<?x?x8xf32>, %y: memref<?x8xf32>) {
  nax.phases {
    linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel"]} outs(%x : memref<?x?x8xf32>) {
    ^bb0(%out: f32):
      %0 = arith.negf %out : f32
      linalg.yield %0 : f32
    }
    nax.done
  } then {
    linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%x : memref<?x?x8xf32>) outs(%y : memref<?x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    nax.done
  } then {
    linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%x : memref<?x?x8xf32>) outs(%x : memref<?x?x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    nax.done
  }
  return
}
