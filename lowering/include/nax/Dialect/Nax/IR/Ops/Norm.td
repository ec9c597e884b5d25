//===- Norm.td - normalisation over features ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS_NORM
#define NAX_OPS_NORM

include "nax/Dialect/Nax/IR/NaxTypes.td"

def Nax_RmsNormOp : Nax_Op<"rms_norm", [AllTypesMatch<["x", "result"]>]> {
  let summary = "Divide by the root of the mean square, then multiply by a gain";
  let description = [{
    **Requires**  numbers with the axes `over`, of fixed size and no sequences; a
    gain on exactly these.

    **Ensures**   `x / sqrt(mean(x^2) + eps) * gain`, with `1 + gain` in the
    place of the gain under `one_plus`. Axes and type of `x`.

    ```mlir
    %y = nax.rms_norm %x, %gain over [#C] eps 1.000000e-05 : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
    ```

    **Errors** (cases of `test/dialect/norm-invalid.mlir`)

    - an axis of `over` is a sequence
    - an axis of `over` has no fixed size
    - the gain stands on other axes
    - `eps` is negative
  }];
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$gain, Nax_AxesAttr:$over,
                       F64Attr:$eps, UnitAttr:$one_plus);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $gain `over` $over `eps` $eps (`one_plus` $one_plus^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def Nax_LayerNormOp : Nax_Op<"layer_norm", [AllTypesMatch<["x", "result"]>]> {
  let summary = "Subtract the mean, divide by the deviation, gain and shift";
  let description = [{
    **Requires**  as `nax.rms_norm`; a shift, if there is one, on exactly `over`.

    **Ensures**   `(x - mean(x)) / sqrt(mean((x - mean(x))^2) + eps) * gain + shift`.

    ```mlir
    %y = nax.layer_norm %x, %gain shift %shift over [#C] eps 1.000000e-05 : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#C], f32>, !nax.tensor<[#C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
    ```

    **Errors** (cases of `test/dialect/norm-invalid.mlir`)

    - the shift stands on other axes
    - nothing is normalised over
  }];
  let arguments = (ins Nax_Tensor:$x, Nax_Tensor:$gain,
                       Optional<Nax_Tensor>:$shift, Nax_AxesAttr:$over,
                       F64Attr:$eps);
  let results = (outs Nax_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $gain (`shift` $shift^)? `over` $over `eps` $eps attr-dict `:`
    functional-type(operands, results)
  }];
}

#endif // NAX_OPS_NORM
