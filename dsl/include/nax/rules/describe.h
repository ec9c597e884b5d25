// SPDX-License-Identifier: Apache-2.0
// What the rules know of axes and tensors: plain constants, no templates over the user's types. The language fills
// them from C++ types, the dialect's verifiers from attributes; both then call the same rule and say the same words.
// Identity of an axis is the address of its description.
#pragma once
#include <cstdint>
#include <string_view>

namespace nax {

inline constexpr std::int64_t dynamic_size = -1; // a size known when called

// A rotary embedding (Su et al., RoFormer, 2021): angle of pair i at position p is p / scaling * base^(-2i / dims).
struct Rope {
  enum Pairing : int { halves, interleaved };
  double base = 10000;
  Pairing pairing = halves; // halves: i with i + dims/2; interleaved: 2i with 2i + 1
  double scaling = 1;
  int dims = 0;             // the first `dims` components rotate; 0: all of them
  bool after_table = false; // embed_positions added positions already, and both are meant
  constexpr bool operator==(Rope const&) const = default;
};

namespace rule {

enum class Kind : unsigned char { plain, product, concat, positions, causal, read, next, none };
// `continued` comes from no declaration: it is the compiler's, for what follows cached positions.
enum class Data : unsigned char { all, ragged, packed, left_padded, continued };

struct AxisInfo {
  std::string_view name;
  std::int64_t size = dynamic_size;
  Kind kind = Kind::plain;
  Data data = Data::all;
  AxisInfo const* of = nullptr;           // Read<T>, Next<T>: T
  AxisInfo const* const* parts = nullptr; // factors of a product, pieces of a concat
  int nparts = 0;
};
using Ax = AxisInfo const*;

enum class Is : unsigned char { number, boolean, ids, rotated, scores, weights, logits, mask, losses, none };
enum State : unsigned { capped = 1, biased = 2, masked = 4, causally = 8 };

struct TensorInfo {
  std::string_view number; // "f32"; the type's own name where it is none of ours
  Is is = Is::number;
  // Ids, Logits: V. Scores, Mask: Q, K. Weights: K. Rotated: T, D. Losses: T.
  Ax a = nullptr, b = nullptr;
  unsigned state = 0;
  Rope rope{};
  Ax whole = nullptr; // has seen every position of this causal axis
  Ax const* ax = nullptr;
  int n = 0;
  bool param = false;   // a parameter, not a value computed from the input
  bool refused = false; // was refused where it was declared or computed: no sentence is about it
  constexpr Ax const* begin() const { return ax; }
  constexpr Ax const* end() const { return ax + n; }
};
using Ten = TensorInfo const&;

// ---------------------------------------------------------------- questions about axes
constexpr bool has(Ten x, Ax a) {
  for (Ax b : x)
    if (a == b) return true;
  return false;
}
constexpr bool sequence(Ax a) { return a->kind == Kind::positions || a->kind == Kind::causal; }
constexpr bool reads(Ax a) { return a->kind == Kind::read; }
constexpr Ax base(Ax a) { return a->of ? a->of : a; }
constexpr bool causal(Ax a) { return base(a)->kind == Kind::causal; }
// A sequence in one of its roles: positions that ask, that are read, that labels stand on.
constexpr bool along_sequence(Ax a) { return sequence(base(a)); }
constexpr bool subset(Ten x, Ten y) {
  for (Ax a : x)
    if (!has(y, a)) return false;
  return true;
}
constexpr bool is_part(Ax whole, Ax a) {
  for (int i = 0; i < whole->nparts; ++i)
    if (whole->parts[i] == a) return true;
  return false;
}
// The part of `whole` that is `a` or, however deep, has it.
constexpr Ax piece_with(Ax whole, Ax a) {
  for (int i = 0; i < whole->nparts; ++i)
    if (whole->parts[i] == a || piece_with(whole->parts[i], a)) return whole->parts[i];
  return nullptr;
}
// The composite axis of x that `a` is inside of, if need be of a part of a part.
constexpr Ax inside(Ten x, Ax a) {
  for (Ax b : x)
    if (piece_with(b, a)) return b;
  return nullptr;
}
// Whether x has each factor of the product `a`, so that merge<a> would give it.
constexpr bool factors_in(Ten x, Ax a) {
  if (a->kind != Kind::product) return false;
  for (int i = 0; i < a->nparts; ++i)
    if (!has(x, a->parts[i])) return false;
  return true;
}
constexpr Ax reader_of(Ten x, Ax t) {
  for (Ax b : x)
    if (reads(b) && b->of == t) return b;
  return nullptr;
}
// Two declarations of one name, in the same role.
constexpr bool twins(Ax a, Ax b) {
  if (base(a) == base(b) || base(a)->name != base(b)->name) return false;
  return a->of && b->of ? a->kind == b->kind : !a->of && !b->of;
}
// Another declaration of the name of `a` among the axes of x.
constexpr Ax twin(Ten x, Ax a) {
  for (Ax b : x)
    if (twins(a, b)) return b;
  return nullptr;
}
// In what two rotations differ; empty if nowhere.
constexpr std::string_view rotated_apart(Ten x, Ten y) {
  auto turned = [](Ten z) { return z.rope.dims ? z.rope.dims : z.b->size; };
  return x.rope.base != y.rope.base         ? "base"
         : x.rope.pairing != y.rope.pairing ? "pairing"
         : x.rope.scaling != y.rope.scaling ? "scaling"
         : turned(x) != turned(y)           ? "dims"
                                            : "";
}
// The one who asks: the one sequence axis of q that k lacks; null if there is none or more than one.
constexpr Ax query_axis(Ten q, Ten k) {
  Ax found = nullptr;
  for (Ax a : q)
    if (sequence(a) && !has(k, a)) {
      if (found) return nullptr;
      found = a;
    }
  return found;
}
// What is read: the one Read axis of k that q lacks.
constexpr Ax read_axis(Ten q, Ten k) {
  Ax found = nullptr;
  for (Ax a : k)
    if (reads(a) && !has(q, a)) {
      if (found) return nullptr;
      found = a;
    }
  return found;
}
// Who asks in a mask from a buffer: the read sequence itself if the buffer stands on it, else its one sequence; null if it
// is the same for everyone, or there are several.
constexpr Ax mask_query(Ten m) {
  Ax found = nullptr;
  int count = 0;
  for (Ax a : m) {
    if (reads(a) && has(m, a->of)) return a->of;
    if (sequence(a)) found = a, ++count;
  }
  return count == 1 ? found : nullptr;
}

} // namespace rule
} // namespace nax
