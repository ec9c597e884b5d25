//===- Launch.td - kernels of a GPU, called by the host -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_LAUNCH
#define NAX_OPS_LAUNCH

include "nax/Dialect/Nax/IR/NaxDialect.td"
include "mlir/IR/SymbolInterfaces.td"

def Nax_LaunchOp : Op<Nax_Dialect, "launch",
                      [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Run a kernel on the GPU, after the launches before it";
  let description = [{
    Argument i of the kernel is operand i: of a memref the pointer to its first
    element (aligned pointer plus offset) in the memory of the device, of a number
    itself. A block is `threads` threads in x and has `shared` bytes of dynamic
    shared memory; with more than 48 KiB of it the driver has to be told before.
    A grid with a 0 in it is not launched.

    **Requires**  `kernel` is a gpu.func with `kernel`, in a gpu.module beside the
                  function.
    **Ensures**   launches of one function do their work one after another; the
                  host waits for none.

    ```mlir
    nax.launch @lm_kernels::@rms_norm_C576 grid(%rows, %c1, %c1) threads(256)
        shared(0) (%x, %gain, %out, %n
                   : memref<?x576xf32>, memref<576xf32>, memref<?x576xf32>, i32)
    ```

    **Errors** (cases of `test/dialect/launch-invalid.mlir`)

    - there is no such kernel
    - the kernel takes another number of arguments, or one of another type
    - a block has no thread, more than 1024, or a number that is no multiple of 32
    - the shared memory is negative
  }];
  let arguments = (ins SymbolRefAttr:$kernel, Index:$grid_x, Index:$grid_y,
                       Index:$grid_z, I64Attr:$threads, I64Attr:$shared,
                       Arg<Variadic<AnyTypeOf<[AnyMemRef, AnySignlessInteger,
                                               AnyFloat]>>,
                           "arguments of the kernel",
                           [MemRead, MemWrite]>:$arguments);
  let assemblyFormat = [{
    $kernel `grid` `(` $grid_x `,` $grid_y `,` $grid_z `)`
    `threads` `(` $threads `)` `shared` `(` $shared `)`
    `(` ($arguments^ `:` type($arguments))? `)` attr-dict
  }];
  let hasVerifier = 1;
}

#endif // NAX_OPS_LAUNCH
