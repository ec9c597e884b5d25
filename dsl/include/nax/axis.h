// SPDX-License-Identifier: Apache-2.0
// Axes. An axis is a struct that the user derives from one of these, so that compilers print its short name:
//
//   struct B : Axis<"B"> {};                  // a size known when called
//   struct C : Axis<"C", 576> {};
//   struct H : Product<"H", K, G> {};         // K x G, row-major
//   struct QKV : Concat<"QKV", A, B> {};      // A, then B
//   struct P : Positions<"P", Ragged> {};     // all positions may read each other; rows have lengths
//   struct T : Causal<"T"> {};                // position t may read s <= t
//   using S = Read<T>;                        // T in the role of being read
#pragma once
#pragma GCC system_header
#include "nax/check.h"
#include "nax/fixed_string.h"
#include <type_traits>

namespace nax {

template <class... Ts>
struct TypeList {};

// Which positions the data of a sequence has; an argument of Positions and Causal.
inline constexpr rule::Data Ragged = rule::Data::ragged;          // each row has its length
inline constexpr rule::Data Packed = rule::Data::packed;          // several documents in a row
inline constexpr rule::Data LeftPadded = rule::Data::left_padded; // each row begins at its start

// A name stands in C (smollm_size_C), in a names table ("H*D C") and in every message.
constexpr bool is_word(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  for (char c : name)
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '_') return false;
  return true;
}

template <FixedString Name, std::int64_t Size, rule::Kind K, rule::Data D = rule::Data::all>
struct NamedAxis {
  static_assert(is_word(Name.view()),
                "the name of an axis is a word of letters, digits and _, and begins with no digit");
  static_assert(Size == dynamic_size || Size > 0,
                "the size of an axis is positive, or left out if it is known when called");
  static constexpr std::string_view name = Name.view();
  static constexpr std::int64_t size = Size;
  static constexpr rule::Kind kind = K;
  static constexpr rule::Data data = D;
};

template <FixedString Name, std::int64_t Size = dynamic_size>
struct Axis : NamedAxis<Name, Size, rule::Kind::plain> {};

// A sequence takes its size, its data, both or neither, in any order.
template <auto Option>
inline constexpr std::int64_t size_in = Option;
template <rule::Data Option>
inline constexpr std::int64_t size_in<Option> = dynamic_size;
template <auto Option>
inline constexpr rule::Data data_in = rule::Data::all;
template <rule::Data Option>
inline constexpr rule::Data data_in<Option> = Option;

template <auto... Options>
constexpr std::int64_t size_among() {
  std::int64_t size = dynamic_size;
  ((size = size_in<Options> == dynamic_size ? size : size_in<Options>), ...);
  return size;
}
template <auto... Options>
constexpr rule::Data data_among() {
  rule::Data data = rule::Data::all;
  ((data = data_in<Options> == rule::Data::all ? data : data_in<Options>), ...);
  return data;
}

template <FixedString Name, auto... Options>
struct Positions : NamedAxis<Name, size_among<Options...>(), rule::Kind::positions, data_among<Options...>()> {};
template <FixedString Name, auto... Options>
struct Causal : NamedAxis<Name, size_among<Options...>(), rule::Kind::causal, data_among<Options...>()> {};

// A Product or a Concat whose parts are no axes has the size 1: it was refused where it was declared.
template <class Part>
inline constexpr std::int64_t size_of_part = 1;
template <class Part>
  requires requires { Part::size; }
inline constexpr std::int64_t size_of_part<Part> = Part::size;
template <class... Parts>
inline constexpr bool any_dynamic_size = ((size_of_part<Parts> == dynamic_size) || ...);

template <FixedString Op, class... Parts>
struct MadeOf;

template <FixedString Name, class... Factors>
struct Product : NamedAxis<Name, any_dynamic_size<Factors...> ? dynamic_size : (1 * ... * size_of_part<Factors>),
                           rule::Kind::product> {
  using parts = TypeList<Factors...>;
  static_assert(sizeof(MadeOf<"Product", Factors...>));
  static constexpr bool well_formed = MadeOf<"Product", Factors...>::well_formed;
};
template <FixedString Name, class... Pieces>
struct Concat : NamedAxis<Name, any_dynamic_size<Pieces...> ? dynamic_size : (0 + ... + size_of_part<Pieces>),
                          rule::Kind::concat> {
  using parts = TypeList<Pieces...>;
  static_assert(sizeof(MadeOf<"Concat", Pieces...>));
  static constexpr bool well_formed = MadeOf<"Concat", Pieces...>::well_formed;
};

// Roles of a sequence. Aliases of them are fine; deriving from them makes no axis.
template <class T>
struct Read {
  static constexpr rule::Kind kind = rule::Kind::read;
  using of = T;
};
template <class T>
struct Next {
  static constexpr rule::Kind kind = rule::Kind::next;
  using of = T;
};

