#N = #nax.axis<"N">
module attributes {nax.model = "functions", nax.format = 1 : i64} {
  func.func @forward(%x: !nax.tensor<[#N], f32> {nax.name = "x"}, %y: !nax.tensor<[#N], f64> {nax.name = "y"})
      -> (!nax.tensor<[#N], f32> {nax.name = "narrow"}, !nax.tensor<[#N], f64> {nax.name = "wide"}) attributes {nax.entry} {
    %x1 = nax.exp %x : !nax.tensor<[#N], f32>
    %x2 = nax.tanh %x1 : !nax.tensor<[#N], f32>
    %x3 = nax.gelu %x2 : !nax.tensor<[#N], f32>
    %x4 = nax.gelu_tanh %x3 : !nax.tensor<[#N], f32>
    %x5 = nax.silu %x4 : !nax.tensor<[#N], f32>
    %x6 = nax.sigmoid %x5 : !nax.tensor<[#N], f32>
    %x7 = nax.sqrt %x6 : !nax.tensor<[#N], f32>
    %x8 = nax.div %x7, %x : (!nax.tensor<[#N], f32>, !nax.tensor<[#N], f32>) -> !nax.tensor<[#N], f32>
    %y1 = nax.exp %y : !nax.tensor<[#N], f64>
    %y2 = nax.tanh %y1 : !nax.tensor<[#N], f64>
    %y3 = nax.gelu %y2 : !nax.tensor<[#N], f64>
    %y4 = nax.sqrt %y3 : !nax.tensor<[#N], f64>
    return %x8, %y4 : !nax.tensor<[#N], f32>, !nax.tensor<[#N], f64>
  }
}
