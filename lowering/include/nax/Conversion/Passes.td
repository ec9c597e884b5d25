//===- Passes.td - from the nax level to LLVM -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_PASSES
#define NAX_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def NaxToLinalg : Pass<"nax-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Give every value a place in memory and every operation a loop";
  let description = [{
    Elementwise operations, reductions and moves become `linalg.generic` on
    memrefs whose dimensions are the axes; a chain of elementwise operations
    becomes one. Contractions, attention and norms become `nax.kernel.*`.
    Splits, merges and reads cost nothing where the factors lie side by side.

    An entry `@forward` becomes `@forward.body` with the arguments
    `(context, parameter block, sizes..., buffers..., workspace)`, and gets a
    companion `@forward.workspace(sizes...) -> index`, which nax-plan-memory
    fills. The module attribute `nax.slots` says how the block of parameters is
    laid out.

    With `target=gpu` a matrix lies row-major, the contracted axes last, and so
    for `nax.kernel.dot`; loops over rows are scf.parallel. With `type=bf16` (or
    f16) parameters, caches and values between operations have that type where
    the model says f32; what one operation computes, it computes in f32, and
    arguments and results of an entry stay what they are. Slots then name the
    type in memory.

    With `weights=q8_0` and others, parameters of f32 that are contracted, or
    looked up, are stored so, as the slot's field `stored` says.

    ```mlir
    %1 = nax.add %x, %y : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#C], f32>) -> !nax.tensor<[#B, #C], f32>
    // becomes
    %alloc = memref.alloc(%B) {nax.axes = [#B, #C]} : memref<?x8xf32>
    linalg.generic {indexing_maps = [(d0, d1) -> (d0, d1), (d0, d1) -> (d1), (d0, d1) -> (d0, d1)], ...}
      ins(%x, %y : memref<?x8xf32>, memref<8xf32>) outs(%alloc : memref<?x8xf32>)
    ```

    Afterwards no value has a nax type.
  }];
  let options = [
    Option<"cpu", "cpu", "std::string", /*default=*/"\"v3\"",
           "CPU level the parameters are laid out for: v2, v3, v4, v4+ or neon">,
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "cpu, or gpu: matrices row-major, loops over rows in any order">,
    Option<"type", "type", "std::string", /*default=*/"\"f32\"",
           "what a GPU has in memory for f32: f32, f16 or bf16">,
    Option<"weights", "weights", "std::string", /*default=*/"\"\"",
           "what a CPU has for matrices of f32: f16, bf16, q8_0, q4_0, q4_1, "
           "q6_k or q4_k; none: f32">,
    Option<"activations", "activations", "std::string",
           /*default=*/"\"int8\"",
           "what quantised weights are multiplied with: int8 or f32">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def CheckBuffers : Pass<"nax-check-buffers", "::mlir::ModuleOp"> {
  let summary = "Warn of a buffer that grows with the square of a sequence";
  let description = [{
    A model's own arguments and results may hold a value for each pair of
    positions. Where the compiler has to allocate one, because the weights do not
    go straight into the dot that mixes values, a warning names the user's line.
  }];
}

def CheckStage : Pass<"nax-check-stage", "::mlir::ModuleOp"> {
  let summary = "Refuse what may not be left after a stage of the pipeline";
  let description = [{
    The table of the stages and what may be left after each is in
    lowering/README.md. The module is verified, too, which naxc does not do after
    each pass. An operation that slipped through is reported at the
    user's line, before a later stage stumbles over it.
  }];
  let options = [
    Option<"stage", "stage", "std::string", /*default=*/"\"nax\"",
           "nax, fused, linalg, planned, kernels or llvm">,
  ];
}

def FuseEpilogues : Pass<"nax-fuse-epilogues", "::mlir::ModuleOp"> {
  let summary = "Let a dot do what a loop does to its result";
  let description = [{
    A loop over elements that alone reads the result of a dot becomes the dot's
    epilogue, one after another: a bias, an activation, a residual. The dot
    moves down to the loop's place. What else the loop reads is an extra, if it
    has a number for each column or for each element. Values in between are f32,
    not rounded to what was stored.

    ```mlir
    nax.kernel.dot %a, %panels into %sums : memref<?x64xf32>, memref<1x64x16xf32>, memref<?x16xf32>
    linalg.generic {indexing_maps = [(m, n) -> (m, n), (m, n) -> (n), (m, n) -> (m, n)], ...}
        ins(%sums, %bias : memref<?x16xf32>, memref<16xf32>) outs(%c : memref<?x16xf32>)
    // becomes
    nax.kernel.dot %a, %panels into %c epilogue(%bias : memref<16xf32>) {
    ^bb0(%sum: f32, %b: f32):
      %y = arith.addf %sum, %b : f32
      nax.yield %y : f32
    } : memref<?x64xf32>, memref<1x64x16xf32>, memref<?x16xf32>
    ```

    A loop stays where its number of the element, another order of dimensions,
    an extra of another shape, or on a CPU arithmetic that is not of f32 and
    i32, is needed, or where what the dot reads is written before the loop.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::nax::NaxDialect"];
}

def ShareBuffers : Pass<"nax-share-buffers", "::mlir::ModuleOp"> {
  let summary = "Let a loop write where it reads for the last time";
  let description = [{
    Where a loop over elements, a norm over rows or the epilogue of a dot is the
    last to need an operand of the shape of its result, both become one buffer:
    a sum with a residual, an activation, a rotation are computed in place. If
    the result is the function's, the operand is kept there from the start.

    ```mlir
    %y = memref.alloc(%B) : memref<?x8xf32>
    linalg.generic ... ins(%x : memref<?x8xf32>) outs(%y : memref<?x8xf32>)
    // becomes, where nobody needs %x afterwards
    linalg.generic ... ins(%x : memref<?x8xf32>) outs(%x : memref<?x8xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def FormPhases : Pass<"nax-form-phases", "::mlir::ModuleOp"> {
  let summary = "Group what may run at once into the regions of nax.phases";
  let description = [{
    An operation goes to the region after the last one with something that it
    has to wait for, and no further up than kernels before it: buffers are
    needed no longer than before. Done while every buffer has a place of its
    own, so that only what depends on each other has to wait.

    ```mlir
    nax.kernel.norm "rms" %x, %gain into %h ...
    nax.kernel.dot %h, %wq into %q : ...
    nax.kernel.dot %h, %wk into %k : ...
    // becomes
    nax.phases {
      nax.kernel.norm "rms" %x, %gain into %h ...
      nax.done
    } then {
      nax.kernel.dot %h, %wq into %q : ...
      nax.kernel.dot %h, %wk into %k : ...
      nax.done
    }
    ```
  }];
  let dependentDialects = ["::nax::NaxDialect"];
}

def PlanMemory : Pass<"nax-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Place every buffer in the workspace";
  let description = [{
    Buffers that are not needed at the same time may overlap. Offsets and the
    size of the whole are functions of the run-time sizes; `@NAME.workspace`
    returns the latter.

    ```mlir
    %alloc = memref.alloc(%B) : memref<?x8xf32>
    // becomes
    %view = memref.view %workspace[%offset][%B] : memref<?xi8> to memref<?x8xf32>
    ```

    Afterwards no `memref.alloc` is left.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
}

#endif // NAX_CONVERSION_PASSES
