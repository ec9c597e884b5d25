// SPDX-License-Identifier: Apache-2.0
// How a refused call shows its sentence: once, at the user's line, and with no error after it. Every operation has one
// pattern (softmax in ops/attention.h is a good one to read first):
//
//   template <class A, class X>
//   inline constexpr rule::Text softmax_says = rule::softmax(ax<A>, ten<X>);      // empty, or the sentence
//
//   template <class A, AnyTensor X>
//     NAX_RIGHT(softmax_says<A, X>)
//   auto softmax(X const& x, Site at = Site::current()) {
//     if constexpr (refused_among<X>) {
//       return Refused{};                                                         // its mistake was shown already
//     } else if constexpr (bool(softmax_says<A, X>)) {
//       NAX_SAY(false, ShownText{softmax_says<A, X>});
//       return Refused{};
//     } else {
//       return made<...>("softmax", at, {x.id}, {{"along", ax<A>}});
//     }
//   }
//   NAX_WRONG((class A, class X), (softmax_says<A, X>), softmax, (X const&))
//
// clang prints the static_assert and, in the one note after it, the user's line. It must stand in the body of a
// function with deduced return type (clangd looks at no other), under a literal `false` and in no function-like macro:
// each of these adds lines or loses the sentence. g++ 12 has no computed static_assert texts; there NAX_RIGHT
// constrains the operation, and NAX_WRONG is a deleted overload whose last template argument is the sentence, which g++
// prints.
#pragma once
#pragma GCC system_header
#include "nax/rules.h"
#include <source_location>
#include <type_traits>

namespace nax {

using Site = std::source_location;

struct ShownText {
  rule::Text const& text;
  constexpr std::size_t size() const { return static_cast<std::size_t>(text.n); }
  constexpr char const* data() const { return text.s; }
};
constexpr void said(bool, ShownText const&) {}

// A sentence as a template argument.
template <std::size_t N>
struct SaidWords {
  char text[N]{};
};
template <rule::Text const& T>
constexpr auto shrink() {
  SaidWords<static_cast<std::size_t>(T.n) + 1> words;
  for (int i = 0; i < T.n; ++i) words.text[i] = T.s[i];
  return words;
}

#define NAX_UNPACK(...) __VA_ARGS__
#define NAX_STRING(x) NAX_STRING_OF(x)
#define NAX_STRING_OF(x) #x
#if defined(__clang__)
#define NAX_SAY static_assert
#define NAX_RIGHT(...)
#define NAX_WRONG(tparams, says, name, params)
#else
#define NAX_SAY ::nax::said
#define NAX_RIGHT(...) requires(!bool(__VA_ARGS__))
#define NAX_WRONG(tparams, says, name, params)                                                                         \
  template <NAX_UNPACK tparams, auto Says = ::nax::shrink<NAX_UNPACK says>()>                                          \
    requires(bool(NAX_UNPACK says))                                                                                    \
  void name params = delete;
#endif

// The two places that are no calls of an operation.
//
// A class that is not well formed: static_assert(sizeof(typename well<says>::type)) in g++.
template <auto Says>
struct MistakeText;
template <rule::Text const& T, bool = bool(T)>
struct well_formed_type {
  using type = int;
};
template <rule::Text const& T>
struct well_formed_type<T, true> {
  using type = MistakeText<shrink<T>()>;
};
// A constructor has no deduced return type; its sentence is checked with the type of a defaulted parameter.
template <rule::Text const& T, bool = bool(T)>
struct CheckedSite {
  Site at;
  CheckedSite(Site s) : at(s) {}
};
#if defined(__clang__)
template <rule::Text const& T>
struct CheckedSite<T, true> {
  Site at;
  CheckedSite(Site s) : at(s) {}
  static_assert(false, ShownText{T});
};
#endif

} // namespace nax
