// SPDX-License-Identifier: Apache-2.0
// Which positions may be read. Masks are joined by & and |, turned by !, and applied with mask(scores, m):
//   mask(s, window<T>(128) | prefix<T>(4))
//   mask(s, shorter_than<P>(lengths))
//   mask(s, allowed_where_true(m))          m is Tensor<boolean, B, Read<P>>
#pragma once
#pragma GCC system_header
#include "nax/result.h"

namespace nax {

// ---------------------------------------------------------------- window<T>(n): t - s < n; past<T>(): s <= t; prefix<T>(n): s < n
template <class T>
inline constexpr rule::Text window_says = rule::window(ax<T>);
template <class T>
NAX_RIGHT(window_says<T>)
auto window(std::int64_t size, Site at = Site::current()) {
  if constexpr (bool(window_says<T>)) {
    NAX_SAY(false, ShownText{window_says<T>});
    return Refused{};
  } else {
    using Result = Tensor<Mask<T, Read<T>>, T, Read<T>>;
    return made<Result>("window", at, {}, {{"axis", ax<T>}, {"size", size}});
  }
}
NAX_WRONG((class T), (window_says<T>), window, (std::int64_t))

template <class T>
inline constexpr rule::Text past_says = rule::past(ax<T>);
template <class T>
NAX_RIGHT(past_says<T>)
auto past(Site at = Site::current()) {
  if constexpr (bool(past_says<T>)) {
    NAX_SAY(false, ShownText{past_says<T>});
    return Refused{};
  } else {
    return made<Tensor<Mask<T, Read<T>>, T, Read<T>>>("past", at, {}, {{"axis", ax<T>}});
  }
}
NAX_WRONG((class T), (past_says<T>), past, ())

template <class T>
inline constexpr rule::Text prefix_says = rule::prefix(ax<T>);
template <class T>
NAX_RIGHT(prefix_says<T>)
auto prefix(std::int64_t size, Site at = Site::current()) {
  if constexpr (bool(prefix_says<T>)) {
    NAX_SAY(false, ShownText{prefix_says<T>});
    return Refused{};
  } else {
    using Result = Tensor<Mask<Every, Read<T>>, Read<T>>;
    return made<Result>("prefix", at, {}, {{"axis", ax<T>}, {"size", size}});
  }
}
NAX_WRONG((class T), (prefix_says<T>), prefix, (std::int64_t))

// ---------------------------------------------------------------- shorter_than<T>(lengths): s < length of the row
template <class T, AnyTensor X>
inline constexpr rule::Text shorter_than_says = rule::shorter_than(ax<T>, ten<X>);
template <class T, AnyTensor X>
NAX_RIGHT(shorter_than_says<T, X>)
auto shorter_than(X const& lengths, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(shorter_than_says<T, X>)) {
    NAX_SAY(false, ShownText{shorter_than_says<T, X>});
    return Refused{};
  } else {
    using Result = join_t<Mask<Every, Read<T>>, X, Tensor<f32, Read<T>>>;
    return made<Result>("shorter_than", at, {lengths.id}, {{"axis", ax<T>}});
  }
}
NAX_WRONG((class T, AnyTensor X), (shorter_than_says<T, X>), shorter_than, (X const&))

// ---------------------------------------------------------------- same_document<T>(documents): equal numbers
template <class T, class X>
inline constexpr rule::Text same_document_says = rule::same_document(ax<T>, ten<X>);
template <class T, AnyTensor X>
NAX_RIGHT(same_document_says<T, X>)
auto same_document(X const& documents, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(same_document_says<T, X>)) {
    NAX_SAY(false, ShownText{same_document_says<T, X>});
    return Refused{};
  } else {
    using Result = join_t<Mask<T, Read<T>>, X, Tensor<f32, Read<T>>>;
    return made<Result>("same_document", at, {documents.id}, {{"axis", ax<T>}});
  }
}
NAX_WRONG((class T, AnyTensor X), (same_document_says<T, X>), same_document, (X const&))

