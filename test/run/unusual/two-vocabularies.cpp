// Two vocabularies, one of them with 64-bit ids: two tables, two heads, two losses.
// REQUIRES: lowering, cpu-v3
// RUN: naxc check %s --decode=forward --size T=7
#include <nax/nax.h>
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct Words : Axis<"Words", 29> {};
struct Tags : Axis<"Tags", 5> {};
struct C : Axis<"C", 12> {};
using S = Read<T>;

struct Tagger {
  BOOST_HANA_DEFINE_STRUCT(Tagger, (Param<f32, Words, C>, words), (Param<f32, Tags, C>, tags), (Param<f32, C, Tags>, head),
                           (Param<f32, Tags>, bias));
  auto hidden(Tensor<Ids<Words, i64>, B, T> w, Tensor<Ids<Tags>, B, T> t) const {
    auto x = embed<Words>(w, words) + embed<Tags>(t, tags);
    return x + dot<S>(softmax<S>(causal_mask(scores<C>(x, read<T>(x)))), read<T>(x));
  }
  auto forward(Tensor<Ids<Words, i64>, B, T> w, Tensor<Ids<Tags>, B, T> t) const {
    auto x = hidden(w, t);
    return std::tuple(unembed<Words>(x, words), logits<Tags>(dot<C>(x, head) + bias));
  }
  auto loss(Tensor<Ids<Words, i64>, B, T> w, Tensor<Ids<Tags>, B, T> t) const {
    auto [word, tag] = forward(w, t);
    return mean<B, T>(cross_entropy<Words>(word, next<T>(w))) + 0.5 * mean<B, T>(cross_entropy<Tags>(tag, next<T>(t)));
  }
};
NAX_MODEL(tagger, Tagger, (forward, (words, tags), (word, tag)), (loss, (words, tags), (loss)));
