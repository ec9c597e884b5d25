// SPDX-License-Identifier: Apache-2.0
#include "graph.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace nax::trace {

void fail(char const* file, unsigned line, unsigned column, std::string const& why) {
  std::fprintf(stderr, "%s:%u:%u: error: %s\n", file, line, column, why.c_str());
  std::exit(1);
}
void fail(Site at, std::string const& why) {
  if (at.line()) fail(at.file_name(), at.line(), at.column(), why);
  std::fprintf(stderr, "nax: error: %s\n", why.c_str());
  std::exit(1);
}

std::string str(rule::Ax a) { return std::string((rule::Text() << a).view()); }
std::string str(rule::Ten x) { return std::string((rule::Text() << x).view()); }

std::vector<std::string> split_list(std::string const& text) {
  std::vector<std::string> words(1);
  for (char c : text) {
    if (c == ',')
      words.emplace_back();
    else if (c != '(' && c != ')' && c != ' ' && c != '\n' && c != '\t')
      words.back() += c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

rule::Ax unknown_size(rule::Ax a) {
  if (a->size != dynamic_size) return nullptr;
  a = rule::base(a);
  for (int i = 0; i < a->nparts; ++i)
    if (rule::Ax part = unknown_size(a->parts[i])) return part;
  return a;
}

int Graph::add(Node node) {
  nodes.push_back(std::move(node));
  return static_cast<int>(nodes.size()) - 1;
}

int Graph::add_input(int index, Node node) {
  // Compilers evaluate arguments in different orders.
  if (index >= static_cast<int>(inputs.size())) inputs.resize(index + 1, -1);
  return inputs[index] = add(std::move(node));
}

int Graph::data_of(rule::Ax t) {
  if (auto found = data.find(t); found != data.end()) return found->second;
  for (int input : inputs) {
    rule::TensorInfo const& type = nodes[input].type;
    int at = 0;
    while (at < type.n && rule::base(type.ax[at]) != t) ++at;
    if (at == type.n) continue;
    // The rows are the axes before T.
    std::vector<rule::Ax>& axes = axis_lists.emplace_back(type.ax, type.ax + at);
    bool packed = t->data == rule::Data::packed;
    if (packed) axes.push_back(t);
    char const* what = packed ? "_documents" : t->data == rule::Data::ragged ? "_lengths" : "_starts";
    Node node{.op = "data", .type = {.number = "i32"}, .at = nodes[input].at, .name = std::string(t->name) + what};
    node.type.ax = axes.data();
    node.type.n = static_cast<int>(axes.size());
    return data[t] = add(std::move(node));
  }
  return -1;
}

static bool same_order(rule::TensorInfo const& x, rule::TensorInfo const& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end());
}

// Operations whose result is of the type of their first operand.
static bool keeps_type(Node const& node) {
  static std::set<std::string> const ops{"neg",      "silu",       "gelu",   "gelu_tanh", "relu",    "exp",
                                         "tanh",     "sigmoid",    "sqrt",   "scale",     "offset",  "dropout",
                                         "rms_norm", "layer_norm", "values", "logits",    "mask_not"};
  return ops.count(node.op);
}

bool Graph::reorder(int value, rule::TensorInfo const& type, int scope) {
  Node& node = nodes[value];
  if (same_order(node.type, type)) return node.delivered = true;
  bool given = node.op == "input" || node.op == "seed" || node.op == "data" || node.op == "param" ||
               node.op == "argument" || node.op == "call";
  if (given || node.delivered || node.scope != scope) return false;
  if (keeps_type(node) && !reorder(node.operands[0], type, scope)) return false;
  nodes[value].type.ax = type.ax;
  return nodes[value].delivered = true;
}

int Graph::deliver(int value, rule::TensorInfo const& type, int scope) {
  if (same_order(nodes[value].type, type) || reorder(value, type, scope)) return value;
  Node copy{.op = "cast", .operands = {value}, .type = nodes[value].type, .at = nodes[value].at, .scope = scope};
  copy.type.ax = type.ax;
  copy.placed = nodes[value].placed;
  copy.seen = nodes[value].seen;
  copy.told = nodes[value].told;
  copy.delivered = true;
  return add(std::move(copy));
}

static bool stands_on(rule::Ax a, rule::Ax features) {
  if (a == features) return true;
  for (int i = 0; i < a->nparts; ++i)
    if (stands_on(a->parts[i], features)) return true;
  return false;
}

// The values that these were made of and that stand on `features` too. What does not was projected.
static std::set<int> made_of(Graph const& graph, std::vector<int> left, rule::Ax features) {
  std::set<int> seen;
  while (!left.empty()) {
    int value = left.back();
    left.pop_back();
    Node const& node = graph.nodes[value];
    bool part_of_it = false;
    for (rule::Ax a : node.type) part_of_it = part_of_it || stands_on(a, features);
    if (!part_of_it || !seen.insert(value).second) continue;
    left.insert(left.end(), node.operands.begin(), node.operands.end());
  }
  return seen;
}

void add_rotated(Graph const& graph, Rotations& rotations) {
  std::map<int, std::vector<RotatedParam>> by_rope;
  for (int i = 0; i < static_cast<int>(graph.nodes.size()); ++i) {
    Node const& node = graph.nodes[i];
    if (node.op == "rope") {
      rule::Ax features = node.attrs[1].axes[0];
      Rope const& how = node.attrs[2].rope;
      for (int value : made_of(graph, node.operands, features))
        if (graph.nodes[value].op == "param")
          by_rope[i].push_back({graph.nodes[value].name, features, how.pairing, how.dims ? how.dims : features->size});
      rotations.params.insert(rotations.params.end(), by_rope[i].begin(), by_rope[i].end());
    }
    if (node.op != "scores") continue;
    std::map<rule::Ax, MetParams> met;
    std::map<rule::Ax, std::set<int>> reached;
    for (auto const& [rope, params] : by_rope)
      for (RotatedParam const& param : params) {
        auto [values, isNew] = reached.try_emplace(param.features);
        if (isNew) values->second = made_of(graph, node.operands, param.features);
        if (values->second.count(rope)) {
          met[param.features].features = node.attrs[0].axes[0];
          met[param.features].rotated.push_back(param);
        }
      }
    for (auto const& [features, params] : met) rotations.met.push_back(params);
  }
}

void Graph::settle_orders() {
  // Operands come before what uses them.
  for (Node& node : nodes)
    if (keeps_type(node)) node.type.ax = nodes[node.operands[0]].type.ax;
}

} // namespace nax::trace
