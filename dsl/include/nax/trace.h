// SPDX-License-Identifier: Apache-2.0
// What the operations append to, seen from the headers: plain arrays in, numbers of values out. dsl/lib implements it.
#pragma once
#pragma GCC system_header
#include "nax/rules.h"
#include <initializer_list>
#include <source_location>

namespace nax::trace {

using Site = std::source_location;

// A list of axes that lives as long as the program.
struct Axes {
  rule::Ax const* axes;
  int count;
};

// An attribute of an operation, as the IR names it.
struct Attr {
  enum class Is : unsigned char { axis, axes, number, integer, rope, flag };
  char const* key;
  Is is;
  union {
    rule::Ax axis;
    Axes axes;
    double number;
    std::int64_t integer;
    Rope const* rope;
  };
  constexpr Attr(char const* key, rule::Ax a) : key(key), is(Is::axis), axis(a) {}
  constexpr Attr(char const* key, Axes as) : key(key), is(Is::axes), axes(as) {}
  constexpr Attr(char const* key, double v) : key(key), is(Is::number), number(v) {}
  constexpr Attr(char const* key, std::int64_t v) : key(key), is(Is::integer), integer(v) {}
  constexpr Attr(char const* key, Rope const* r) : key(key), is(Is::rope), rope(r) {}
  constexpr Attr(char const* key) : key(key), is(Is::flag), integer(1) {}
};

// Appends an operation and returns the number of its value.
int record(char const* op, Site at, std::initializer_list<int> operands, std::initializer_list<Attr> attrs,
           rule::TensorInfo const& type);
// 1/sqrt(D), the scale of scores unless another is said.
double root_scale(rule::Ax made_of_features);

// Parameters are named by the path to them.
void enter(char const* member);
void enter(int index);
void leave();
int param(rule::TensorInfo const& type);

// An entry's arguments and results, in the order of its declaration.
int input(int index, rule::TensorInfo const& type);
int seed(int index);
void result(int value, rule::TensorInfo const& type);
[[noreturn]] void refuse_entry(char const* why);

// The body of a repeated module: between the two, operations belong to a function of their own.
int begin_body(int x, rule::TensorInfo const& type, char const* module);
int end_body(int result, rule::TensorInfo const& type, Site at);

struct Entry {
  char const *name, *args, *results; // as written: "forward", "(ids)", "(logits)"
  void (*run)();
};
// Static objects that NAX_MODEL, NAX_NAMES and NAX_DECODE make.
struct Model {
  Model(char const* name, Site at, std::initializer_list<Entry> entries);
};
struct Name {
  char const *param = "", *file = "", *axes = "", *pairing = "";
};
struct Names {
  Names(char const* table, Site at, std::initializer_list<Name> names);
};
struct Decode {
  Decode(Site at, char const* entries); // as written: "forward, all"
};

} // namespace nax::trace
