// SPDX-License-Identifier: Apache-2.0
// Models. A module is a struct whose parameters and inner modules are named by BOOST_HANA_DEFINE_STRUCT:
//
//   struct Model {
//     BOOST_HANA_DEFINE_STRUCT(Model, (Param<f32, V, C>, tokens), (std::array<Block, 30>, layers));
//     auto forward(Tensor<Ids<V>, B, T> ids) const {
//       return unembed<V>(repeat(layers, embed<V>(ids, tokens)), tokens);
//     }
//   };
//   NAX_MODEL(gpt, Model, (forward, (ids), (logits)));
//   NAX_NAMES(gguf, {"tokens", "token_embd.weight"}, {"layers.*.attention.wq", "blk.*.attn_q.weight", "H*D C"});
//   NAX_DECODE(forward);
#pragma once
#pragma GCC system_header
#include "nax/ops/activation.h"
#include "nax/result.h"
#include <boost/hana/accessors.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/unpack.hpp>
#include <tuple>

namespace nax {

// ---------------------------------------------------------------- parameters are named by their place
template <class M>
concept NamedModule = requires { typename M::hana_accessors_impl; };

template <class M>
void name_parameters(M& m) {
  if constexpr (AnyTensor<M>) {
    static_assert(M::is_param, "a module's own tensors are its parameters: Param<f32, C>, not Tensor<f32, C>");
    m.id = trace::param(ten<M>);
  } else if constexpr (NamedModule<M>) {
    boost::hana::unpack(boost::hana::accessors<M>(), [&](auto... member) {
      auto name_one = [&](auto const& pair) {
        trace::enter(boost::hana::first(pair).c_str());
        name_parameters(boost::hana::second(pair)(m));
        trace::leave();
      };
      (name_one(member), ...);
    });
  } else if constexpr (requires { m.begin() != m.end(); }) {
    int index = 0;
    for (auto& element : m) {
      trace::enter(index++);
      name_parameters(element);
      trace::leave();
    }
  }
}

// ---------------------------------------------------------------- repeat(layers, x, more...)
// layer(x, more...) for each layer in turn. Layers that compute the same become one function that is called with each
// one's parameters.

// What a layer takes, unless its operator() is a template.
template <class Call, class X, class... More>
inline constexpr rule::Text layer_says = rule::Text();
template <class R, class C, class A, class... As, class X, class... More>
inline constexpr rule::Text layer_says<R (C::*)(A, As...) const, X, More...> = [] {
  constexpr rule::Text passed = AnyTensor<A> ? rule::passed(ten<X>, ten<std::remove_cvref_t<A>>) : rule::Text();
  constexpr bool training = (std::is_same_v<std::remove_cvref_t<As>, Training> || ...);
  if constexpr (!passed && sizeof...(As) != sizeof...(More))
    if constexpr (!std::is_invocable_v<C const&, X, More const&...>) // it may have defaults
      return rule::layer_takes(sizeof...(As), sizeof...(More), training);
  return passed;
}();
template <class Layers, class X, class... More>
constexpr rule::Text check_repeat() {
  constexpr bool range = requires(Layers const& layers) { layers.begin() != layers.end(); };
  if (rule::Text t = rule::repeated(AnyTensor<Layers>, range, AnyTensor<X>)) return t;
  if constexpr (range && AnyTensor<X>) {
    using Layer = std::remove_cvref_t<decltype(*std::declval<Layers const&>().begin())>;
    if constexpr (requires { &Layer::operator(); })
      return layer_says<decltype(&Layer::operator()), tensor_t<X>, More...>;
  }
  return {};
}
template <class Layers, class X, class... More>
inline constexpr rule::Text repeat_says = check_repeat<Layers, X, More...>();

template <class Layers, class X, class... More>
NAX_RIGHT(repeat_says<Layers, X, More...>)
auto repeat(Layers const& layers, X x, More const&... more) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(repeat_says<Layers, X, More...>)) {
    NAX_SAY(false, ShownText{repeat_says<Layers, X, More...>});
    return Refused{};
  } else {
    using R = tensor_t<X>;
    R value(x.id, x.at);
    for (auto const& layer : layers) {
      R argument(trace::begin_body(value.id, ten<R>, type_string<std::remove_cvref_t<decltype(layer)>>.chars), x.at);
      R result = layer(argument, more...);
      value = R(trace::end_body(result.id, ten<R>, x.at), x.at);
    }
    return R(value.id, value.at); // a copy would be taken for the user's
  }
}
NAX_WRONG((class Layers, class X, class... More), (repeat_says<Layers, X, More...>), repeat,
          (Layers const&, X, More const&...))

