// SPDX-License-Identifier: Apache-2.0
// The mistakes that no type can know, since they are about what a value was made of: rules 13, 25, 29, 36, 38 and 42.
#include "graph.h"
#include <algorithm>
#include <functional>

namespace nax::trace {

namespace {

using rule::Ax;

[[noreturn]] void refuse(Site at, rule::Text const& sentence) { fail(at, std::string(sentence.view())); }

bool among(std::vector<Ax> const& axes, Ax a) { return std::find(axes.begin(), axes.end(), a) != axes.end(); }

// How the language spells an operation.
std::string spelled(std::string const& op) {
  static std::map<std::string, std::string> const operators{
      {"add", "operator+"},      {"sub", "operator-"},     {"mul", "operator*"},     {"div", "operator/"},
      {"mask_and", "operator&"}, {"mask_or", "operator|"}, {"mask_not", "operator!"}};
  auto found = operators.find(op);
  return found == operators.end() ? op : found->second;
}

void add(std::vector<Ax>& axes, Ax a) {
  if (a && !among(axes, a)) axes.push_back(a);
}

// Which causal sequences an operation looks along, from one end to the other.
std::vector<Ax> looked_along(Node const& node, bool weighted) {
  std::vector<Ax> found;
  bool reduces = node.op == "sum" || node.op == "mean" || node.op == "max" || node.op == "last" || node.op == "first";
  if (reduces || (node.op == "dot" && !weighted))
    for (Ax a : node.attrs[0].axes)
      if (rule::causal(a)) add(found, rule::base(a));
  return found;
}

// Rule 25. A type remembers one whole sequence and one number may be handed on without; here all are followed, and what
// knows the label of its position. That holds the position after it: of all of them, together, the whole sequence.
void check_future(Graph const& graph, Node& node) {
  bool weighted = false;
  for (int operand : node.operands) {
    Node const& x = graph.nodes[operand];
    if (!node.type.whole) node.type.whole = x.type.whole;
    for (Ax t : x.seen) add(node.seen, t);
    for (Ax t : x.told) add(node.told, t);
    weighted = weighted || x.type.is == rule::Is::weights;
  }
  add(node.seen, node.type.whole);
  if (node.op == "cross_entropy")
    for (Ax a : graph.nodes[node.operands[1]].type)
      if (a->kind == rule::Kind::next && rule::causal(a)) add(node.told, a->of);
  // Every position may read the first, but not its label.
  for (Ax t : looked_along(node, weighted))
    if (node.op != "first" || among(node.told, t)) add(node.seen, t);
  for (Ax t : node.told)
    if (node.op == "read" && node.attrs[0].axes[0] == t) refuse(node.at, rule::told_label("read", node.type, t));

  for (Ax t : node.seen) {
    if (!rule::carries(node.type, t)) continue;
    rule::TensorInfo const *whole = &node.type, *met = &node.type;
    for (int operand : node.operands) {
      Node const& x = graph.nodes[operand];
      if (among(x.seen, t))
        whole = &x.type;
      else if (rule::carries(x.type, t))
        met = &x.type;
    }
    refuse(node.at, rule::joined_back(spelled(node.op), *whole, t, *met));
  }
}

// Rule 36. Ids that were chosen by what knew its positions know nothing of them.
void check_positions(Graph const& graph, Node& node) {
  auto keep = [](Ax& mine, Ax other) { mine = mine ? mine : other; };
  for (int operand : node.operands)
    if (Placed const& other = graph.nodes[operand].placed; node.type.is != rule::Is::ids) {
      keep(node.placed.by_table, other.by_table);
      keep(node.placed.by_rope, other.by_rope);
    }
  if (node.op == "embed_positions") {
    Ax t = node.attrs[0].axes[0];
    if (rule::base(t) == node.placed.by_table) refuse(node.at, rule::table_twice(t));
    node.placed.by_table = rule::base(t);
  }
  if (node.op == "rope" && !node.attrs[2].rope.after_table) {
    Ax t = node.attrs[0].axes[0];
    if (rule::base(t) == node.placed.by_table) refuse(node.at, rule::rope_after_table(t, node.attrs[1].axes[0]));
    node.placed.by_rope = rule::base(t);
  }
  if (node.placed.by_table && node.placed.by_table == node.placed.by_rope)
    refuse(node.at, rule::placed_twice(spelled(node.op), node.placed.by_table));
}

// Rules 13 and 42. Weights are weights under .values() too.
void check_weights(Graph const& graph, Node const& node) {
  if (node.op != "softmax" && node.op != "logits") return;
  Node const* x = &graph.nodes[node.operands[0]];
  while (x->op == "values" || x->op == "cast") x = &graph.nodes[x->operands[0]];
  Ax over = node.attrs[0].axes[0];
  if (x->type.is != rule::Is::weights || x->type.a != over) return;
  rule::Text sentence = node.op == "softmax" ? rule::softmax(over, x->type) : rule::as_logits(over, x->type);
  if (sentence) refuse(node.at, sentence);
}

// Rule 36. What functions of one element make of a parameter is not one to the types.
void check_learned(Graph const& graph, Node const& node) {
  if (node.op != "add" && node.op != "sub" && node.op != "mul" && node.op != "div") return;
  for (int operand : node.operands) {
    Node const* x = &graph.nodes[operand];
    while (x->operands.size() == 1 && graph.nodes[x->operands[0]].type.n == x->type.n) x = &graph.nodes[x->operands[0]];
    if (x->op == "param")
      if (Ax t = rule::learned_along(x->type)) refuse(node.at, rule::learned_positions(spelled(node.op), x->type, t));
  }
}

// What there is several of, each with its own positions of T: the axes before it in the first argument that stands on it.
std::vector<Ax> rows_of(Graph const& graph, Ax t) {
  for (int input : graph.inputs) {
    rule::TensorInfo const& type = graph.nodes[input].type;
    auto found = std::find(type.begin(), type.end(), t);
    if (found != type.end()) return {type.begin(), found};
  }
  return {};
}
bool stands_on_one(rule::Ten x, std::vector<Ax> const& rows) {
  return std::any_of(rows.begin(), rows.end(), [&](Ax row) { return rule::has(x, row); });
}

// The scores before what was done to them, and what was: softcap, bias, masks.
Node const& scores_before(Graph const& graph, Node const* node, std::function<void(Node const&)> const& done) {
  while (node->type.is == rule::Is::scores && node->op != "scores" && !node->operands.empty()) {
    done(*node);
    node = &graph.nodes[node->operands[0]];
  }
  return *node;
}

// Whether a mask hides, from whoever asks, what a buffer says of each row. A buffer joined by | lets more be read.
bool hides_by_row(Graph const& graph, Node const& mask, std::vector<Ax> const& rows, bool and_joins = true) {
  auto operand = [&](int i) -> Node const& { return graph.nodes[mask.operands[i]]; };
  if (mask.op == "mask_not") return hides_by_row(graph, operand(0), rows, !and_joins);
  if (mask.op == (and_joins ? "mask_and" : "mask_or"))
    return hides_by_row(graph, operand(0), rows, and_joins) || hides_by_row(graph, operand(1), rows, and_joins);
  bool buffer = mask.op == "allowed_where_true" || mask.op == "blocked_where_true";
  return buffer && !mask.type.a && stands_on_one(mask.type, rows);
}

// Rule 38. Rope and tables count all positions of a row, also those that are padding. Where all may read all, padding is
// as often at the end, and a table is right about what comes before.
void check_padding(Graph const& graph, Node const& node) {
  if (node.op != "mask") return;
  Ax t = rule::base(node.type.b);
  Node const& scores = scores_before(graph, &node, [](Node const&) {});
  if (t->data != rule::Data::all || scores.op != "scores") return;
  if (!hides_by_row(graph, graph.nodes[node.operands[1]], rows_of(graph, t))) return;
  Node const& key = graph.nodes[scores.operands[1]];
  if (key.type.is == rule::Is::rotated || (rule::causal(t) && key.placed.by_table == t)) refuse(node.at, rule::padding(t));
}

// Rule 29. The documents of a row are apart: nothing is summed over all of them for one row, and what another sequence
// has for the row is not for each of them.
void check_documents(Graph const& graph, Node const& node) {
  auto packed = [](Ax a) { return rule::base(a)->data == rule::Data::packed; };
  if (node.op == "sum" || node.op == "mean" || node.op == "max" || node.op == "dot") {
    for (int operand : node.operands)
      if (rule::Is is = graph.nodes[operand].type.is; is == rule::Is::losses || is == rule::Is::weights) return;
    for (Ax a : node.attrs[0].axes) {
      if (!packed(a)) continue;
      std::vector<Ax> rows = rows_of(graph, rule::base(a));
      // Numbers of a row without features are counts, or losses with their weights.
      bool features = std::any_of(node.type.begin(), node.type.end(), [&](Ax b) { return !among(rows, b); });
      if (features && stands_on_one(node.type, rows))
        refuse(node.at, rule::mixed_documents(spelled(node.op), a, node.type));
    }
  }
  if (node.op != "softmax") return;
  bool told = false;
  Node const& s = graph.nodes[node.operands[0]];
  Node const& scores = scores_before(graph, &s, [&](Node const& done) {
    told = told || (done.op == "mask" && graph.nodes[done.operands[1]].type.a == s.type.a);
  });
  if (scores.op != "scores" || told || !packed(s.type.a) || packed(s.type.b)) return;
  if (stands_on_one(graph.nodes[scores.operands[1]].type, rows_of(graph, s.type.a)))
    refuse(node.at, rule::read_by_documents(s.type.a, s.type.b));
}

} // namespace

void follow(Graph const& graph, Node& node) {
  check_future(graph, node);
  check_positions(graph, node);
  check_learned(graph, node);
  check_weights(graph, node);
  check_padding(graph, node);
  check_documents(graph, node);
}

void follow_out(Node const& result) {
  for (Ax t : result.told)
    if (result.type.is != rule::Is::losses && rule::has(result.type, t))
      refuse(result.at, rule::told_label("the result", result.type, t));
}

} // namespace nax::trace
