// SPDX-License-Identifier: Apache-2.0
// Rules 37 and 46: a row of a names table suits the parameter that it names. Which parameters there are is known only
// once the model has run, so the language asks these at run time, and the verifier of nax.names does.
#pragma once
#include "nax/rules/common.h"

namespace nax::rule {

// The first word of a text, and what follows it.
struct FirstWord {
  string_view word, rest;
};
constexpr FirstWord first_word(string_view text, string_view separators) {
  std::size_t begin = text.find_first_not_of(separators);
  if (begin == string_view::npos) return {};
  std::size_t end = text.find_first_of(separators, begin);
  if (end == string_view::npos) return {text.substr(begin), {}};
  return {text.substr(begin, end - begin), text.substr(end)};
}
// `*` stands for one piece of a parameter's path.
constexpr bool names_parameter(string_view pattern, string_view path) {
  FirstWord want = first_word(pattern, "."), got = first_word(path, ".");
  while (!want.word.empty() && (want.word == "*" || want.word == got.word) && !got.word.empty())
    want = first_word(want.rest, "."), got = first_word(got.rest, ".");
  return want.word.empty() && got.word.empty();
}
constexpr Ax axis_called(Ten x, string_view name) {
  for (Ax a : x)
    if (base(a)->name == name) return a;
  return nullptr;
}
constexpr Text in_table(string_view table) { return words("names table ", table, ": "); }

// The axes of x as a table writes them, where `one` and `other` have changed places.
constexpr Text exchanged(Ten x, Ax one, Ax other) {
  Text t;
  for (int i = 0; i < x.n; ++i) (i ? t << " " : t) << (x.ax[i] == one ? other : x.ax[i] == other ? one : x.ax[i]);
  return t;
}
// `axes` is the file's order: "H*D C", or empty for the declared one, which is then checked by the file's shape alone.
constexpr Text file_axes(string_view table, string_view axes, string_view path, Ten x) {
  if (axes.empty()) {
    for (int i = 0; i < x.n; ++i)
      for (int j = 0; j < i; ++j)
        if (x.ax[j]->size > 1 && x.ax[j]->size == x.ax[i]->size)
          return say(46, in_table(table), x.ax[j], " and ", x.ax[i], " of ", path, " ", x, " are both ", x.ax[i]->size,
                     ", so no shape tells their order in the file; say it: \"", exchanged(x, x.ax[i], x.ax[i]),
                     "\" or \"", exchanged(x, x.ax[i], x.ax[j]), "\"");
    return {};
  }
  Text what = words(in_table(table), "\"", axes, "\" ");
  std::uint64_t seen = 0;
  for (FirstWord w = first_word(axes, " *"); !w.word.empty(); w = first_word(w.rest, " *")) {
    if (w.word == "1") continue;
    int at = 0;
    while (at < x.n && base(x.ax[at])->name != w.word) ++at;
    if (at == x.n) {
      for (Ax whole : x)
        for (int i = 0; i < whole->nparts; ++i)
          if (whole->parts[i]->name == w.word)
            return say(46, what, "names ", w.word, ", but ", path, " ", x, " has ", composition(whole),
                       " as one axis: write ", whole);
      return say(46, what, "names ", w.word, ", which ", path, " ", x, " has not");
    }
    if (seen >> at & 1) return say(46, what, "names ", w.word, " of ", path, " ", x, " twice");
    seen |= std::uint64_t(1) << at;
  }
  for (int i = 0; i < x.n; ++i)
    if (!(seen >> i & 1)) return say(46, what, "leaves out ", x.ax[i], " of ", path, " ", x);
  return {};
}

// "interleaved_to_halves:D", "halves_to_interleaved:D:32"
struct Reordering {
  bool to_halves = false;
  string_view axis;
  std::int64_t dims = 0; // 0: all
  bool valid = false;
};
constexpr Reordering reordering(string_view text) {
  Reordering r;
  FirstWord order = first_word(text, ":"), axis = first_word(order.rest, ":"), dims = first_word(axis.rest, ":");
  r.to_halves = order.word == "interleaved_to_halves";
  r.axis = axis.word;
  for (char c : dims.word) r.dims = c >= '0' && c <= '9' && r.dims < 1000000 ? r.dims * 10 + (c - '0') : 1000001;
  r.valid = (r.to_halves || order.word == "halves_to_interleaved") && !r.axis.empty() && dims.rest.empty() &&
            r.dims <= 1000000 && (axis.rest.empty() || r.dims > 0);
  return r;
}
constexpr Text file_pairing(string_view table, string_view pairing, string_view path, Ten x) {
  if (pairing.empty()) return {};
  Reordering r = reordering(pairing);
  Text what = words(in_table(table), "\"", pairing, "\" ");
  if (!r.valid)
    return say(37, what, "is no change of a rotary pairing: halves_to_interleaved:D or interleaved_to_halves:D");
  Ax d = axis_called(x, r.axis);
  if (!d) return say(37, what, "is about ", r.axis, ", which ", path, " ", x, " has not");
  if (r.dims % 2 || r.dims > d->size)
    return say(37, what, "re-orders ", r.dims, " of the ", d->size, " components of ", d, " in ", path,
               "; they are an even number of them");
  return {};
}
// The row re-orders what a rope rotates: `dims` of the components of the axis, in the rope's own pairing.
constexpr Text rotated_as(string_view table, string_view pairing, string_view path, Ax d, Rope::Pairing rope,
                          std::int64_t dims) {
  Reordering r = reordering(pairing);
  Text what = words(in_table(table), "\"", pairing, "\" ");
  bool halves = rope == Rope::halves;
  if (halves != r.to_halves)
    return say(37, what, "orders ", path, " for ", r.to_halves ? "halves" : "interleaved",
               " pairs, but its rope is Rope::", halves ? "halves" : "interleaved");
  if ((r.dims ? r.dims : d->size) != dims)
    return say(37, what, "re-orders ", r.dims ? r.dims : d->size, " components of ", d, " in ", path,
               ", but its rope turns ", dims, ": write ",
               r.to_halves ? "interleaved_to_halves:" : "halves_to_interleaved:", d, ":", dims);
  return {};
}
constexpr Text not_rotated(string_view table, string_view pairing, string_view path) {
  return say(37, in_table(table), "\"", pairing, "\" is about ", path, ", which no rope rotates over ",
             reordering(pairing).axis);
}

// Two parameters whose features meet, component by component, and of which the table re-orders one.
constexpr Text reordered_alone(string_view table, string_view pairing, string_view path, string_view other, Ax d) {
  return say(37, in_table(table), "\"", pairing, "\" re-orders ", path, ", but nothing re-orders ", other,
             ", which meets it in scores<", d, ">; the pairs of both are in one order");
}

// Rule 46. Each tensor of the file is one parameter.
constexpr Text one_tensor(string_view table, string_view path, string_view other, string_view file) {
  return say(46, in_table(table), other, " and ", path, " are both \"", file,
             "\" of the file; where they are meant to be one, use one Param twice");
}
constexpr Text no_star(string_view table, string_view pattern, string_view file, string_view path, string_view other) {
  return say(46, in_table(table), "\"", file, "\" is one tensor for ", other, " and ", path,
             "; it has a * for each * of ", pattern);
}
// What a row calls a parameter that its pattern fits: each * of `file` is what the pattern's * stands for.
struct FileName {
  Text text;
  string_view pattern, path;
  constexpr void star() {
    for (FirstWord p = first_word(pattern, "."), at = first_word(path, "."); !p.word.empty();) {
      pattern = p.rest, path = at.rest;
      if (p.word == "*") {
        text << at.word;
        return;
      }
      p = first_word(p.rest, "."), at = first_word(at.rest, ".");
    }
    text << "*";
  }
};
constexpr Text file_name(string_view file, string_view pattern, string_view path) {
  FileName name{{}, pattern, path};
  for (std::size_t at = file.find('*'); at != string_view::npos; at = file.find('*')) {
    name.text << file.substr(0, at);
    name.star();
    file = file.substr(at + 1);
  }
  name.text << file;
  return name.text;
}

} // namespace nax::rule
