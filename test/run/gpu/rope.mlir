// Queries that an attention rotates itself and queries that are rotated by a loop, since
// somebody else has them, too: the attention's results are the same bits.
// RUN: rm -rf %t
// RUN: naxc check %s --entry together --size B=2 --size T=70 --device=emulated --save %t/f32 | FileCheck %s
// RUN: naxc check %s --entry apart --size B=2 --size T=70 --device=emulated --save %t/f32
// RUN: cmp %t/f32/together/x.npy %t/f32/apart/x.npy
// RUN: cmp %t/f32/together/y.npy %t/f32/apart/y.npy
// RUN: naxc check %s --entry together --size B=2 --size T=70 --device=emulated --gpu-type=bf16 --save %t/bf16 | FileCheck %s
// RUN: naxc check %s --entry apart --size B=2 --size T=70 --device=emulated --gpu-type=bf16 --save %t/bf16
// RUN: cmp %t/bf16/together/y.npy %t/bf16/apart/y.npy
// RUN: naxc %s --targets=cpu,nvptx --emit=gpu-linalg -o %t/linalg.mlir
// RUN: FileCheck %s --check-prefix=KERNEL --input-file=%t/linalg.mlir

// CHECK: y [B,T,K,G,D] against float64 {{.*}} ok

// KERNEL-LABEL: @together.body
// KERNEL: nax.kernel.attention{{.*}} rotate("interleaved"
// KERNEL-LABEL: @apart.body
// KERNEL-NOT: rotate(

#B = #nax.axis<"B">
#T = #nax.axis<"T", causal>
#ReadT = #nax.axis<read #T>
#C = #nax.axis<"C", 32>
#K = #nax.axis<"K", 2>
#G = #nax.axis<"G", 3>
#H = #nax.axis<"H" = #K * #G>
#D = #nax.axis<"D", 32>
#rope = #nax.rope<base = 1.0e4, pairing = interleaved, scaling = 1.0, dims = 24>

!x = !nax.tensor<[#B, #T, #C], f32>
!wq = !nax.tensor<[#C, #H, #D], f32>
!wk = !nax.tensor<[#C, #K, #D], f32>
!q = !nax.tensor<[#B, #T, #H, #D], f32>
!qr = !nax.tensor<[#B, #T, #H, #D], f32, rotated<#T, #D, #rope>>
!qs = !nax.tensor<[#B, #T, #K, #G, #D], f32, rotated<#T, #D, #rope>>
!k = !nax.tensor<[#B, #T, #K, #D], f32>
!kr = !nax.tensor<[#B, #T, #K, #D], f32, rotated<#T, #D, #rope>>
!keys = !nax.tensor<[#B, #ReadT, #K, #D], f32, rotated<#ReadT, #D, #rope>>
!values = !nax.tensor<[#B, #ReadT, #K, #D], f32>
!y = !nax.tensor<[#B, #T, #K, #G, #D], f32>

module attributes {nax.model = "rope", nax.format = 1 : i64} {
  func.func @together(%x: !x {nax.name = "x"}) -> (!y {nax.name = "y"}) attributes {nax.entry} {
    %wq = nax.param "wq" : !wq
    %wk = nax.param "wk" : !wk
    %q = nax.dot %x, %wq over [#C] : (!x, !wq) -> !q
    %k = nax.dot %x, %wk over [#C] : (!x, !wk) -> !k
    %qr = nax.rope %q positions #T features #D by #rope : (!q) -> !qr
    %kr = nax.rope %k positions #T features #D by #rope : (!k) -> !kr
    %qs = nax.split %qr axis #H : (!qr) -> !qs
    %keys = nax.read %kr along #T : (!kr) -> !keys
    %values = nax.read %k along #T : (!k) -> !values
    %y = nax.attention %qs, %keys, %values over #D along #ReadT scale 0.25 causal : (!qs, !keys, !values) -> !y
    return %y : !y
  }
  func.func @apart(%x: !x {nax.name = "x"}) -> (!y {nax.name = "y"}, !qr {nax.name = "r"}) attributes {nax.entry} {
    %wq = nax.param "wq" : !wq
    %wk = nax.param "wk" : !wk
    %q = nax.dot %x, %wq over [#C] : (!x, !wq) -> !q
    %k = nax.dot %x, %wk over [#C] : (!x, !wk) -> !k
    %qr = nax.rope %q positions #T features #D by #rope : (!q) -> !qr
    %kr = nax.rope %k positions #T features #D by #rope : (!k) -> !kr
    %qs = nax.split %qr axis #H : (!qr) -> !qs
    %keys = nax.read %kr along #T : (!kr) -> !keys
    %values = nax.read %k along #T : (!k) -> !values
    %y = nax.attention %qs, %keys, %values over #D along #ReadT scale 0.25 causal : (!qs, !keys, !values) -> !y
    return %y, %qr : !y, !qr
  }
}
