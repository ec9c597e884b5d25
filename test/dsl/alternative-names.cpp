// Several rows for one parameter are alternatives: the head of a checkpoint may be a tensor of its own, or the embedding.
// RUN: %nax-cxx %s %build/lib/libnaxemit.a -o %t && %t %t.mlir && FileCheck %s --input-file=%t.mlir
// REQUIRES: clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct V : Axis<"V", 6> {};
struct C : Axis<"C", 4> {};

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, tokens), (Param<f32, V, C>, head));
  auto forward(Tensor<Ids<V>, B> ids) const { return unembed<V>(embed<V>(ids, tokens), head); }
};
NAX_MODEL(model, Model, (forward, (ids), (logits)));
NAX_NAMES(huggingface, {"tokens", "embed_tokens.weight"}, {"head", "lm_head.weight"}, {"head", "embed_tokens.weight"});

// CHECK: {table = "huggingface", param = "head", file = "lm_head.weight"}, {table = "huggingface", param = "head", file = "embed_tokens.weight"}
