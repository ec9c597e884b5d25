// What LLVM would end the process for is an error, and no file is left.
// RUN: rm -rf %t && split-file %s %t
// RUN: not nax-opt %t/tanh.mlir --nax-gpu-to-ptx=dir=%t/out 2>&1 | FileCheck %s --check-prefix=TANH
// RUN: not nax-opt %t/call.mlir --nax-gpu-to-ptx=dir=%t/out 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not nax-opt %t/wide.mlir --nax-gpu-to-ptx=dir=%t/out 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not nax-opt %t/fine.mlir --nax-gpu-to-ptx=chip=sm_99 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not nax-opt %t/fine.mlir --nax-gpu-to-ptx=features=+ptx999 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: not nax-opt %t/fine.mlir "--nax-gpu-to-ptx=chip=sm_90 features=+ptx70" 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not nax-opt %t/fine.mlir --nax-gpu-to-ptx=dir=%t/fine.mlir/out 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not ls %t/out

//--- tanh.mlir
// TANH: tanh.mlir:2:1: error: has no PTX: it calls llvm.tanh.f32 in @f
gpu.module @lm {
  gpu.func @f(%x: !llvm.ptr<1>) kernel {
    %0 = llvm.load %x : !llvm.ptr<1> -> f32
    %1 = math.tanh %0 : f32
    llvm.store %1, %x : f32, !llvm.ptr<1>
    gpu.return
  }
}

//--- call.mlir
// CALL: error: has no PTX: it calls expf in @f
gpu.module @lm {
  llvm.func @expf(f32) -> f32
  gpu.func @f(%x: !llvm.ptr<1>) kernel {
    %0 = llvm.load %x : !llvm.ptr<1> -> f32
    %1 = llvm.call @expf(%0) : (f32) -> f32
    llvm.store %1, %x : f32, !llvm.ptr<1>
    gpu.return
  }
}

//--- wide.mlir
// WIDE: error: has no PTX: it has a value of type fp128 in @f
gpu.module @lm {
  gpu.func @f(%x: !llvm.ptr<1>) kernel {
    %0 = llvm.load %x : !llvm.ptr<1> -> f128
    %1 = llvm.fadd %0, %0 : f128
    llvm.store %1, %x : f128, !llvm.ptr<1>
    gpu.return
  }
}

//--- fine.mlir
// CHIP: error: no PTX for the chip 'sm_99'; sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_120 or sm_120a
// FEATURE: error: expects a version of PTX such as +ptx80, but got '+ptx999'
// OLD: error: sm_90 is in PTX since version 78 (in tenths), but got '+ptx70'
// FOLDER: error: can't write {{.*}}fine.mlir/out/lm.ptx: Not a directory
gpu.module @lm {
  gpu.func @f() kernel {
    gpu.return
  }
}