// ---------------------------------------------------------------- descriptions

// Derived from, not an axis itself: Axis<"C", 64>, which `using C = Axis<"C", 64>` gives another name to.
template <class A>
inline constexpr bool is_base_of_axes = false;
template <FixedString N, std::int64_t Size>
inline constexpr bool is_base_of_axes<Axis<N, Size>> = true;
template <FixedString N, auto... Options>
inline constexpr bool is_base_of_axes<Positions<N, Options...>> = true;
template <FixedString N, auto... Options>
inline constexpr bool is_base_of_axes<Causal<N, Options...>> = true;
template <FixedString N, class... Parts>
inline constexpr bool is_base_of_axes<Product<N, Parts...>> = true;
template <FixedString N, class... Parts>
inline constexpr bool is_base_of_axes<Concat<N, Parts...>> = true;

// The name of a type out of the compiler's own name of this function.
template <class T>
constexpr std::string_view type_name() {
  std::string_view s = __PRETTY_FUNCTION__;
  std::size_t begin = s.find("T = ") + 4, end = s.find_first_of(";]", begin);
  s = s.substr(begin, end - begin);
  return s.substr(s.starts_with("nax::") ? 5 : 0); // as g++ prints it
}

// The same as a C string that lives on.
template <std::size_t N>
struct TypeString {
  char chars[N + 1]{};
};
template <class T>
inline constexpr auto type_string = [] {
  constexpr std::string_view name = type_name<T>();
  TypeString<name.size()> string;
  for (std::size_t i = 0; i < name.size(); ++i) string.chars[i] = name[i];
  return string;
}();

// What the rules know of an axis, and the name of its C++ type for the emitter's messages.
struct DeclaredAxis : rule::AxisInfo {
  std::string_view type;
};

template <class A>
struct AxisOf;
template <class L>
struct AxisPartsOf;
template <class... Ps>
struct AxisPartsOf<TypeList<Ps...>> {
  static constexpr rule::Ax value[] = {&AxisOf<Ps>::value...};
  static constexpr int count = static_cast<int>(sizeof...(Ps));
};
template <class A>
inline constexpr bool is_role = false;
template <class T>
inline constexpr bool is_role<Read<T>> = true;
template <class T>
inline constexpr bool is_role<Next<T>> = true;

template <class A>
constexpr DeclaredAxis describe_axis() {
  rule::AxisInfo info{.name = type_name<A>(), .kind = rule::Kind::none};
  if constexpr (is_role<A>) {
    rule::Ax of = &AxisOf<typename A::of>::value;
    info = {.name = of->name, .size = of->size, .kind = A::kind, .data = of->data, .of = of};
  } else if constexpr (requires {
                         typename A::of;
                         A::kind;
                       }) {
    // struct S : Read<T> {} is another type than Read<T>; it stays no axis.
  } else if constexpr (std::is_const_v<A>) {
  } else if constexpr (is_base_of_axes<A>) {
    info.name = A::name;
  } else if constexpr (requires {
                         typename A::parts;
                         A::kind;
                       }) {
    using Parts = AxisPartsOf<typename A::parts>;
    info = {.name = A::name, .size = A::size, .kind = A::kind, .parts = Parts::value, .nparts = Parts::count};
  } else if constexpr (requires {
                         A::kind;
                         A::name;
                       }) {
    info = {.name = A::name, .size = A::size, .kind = A::kind, .data = A::data};
  }
  return {info, type_name<A>()};
}
template <class A>
struct AxisOf {
  static constexpr DeclaredAxis value = describe_axis<A>();
};

template <class A>
inline constexpr rule::Ax ax = &AxisOf<A>::value;
// Never empty, so that no axes at all is an array too.
template <class... As>
inline constexpr rule::Ax axes_of[sizeof...(As) + 1] = {ax<As>..., nullptr};

// A class of its own, so that the axis stays one and nothing after it complains.
template <FixedString Op, class... Parts>
inline constexpr rule::Text made_of_says =
    rule::made_of(Op.view(), axes_of<Parts...>, static_cast<int>(sizeof...(Parts)));
template <FixedString Op, class... Parts>
struct MadeOf {
  static constexpr bool well_formed = !bool(made_of_says<Op, Parts...>);
#if defined(__clang__)
  static_assert(well_formed, ShownText{made_of_says<Op, Parts...>});
#else
  static_assert(sizeof(typename well_formed_type<made_of_says<Op, Parts...>>::type));
#endif
};
template <class A>
inline constexpr bool well_formed_axis = true;
template <class A>
  requires requires { A::well_formed; }
inline constexpr bool well_formed_axis<A> = A::well_formed;

} // namespace nax
