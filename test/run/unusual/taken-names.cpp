// Axes, parameters, arguments and entries may be called like keywords of C and functions of libm.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=main --size int=6
// RUN: rm -rf %t && mkdir %t && naxc %s -o %t/taken.o
// RUN: %cc -std=c99 -Wall -Werror -fsyntax-only -x c %t/taken.h
// RUN: %nax-cxx -I%src/runtime/include -Wall -Werror -fsyntax-only -x c++ %t/taken.hpp
#include <cmath>
#include <nax/nax.h>

namespace names {
struct int_ : nax::Causal<"int"> {};
struct rows : nax::Axis<"double"> {};
struct exp : nax::Axis<"exp", 4> {};
struct sin : nax::Axis<"sin", 6> {};
struct dots : nax::Axis<"main", 3> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (nax::Param<nax::f32, names::exp, names::sin>, log),
                           (nax::Param<nax::f32, names::sin, dots>, memcpy));
  auto exp(nax::Tensor<nax::f32, rows, int_, names::exp> for_, nax::Tensor<nax::f32, rows> ctx) const {
    auto y = nax::exp(nax::dot<names::exp>(for_, log)) * ctx;
    return std::tuple(nax::dot<sin>(y, memcpy), nax::sum<int_>(y));
  }
  auto main(nax::Tensor<nax::f32, rows, int_, names::exp> x) const { return nax::tanh(nax::sqrt(x * x)); }
};
} // namespace names
NAX_MODEL(taken, names::Model, (exp, (for, ctx), (while, workspace)), (main, (void), (return)));
