// What norms refuse.
// RUN: nax-opt %s --verify-diagnostics

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal>

// A norm over T would tell t what comes after it.
func.func @rms_norm_sequence(%x: !nax.tensor<[#T, #C], f32>, %g: !nax.tensor<[#T], f32>) {
  // expected-error @below {{'nax.rms_norm' op rms_norm<T>: T of [T,C] is causal, and a norm over all of it tells position t what comes after it; normalise over the features  [N0025]}}
  %y = nax.rms_norm %x, %g over [#T] eps 1.0e-5 : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#T], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// Rows are no features.
func.func @rms_norm_rows(%x: !nax.tensor<[#B, #C], f32>, %g: !nax.tensor<[#B], f32>) {
  // expected-error @below {{'nax.rms_norm' op rms_norm<B>: B of [B,C] has no fixed size; normalise over the features of one position  [N0009]}}
  %y = nax.rms_norm %x, %g over [#B] eps 1.0e-5 : (!nax.tensor<[#B, #C], f32>, !nax.tensor<[#B], f32>) -> !nax.tensor<[#B, #C], f32>
  return
}

// A gain for each feature.
func.func @rms_norm_gain(%x: !nax.tensor<[#T, #C], f32>, %g: !nax.tensor<[#D], f32>) {
  // expected-error @below {{'nax.rms_norm' op rms_norm<C>: the gain or shift [D] must stand on the normalised axes of [T,C]  [N0009]}}
  %y = nax.rms_norm %x, %g over [#C] eps 1.0e-5 : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#D], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// The root of what may be negative.
func.func @rms_norm_eps(%x: !nax.tensor<[#T, #C], f32>, %g: !nax.tensor<[#C], f32>) {
  // expected-error @below {{'nax.rms_norm' op expects an eps that is not negative}}
  %y = nax.rms_norm %x, %g over [#C] eps -1.0e-5 : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// A shift for each feature.
func.func @layer_norm_shift(%x: !nax.tensor<[#T, #C], f32>, %g: !nax.tensor<[#C], f32>, %s: !nax.tensor<[#D], f32>) {
  // expected-error @below {{'nax.layer_norm' op layer_norm<C>: the gain or shift [D] must stand on the normalised axes of [T,C]  [N0009]}}
  %y = nax.layer_norm %x, %g shift %s over [#C] eps 1.0e-5 : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#C], f32>, !nax.tensor<[#D], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// A norm is over something.
func.func @layer_norm_over_nothing(%x: !nax.tensor<[#T, #C], f32>, %g: !nax.tensor<[#C], f32>) {
  // expected-error @below {{'nax.layer_norm' op layer_norm: say the axis to normalise over: layer_norm<C>(x, ...)  [N0010]}}
  %y = nax.layer_norm %x, %g over [] eps 1.0e-5 : (!nax.tensor<[#T, #C], f32>, !nax.tensor<[#C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}