// ---------------------------------------------------------------- entries
template <class A>
A argument(int index) {
  if constexpr (std::is_same_v<A, Training>) {
    return Training{trace::seed(index)};
  } else if constexpr (AnyTensor<A>) {
    return A(trace::input(index, ten<A>), Site::current());
  } else {
    static_assert(AnyTensor<A>, "an entry takes tensors, and a Training where it drops out");
    return A();
  }
}
template <class R>
void results(R const& r) {
  if constexpr (AnyTensor<R>) {
    trace::result(r.id, ten<R>);
  } else if constexpr (requires { std::tuple_size<R>::value; }) {
    std::apply([](auto const&... one) { (results(one), ...); }, r);
  } else {
    static_assert(AnyTensor<R>, "an entry returns a tensor, or a std::tuple of them");
  }
}
template <class C, class R, class... As, std::size_t... I>
void call(C const& m, R (C::*entry)(As...) const, std::index_sequence<I...>) {
  results((m.*entry)(argument<std::remove_cvref_t<As>>(static_cast<int>(I))...));
}
template <class C, class R, class... As>
void call(C const& m, R (C::*entry)(As...) const) {
  call(m, entry, std::index_sequence_for<As...>{});
}
template <class C, class R, class... As>
void call(C const&, R (C::*)(As...)) {
  static_assert(sizeof(C) == 0, "an entry is const: auto forward(Tensor<...> x) const");
}
template <class M, auto Entry>
void run_entry() {
  static_assert(std::is_default_constructible_v<M>, "a model is made without arguments: give its constructor defaults");
  M m{};
  name_parameters(m);
  call(m, Entry);
}

} // namespace nax

// NAX_MODEL(name, Model, (entry, (arguments), (results))...)
#define NAX_MODEL(name, Struct, ...)                                                                                   \
  [[maybe_unused]] static ::nax::trace::Model const nax_model_##name(#name, ::nax::Site::current(),                    \
                                                                     {NAX_ENTRIES(Struct __VA_OPT__(, ) __VA_ARGS__)})
// NAX_NAMES(table, {parameter, name in the file, its axes there, "halves_to_interleaved:D"}...)
// The last two of a row may be left out.
#define NAX_NAMES(table, ...)                                                                                          \
  [[maybe_unused]] static ::nax::trace::Names const nax_names_##table(#table, ::nax::Site::current(), {__VA_ARGS__})

// NAX_DECODE(entry, ...): naxc derives the step of these: new positions after those that a cache has.
// Several may stand on a line, of different entries.
#define NAX_DECODE(entry, ...) NAX_DECODE_AT(__LINE__, entry, #entry __VA_OPT__(", " #__VA_ARGS__))
#define NAX_DECODE_AT(line, entry, entries) NAX_DECODE_AS(line, entry, entries)
#define NAX_DECODE_AS(line, entry, entries)                                                                            \
  [[maybe_unused]] static ::nax::trace::Decode const nax_decode_##line##_##entry(::nax::Site::current(), entries)

#define NAX_ENTRIES(Model, ...) __VA_OPT__(NAX_RESCAN(NAX_EACH_ENTRY(Model, __VA_ARGS__)))
#define NAX_EACH_ENTRY(Model, entry, ...)                                                                              \
  NAX_ENTRY(Model, NAX_UNPACK entry) __VA_OPT__(, NAX_EACH_ENTRY_AGAIN NAX_PARENS(Model, __VA_ARGS__))
#define NAX_EACH_ENTRY_AGAIN() NAX_EACH_ENTRY
#define NAX_PARENS ()
#define NAX_ENTRY(Model, ...) NAX_ENTRY_OF(Model, __VA_ARGS__)
#define NAX_ENTRY_OF(Model, entry, args, results) {#entry, #args, #results, &::nax::run_entry<Model, &Model::entry>}
// One scan of the preprocessor an entry, 64 and more in all.
#define NAX_RESCAN(...) NAX_RESCAN_16(NAX_RESCAN_16(NAX_RESCAN_16(NAX_RESCAN_16(__VA_ARGS__))))
#define NAX_RESCAN_16(...) NAX_RESCAN_4(NAX_RESCAN_4(NAX_RESCAN_4(NAX_RESCAN_4(__VA_ARGS__))))
#define NAX_RESCAN_4(...) NAX_RESCAN_1(NAX_RESCAN_1(NAX_RESCAN_1(NAX_RESCAN_1(__VA_ARGS__))))
#define NAX_RESCAN_1(...) __VA_ARGS__