// ---------------------------------------------------------------- from a buffer, which must say what true means
constexpr rule::Ax first_of(rule::Ten x, bool (*is)(rule::Ax)) {
  for (rule::Ax a : x)
    if (is(a)) return a;
  return nullptr;
}
template <class X>
inline constexpr rule::Ax mask_asking_of = rule::mask_query(ten<X>);
template <class X, bool = mask_asking_of<X> != nullptr>
struct mask_asking {
  using type = Every;
};
template <class X>
struct mask_asking<X, true> : nth_type<std::size_t(index_of(ten<X>, mask_asking_of<X>)), typename X::axes> {};
template <class X>
using read_t = typename nth_type<std::size_t(index_of(ten<X>, first_of(ten<X>, rule::reads))), typename X::axes>::type;
template <class X>
using mask_of_t = like_t<Mask<typename mask_asking<X>::type, read_t<X>>, X>;

template <class X>
inline constexpr rule::Text allowed_says = rule::polarity("allowed_where_true", ten<X>);
template <AnyTensor X>
NAX_RIGHT(allowed_says<X>)
auto allowed_where_true(X const& m, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(allowed_says<X>)) {
    NAX_SAY(false, ShownText{allowed_says<X>});
    return Refused{};
  } else {
    return made<mask_of_t<X>>("allowed_where_true", at, {m.id});
  }
}
NAX_WRONG((AnyTensor X), (allowed_says<X>), allowed_where_true, (X const&))

template <class X>
inline constexpr rule::Text blocked_says = rule::polarity("blocked_where_true", ten<X>);
template <AnyTensor X>
NAX_RIGHT(blocked_says<X>)
auto blocked_where_true(X const& m, Site at = Site::current()) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(blocked_says<X>)) {
    NAX_SAY(false, ShownText{blocked_says<X>});
    return Refused{};
  } else {
    return made<mask_of_t<X>>("blocked_where_true", at, {m.id});
  }
}
NAX_WRONG((AnyTensor X), (blocked_says<X>), blocked_where_true, (X const&))

// ---------------------------------------------------------------- & | !
template <class M>
struct mask_parts;
template <class Q, class K>
struct mask_parts<Mask<Q, K>> {
  using query = Q;
  using key = K;
};
// Who asks: the one that is not Every.
template <class X, class Y>
struct asked_by {
  using x = typename mask_parts<bare_t<X>>::query;
  using y = typename mask_parts<bare_t<Y>>::query;
  using type = std::conditional_t<std::is_same_v<x, Every>, y, x>;
};
template <class X, class Y>
using masks_t = join_t<Mask<typename asked_by<X, Y>::type, typename mask_parts<bare_t<X>>::key>, X, Y>;

template <class X, class Y>
inline constexpr rule::Text and_says = rule::join_masks("operator&", ten<X>, ten<Y>);
template <AnyTensor X, AnyTensor Y>
NAX_RIGHT(and_says<X, Y>)
auto operator&(X x, Y y) {
  if constexpr (refused_among<X, Y>) {
    return Refused{};
  } else if constexpr (bool(and_says<X, Y>)) {
    NAX_SAY(false, ShownText{and_says<X, Y>});
    return Refused{};
  } else {
    return made<masks_t<X, Y>>("mask_and", site_of(x, y), {x.id, y.id});
  }
}
NAX_WRONG((AnyTensor X, AnyTensor Y), (and_says<X, Y>), operator&, (X, Y))

template <class X, class Y>
inline constexpr rule::Text or_says = rule::join_masks("operator|", ten<X>, ten<Y>);
template <AnyTensor X, AnyTensor Y>
NAX_RIGHT(or_says<X, Y>)
auto operator|(X x, Y y) {
  if constexpr (refused_among<X, Y>) {
    return Refused{};
  } else if constexpr (bool(or_says<X, Y>)) {
    NAX_SAY(false, ShownText{or_says<X, Y>});
    return Refused{};
  } else {
    return made<masks_t<X, Y>>("mask_or", site_of(x, y), {x.id, y.id});
  }
}
NAX_WRONG((AnyTensor X, AnyTensor Y), (or_says<X, Y>), operator|, (X, Y))

template <class X>
inline constexpr rule::Text not_says = rule::invert_mask(ten<X>);
template <AnyTensor X>
NAX_RIGHT(not_says<X>)
auto operator!(X x) {
  if constexpr (refused_among<X>) {
    return Refused{};
  } else if constexpr (bool(not_says<X>)) {
    NAX_SAY(false, ShownText{not_says<X>});
    return Refused{};
  } else {
    return made<tensor_t<X>>("mask_not", x.at, {x.id});
  }
}
NAX_WRONG((AnyTensor X), (not_says<X>), operator!, (X))

} // namespace nax
