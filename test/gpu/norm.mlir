// Norms, on the emulator.
// RUN: rm -rf %t && mkdir %t
// RUN: nax-opt %s --nax-gpu-kernels --nax-gpu-to-ptx=dir=%t -o %t/host.mlir
// Rows of six numbers that hardly differ: the variance is that of 1 and 2.
// RUN: nvemu %t/nax_kernels.ptx --kernel layer_norm_C6 --grid 2 --block 128 f32[30]:1000001,1000002 i32:5 f32[6]:1,1,1,2,2,2 f32[30]:uninit i32:5 f32[6]:0,0,0,1,1,1 --print 3 2>&1 | FileCheck %s --check-prefix=LAYER
// In its place; a row of 4096 by a block.
// RUN: nvemu %t/nax_kernels.ptx --kernel rms_norm_C4096 --grid 2 --block 256 --shared 64 bf16[8192]:3,4,5,4 i32:2 bf16[4096]:1 bf16[8192]:uninit i32:2 --out 3=%t/y.npy 2>&1 | FileCheck %s --check-prefix=RMS
// RUN: %python -c "import numpy; y = numpy.load('%t/y.npy').view('uint16').astype('uint32') << 16; y = y.view('float32'); x = numpy.tile([3., 4, 5, 4], 2048); print(numpy.abs(y.ravel() - 2 * x / numpy.sqrt(16.5)).max() < 8e-3)" | FileCheck %s --check-prefix=NUMBERS
// The same launch as its PTX says how much shared memory it wants.
// RUN: FileCheck %s --check-prefix=HOST < %t/host.mlir

// LAYER: arg3: -1 1 -1 3 -1 3 -1 1 -1 3 -1 3
// LAYER: nvemu: clean
func.func @layer(%x: memref<?x6xf32>, %gain: memref<6xf32>, %shift: memref<6xf32>, %y: memref<?x6xf32>) {
  nax.kernel.norm "layer" %x, %gain shift %shift : memref<6xf32> into %y eps 0.0
      : memref<?x6xf32>, memref<6xf32>, memref<?x6xf32>
  return
}

// RMS: nvemu: clean
// NUMBERS: True
// HOST: nax.launch @nax_kernels::@rms_norm_C4096 grid(%{{.*}}) threads(256) shared(64)
func.func @rms(%x: memref<?x4096xbf16>, %gain: memref<4096xbf16>, %y: memref<?x4096xbf16>) {
  nax.kernel.norm "rms" %x, %gain into %y eps 0.0 one_plus
      : memref<?x4096xbf16>, memref<4096xbf16>, memref<?x4096xbf16>
  return
}
