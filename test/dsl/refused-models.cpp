// What an entry, a parameter or a table of names cannot be, at the line of NAX_MODEL, NAX_NAMES or NAX_DECODE.
// DEFINE: %{case} =
// DEFINE: %{refuse} = %nax-cxx -DCASE=%{case} %s %build/lib/libnaxemit.a -o %t && not %t %t.mlir 2>&1 | FileCheck %s --check-prefix=CASE%{case}
// REDEFINE: %{case} = 1
// RUN: %{refuse}
// REDEFINE: %{case} = 2
// RUN: %{refuse}
// REDEFINE: %{case} = 3
// RUN: %{refuse}
// REDEFINE: %{case} = 4
// RUN: %{refuse}
// REDEFINE: %{case} = 5
// RUN: %{refuse}
// REDEFINE: %{case} = 6
// RUN: %{refuse}
// REDEFINE: %{case} = 7
// RUN: %{refuse}
// REDEFINE: %{case} = 8
// RUN: %{refuse}
// REDEFINE: %{case} = 9
// RUN: %{refuse}
// REDEFINE: %{case} = 10
// RUN: %{refuse}
// REDEFINE: %{case} = 11
// RUN: %{refuse}
// REDEFINE: %{case} = 12
// RUN: %{refuse}
// REDEFINE: %{case} = 13
// RUN: %{refuse}
// REDEFINE: %{case} = 14
// RUN: %{refuse}
// REDEFINE: %{case} = 16
// RUN: %{refuse}
// REDEFINE: %{case} = 17
// RUN: %{refuse}
// REDEFINE: %{case} = 18
// RUN: %{refuse}
// REQUIRES: clang22
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct P : Positions<"P"> {};
struct Q : Causal<"Q"> {};
struct C : Axis<"C", 8> {};
struct H : Axis<"H", 2> {};
struct D : Axis<"D", 4> {};
namespace old {
struct C : Axis<"C", 16> {};
}  // namespace old

struct Model {
  BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, C, H, D>, wq), (Param<f32, H, D, old::C>, wo));
  auto forward(Tensor<f32, B, P, C> x) const { return dot<C>(x, wq); }
  auto two(Tensor<f32, B, P, C> x) const { return dot<H, D>(dot<C>(x, wq), wo); }
  auto masked(Tensor<Mask<Every, Read<P>>, B, Read<P>> m) const { return !m; }
  auto weighted(Tensor<Weights<f32, C>, B, C> w) const { return w.values(); }
};
struct Masks {
  // CASE16: refused-models.cpp:[[#@LINE+1]]:{{.*}}: error: entry forward of model returns mask [Q,Read<Q>]; an entry returns numbers, and a mask is applied to scores: mask(scores, m)
  auto forward(Tensor<f32, B, C> x) const { return std::tuple(x, past<Q>()); }
};
struct Open {
  BOOST_HANA_DEFINE_STRUCT(Open, (Param<f32, B>, gain));
  auto forward(Tensor<f32, B, C> x) const { return x * gain; }
};

// CASE1: refused-models.cpp:[[#@LINE+2]]:{{.*}}: error: entry forward of model has more arguments than NAX_MODEL names: ()
#if CASE == 1
NAX_MODEL(model, Model, (forward, (), (y)));
#elif CASE == 2
// CASE2: error: entry forward of model: it takes 1 arguments, but NAX_MODEL names 2: (x, z)
NAX_MODEL(model, Model, (forward, (x, z), (y)));
#elif CASE == 3
// CASE3: error: entry forward of model returns 1 results, but NAX_MODEL names 2: (y, z)
NAX_MODEL(model, Model, (forward, (x), (y, z)));
#elif CASE == 4
// CASE4: error: two declarations of the axis name C: C (size 8) and old::C (size 16); use one, or give them two names  [N0002]
NAX_MODEL(model, Model, (two, (x), (y)));
#elif CASE == 5
// CASE5: error: entry masked of model: argument m cannot be mask [B,Read<P>]; take Tensor<boolean, ...> and say allowed_where_true(m) or blocked_where_true(m)
NAX_MODEL(model, Model, (masked, (m), (y)));
#elif CASE == 6
// CASE6: error: entry weighted of model: argument w cannot be weights [B,C]; only numbers, ids and booleans come from outside
NAX_MODEL(model, Model, (weighted, (w), (y)));
#elif CASE == 7
// CASE7: error: parameter gain: B of [B] has no fixed size, so no file can hold it
NAX_MODEL(model, Open, (forward, (x), (y)));
#elif CASE == 8
// CASE8: nax: error: there is no NAX_MODEL: it names the model and its entries, as in NAX_MODEL(gpt, Model, (forward, (ids), (logits)))
#elif CASE == 9
// CASE9: error: more than one NAX_MODEL: model and other; an object holds one model
NAX_MODEL(model, Model, (forward, (x), (y)));
NAX_MODEL(other, Model, (forward, (x), (y)));
#elif CASE == 10
// CASE10: error: entry forward of model uses the name x twice
NAX_MODEL(model, Model, (forward, (x), (x)));
#elif CASE == 16
NAX_MODEL(model, Masks, (forward, (x), (y, mask)));
#else
NAX_MODEL(model, Model, (forward, (x), (y)));
#endif

#if CASE == 11
// CASE11: refused-models.cpp:[[#@LINE+1]]:{{.*}}: error: names table file: no parameter is called layers.*.wq
NAX_NAMES(file, {"wq", "q"}, {"layers.*.wq", "blk.*.q"});
#elif CASE == 12
// CASE12: error: names table file: "H*D B" names B, which wq [C,H,D] has not [N0046]
NAX_NAMES(file, {"wq", "q", "H*D B"});
#elif CASE == 13
// CASE13: error: names table file: "halves_to_interleaved:F" is about F, which wq [C,H,D] has not [N0037]
NAX_NAMES(file, {"wq", "q", "H*D C", "halves_to_interleaved:F"});
#elif CASE == 14
// CASE14: refused-models.cpp:[[#@LINE+2]]:{{.*}}: error: names table file: a row is {parameter, name in the file, axes, pairing}, and the last two may be left out
NAX_NAMES(file, {"wo", "o"},
          {"wq"});
#elif CASE == 17
// CASE17: refused-models.cpp:[[#@LINE+1]]:{{.*}}: error: NAX_DECODE: model model has no entry generate, only forward
NAX_DECODE(forward, generate);
#elif CASE == 18
// CASE18: refused-models.cpp:[[#@LINE+1]]:{{.*}}: error: NAX_DECODE names the entries to decode: NAX_DECODE(forward)
NAX_DECODE();
#endif
