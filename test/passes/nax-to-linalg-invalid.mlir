// RUN: nax-opt %s --nax-to-linalg --split-input-file --verify-diagnostics

// The size of B comes with no argument.
#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
// expected-error @below {{entry forward uses axis B of no fixed size, but no argument has it}}
func.func @forward(%x: !nax.tensor<[#C], f32> {nax.name = "x"}) -> (!nax.tensor<[#C, #B], f32> {nax.name = "y"}) attributes {nax.entry} {
  %0 = nax.spread %x axis #B : (!nax.tensor<[#C], f32>) -> !nax.tensor<[#C, #B], f32>
  return %0 : !nax.tensor<[#C, #B], f32>
}

// -----

// A mask stands beside the softmax that it is for, where fusion finds it.
#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
#D = #nax.axis<"D", 4>
!q = !nax.tensor<[#T, #D], f32>
!k = !nax.tensor<[#S, #D], f32>
!s = !nax.tensor<[#T, #S], f32, scores<#T, #S>>
!m = !nax.tensor<[#T, #S], f32, scores<#T, #S, masked, causally>>
func.func @forward(%q: !q {nax.name = "q"}) -> (!m {nax.name = "s"}) attributes {nax.entry} {
  %k = nax.read %q along #T : (!q) -> !k
  %s = nax.scores %q, %k over #D scale 0.5 : (!q, !k) -> !s
  // expected-error @below {{'nax.causal_mask' op is left after nax-fuse-attention; give the scores to softmax beside it}}
  %m = nax.causal_mask %s : (!s) -> !m
  return %m : !m
}

// -----

#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
!m = !nax.tensor<[#T, #S], f32, scores<#T, #S, masked, causally>>
!w = !nax.tensor<[#T, #S], f32, weights<#S>>
func.func @forward(%m: !m {nax.name = "s"}) -> (!w {nax.name = "w"}) attributes {nax.entry} {
  // expected-error @below {{'nax.softmax' op over Read<T> is in another function than its scores or masks; make scores, masks and softmax beside one another}}
  %w = nax.softmax %m along #S : (!m) -> !w
  return %w : !w
}

// -----

// A function of another object.
#C = #nax.axis<"C", 8>
// expected-error @below {{'func.func' op has no body}}
func.func private @elsewhere(!nax.tensor<[#C], f32>) -> !nax.tensor<[#C], f32>

// -----

// The kernel mixes features of sizes that it knows.
#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
#D = #nax.axis<"D", 4>
#N = #nax.axis<"N">
!q = !nax.tensor<[#T, #D], f32>
!k = !nax.tensor<[#S, #D], f32>
!v = !nax.tensor<[#S, #N], f32>
!y = !nax.tensor<[#T, #N], f32>
func.func @forward(%q: !q {nax.name = "q"}, %k: !k {nax.name = "k"}, %v: !v {nax.name = "v"}) -> (!y {nax.name = "y"}) attributes {nax.entry} {
  // expected-error @below {{'nax.attention' op mixes features of fixed sizes, but N of the values [Read<T>,N] has none}}
  %y = nax.attention %q, %k, %v over #D along #S scale 0.5 causal : (!q, !k, !v) -> !y
  return %y : !y
}

// -----

#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
#D = #nax.axis<"D">
!q = !nax.tensor<[#T, #D], f32>
!k = !nax.tensor<[#S, #D], f32>
func.func @forward(%q: !q {nax.name = "q"}, %k: !k {nax.name = "k"}) -> (!q {nax.name = "y"}) attributes {nax.entry} {
  // expected-error @below {{'nax.attention' op matches queries and keys over an axis of fixed size, but D has none}}
  %y = nax.attention %q, %k, %k over #D along #S scale 0.5 causal : (!q, !k, !k) -> !q
  return %y : !q
}

// -----

// Weights are computed in f32.
#T = #nax.axis<"T", causal>
#S = #nax.axis<read #T>
#D = #nax.axis<"D", 4>
!q = !nax.tensor<[#T, #D], bf16>
!k = !nax.tensor<[#S, #D], bf16>
!w = !nax.tensor<[#T, #S], bf16, weights<#S>>
func.func @forward(%q: !q {nax.name = "q"}) -> (!w {nax.name = "w"}) attributes {nax.entry} {
  %k = nax.read %q along #T : (!q) -> !k
  // expected-error @below {{'nax.attention_weights' op gives weights of f32, not of 'bf16'; where they are a result, match to<f32>(q) and to<f32>(k)}}
  %w = nax.attention_weights %q, %k over #D along #S scale 0.5 causal : (!q, !k) -> !w
  return %w : !w
}

// -----

// What a mask hides is never written down.
#T = #nax.axis<"T", causal>
#ReadT = #nax.axis<read #T>
!mask = !nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>
func.func @forward(%x: !nax.tensor<[#T], f32> {nax.name = "x"}) -> (!mask {nax.name = "m"}) attributes {nax.entry} {
  %m = nax.past of #T : !mask
  // expected-error @below {{function forward returns a mask; return numbers, and apply the mask to scores in the function that makes it}}
  return %m : !mask
}

// -----

#T = #nax.axis<"T", causal>
#ReadT = #nax.axis<read #T>
!x = !nax.tensor<[#T], f32>
!mask = !nax.tensor<[#T, #ReadT], i1, mask<#T, #ReadT>>
func.func private @inner(%x: !x, %m: !mask) -> !x {
  %y = nax.relu %x : !x
  return %y : !x
}
func.func @forward(%x: !x {nax.name = "x"}) -> (!x {nax.name = "y"}) attributes {nax.entry} {
  %m = nax.past of #T : !mask
  // expected-error @below {{'func.call' op hands a mask to inner; make it in the function that applies it}}
  %y = func.call @inner(%x, %m) : (!x, !mask) -> !x
  return %y : !x
}
