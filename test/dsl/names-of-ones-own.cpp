// A model's own names meet none of nax's helpers, although all of nax is used.
// RUN: %nax-cxx -Wall -Wextra -fsyntax-only %s
// RUN: %if gxx12 %{ %gxx -Wall -Wextra -fsyntax-only %s %}
// REQUIRES: clang22
#include <cmath>
#include <nax/nax.h>
#include <unistd.h>
using namespace nax;
using namespace std;

struct Batch : Axis<"Batch"> {};
struct Words : Axis<"Words", 50> {};
struct Slot : Axis<"Slot", 4> {};
struct Slots : Positions<"Slots", 4> {};
struct List : Causal<"List"> {};
struct Kind : Axis<"Kind", 3> {};
struct Elem : Axis<"Elem", 8> {};
struct Named : Product<"Named", Slot, Kind> {};
struct Chosen : Axis<"Chosen", 2> {};
struct At : Concat<"At", Slot, Kind> {};
struct features : Axis<"features", 16> {};
inline constexpr int dynamic = 3, depth = 2;

struct Info {
  BOOST_HANA_DEFINE_STRUCT(Info, (Param<f32, Words, Elem>, words), (Param<f32, Elem, features>, cut));
};
struct Module {
  BOOST_HANA_DEFINE_STRUCT(Module, (Info, info), (Param<f32, Elem>, gain));
  auto mixes(Tensor<Ids<Words>, Batch, List> ids) const {
    auto refused = embed<Words>(ids, info.words);
    auto joined = softmax<Read<List>>(causal_mask(scores<Elem>(refused, read<List>(refused))));
    auto made = dot<Read<List>>(joined, read<List>(refused)) * dynamic / depth;
    return tuple(dot<Elem>(made, info.cut), unembed<Words>(rms_norm<Elem>(made, gain, Eps{1e-6}), info.words));
  }
};
using Shown = Module;
template <class A>
auto asking(auto x) {
  return tanh(exp(sqrt(x)) * sum<A>(x));
}
auto site(Tensor<f32, Batch, Elem> x) { return asking<Elem>(x); }
NAX_MODEL(made, Shown, (mixes, (ids), (features, logits)));
