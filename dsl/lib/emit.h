// SPDX-License-Identifier: Apache-2.0
// From graphs to the text of an MLIR module.
#pragma once
#include "spelling.h"

namespace nax::trace {

// All functions of a model: an entry each, and one for every distinct body of a repeat.
class Emitter {
public:
  explicit Emitter(ModelText const& model) : model(model), spell(model.at) {
    for (Entry const& entry : model.entries) symbols.insert(entry.name);
  }
  // An entry to be decoded is marked for the compiler.
  void entry(Entry const& entry, Graph& graph, bool decoded);
  std::string module(std::string const& names);

private:
  // A function under construction: which values it computes, in order, and which it is given.
  struct Function {
    int scope = 0;
    std::vector<int> order{};
    std::vector<int> params{}, others{}; // captured by a body; in an entry, the parameters it uses
    std::map<int, std::string> names{};
    std::set<int> visited{};
  };
  struct Called {
    std::string symbol;
    std::vector<int> operands;
  };

  bool encloses(int outer, int inner) const;
  void visit(Function& f, int value);
  std::vector<int> operands_of(int value) const;
  void operations(Function& f, std::string& text, std::string& shape);
  Called& body(int index);
  void check_sizes();

  ModelText const& model;
  Spelling spell;
  std::set<std::string> symbols;
  std::map<std::string, std::string> bodies; // what a body computes, and the function that does
  std::string functions;

  // Of the entry being written.
  Graph* graph = nullptr;
  std::map<int, Called> called; // by body
  std::map<int, int> sites;     // of dropout, by value
};

} // namespace nax::trace
