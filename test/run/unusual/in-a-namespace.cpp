// Everything in namespaces, NAX_MODEL too; nothing is used from the global one.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward --size T=8
#include <array>
#include <nax/nax.h>

namespace company::models {
namespace axes {
struct B : nax::Axis<"B"> {};
struct T : nax::Causal<"T"> {};
struct C : nax::Axis<"C", 8> {};
using S = nax::Read<T>;
} // namespace axes
namespace parts {
struct Block {
  BOOST_HANA_DEFINE_STRUCT(Block, (nax::Param<nax::f32, axes::C>, gain));
  nax::Tensor<nax::f32, axes::B, axes::T, axes::C> operator()(nax::Tensor<nax::f32, axes::B, axes::T, axes::C> x) const {
    auto y = nax::rms_norm<axes::C>(x, gain, nax::Eps{1e-6});
    auto w = nax::softmax<axes::S>(causal_mask(nax::scores<axes::C>(y, nax::read<axes::T>(y))));
    return x + nax::dot<axes::S>(w, nax::read<axes::T>(y));
  }
};
} // namespace parts
struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (std::array<parts::Block, 2>, blocks));
  auto forward(nax::Tensor<nax::f32, axes::B, axes::T, axes::C> x) const { return nax::repeat(blocks, x); }
};
NAX_MODEL(inner, Model, (forward, (x), (y)));
NAX_NAMES(file, {"blocks.*.gain", "h.*.ln.weight"});
} // namespace company::models
