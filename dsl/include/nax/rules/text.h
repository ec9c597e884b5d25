// SPDX-License-Identifier: Apache-2.0
// Sentences, composed while the user's program is compiled. An empty text says that nothing is wrong.
#pragma once
#include "nax/rules/describe.h"

namespace nax::rule {

using std::string_view;

struct Text {
  static constexpr int capacity = 400;
  char s[capacity + 1]{};
  int n = 0;
  bool told = false; // it is about what was refused already

  constexpr explicit operator bool() const { return n != 0 && !told; }
  constexpr string_view view() const { return {s, static_cast<std::size_t>(n)}; }

  constexpr Text& operator<<(string_view v) {
    for (char c : v)
      if (n < capacity) s[n++] = c;
    return *this;
  }
  constexpr Text& operator<<(std::int64_t v) {
    char digits[20]{};
    int k = 0;
    if (v < 0) {
      *this << "-";
      v = -v;
    }
    do digits[k++] = static_cast<char>('0' + v % 10);
    while (v /= 10);
    while (k && n < capacity) s[n++] = digits[--k];
    return *this;
  }
  constexpr Text& operator<<(Ax a) {
    if (a->kind == Kind::read) return *this << "Read<" << a->of << ">";
    if (a->kind == Kind::next) return *this << "Next<" << a->of << ">";
    return *this << a->name;
  }
  // "scores [B,T,H,Read<T>]"
  constexpr Text& operator<<(Ten t) {
    constexpr string_view word[] = {"",         "bool ",   "ids ",  "rotated ", "scores ",
                                    "weights ", "logits ", "mask ", "losses ",  ""};
    told = told || t.refused;
    if (t.is == Is::none) return *this << "a " << t.number;
    *this << word[static_cast<int>(t.is)] << "[";
    for (int i = 0; i < t.n; ++i) (i ? *this << "," : *this) << t.ax[i];
    return *this << "]";
  }
  constexpr Text& operator<<(Text const& t) {
    told = told || t.told;
    return *this << t.view();
  }
};

// Read<T> where no description of it is at hand.
struct ReadOf {
  Ax a;
};
constexpr Text& operator<<(Text& t, ReadOf r) { return t << "Read<" << r.a << ">"; }

// A sentence without a rule number.
template <class... P>
constexpr Text words(P const&... p) {
  Text t;
  (t << ... << p);
  return t;
}
// The number of a rule, at the end of its sentence: "  [N0012]".
constexpr Text coded(int number, Text t) {
  if (!t || number == 0) return t;
  t << "  [N";
  for (int digit = 1000; digit; digit /= 10) t << std::int64_t(number / digit % 10);
  return t << "]";
}
template <class... P>
constexpr Text say(int number, P const&... p) {
  return coded(number, words(p...));
}

// "B,T"
constexpr Text axes_list(Ten x) {
  Text t;
  for (int i = 0; i < x.n; ++i) (i ? t << "," : t) << x.ax[i];
  return t;
}
// "H = K x G", "QKV = A + B"
constexpr Text composition(Ax c) {
  Text t;
  t << c << " = ";
  for (int i = 0; i < c->nparts; ++i) (i ? t << (c->kind == Kind::concat ? " + " : " x ") : t) << c->parts[i];
  return t;
}

} // namespace nax::rule
