#N = #nax.axis<"N">
module attributes {nax.model = "sum", nax.format = 1 : i64} {
  func.func @forward(%x: !nax.tensor<[#N], f32> {nax.name = "x"}, %y: !nax.tensor<[#N], f32> {nax.name = "y"})
      -> (!nax.tensor<[#N], f32> {nax.name = "out"}) attributes {nax.entry} {
    %sum = nax.add %x, %y : (!nax.tensor<[#N], f32>, !nax.tensor<[#N], f32>) -> !nax.tensor<[#N], f32>
    return %sum : !nax.tensor<[#N], f32>
  }
}
