// SPDX-License-Identifier: Apache-2.0
// Dense layers of the sizes that small models have, T rows of f32 each: nothing but a product. An entry is called after
// what comes out and what goes in.
#include <nax/nax.h>
using namespace nax;

struct T : Axis<"T"> {};
struct C576 : Axis<"C576", 576> {};
struct C768 : Axis<"C768", 768> {};
struct C1536 : Axis<"C1536", 1536> {};
struct C3072 : Axis<"C3072", 3072> {};
struct N576 : Axis<"N576", 576> {};
struct N768 : Axis<"N768", 768> {};
struct N1536 : Axis<"N1536", 1536> {};
struct N2304 : Axis<"N2304", 2304> {};
struct N3072 : Axis<"N3072", 3072> {};

struct Dense {
  BOOST_HANA_DEFINE_STRUCT(Dense,
    (Param<f32, C576, N576>, w576x576), (Param<f32, C576, N1536>, w1536x576), (Param<f32, C1536, N576>, w576x1536),
    (Param<f32, C768, N768>, w768x768), (Param<f32, C768, N2304>, w2304x768), (Param<f32, C768, N3072>, w3072x768),
    (Param<f32, C3072, N768>, w768x3072));
  auto d576x576(Tensor<f32, T, C576> x) const { return dot<C576>(x, w576x576); }
  auto d1536x576(Tensor<f32, T, C576> x) const { return dot<C576>(x, w1536x576); }
  auto d576x1536(Tensor<f32, T, C1536> x) const { return dot<C1536>(x, w576x1536); }
  auto d768x768(Tensor<f32, T, C768> x) const { return dot<C768>(x, w768x768); }
  auto d2304x768(Tensor<f32, T, C768> x) const { return dot<C768>(x, w2304x768); }
  auto d3072x768(Tensor<f32, T, C768> x) const { return dot<C768>(x, w3072x768); }
  auto d768x3072(Tensor<f32, T, C3072> x) const { return dot<C3072>(x, w768x3072); }
};

NAX_MODEL(dense, Dense, (d576x576, (x), (y)), (d1536x576, (x), (y)), (d576x1536, (x), (y)), (d768x768, (x), (y)),
          (d2304x768, (x), (y)), (d3072x768, (x), (y)), (d768x3072, (x), (y)));
