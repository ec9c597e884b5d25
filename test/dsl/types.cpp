// The type of a result is all that the language knows of it. Nothing runs here; both compilers must agree.
// RUN: %nax-cxx -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %if gxx12 %{ %gxx -fsyntax-only -Wall -Wextra -Werror %s %}
// REQUIRES: clang22
#include <nax/nax.h>
// Names of ours that C and C++ have too.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <math.h>
#include <unistd.h>
using namespace std;
using namespace nax;

struct B : Axis<"B"> {};
struct T : Causal<"T"> {};
struct P : Positions<"P"> {};
struct K : Axis<"K", 2> {};
struct G : Axis<"G", 3> {};
struct H : Product<"H", K, G> {};
struct D : Axis<"D", 8> {};
struct C : Axis<"C", 48> {};
struct V : Axis<"V", 100> {};
struct Five : Axis<"Five", 5> {};
using S = Read<T>;

template <class X, class Y>
constexpr void is(Y const&) {
  static_assert(is_same_v<X, Y>);
}

// ---------------------------------------------------------------- axes
struct Sized : Causal<"Sized", 128, LeftPadded> {};
struct Swapped : Positions<"Swapped", Ragged, 64> {};
static_assert(Sized::size == 128 && Sized::data == LeftPadded && T::size == dynamic_size && T::data == rule::Data::all);
static_assert(Swapped::size == 64 && Swapped::data == Ragged && Swapped::kind == rule::Kind::positions);
static_assert(H::size == 6 && Concat<"N", K, G>::size == 5 && Product<"M", B, K>::size == dynamic_size);

// ---------------------------------------------------------------- states of scores
void scores_have_states(Tensor<f32, B, T, H, D> q, Tensor<f32, B, T, H, D> k, Tensor<f32, H, T, S> b,
                        Tensor<Mask<Every, S>, B, S> m) {
  auto s = scores<D>(q, read<T>(k));
  is<Tensor<Scores<f32, T, S>, B, T, H, S>>(s);
  is<Tensor<Scores<f32, T, S, Capped>, B, T, H, S>>(softcap(s, 20));
  is<Tensor<Scores<f32, T, S, Biased>, B, T, H, S>>(alibi<H>(s));
  is<Tensor<Scores<f32, T, S, Masked>, B, T, H, S>>(mask(mask(s, m), m));
  is<Tensor<Scores<f32, T, S, Capped, Biased, Causally>, B, T, H, S>>(causal_mask(mask(bias(softcap(s, 20), b), m)));
  is<Tensor<Scores<f32, T, S, Causally>, B, T, H, S>>(mask(causal_mask(s), m));
  is<Tensor<Weights<f32, S>, B, T, H, S>>(softmax<S>(causal_mask(s)));
  is<Tensor<f32, B, T, H, S>>(softmax<S>(causal_mask(s)).values());
}
// States written by hand in another order are the same states.
auto same_states(Tensor<Scores<f32, T, S, Causally, Capped>, T, S> s) {
  return [](Tensor<Scores<f32, T, S, Capped, Causally>, S, T> t) { return softmax<S>(t); }(s);
}

// ---------------------------------------------------------------- the taint
void a_whole_sequence_is_remembered(Tensor<f32, B, T, C> x, Tensor<f32, B, P, C> p, Param<f32, V, C> table,
                                    Tensor<Ids<V>, B, T> ids) {
  using Pooled = Tensor<Whole<f32, T>, B, C>;
  is<Pooled>(mean<T>(x));
  is<Pooled>(sum<S>(read<T>(x)));
  is<Pooled>(last<T>(x));
  is<Tensor<f32, B, C>>(first<T>(x));
  is<Tensor<f32, B, C>>(mean<P>(p));
  auto y = max<T>(x);
  is<Pooled>(silu(y * 2 - y) / 3);
  is<Tensor<Whole<Weights<f32, C>, T>, B, C>>(softmax<C>(y));
  is<Pooled>(softmax<C>(y).values());
  is<Tensor<Whole<Logits<f32, V>, T>, B, V>>(unembed<V>(y, table));
  is<Tensor<Whole<Ids<V>, T>, B, Five>>(top_k<V, Five>(unembed<V>(y, table)));
  is<Tensor<Whole<bf16, T>, B, C>>(to<bf16>(y));
  is<Tensor<Whole<f32, T>, B, P, C>>(p + y);
  is<Tensor<Whole<f32, T>>>(mean<B, T>(cross_entropy<V>(unembed<V>(x, table), next<T>(ids))));
  is<Tensor<Whole<f32, T>, B, C, V>>(dot<T>(x, unembed<V>(x, table).values()));
  Tensor<f32> scalar = mean<B, T, C>(x);
  is<Tensor<f32>>(scalar);
}

// ---------------------------------------------------------------- axes of results
void axes_follow_names(Tensor<f32, B, T, H, D> x, Param<f32, D, C> w, Tensor<f32, C, B> other) {
  is<Tensor<f32, B, T, H, C>>(dot<D>(x, w));
  is<Tensor<f32, C, B, T>>(spread<T>(other) - dot<D>(sum<H>(x), w));
  is<Tensor<f32, B, T, K, G, D>>(split<H>(x));
  is<Tensor<f32, B, T, H, D>>(merge<H>(split<H>(x)));
  is<Tensor<f32, B, S, H, D>>(read<T>(x));
  is<Tensor<Rotated<f32, S, D, Rope{}>, B, S, H, D>>(read<T>(rope<T, D>(x)));
}
auto converts(Tensor<f32, B, T, C> x) {
  Tensor<f32, C, T, B> y = x;
  return y;
}
