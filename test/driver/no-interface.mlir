// What C can't express is refused at the argument, result or parameter that asks for it.
// RUN: split-file %s %t
// RUN: not naxc %t/dynamic-product.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not naxc %t/no-size.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not naxc %t/two-axes.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not naxc %t/two-names.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not naxc %t/no-entry.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not naxc %t/model-name.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: sed 's/"my model"/"int"/' %t/model-name.mlir > %t/keyword.mlir
// RUN: not naxc %t/keyword.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=KEYWORD
// RUN: sed 's/"my model"/"nax_last"/' %t/model-name.mlir > %t/library.mlir
// RUN: not naxc %t/library.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: sed 's/"my model"/"exp"/' %t/model-name.mlir > %t/libm.mlir
// RUN: not naxc %t/libm.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=LIBM
// RUN: not naxc %t/entry-name.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=WORKSPACE
// RUN: sed 's/run_workspace/run_x/' %t/entry-name.mlir > %t/type.mlir
// RUN: not naxc %t/type.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: sed 's/run_workspace/params/' %t/entry-name.mlir > %t/params.mlir
// RUN: not naxc %t/params.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=PARAMS
// RUN: not naxc %t/axis-name.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not ls %t/x.o

// PRODUCT: dynamic-product.mlir:5:18: error: axis H is made of axes whose sizes are known only when the model is called; split it in the model
// SIZE: no-size.mlir:5:3: error: result out [N,E] stands on axis E, whose size no input of entry @run gives
// TWO: two-axes.mlir:5:18: error: two axes are called N: #nax.axis<"N"> and #nax.axis<"N", 3>
// NAMES: two-names.mlir:3:3: error: two arguments or results of entry @run are called x
// ENTRY: no-entry.mlir:1:1: error: model m has no entry
// MODEL: model-name.mlir:2:1: error: model name "my model" can't begin the names of C functions
// KEYWORD: keyword.mlir:2:1: error: model name "int" can't begin the names of C functions
// LIBRARY: library.mlir:2:1: error: model name "nax_last" can't begin the names of C functions
// LIBM: libm.mlir:2:1: error: model name "exp" is that of something in the C library, beside which C++ can't have a namespace; call it exp_model, or another name
// WORKSPACE: entry-name.mlir:2:1: error: two things of the headers are called m_run_workspace: {{entry run and entry run_workspace|entry run_workspace and entry run}}; rename one of them
// TYPE: type.mlir:2:1: error: two things of the headers are called m_run_x: {{x of entry run and entry run_x|entry run_x and x of entry run}}; rename one of them
// PARAMS: params.mlir:2:1: error: entry name "params" can't be part of a C function's name
// AXIS: axis-name.mlir:2:1: error: axis name "a*/b" can't be part of a C name

//--- dynamic-product.mlir
#G = #nax.axis<"G">
#K = #nax.axis<"K", 3>
#H = #nax.axis<"H" = #K * #G>
module attributes {nax.model = "m"} {
  func.func @run(%x: !nax.tensor<[#H], f32> {nax.name = "x"}) -> (!nax.tensor<[#H], f32> {nax.name = "out"}) attributes {nax.entry} {
    return %x : !nax.tensor<[#H], f32>
  }
}
//--- no-size.mlir

#N = #nax.axis<"N">
#E = #nax.axis<"E">
module attributes {nax.model = "m"} {
  func.func @run(%x: !nax.tensor<[#N], f32> {nax.name = "x"}) -> (!nax.tensor<[#N, #E], f32> {nax.name = "out"}) attributes {nax.entry} {
    %y = nax.spread %x axis #E : (!nax.tensor<[#N], f32>) -> !nax.tensor<[#N, #E], f32>
    return %y : !nax.tensor<[#N, #E], f32>
  }
}
//--- two-axes.mlir
#N = #nax.axis<"N">
#M = #nax.axis<"N", 3>
module attributes {nax.model = "m"} {
  func.func @run(%x: !nax.tensor<[#N], f32> {nax.name = "x"},
                 %y: !nax.tensor<[#M], f32> {nax.name = "y"}) -> (!nax.tensor<[#N], f32> {nax.name = "out"}) attributes {nax.entry} {
    return %x : !nax.tensor<[#N], f32>
  }
}
//--- two-names.mlir
#N = #nax.axis<"N">
module attributes {nax.model = "m"} {
  func.func @run(%x: !nax.tensor<[#N], f32> {nax.name = "x"}) -> (!nax.tensor<[#N], f32> {nax.name = "x"}) attributes {nax.entry} {
    return %x : !nax.tensor<[#N], f32>
  }
}
//--- no-entry.mlir
module attributes {nax.model = "m"} {}
//--- model-name.mlir
#N = #nax.axis<"N">
module attributes {nax.model = "my model"} {
  func.func @run(%x: !nax.tensor<[#N], f32> {nax.name = "x"}) -> (!nax.tensor<[#N], f32> {nax.name = "out"}) attributes {nax.entry} {
    return %x : !nax.tensor<[#N], f32>
  }
}
//--- axis-name.mlir
#N = #nax.axis<"a*/b", 3>
module attributes {nax.model = "m"} {
  func.func @run(%x: !nax.tensor<[#N], f32> {nax.name = "x"}) -> (!nax.tensor<[#N], f32> {nax.name = "y"}) attributes {nax.entry} {
    %y = nax.neg %x : !nax.tensor<[#N], f32>
    return %y : !nax.tensor<[#N], f32>
  }
}

//--- entry-name.mlir
#N = #nax.axis<"N">
module attributes {nax.model = "m", nax.format = 1 : i64} {
  func.func @run(%x: !nax.tensor<[#N], f32> {nax.name = "x"}) -> (!nax.tensor<[#N], f32> {nax.name = "out"})
      attributes {nax.entry} {
    return %x : !nax.tensor<[#N], f32>
  }
  func.func @run_workspace(%x: !nax.tensor<[#N], f32> {nax.name = "x"}) -> (!nax.tensor<[#N], f32> {nax.name = "out"})
      attributes {nax.entry} {
    return %x : !nax.tensor<[#N], f32>
  }
}
