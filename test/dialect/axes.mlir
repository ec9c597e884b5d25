// Axes, rotations, kinds and types print as they were written, axes by aliases.
// RUN: nax-opt %s --allow-unregistered-dialect --verify-roundtrip | FileCheck %s
// RUN: nax-opt %s --allow-unregistered-dialect --mlir-print-op-generic | nax-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-DAG: #B = #nax.axis<"B">
// CHECK-DAG: #C = #nax.axis<"C", 576>
// CHECK-DAG: #D = #nax.axis<"D", 64>
// CHECK-DAG: #P = #nax.axis<"P", positions, ragged>
// CHECK-DAG: #T = #nax.axis<"T", causal>
// CHECK-DAG: #U = #nax.axis<"U", causal, 128, packed>
// CHECK-DAG: #L = #nax.axis<"L", causal, left_padded>
// CHECK-DAG: #H = #nax.axis<"H" = #K * #G>
// CHECK-DAG: #NextT = #nax.axis<next #T>
// CHECK-DAG: #ReadT = #nax.axis<read #T>
// CHECK-DAG: #QKV = #nax.axis<"QKV" = #H + #K + #K>
// CHECK-DAG: #x_1_ = #nax.axis<"x.1", 2>
// CHECK-DAG: #rope = #nax.rope<base = 1.000000e+05, pairing = interleaved, scaling = 2.000000e+00, dims = 32>
#B = #nax.axis<"B">
#C = #nax.axis<"C", 576>
#D = #nax.axis<"D", 64>
#P = #nax.axis<"P", positions, ragged>
#T = #nax.axis<"T", causal>
#U = #nax.axis<"U", causal, packed, 128>
#L = #nax.axis<"L", causal, left_padded>
#K = #nax.axis<"K", 3>
#V = #nax.axis<"V", 49152>
#H = #nax.axis<"H" = #K * #nax.axis<"G", 3>>
#QKV = #nax.axis<"QKV" = #H + #K + #K>
#S = #nax.axis<read #T>
#N = #nax.axis<next #T>
#turn = #nax.rope<base = 1.0e5, pairing = interleaved, scaling = 2.0, dims = 32>

// CHECK:      func.func private @types(
// CHECK-SAME:   !nax.tensor<[], f32>
// CHECK-SAME:   !nax.tensor<[#B, #T, #C], bf16>
// CHECK-SAME:   !nax.tensor<[#B, #T], i32, ids<#V>>
// CHECK-SAME:   !nax.tensor<[#B, #NextT], i64, ids<#V>>
// CHECK-SAME:   !nax.tensor<[#T, #D], f32, rotated<#T, #D, #rope>>
// CHECK-SAME:   !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
// CHECK-SAME:   !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT, capped, biased, masked, causally>>
// CHECK-SAME:   !nax.tensor<[#T, #ReadT], f32, weights<#ReadT>>
// CHECK-SAME:   !nax.tensor<[#T, #V], f32, logits<#V>>
// CHECK-SAME:   !nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>
// CHECK-SAME:   !nax.tensor<[#B, #ReadT], i1, mask<every, #ReadT>>
// CHECK-SAME:   !nax.tensor<[#T], f32, losses<#T>>
// CHECK-SAME:   !nax.tensor<[#C], f64, whole #T>
// CHECK-SAME:   !nax.tensor<[#V], f32, logits<#V>, whole #T>
// CHECK-SAME:   !nax.tensor<[#H, #QKV, #P, #U, #L, #x_1_], f16>
func.func private @types(
  !nax.tensor<[], f32>,
  !nax.tensor<[#B, #T, #C], bf16>,
  !nax.tensor<[#B, #T], i32, ids<#V>>,
  !nax.tensor<[#B, #N], i64, ids<#V>>,
  !nax.tensor<[#T, #D], f32, rotated<#T, #D, #turn>>,
  !nax.tensor<[#T, #S], f32, scores<#T, #S>>,
  !nax.tensor<[#T, #S], f32, scores<#T, #S, causally, biased, capped>>,
  !nax.tensor<[#T, #S], f32, weights<#S>>,
  !nax.tensor<[#T, #V], f32, logits<#V>>,
  !nax.tensor<[#T, #S], i1, mask<#T, #S>>,
  !nax.tensor<[#B, #S], i1, mask<every, #S>>,
  !nax.tensor<[#T], f32, losses<#T>>,
  !nax.tensor<[#C], f64, whole #T>,
  !nax.tensor<[#V], f32, logits<#V>, whole #T>,
  !nax.tensor<[#H, #QKV, #P, #U, #L, #nax.axis<"x.1", 2>], f16>)

// CHECK: "test.kind"() {kind = #nax.kind<scores<#T, #ReadT, masked>>}
"test.kind"() {kind = #nax.kind<scores<#T, #S, masked>>} : () -> ()
