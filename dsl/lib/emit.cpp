// SPDX-License-Identifier: Apache-2.0
// Values are numbered by walking from the results, operands first. The order in which the host compiler evaluated the
// program therefore leaves no trace.
#include "emit.h"
#include <algorithm>

namespace nax::trace {

namespace {

bool is_mask(Node const& node) { return node.type.is == rule::Is::mask && node.op != "argument" && node.op != "call"; }
bool is_given(Node const& node) {
  return node.op == "input" || node.op == "seed" || node.op == "data" || node.op == "argument";
}

} // namespace

std::vector<int> Emitter::operands_of(int value) const {
  Node const& node = graph->nodes[value];
  return node.op == "call" ? called.at(node.body).operands : node.operands;
}

bool Emitter::encloses(int outer, int inner) const {
  while (inner != outer && inner != 0) inner = graph->bodies[inner].parent;
  return inner == outer;
}

// Appends what `value` needs, then `value` itself. (By hand, since a model may be thousands of operations deep.)
void Emitter::visit(Function& f, int value) {
  struct Step {
    int value;
    std::vector<int> operands;
    std::size_t next = 0;
  };
  std::vector<Step> stack;
  auto enter = [&](int v) {
    if (!f.visited.insert(v).second) return;
    Node const& node = graph->nodes[v];
    // A mask is symbolic: each function that uses it states it anew, and only its data is handed over.
    bool own = node.scope == f.scope || is_mask(node);
    if (!own && !encloses(node.scope, f.scope)) {
      Node const& user = stack.empty() ? node : graph->nodes[stack.back().value];
      fail(user.at,
           user.op + ": an operand is a value inside of a repeated layer; a layer hands on only what it returns");
    }
    if (node.op == "param")
      f.params.push_back(v);
    else if (!own)
      f.others.push_back(v);
    else if (!is_given(node))
      stack.push_back({v, node.operands});
  };
  enter(value);
  while (!stack.empty()) {
    Step& step = stack.back();
    if (step.next < step.operands.size()) {
      enter(step.operands[step.next++]);
      continue;
    }
    Node const& node = graph->nodes[step.value];
    // What a call's body captures is known once that is written; what is repeated over comes first.
    if (node.op == "call" && !called.count(node.body)) {
      step.operands = body(node.body).operands;
      continue;
    }
    f.order.push_back(step.value);
    stack.pop_back();
  }
}

// Writes f's operations to `text`; to `shape` the same without places and constants of a place in the program.
void Emitter::operations(Function& f, std::string& text, std::string& shape) {
  int next = 0;
  for (int value : f.order) {
    Node const& node = graph->nodes[value];
    std::string name = f.names[value] = "%" + std::to_string(next++);
    std::string operands, types, attrs;
    for (int operand : operands_of(value)) {
      operands += (operands.empty() ? "" : ", ") + f.names.at(operand);
      types += (types.empty() ? "" : ", ") + spell.type(graph->nodes[operand].type);
    }
    auto add = [&](std::string const& attr) { attrs += (attrs.empty() ? "" : ", ") + attr; };
    for (OwnedAttr const& attr : node.attrs) add(spell.attr(attr));
    std::string op = "nax." + node.op;
    if (node.op == "call") {
      op = "func.call";
      add("callee = @" + called.at(node.body).symbol);
    } else if (node.op == "param") {
      add("name = " + Spelling::quoted(node.name));
    } else if (node.op == "dropout") {
      int site = sites.try_emplace(value, static_cast<int>(sites.size())).first->second;
      add("site = " + std::to_string(site) + " : i64");
    }
    std::string line = "    " + name + " = \"" + op + "\"(" + operands + ")";
    if (!attrs.empty()) line += " <{" + attrs + "}>";
    line += " : (" + types + ") -> " + spell.type(node.type);
    shape += line + "\n";
    text += line + Spelling::location(node.at) + "\n";
  }
}

// The function for one repeated body, and what a call of it hands over.
Emitter::Called& Emitter::body(int index) {
  Body const& what = graph->bodies[index];
  Function f{.scope = index};
  visit(f, what.result);

  // The argument comes first, then parameters, then what else is captured.
  std::vector<int> arguments{what.argument};
  f.names[what.argument] = "%x";
  for (int param : f.params) {
    f.names[param] = "%p" + std::to_string(arguments.size() - 1);
    arguments.push_back(param);
  }
  for (int other : f.others) {
    f.names[other] = "%d" + std::to_string(arguments.size() - 1);
    arguments.push_back(other);
  }
  std::string given;
  for (int argument : arguments) {
    Node const& node = graph->nodes[argument];
    given += (given.empty() ? "" : ", ") + f.names[argument] + ": " + spell.type(node.type);
    if (node.op == "param") given += " {nax.param}";
  }
  std::string result = spell.type(graph->nodes[what.result].type);
  std::string text, shape = "(" + given + ") -> " + result + "\n";
  operations(f, text, shape);
  std::string last = "    return " + f.names.at(what.result) + " : " + result;
  shape += last;

  Called& entry = called[index];
  entry.operands.assign(1, what.over);
  entry.operands.insert(entry.operands.end(), arguments.begin() + 1, arguments.end());
  auto found = bodies.find(shape);
  if (found == bodies.end()) {
    // A class of a namespace, a template of arguments: what counts is the name in between.
    std::string_view module = what.module;
    module = module.substr(0, module.find('<'));
    module = module.substr(module.rfind(':') + 1);
    std::string wanted = identifier(module), symbol = wanted;
    for (int i = 1; !symbols.insert(symbol).second; ++i) symbol = wanted + "_" + std::to_string(i);
    found = bodies.emplace(shape, symbol).first;
    Site at = graph->nodes[what.result].at;
    functions += "  func.func private @" + symbol + "(" + given + ") -> " + result + " {\n" + text + last +
                 Spelling::location(at) + "\n  }" + Spelling::location(at) + "\n";
  }
  entry.symbol = found->second;
  return entry;
}

// Every size must be known: fixed, or that of an argument.
void Emitter::check_sizes() {
  std::set<rule::Ax> known;
  auto know = [&](auto& self, rule::Ax a) -> void {
    known.insert(rule::base(a));
    for (int i = 0; i < a->nparts; ++i) self(self, a->parts[i]);
  };
  for (int input : graph->inputs)
    for (rule::Ax a : graph->nodes[input].type) know(know, a);
  for (Node const& node : graph->nodes)
    for (rule::Ax a : node.type)
      if (rule::Ax unknown = unknown_size(a); unknown && !known.count(unknown))
        fail(node.at, node.op + ": nothing says how large " + str(unknown) + " of " + str(node.type) +
                          " is; give it a size, or an argument that stands on it");
}

void Emitter::entry(Entry const& entry, Graph& traced, bool decoded) {
  graph = &traced;
  called.clear();
  sites.clear();
  std::vector<std::string> names = split_list(entry.results);
  std::string what = "entry " + std::string(entry.name) + " of " + model.name;
  if (names.size() != traced.results.size())
    fail(model.at, what + " returns " + std::to_string(traced.results.size()) + " results, but NAX_MODEL names " +
                       std::to_string(names.size()) + ": " + entry.results);
  check_sizes();

  // Arguments as they are declared, then what the axes have besides a size, in the order of their appearance.
  std::vector<int> arguments = traced.inputs;
  for (int input : traced.inputs)
    for (int i = 0; i < traced.nodes[input].type.n; ++i) {
      rule::Ax t = rule::base(traced.nodes[input].type.ax[i]);
      if (t->data == rule::Data::all) continue;
      int data = traced.data_of(t);
      if (std::find(arguments.begin(), arguments.end(), data) == arguments.end()) arguments.push_back(data);
    }

  Function f;
  for (int result : traced.results) visit(f, result);
  std::sort(f.params.begin(), f.params.end());
  f.order.insert(f.order.begin(), f.params.begin(), f.params.end());

  std::string given, returned, types, values;
  std::set<std::string> taken;
  for (int argument : arguments) {
    Node const& node = traced.nodes[argument];
    if (!taken.insert(node.name).second) fail(model.at, what + " has two arguments called " + node.name);
    f.names[argument] = "%" + identifier(node.name);
    given += (given.empty() ? "" : ", ") + f.names[argument] + ": " + spell.type(node.type) +
             " {nax.name = " + Spelling::quoted(node.name);
    if (node.op == "data")
      for (auto const& [axis, value] : traced.data)
        if (value == argument) given += ", nax.data = " + spell.axis(axis);
    given += "}" + Spelling::location(node.at);
  }
  std::string text, shape;
  operations(f, text, shape);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!taken.insert(names[i]).second) fail(model.at, what + " uses the name " + names[i] + " twice");
    std::string comma = i ? ", " : "", type = spell.type(traced.nodes[traced.results[i]].type);
    returned += comma + type + " {nax.name = " + Spelling::quoted(names[i]) + "}";
    types += comma + type;
    values += comma + f.names.at(traced.results[i]);
  }
  std::string at = Spelling::location(model.at);
  functions += "  func.func @" + std::string(entry.name) + "(" + given + ") -> (" + returned +
               ") attributes {nax.entry" + (decoded ? ", nax.decode" : "") + "} {\n" + text + "    return " + values + " : " + types + at + "\n  }" + at +
               "\n";
}

std::string Emitter::module(std::string const& names) {
  std::string attrs = "nax.model = " + Spelling::quoted(model.name) + ", nax.format = 1 : i64";
  if (!names.empty()) attrs += ", nax.names = [" + names + "]";
  return spell.definitions() + "module attributes {" + attrs + "} {\n" + functions + "}" +
         Spelling::location(model.at) + "\n";
}

} // namespace nax::trace
