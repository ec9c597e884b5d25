// SPDX-License-Identifier: Apache-2.0
// The functions of nax/trace.h: they append to the graph of the entry that is being traced.
#include "graph.h"
#include <algorithm>
#include <cmath>

namespace nax::trace {

namespace {

// One entry at a time; a model is traced in one thread.
struct State {
  Graph graph;
  int scope = 0;
  std::vector<std::string> path;
  ModelText const* model = nullptr;
  Entry const* entry = nullptr;
  std::vector<std::string> arguments;
};
State* state = nullptr;

State& current(Site at) {
  if (!state)
    fail(at, "operations on tensors belong into the entries of a NAX_MODEL; outside of them nothing is traced");
  return *state;
}

std::string entry_name() { return "entry " + std::string(state->entry->name) + " of " + state->model->name; }

OwnedAttr own(Attr const& attr) {
  OwnedAttr owned{.key = attr.key, .is = attr.is};
  switch (attr.is) {
  case Attr::Is::axis: owned.axes = {attr.axis}; break;
  case Attr::Is::axes: owned.axes.assign(attr.axes.axes, attr.axes.axes + attr.axes.count); break;
  case Attr::Is::number: owned.number = attr.number; break;
  case Attr::Is::integer: owned.integer = attr.integer; break;
  case Attr::Is::rope: owned.rope = *attr.rope; break;
  case Attr::Is::flag: break;
  }
  return owned;
}

// Numbers are the one thing that types do not know.
void check_constants(Node const& node) {
  for (OwnedAttr const& attr : node.attrs) {
    bool number = attr.is == Attr::Is::number;
    double v = attr.number;
    if (number && node.op == "scores")
      if (rule::Text t = rule::scale_of(node.attrs[0].axes[0], v)) fail(node.at, std::string(t.view()));
    if (number && std::isinf(v) && v < 0 && (node.op == "scale" || node.op == "offset"))
      fail(node.at, std::string(rule::infinite(node.op == "scale" ? "*" : "+").view()));
    if (number && attr.key == "eps" && std::isnan(v)) fail(node.at, std::string(rule::no_eps(node.op).view()));
    if (number && !std::isfinite(v)) fail(node.at, node.op + ": " + attr.key + " is not a finite number");
    if (number && attr.key == "cap" && v <= 0) fail(node.at, "softcap: the cap is positive");
    if (number && attr.key == "eps" && v < 0) fail(node.at, node.op + ": the eps is not negative");
    if (number && attr.key == "p" && !(v >= 0 && v < 1)) fail(node.at, "dropout: the probability is in [0, 1)");
    if (attr.is == Attr::Is::integer && attr.key == "size")
      if (rule::Text t = rule::sized_mask(node.op, node.attrs[0].axes[0], attr.integer))
        fail(node.at, std::string(t.view()));
  }
}

bool among(rule::Data data, std::initializer_list<rule::Data> some) {
  return std::find(some.begin(), some.end(), data) != some.end();
}

// The sequence whose data an operation needs, if any: which positions there are, or which number each has.
rule::Ax needs_data(Graph const& graph, Node const& node) {
  using rule::Data;
  auto on = [&](rule::Ax a, std::initializer_list<Data> some) {
    return among(rule::base(a)->data, some) ? rule::base(a) : nullptr;
  };
  if (node.op == "softmax") return on(node.attrs[0].axes[0], {Data::ragged, Data::packed, Data::left_padded});
  if (node.op == "rope" || node.op == "embed_positions")
    return on(node.attrs[0].axes[0], {Data::packed, Data::left_padded});
  if (node.op == "first" || node.op == "last") return on(node.attrs[0].axes[0], {Data::ragged, Data::left_padded});
  if (node.op == "cross_entropy") {
    rule::TensorInfo const& labels = graph.nodes[node.operands[1]].type;
    for (rule::Ax a : labels)
      if (a->kind == rule::Kind::next)
        if (rule::Ax t = on(a, {Data::ragged, Data::packed})) return t;
  }
  if (node.op == "dot") {
    // Weights over what is read are 0 where nothing is.
    for (int operand : node.operands) {
      rule::TensorInfo const& x = graph.nodes[operand].type;
      if (x.is == rule::Is::weights && rule::reads(x.a)) return nullptr;
    }
    for (rule::Ax a : node.attrs[0].axes)
      if (rule::Ax t = on(a, {Data::ragged, Data::left_padded})) return t;
  }
  if (node.op == "sum" || node.op == "mean" || node.op == "max") {
    bool losses = graph.nodes[node.operands[0]].type.is == rule::Is::losses;
    for (rule::Ax a : node.attrs[0].axes)
      if (rule::Ax t = losses ? on(a, {Data::ragged, Data::left_padded, Data::packed})
                              : on(a, {Data::ragged, Data::left_padded}))
        return t;
  }
  return nullptr;
}

// Each row has its own lengths, starts or documents, so they mean nothing once the rows are gone.
void check_rows(Graph const& graph, Node const& node, rule::Ax t, int data) {
  rule::TensorInfo const& x = graph.nodes[node.operands[0]].type;
  auto has_row = [&](rule::Ax row) {
    for (int operand : node.operands)
      if (rule::has(graph.nodes[operand].type, row)) return true;
    return false;
  };
  for (rule::Ax row : graph.nodes[data].type)
    if (row != t && !has_row(row))
      fail(node.at, node.op + ": which positions of " + str(t) + " there are depends on " + str(row) + ", which " +
                        str(x) + " has not; do this before " + str(row) + " is summed away, or over both at once");
}

} // namespace

double root_scale(rule::Ax features) {
  return features->size > 0 ? 1 / std::sqrt(static_cast<double>(features->size)) : std::nan("");
}

int record(char const* op, Site at, std::initializer_list<int> operands, std::initializer_list<Attr> attrs,
           rule::TensorInfo const& type) {
  State& s = current(at);
  Node node{.op = op, .operands = operands, .type = type, .at = at, .scope = s.scope};
  for (Attr const& attr : attrs) node.attrs.push_back(own(attr));
  for (int operand : node.operands) {
    if (operand >= 0) continue;
    if (node.op == "dropout" && node.operands[1] < 0 && node.operands[0] >= 0)
      fail(at, "dropout: a Training comes as an argument of the entry; this one was made by hand  [N0043]");
    fail(at, node.op + ": an operand has no value; a Param is a member that BOOST_HANA_DEFINE_STRUCT names, any other "
                       "Tensor comes from an argument or an operation");
  }
  check_constants(node);
  follow(s.graph, node);
  if (rule::Ax t = needs_data(s.graph, node)) {
    int data = s.graph.data_of(t);
    if (data < 0)
      fail(at, node.op + ": " + str(t) + " has data besides its size, but no argument of " + entry_name() +
                   " stands on it");
    check_rows(s.graph, node, t, data);
    node.operands.push_back(data);
  }
  return s.graph.add(std::move(node));
}

// ---------------------------------------------------------------- parameters
void enter(char const* member) { state->path.push_back(member); }
void enter(int index) { state->path.push_back(std::to_string(index)); }
void leave() { state->path.pop_back(); }

int param(rule::TensorInfo const& type) {
  Site at = state->model->at;
  std::string path;
  for (std::string const& piece : state->path) path += (path.empty() ? "" : ".") + piece;
  if (type.is != rule::Is::number)
    fail(at, "parameter " + path + ": a parameter holds plain numbers, but it is declared as " + str(type));
  for (rule::Ax a : type)
    if (rule::Ax unknown = unknown_size(a))
      fail(at, "parameter " + path + ": " + str(unknown) + " of " + str(type) +
                   " has no fixed size, so no file can hold it");
  return state->graph.add({.op = "param", .type = type, .at = at, .name = path});
}

// ---------------------------------------------------------------- arguments and results
void refuse_entry(char const* why) { fail(state->model->at, entry_name() + ": " + why); }

int input(int index, rule::TensorInfo const& type) {
  Site at = state->model->at;
  if (index >= static_cast<int>(state->arguments.size()))
    fail(at, entry_name() + " has more arguments than NAX_MODEL names: " + state->entry->args);
  std::string const& name = state->arguments[index];
  std::string what = entry_name() + ": argument " + name + " cannot be " + str(type);
  switch (type.is) {
  case rule::Is::number:
  case rule::Is::boolean:
  case rule::Is::ids: break;
  case rule::Is::mask:
    fail(at, what + "; take Tensor<boolean, ...> and say allowed_where_true(" + name + ") or blocked_where_true(" +
                 name + ")");
  default: fail(at, what + "; only numbers, ids and booleans come from outside");
  }
  if (type.whole) fail(at, what + "; what comes from outside has seen nothing yet");
  return state->graph.add_input(index, {.op = "input", .type = type, .at = at, .name = name});
}

int seed(int index) {
  if (index >= static_cast<int>(state->arguments.size()))
    fail(state->model->at, entry_name() + " has more arguments than NAX_MODEL names: " + state->entry->args);
  for (Node const& node : state->graph.nodes)
    if (node.op == "seed") refuse_entry("one Training is enough");
  return state->graph.add_input(index,
                                {.op = "seed", .type = {.number = "i64"}, .at = state->model->at, .name = "seed"});
}

void result(int value, rule::TensorInfo const& type) {
  if (value < 0) refuse_entry("a result has no value");
  if (type.is == rule::Is::mask)
    fail(state->graph.nodes[value].at,
         entry_name() + " returns " + str(type) +
             "; an entry returns numbers, and a mask is applied to scores: mask(scores, m)");
  follow_out(state->graph.nodes[value]);
  state->graph.results.push_back(state->graph.deliver(value, type, 0));
}

// ---------------------------------------------------------------- repeated bodies
int begin_body(int x, rule::TensorInfo const& type, char const* module) {
  State& s = current({});
  int parent = s.scope;
  x = s.graph.deliver(x, type, parent);
  s.scope = static_cast<int>(s.graph.bodies.size());
  Node argument{.op = "argument", .type = type, .at = s.graph.nodes[x].at, .scope = s.scope};
  argument.type.whole = s.graph.nodes[x].type.whole;
  argument.seen = s.graph.nodes[x].seen;
  argument.told = s.graph.nodes[x].told;
  argument.placed = s.graph.nodes[x].placed;
  int id = s.graph.add(std::move(argument));
  s.graph.bodies.push_back({.parent = parent, .over = x, .argument = id, .module = module});
  return id;
}

int end_body(int result, rule::TensorInfo const& type, Site at) {
  State& s = current(at);
  if (result < 0) fail(at, "repeat: a layer returned a tensor without a value");
  Body& body = s.graph.bodies[s.scope];
  body.result = s.graph.deliver(result, type, s.scope);
  Node call{.op = "call",
            .operands = {body.over},
            .type = s.graph.nodes[body.result].type,
            .at = at,
            .scope = body.parent,
            .body = s.scope,
            .placed = s.graph.nodes[body.result].placed,
            .seen = s.graph.nodes[body.result].seen,
            .told = s.graph.nodes[body.result].told};
  s.scope = body.parent;
  return s.graph.add(std::move(call));
}

// ---------------------------------------------------------------- the program
std::vector<ModelText>& models() {
  static std::vector<ModelText> all;
  return all;
}
std::vector<NamesText>& names_tables() {
  static std::vector<NamesText> all;
  return all;
}
std::vector<DecodeText>& decodes() {
  static std::vector<DecodeText> all;
  return all;
}
Model::Model(char const* name, Site at, std::initializer_list<Entry> entries) {
  models().push_back({name, at, entries});
}
Names::Names(char const* table, Site at, std::initializer_list<Name> names) {
  names_tables().push_back({table, at, names});
}
Decode::Decode(Site at, char const* entries) {
  decodes().push_back({at, split_list("(" + std::string(entries) + ")")});
}

Graph run(ModelText const& model, Entry const& entry) {
  State one;
  one.model = &model;
  one.entry = &entry;
  one.arguments = split_list(entry.args);
  state = &one;
  entry.run();
  std::size_t taken = one.graph.inputs.size();
  if (taken < one.arguments.size())
    refuse_entry(("it takes " + std::to_string(taken) + " arguments, but NAX_MODEL names " +
                  std::to_string(one.arguments.size()) + ": " + entry.args)
                     .c_str());
  state = nullptr;
  one.graph.settle_orders();
  return std::move(one.graph);
}

} // namespace nax::trace
