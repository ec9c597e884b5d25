// What split, merge, part, concat and spread refuse.
// RUN: nax-opt %s --verify-diagnostics

#B = #nax.axis<"B">
#C = #nax.axis<"C", 8>
#D = #nax.axis<"D", 4>
#K = #nax.axis<"K", 2>
#G = #nax.axis<"G", 3>
#H = #nax.axis<"H" = #K * #G>
#QK = #nax.axis<"QK" = #H + #K>
#DG = #nax.axis<"DG" = #D * #G>
#DK = #nax.axis<"DK" = #D * #K>
#One = #nax.axis<"One" = #DG + #DK>
#ByHead = #nax.axis<"ByHead" = #H * #One>
#T = #nax.axis<"T", causal>
#ReadT = #nax.axis<read #T>

// C is one axis.
func.func @split_plain(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.split' op split<C>: C is one axis, not a product}}
  %y = nax.split %x axis #C : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// There is no H.
func.func @split_absent(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.split' op split<H>: [T,C] has no axis H = K x G (6), but C (8) is of another size; project onto it with a Param<f32, C, H>  [N0006]}}
  %y = nax.split %x axis #H : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// K would be there twice.
func.func @split_twice(%x: !nax.tensor<[#K, #H], f32>) {
  // expected-error @below {{'nax.split' op split<H>: [K,H] has K already  [N0011]}}
  %y = nax.split %x axis #H : (!nax.tensor<[#K, #H], f32>) -> !nax.tensor<[#K, #G], f32>
  return
}

// Weights sum to 1 over all of H.
func.func @split_weights(%x: !nax.tensor<[#T, #H], f32, weights<#H>>) {
  // expected-error @below {{'nax.split' op split<H>: weights [T,H] sum to 1 over H, which stays whole; do this before softmax, or to .values()  [N0023]}}
  %y = nax.split %x axis #H : (!nax.tensor<[#T, #H], f32, weights<#H>>) -> !nax.tensor<[#T, #K, #G], f32>
  return
}

// G is lost.
func.func @split_result(%x: !nax.tensor<[#T, #H], f32>) {
  // expected-error @below {{'nax.split' op expects the result [T,K,G] of f32, but got [T,K] of f32}}
  %y = nax.split %x axis #H : (!nax.tensor<[#T, #H], f32>) -> !nax.tensor<[#T, #K], f32>
  return
}

// The pieces of a concat are joined by nax.concat.
func.func @merge_concat(%x: !nax.tensor<[#T, #H, #K], f32>) {
  // expected-error @below {{'nax.merge' op merge<QK>: QK = H + K lays its parts one after another; take one with part<H>  [N0007]}}
  %y = nax.merge %x axis #QK : (!nax.tensor<[#T, #H, #K], f32>) -> !nax.tensor<[#T, #QK], f32>
  return
}

// G is missing.
func.func @merge_absent(%x: !nax.tensor<[#T, #K], f32>) {
  // expected-error @below {{'nax.merge' op merge<H>: H = K x G, but [T,K] has no G  [N0006]}}
  %y = nax.merge %x axis #H : (!nax.tensor<[#T, #K], f32>) -> !nax.tensor<[#T, #H], f32>
  return
}

// H would be there twice.
func.func @merge_twice(%x: !nax.tensor<[#K, #G, #H], f32>) {
  // expected-error @below {{'nax.merge' op merge<H>: [K,G,H] has H already  [N0011]}}
  %y = nax.merge %x axis #H : (!nax.tensor<[#K, #G, #H], f32>) -> !nax.tensor<[#H], f32>
  return
}

// D is in no concat.
func.func @part_absent(%x: !nax.tensor<[#T, #QK], f32>) {
  // expected-error @below {{'nax.part' op part<D>: QK = H + K of [T,QK] has no part D  [N0007]}}
  %y = nax.part %x concat #QK part #D : (!nax.tensor<[#T, #QK], f32>) -> !nax.tensor<[#T, #D], f32>
  return
}

// C is no concat of x.
func.func @part_other(%x: !nax.tensor<[#T, #QK], f32>) {
  // expected-error @below {{'nax.part' op expects K to be a part of C in [T,QK]}}
  %y = nax.part %x concat #C part #K : (!nax.tensor<[#T, #QK], f32>) -> !nax.tensor<[#T, #K], f32>
  return
}

// K would be there twice.
func.func @part_twice(%x: !nax.tensor<[#K, #QK], f32>) {
  // expected-error @below {{'nax.part' op part<K>: [K,QK] has K already  [N0011]}}
  %y = nax.part %x concat #QK part #K : (!nax.tensor<[#K, #QK], f32>) -> !nax.tensor<[#K], f32>
  return
}

// H is a product.
func.func @concat_product(%x: !nax.tensor<[#T, #K], f32>, %y: !nax.tensor<[#T, #G], f32>) {
  // expected-error @below {{'nax.concat' op concat<H>: H is no concatenation}}
  %z = nax.concat %x, %y axis #H : (!nax.tensor<[#T, #K], f32>, !nax.tensor<[#T, #G], f32>) -> !nax.tensor<[#T, #H], f32>
  return
}

// QK has two pieces.
func.func @concat_count(%x: !nax.tensor<[#T, #H], f32>) {
  // expected-error @below {{'nax.concat' op concat<QK>: QK = H + K has 2 parts, but 1 tensors are given  [N0007]}}
  %z = nax.concat %x axis #QK : (!nax.tensor<[#T, #H], f32>) -> !nax.tensor<[#T, #QK], f32>
  return
}

// The pieces come in order.
func.func @concat_order(%x: !nax.tensor<[#T, #K], f32>, %y: !nax.tensor<[#T, #H], f32>) {
  // expected-error @below {{'nax.concat' op concat<QK>: part 1 of QK = H + K is H, but [T,K] has no such axis  [N0007]}}
  %z = nax.concat %x, %y axis #QK : (!nax.tensor<[#T, #K], f32>, !nax.tensor<[#T, #H], f32>) -> !nax.tensor<[#T, #QK], f32>
  return
}

// What is joined has the same other axes.
func.func @concat_axes(%x: !nax.tensor<[#T, #H], f32>, %y: !nax.tensor<[#B, #K], f32>) {
  // expected-error @below {{'nax.concat' op concat<QK>: [T,H] has T, which [B,K] has not  [N0005]}}
  %z = nax.concat %x, %y axis #QK : (!nax.tensor<[#T, #H], f32>, !nax.tensor<[#B, #K], f32>) -> !nax.tensor<[#T, #QK], f32>
  return
}

// C is there already.
func.func @spread_twice(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.spread' op spread<C>: [T,C] has C already  [N0011]}}
  %y = nax.spread %x axis #C : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C], f32>
  return
}

// A pooled value may not come back to T.
func.func @spread_whole(%x: !nax.tensor<[#C], f32, whole #T>) {
  // expected-error @below {{'nax.spread' op spread<T>: [C] has seen every position of the causal T; spreading it over them tells position t what comes after it  [N0025]}}
  %y = nax.spread %x axis #T : (!nax.tensor<[#C], f32, whole #T>) -> !nax.tensor<[#C], f32>
  return
}

// What is read is made by nax.read.
func.func @spread_read(%x: !nax.tensor<[#T, #C], f32>) {
  // expected-error @below {{'nax.spread' op spread<Read<T>>: [T,C] stands on T; what is read is read<T>(x)  [N0004]}}
  %y = nax.spread %x axis #ReadT : (!nax.tensor<[#T, #C], f32>) -> !nax.tensor<[#T, #C, #ReadT], f32>
  return
}

// Where is C?
func.func @spread_result(%x: !nax.tensor<[#T], f32>) {
  // expected-error @below {{'nax.spread' op expects the result [T,C] of f32, but got [T] of f32}}
  %y = nax.spread %x axis #C : (!nax.tensor<[#T], f32>) -> !nax.tensor<[#T], f32>
  return
}

// Packed by head: each head has its parts.
func.func @part_by_head(%x: !nax.tensor<[#T, #ByHead], f32>) {
  // expected-error @below {{'nax.part' op part<DG>: DG is a part of One = DG + DK, which is inside ByHead = H x One: write split<ByHead> first  [N0007]}}
  %y = nax.part %x concat #One part #DG : (!nax.tensor<[#T, #ByHead], f32>) -> !nax.tensor<[#T, #DG], f32>
  return
}

// Packed in sections, taken apart by head.
func.func @split_of_sections(%x: !nax.tensor<[#T, #QK], f32>) {
  // expected-error @below {{'nax.split' op split<ByHead>: [T,QK] has no axis ByHead = H x One (120), but QK = H + K (8): write part<H>  [N0007]}}
  %y = nax.split %x axis #ByHead : (!nax.tensor<[#T, #QK], f32>) -> !nax.tensor<[#T, #H, #One], f32>
  return
}
