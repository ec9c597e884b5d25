//===- Parallel.td - what runs on several threads -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Phases are formed where every buffer still has a place of its own; kernels in
// them become loops of chunks, and these functions that the runtime calls.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_PARALLEL
#define NAX_OPS_PARALLEL

include "nax/Dialect/Nax/IR/NaxDialect.td"
include "mlir/IR/CommonAttrConstraints.td"

def Nax_ParallelOp : Op<Nax_Dialect, "parallel",
                        [AutomaticAllocationScope, RecursiveMemoryEffects]> {
  let summary = "Run a region once for each number below n, in any order";
  let description = [{
    The number is i64 and so is `n`, which leaves nothing to convert: the region
    goes through the lowering to the LLVM dialect as it is, and
    `nax-outline-parallel` makes a function of it. Chunks may run at once; each
    writes memory that no other one touches. How many there are must follow from
    sizes only, never from the number of threads.

    With `rounds %r` the region runs for each number below `n * r`, and a number
    may read what those of earlier rounds, below the next smaller multiple of
    `n`, have written.

    **Requires**  argument number 0 of the function around it is the context.
    **Ensures**   the region has run once for each number when the operation is
                  over.

    ```mlir
    nax.parallel %chunk = 0 to %n {
      ...
      nax.done
    }
    nax.parallel %chunk = 0 to %n rounds %r {
      ...
      nax.done
    }
    ```

    **Errors** (cases of `test/dialect/kernel-invalid.mlir`)

    - it stands inside of another `nax.parallel`
    - the region has other arguments than one i64
  }];
  let arguments = (ins I64:$n, Optional<I64>:$rounds);
  let regions = (region MinSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$n,
                                 CArg<"::mlir::Value", "{}">:$rounds)>];
  let extraClassDeclaration = [{
    ::mlir::Value getChunk() { return getBody().getArgument(0); }
  }];
}

def Nax_PhasesOp : Op<Nax_Dialect, "phases", [RecursiveMemoryEffects]> {
  let summary = "Run regions one after the other, each on all threads";
  let description = [{
    What stands side by side in a region may run at once: operations of it touch
    nothing that another one of them writes. A region begins when the one before
    it is over. Threads come once for all regions.

    **Requires**  argument number 0 of the function around it is the context.
    **Ensures**   each operation has run when the operation is over.

    ```mlir
    nax.phases {
      nax.kernel.dot %x, %wq into %q : memref<?x64xf32>, memref<2x64x48xf32>, memref<?x64xf32>
      nax.kernel.dot %x, %wk into %k : memref<?x64xf32>, memref<2x64x48xf32>, memref<?x64xf32>
      nax.done
    } then {
      nax.parallel %chunk = 0 to %n {
        ...
        nax.done
      }
      nax.done
    }
    ```

    **Errors** (cases of `test/dialect/kernel-invalid.mlir`)

    - it stands inside of a `nax.parallel` or of another `nax.phases`
    - a region has arguments
  }];
  let regions = (region VariadicRegion<MinSizedRegion<1>>:$regions);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "unsigned":$count)>];
}

def Nax_DoneOp : Op<Nax_Dialect, "done",
                    [Pure, Terminator,
                     ParentOneOf<["ParallelOp", "PhasesOp"]>]> {
  let summary = "End of a region of nax.parallel or nax.phases";
  let assemblyFormat = "attr-dict";
}

#endif // NAX_OPS_PARALLEL
