// Names in the headers of a step: what the cache's functions are called is taken, an axis of the step's own positions has
// the name of the whole sequence's, also where that has a fixed size, and arguments make way for `cache`.
// RUN: rm -rf %t && split-file %s %t
// RUN: naxc %t/odd.mlir -o %t/odd.o
// RUN: FileCheck %t/odd.mlir --input-file=%t/odd.h
// RUN: clang -fsyntax-only -Wall -Wextra -pedantic -Werror -std=c99 -x c %t/odd.h
// RUN: echo '#include "odd.hpp"' > %t/odd.cc
// RUN: clang -fsyntax-only -Wall -Wextra -pedantic -Werror -std=c++20 %t/odd.cc
// RUN: not naxc %t/taken.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not naxc %t/begins.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=BEGINS
// RUN: not naxc %t/slots.mlir -o %t/x.o 2>&1 | FileCheck %s --check-prefix=SLOTS
// RUN: not ls %t/x.o

// TAKEN: two things of the headers are called m_run_cache: {{.*}}; rename one of them
// BEGINS: entry @run_begin begins steps of run, but none is derived from it
// SLOTS: expects cache.0 [B,T.cache] to stand on slots of the axis whose span entry @run_step has

//--- odd.mlir
// CHECK: odd_size_T = 16
// CHECK: nax_status odd_run_cache_create(nax_context *context, int64_t out, int64_t T, int64_t cache_, odd_run_cache **out_);
// CHECK: nax_status odd_run(nax_context *context, const float *x /*[T]*/, const float *done /*[fixed]*/, float *y /*[T]*/, void *workspace, size_t bytes);
// CHECK: T size, at most the 16 positions of axis T
// CHECK: nax_status odd_run_step(nax_context *context, odd_run_cache *cache, int64_t out, int64_t T, int64_t cache_, const float *done_ /*[out,T]*/, const int32_t *T_lengths /*[out]*/, float *y /*[out,T]*/, void *workspace, size_t bytes);
#out = #nax.axis<"out">
#T = #nax.axis<"T", causal, 16>
#N = #nax.axis<"T", causal, continued>
#span = #nax.axis<"T.span", 2>
#slots = #nax.axis<"T.cache">
#cache = #nax.axis<"cache">
#fixed = #nax.axis<"fixed", 5>
module attributes {nax.model = "odd", nax.format = 1 : i64} {
  func.func @run(%x: !nax.tensor<[#T], f32> {nax.name = "x"}, %z: !nax.tensor<[#fixed], f32> {nax.name = "done"})
      -> (!nax.tensor<[#T], f32> {nax.name = "y"}) attributes {nax.entry} {
    %y = nax.neg %x : !nax.tensor<[#T], f32>
    return %y : !nax.tensor<[#T], f32>
  }
  func.func @run_step(%x: !nax.tensor<[#out, #N], f32> {nax.name = "done"},
                      %span: !nax.tensor<[#out, #span], i32> {nax.name = "T_lengths", nax.span = #N},
                      %kept: !nax.tensor<[#out, #slots], f32> {nax.name = "cache.0", nax.cache = {index = 0}},
                      %fixed: !nax.tensor<[#out, #cache], f32> {nax.name = "cache.1", nax.cache = {index = 1, fixed}})
      -> (!nax.tensor<[#out, #N], f32> {nax.name = "y"}) attributes {nax.entry, nax.step = "run"} {
    %y = nax.neg %x : !nax.tensor<[#out, #N], f32>
    return %y : !nax.tensor<[#out, #N], f32>
  }
}
//--- taken.mlir
#B = #nax.axis<"B">
#T = #nax.axis<"T", causal, continued>
#span = #nax.axis<"T.span", 2>
module attributes {nax.model = "m", nax.format = 1 : i64} {
  func.func @run_cache(%x: !nax.tensor<[#B], f32> {nax.name = "x"}) -> (!nax.tensor<[#B], f32> {nax.name = "y"}) attributes {nax.entry} {
    return %x : !nax.tensor<[#B], f32>
  }
  func.func @run_step(%x: !nax.tensor<[#B, #T], f32> {nax.name = "x"},
                      %span: !nax.tensor<[#B, #span], i32> {nax.name = "T_lengths", nax.span = #T})
      -> (!nax.tensor<[#B, #T], f32> {nax.name = "y"}) attributes {nax.entry, nax.step = "run"} {
    return %x : !nax.tensor<[#B, #T], f32>
  }
}
//--- begins.mlir
#B = #nax.axis<"B">
module attributes {nax.model = "m", nax.format = 1 : i64} {
  func.func @run_begin(%x: !nax.tensor<[#B], f32> {nax.name = "x"})
      -> (!nax.tensor<[#B], f32> {nax.name = "cache.0", nax.cache = {index = 0, fixed}}) attributes {nax.entry, nax.begin = "run"} {
    return %x : !nax.tensor<[#B], f32>
  }
}
//--- slots.mlir
#B = #nax.axis<"B">
#T = #nax.axis<"T", causal, continued>
#span = #nax.axis<"T.span", 2>
#slots = #nax.axis<"T.cache">
module attributes {nax.model = "m", nax.format = 1 : i64} {
  func.func @run_step(%x: !nax.tensor<[#B, #T], f32> {nax.name = "x"},
                      %span: !nax.tensor<[#B, #span], i32> {nax.name = "T_lengths", nax.span = #T},
                      %kept: !nax.tensor<[#B, #slots], f32> {nax.name = "cache.0", nax.cache = {index = 0, ring = 4}})
      -> (!nax.tensor<[#B, #T], f32> {nax.name = "y"}) attributes {nax.entry, nax.step = "run"} {
    return %x : !nax.tensor<[#B, #T], f32>
  }
}
