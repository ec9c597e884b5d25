// SPDX-License-Identifier: Apache-2.0
// What the operations of one entry appended, and what NAX_MODEL, NAX_NAMES and NAX_DECODE said.
#pragma once
#include "nax/axis.h"
#include "nax/trace.h"
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace nax::trace {

// An attribute that owns what it says.
struct OwnedAttr {
  std::string key;
  Attr::Is is;
  std::vector<rule::Ax> axes{};
  double number = 0;
  std::int64_t integer = 0;
  Rope rope{};
};

// The sequence whose positions embed_positions added to a value, or to what it was made of; and the one that a rope
// rotated by, unless that said that both are meant.
struct Placed {
  rule::Ax by_table = nullptr, by_rope = nullptr;
};

// An operation and its one value. Besides those of the IR there are `input`, `data` (what an axis has besides a size),
// `seed`, `param`, `argument` (of a repeated body) and `call`.
struct Node {
  std::string op;
  std::vector<int> operands{};
  std::vector<OwnedAttr> attrs{};
  rule::TensorInfo type{};
  Site at{};
  int scope = 0;            // the body it stands in; 0 is the entry
  std::string name{};       // of an input or a parameter
  int body = 0;             // what a call calls
  Placed placed{};
  std::vector<rule::Ax> seen{}; // the causal sequences all of whose positions it has seen
  std::vector<rule::Ax> told{}; // those of which it knows, at each position, the label of that position
  bool delivered = false;   // its axes are in an order that a function's result asks for
};

// The body of a repeated module.
struct Body {
  int parent = 0;
  int over = -1; // what it is called with, outside
  int argument = -1, result = -1;
  std::string module{};
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<Body> bodies{Body{}}; // the first is the entry
  std::vector<int> inputs;          // in the order of the declaration, the seed too
  std::map<rule::Ax, int> data;     // of a sequence
  std::vector<int> results;

  int add(Node node);
  int add_input(int index, Node node);
  // The value that holds the lengths, starts or documents of T; -1 if no input stands on it.
  int data_of(rule::Ax t);
  // The value with its axes in the order of `type`, as memory has it at the boundary of a function. Between operations
  // the order is free, so whatever computes the value does it in that order where it can.
  int deliver(int value, rule::TensorInfo const& type, int scope);
  // What keeps the type of its operand keeps its order.
  void settle_orders();

private:
  bool reorder(int value, rule::TensorInfo const& type, int scope);

  std::deque<std::vector<rule::Ax>> axis_lists; // of types that no C++ type describes
};

struct ModelText {
  std::string name;
  Site at;
  std::vector<Entry> entries;
};
struct NamesText {
  std::string table;
  Site at;
  std::vector<Name> names;
};
struct DecodeText {
  Site at;
  std::vector<std::string> entries;
};

// What the static objects of the program said.
std::vector<ModelText>& models();
std::vector<NamesText>& names_tables();
std::vector<DecodeText>& decodes();

// Runs one entry and gives what it traced.
Graph run(ModelText const& model, Entry const& entry);

// Prints "file:line:column: error: why" and ends the program with status 1.
[[noreturn]] void fail(Site at, std::string const& why);
[[noreturn]] void fail(char const* file, unsigned line, unsigned column, std::string const& why);

std::string str(rule::Ax a);
std::string str(rule::Ten x);
// "(ids, lengths)" -> ids, lengths
std::vector<std::string> split_list(std::string const& text);

// What a new operation makes of what its operands were made of, unless that is a mistake.
void follow(Graph const& graph, Node& node);
// The same for what an entry gives away.
void follow_out(Node const& result);

// A parameter whose axis `features` a rope rotates, perhaps after a split or a norm.
struct RotatedParam {
  std::string path;
  rule::Ax features;
  Rope::Pairing pairing;
  std::int64_t dims; // as many of its components rotate
};
// Those that meet in scores<D>, component by component.
struct MetParams {
  rule::Ax features = nullptr; // D
  std::vector<RotatedParam> rotated{};
};
struct Rotations {
  std::vector<RotatedParam> params;
  std::vector<MetParams> met;
};
void add_rotated(Graph const& graph, Rotations& rotations);

// The paths and axes of all parameters, which is what NAX_NAMES speaks of.
struct ParamText {
  std::string path;
  rule::TensorInfo type;
};
// The names tables as the module's attribute; a row that fits no parameter is refused.
std::string names_attribute(std::vector<ParamText> const& params, Rotations const& rotations);

// Whether an axis, or a part of it, has a size known only when called, and which.
rule::Ax unknown_size(rule::Ax a);

} // namespace nax::trace
