//===- ExpandKernels.td - passes that make loops of kernels ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_EXPANDKERNELS
#define NAX_CONVERSION_EXPANDKERNELS

include "mlir/Pass/PassBase.td"

def ExpandKernels : Pass<"nax-expand-kernels", "::mlir::ModuleOp"> {
  let summary = "Make each kernel a call of a function of vector loops";
  let description = [{
    Kernels of one operation, one set of attributes, one set of types and one
    epilogue share a function. Its loops are scf, its numbers `vector<16xf32>`
    and its work is split by `nax.parallel`. The function around a kernel takes
    the context as argument number 0 and hands it on.

    ```mlir
    func.func @f(%ctx: !llvm.ptr, %a: memref<?x64xf32>, %b: memref<1x64x16xf32>, %c: memref<?x16xf32>) {
      nax.kernel.dot %a, %b into %c : memref<?x64xf32>, memref<1x64x16xf32>, memref<?x16xf32>
      return
    }
    // becomes
    func.func @f(%ctx: !llvm.ptr, %a: memref<?x64xf32>, %b: memref<1x64x16xf32>, %c: memref<?x16xf32>) {
      %any = memref.cast %a : memref<?x64xf32> to memref<?x?xf32>
      ...
      call @nax_dot_NR16(%ctx, %any, %any_0, %any_1) : (!llvm.ptr, memref<?x?xf32>, memref<?x?x16xf32>, memref<?x?xf32>) -> ()
      return
    }
    ```

    Afterwards no `nax.kernel` operation is left.
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", /*default=*/"\"v3\"",
           "CPU level the tiles are chosen for: v2, v3, v4, v4+ or neon">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect", "::nax::NaxDialect"
  ];
}

def ExpandMath : Pass<"nax-expand-math"> {
  let summary = "Replace math functions of f32 by polynomials";
  let description = [{
    `math.exp`, `exp2`, `log`, `tanh` and `erf` of f32, or of vectors of it,
    become arithmetic; those of other types stay.

    ```mlir
    %1 = math.exp %0 : vector<16xf32>
    // becomes
    %e = arith.addf %p, %one : vector<16xf32>   // and some 15 operations before
    %1 = arith.mulf %e, %power : vector<16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def FuseParallel : Pass<"nax-fuse-parallel", "::mlir::ModuleOp"> {
  let summary = "Make each nax.phases a sequence of loops of chunks";
  let description = [{
    What `nax-expand-kernels` has left in a `nax.phases` becomes `nax.parallel`:
    a call of a kernel the loops of its function, whose bodies become functions
    that all callers share; a loop over elements chunks of its rows; another
    operation a loop of one chunk. A kernel of
    several loops takes several phases. What only computes sizes goes before the
    operation.

    ```mlir
    nax.phases {
      func.call @nax_dot_NR16(%ctx, %x, %wq, %q) : ...
      func.call @nax_dot_NR16(%ctx, %x, %wv, %v) : ...
      nax.done
    }
    // becomes
    %n = ...                              // from the sizes of %x
    nax.phases {
      nax.parallel %chunk = 0 to %n {
        func.call @nax_dot_NR16_chunk(%x, %wq, %q, %chunk) : ...
        nax.done
      }
      nax.parallel ...
      nax.done
    }
    ```

    Afterwards nothing but `nax.parallel` is left in a `nax.phases`.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::nax::NaxDialect"
  ];
}

def OutlineParallel : Pass<"nax-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "Make functions of nax.phases and nax.parallel, call the runtime";
  let description = [{
    Runs when all else is in the LLVM dialect. A region becomes a function of a
    closure and a number: what it uses from outside goes through a struct on the
    stack of the caller, constants are repeated. Of loops that stand side by
    side in a phase, numbers of one follow those of the other.

    ```mlir
    llvm.func @f(%ctx: !llvm.ptr, %p: !llvm.ptr, %n: i64) {
      nax.parallel %i = 0 to %n {
        llvm.store %i, %p : i64, !llvm.ptr
        nax.done
      }
      llvm.return
    }
    // becomes
    llvm.func @naxrt_parallel_phases(!llvm.ptr, !llvm.ptr, i64)
    llvm.func internal @f_chunk(%closure: !llvm.ptr, %i: i64) {
      %p = llvm.load ... from %closure
      llvm.store %i, %p : i64, !llvm.ptr
      llvm.return
    }
    llvm.func @f(%ctx: !llvm.ptr, %p: !llvm.ptr, %n: i64) {
      %closure = llvm.alloca ...
      %phases = llvm.alloca ...           // @f_chunk, %closure, %n, 1 round
      llvm.call @naxrt_parallel_phases(%ctx, %phases, %one)
      llvm.return
    }
    ```

    Afterwards no nax operation is left.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def Bf16Bits : Pass<"nax-bf16-bits", "::mlir::ModuleOp"> {
  let summary = "Make 16 bits of each value of bf16";
  let description = [{
    Runs when all is in the LLVM dialect and conversions of bf16 are shifts of
    its bits. Where a processor has no bf16, LLVM keeps such a value as f32 when
    it goes from block to block, and rounds it by a function of compiler-rt,
    which the C library of the linking program need not have. Bits are moved
    without one.

    ```mlir
    %1 = llvm.load %p : !llvm.ptr -> bf16
    %2 = llvm.bitcast %1 : bf16 to i16
    // becomes
    %1 = llvm.load %p : !llvm.ptr -> i16
    ```

    Afterwards no type and no number of a function is bf16.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def F16Bits : Pass<"nax-f16-bits", "::mlir::ModuleOp"> {
  let summary = "Make 16 bits of each value of f16, and convert them by hand";
  let description = [{
    For a processor without instructions for it: LLVM would call functions of
    compiler-rt, as for bf16. Runs when all is in the LLVM dialect.

    ```mlir
    %1 = llvm.fptrunc %0 : f32 to f16
    // becomes
    %1 = llvm.trunc %r : i32 to i16     // and some 20 operations before
    ```

    Afterwards no type and no number of a function is f16.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def SplitFma : Pass<"nax-split-fma"> {
  let summary = "Make a product and a sum of each fused one";
  let description = [{
    For a processor without the instruction, on which LLVM would call libm.

    ```mlir
    %1 = vector.fma %x, %y, %z : vector<16xf32>
    // becomes
    %0 = arith.mulf %x, %y : vector<16xf32>
    %1 = arith.addf %0, %z : vector<16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // NAX_CONVERSION_EXPANDKERNELS
