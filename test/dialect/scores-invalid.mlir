// Which axes queries and keys may have in nax.scores.
// RUN: nax-opt %s --verify-diagnostics

#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#D2 = #nax.axis<"D", 6>
#F = #nax.axis<"F", 4>
#J = #nax.axis<"J", 5>
#K = #nax.axis<"K", 2>
#G = #nax.axis<"G", 3>
#H = #nax.axis<"H" = #K * #G>
#T = #nax.axis<"T", causal>
#ReadT = #nax.axis<read #T>

// A sum over an axis that only the queries have.
func.func @one_side(%q: !nax.tensor<[#T, #K, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<K>: [Read<T>,D] has no axis K, only [T,K,D] has it: write scores<D>(q, k)  [N0003]}}
  %s = nax.scores %q, %k over #K scale 5.000000e-01 : (!nax.tensor<[#T, #K, #D], f32>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #D, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// One name is one axis.
func.func @two_declarations(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#ReadT, #D2], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: [Read<T>,D] has no axis D: its D is another declaration of the same name (sizes 4 and 6); use one, or give them two names  [N0002]}}
  %s = nax.scores %q, %k over #D scale 5.000000e-01 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#ReadT, #D2], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// The key is read, the query asks.
func.func @swapped(%q: !nax.tensor<[#ReadT, #D], f32>, %k: !nax.tensor<[#T, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: the query [Read<T>,D] is read and the key [T,D] is not; the operands are swapped: scores<D>(q, read<T>(k))  [N0004]}}
  %s = nax.scores %q, %k over #D scale 5.000000e-01 : (!nax.tensor<[#ReadT, #D], f32>, !nax.tensor<[#T, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// The one who asks is not read.
func.func @query_read(%q: !nax.tensor<[#ReadT, #D], f32>, %k: !nax.tensor<[#ReadT, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: the query [Read<T>,D] stands on Read<T>; the one who asks stands on T  [N0004]}}
  %s = nax.scores %q, %k over #D scale 5.000000e-01 : (!nax.tensor<[#ReadT, #D], f32>, !nax.tensor<[#ReadT, #D], f32>) -> !nax.tensor<[#T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// The query lacks rows that the keys have.
func.func @rows_of_keys(%q: !nax.tensor<[#T, #D], f32>, %k: !nax.tensor<[#B, #ReadT, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: the key [B,Read<T>,D] has B but the query [T,D] has not; spread<B>(q) asks with each  [N0005]}}
  %s = nax.scores %q, %k over #D scale 5.000000e-01 : (!nax.tensor<[#T, #D], f32>, !nax.tensor<[#B, #ReadT, #D], f32>) -> !nax.tensor<[#B, #T, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Key heads are inside of query heads.
func.func @heads_in_groups(%q: !nax.tensor<[#T, #H, #D], f32>, %k: !nax.tensor<[#ReadT, #K, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: the key [Read<T>,K,D] has K but the query [T,H,D] has not: write split<H>(q) first  [N0008]}}
  %s = nax.scores %q, %k over #D scale 5.000000e-01 : (!nax.tensor<[#T, #H, #D], f32>, !nax.tensor<[#ReadT, #K, #D], f32>) -> !nax.tensor<[#T, #H, #K, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// Five heads do not come in groups of two.
func.func @heads_no_multiple(%q: !nax.tensor<[#T, #J, #D], f32>, %k: !nax.tensor<[#ReadT, #K, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: the key [Read<T>,K,D] has K but the query [T,J,D] has not, and J (5) is no multiple of K (2)  [N0008]}}
  %s = nax.scores %q, %k over #D scale 5.000000e-01 : (!nax.tensor<[#T, #J, #D], f32>, !nax.tensor<[#ReadT, #K, #D], f32>) -> !nax.tensor<[#T, #J, #K, #ReadT], f32, scores<#T, #ReadT>>
  return
}

// More key heads than query heads: the two are swapped.
func.func @heads_swapped(%q: !nax.tensor<[#T, #K, #D], f32>, %k: !nax.tensor<[#ReadT, #H, #D], f32>) {
  // expected-error @below {{'nax.scores' op scores<D>: the key [Read<T>,H,D] has H but the query [T,K,D] has not: H = K x G would be more heads of keys than of queries  [N0008]}}
  %s = nax.scores %q, %k over #D scale 5.000000e-01 : (!nax.tensor<[#T, #K, #D], f32>, !nax.tensor<[#ReadT, #H, #D], f32>) -> !nax.tensor<[#T, #K, #ReadT], f32, scores<#T, #ReadT>>
  return
}
