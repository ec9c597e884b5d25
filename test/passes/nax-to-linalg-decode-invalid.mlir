// What is read of a continued axis lies in two places; nothing makes one buffer
// of it, and none is as long as a cache.
// RUN: nax-opt %s --nax-to-linalg --split-input-file --verify-diagnostics

#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal, continued>
#ReadT = #nax.axis<read #T>
#span = #nax.axis<"T.span", 2>
#slots = #nax.axis<"T.cache">
!x = !nax.tensor<[#B, #T, #D], f32>
!k = !nax.tensor<[#B, #ReadT, #D], f32>
!c = !nax.tensor<[#B, #slots, #D], f32>
!s = !nax.tensor<[#B, #span], i32>
func.func private @numbers_of_what_is_read(%x: !x, %span: !s, %cache: !c) -> !x {
  %k = nax.cached %x, %cache span %span along #T : (!x, !c, !s) -> !k
  // expected-error @below {{what is read of T lies in a cache and in new positions; only attention reads both}}
  %r = nax.relu %k : !k
  %m = nax.max %r over [#D] : (!k) -> !nax.tensor<[#B, #ReadT], f32>
  return %x : !x
}

// -----

#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal, continued>
#ReadT = #nax.axis<read #T>
#span = #nax.axis<"T.span", 2>
#slots = #nax.axis<"T.cache">
!x = !nax.tensor<[#B, #T, #D], f32>
!k = !nax.tensor<[#B, #ReadT, #D], f32>
!c = !nax.tensor<[#B, #slots, #D], f32>
!s = !nax.tensor<[#B, #span], i32>
func.func private @weights(%x: !x, %span: !s, %cache: !c) -> !x {
  %k = nax.cached %x, %cache span %span along #T : (!x, !c, !s) -> !k
  // expected-error @below {{all positions of Read<T> together are in no buffer: some are in a cache, the others are new; only attention reads them}}
  %w = nax.attention_weights %x, %k data %span over #D along #ReadT scale 0.5 causal : (!x, !k, !s) -> !nax.tensor<[#B, #T, #ReadT], f32, weights<#ReadT>>
  return %x : !x
}

// -----

#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal, continued>
#ReadT = #nax.axis<read #T>
#span = #nax.axis<"T.span", 2>
#slots = #nax.axis<"T.cache">
!x = !nax.tensor<[#B, #T, #D], f32>
!k = !nax.tensor<[#B, #ReadT, #D], f32>
!c = !nax.tensor<[#B, #slots, #D], f32>
!s = !nax.tensor<[#B, #span], i32>
func.func private @numbers_of_a_cache(%x: !x, %span: !s, %cache: !c) -> !x {
  %k = nax.cached %x, %cache span %span along #T : (!x, !c, !s) -> !k
  // expected-error @below {{a buffer as long as T.cache would grow with the positions of a cache}}
  %y = nax.relu %cache : !c
  return %x : !x
}

// -----

#B = #nax.axis<"B">
#D = #nax.axis<"D", 4>
#T = #nax.axis<"T", causal, continued>
#ReadT = #nax.axis<read #T>
#span = #nax.axis<"T.span", 2>
#slots = #nax.axis<"T.cache">
!x = !nax.tensor<[#B, #T, #D], f32>
!k = !nax.tensor<[#B, #ReadT, #D], f32>
!c = !nax.tensor<[#B, #slots, #D], f32>
!s = !nax.tensor<[#B, #span], i32>
func.func private @keys_alone(%x: !x, %v: !k, %span: !s, %cache: !c) -> !x {
  %k = nax.cached %x, %cache span %span along #T : (!x, !c, !s) -> !k
  // expected-error @below {{'nax.attention' op expects keys and values that are both cached, or neither}}
  %o = nax.attention %x, %k, %v data %span over #D along #ReadT scale 0.5 causal : (!x, !k, !k, !s) -> !x
  return %o : !x
}
