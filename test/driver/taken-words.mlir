// Names of a model that mean something else in C or C++ get an underscore; equal names of an axis and a buffer too.
// RUN: rm -rf %t && mkdir %t
// RUN: naxc %s -o %t/odd.o
// RUN: FileCheck %s --input-file=%t/odd.h
// RUN: clang -fsyntax-only -Wall -Wextra -pedantic -Werror -std=c99 -x c %t/odd.h
// RUN: clang -fsyntax-only -Wall -Wextra -pedantic -Werror -std=c++20 -x c++ %t/odd.h
// RUN: echo '#include "odd.hpp"' > %t/odd.cc
// RUN: clang -fsyntax-only -Wall -Wextra -pedantic -Werror -std=c++20 %t/odd.cc

// CHECK: size_t odd_run_workspace(int64_t int_, int64_t N);
// CHECK: nax_status odd_run(nax_context *context, int64_t int_, int64_t N, const float *class_ /*[int]*/, const float *context_ /*[N]*/, float *N_ /*[int]*/, float *bytes_ /*[N]*/, void *workspace, size_t bytes);

#int = #nax.axis<"int">
#N = #nax.axis<"N">
module attributes {nax.model = "odd", nax.format = 1 : i64} {
  func.func @run(%a: !nax.tensor<[#int], f32> {nax.name = "class"}, %b: !nax.tensor<[#N], f32> {nax.name = "context"})
      -> (!nax.tensor<[#int], f32> {nax.name = "N"}, !nax.tensor<[#N], f32> {nax.name = "bytes"})
      attributes {nax.entry} {
    %x = nax.neg %a : !nax.tensor<[#int], f32>
    %y = nax.neg %b : !nax.tensor<[#N], f32>
    return %x, %y : !nax.tensor<[#int], f32>, !nax.tensor<[#N], f32>
  }
}
