// SPDX-License-Identifier: Apache-2.0
// main() of a generator: the user's program, linked with this, writes the model's IR to the file named by its argument.
#include "emit.h"
#include <cstdio>
#include <fstream>
#include <unistd.h>

using namespace nax::trace;

// All of the file or none of it.
static void write_file(std::string const& path, std::string const& text) {
  std::string temporary = path + "." + std::to_string(::getpid());
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) {
    std::remove(temporary.c_str());
    fail({}, "cannot write " + path);
  }
}

// Whether NAX_DECODE names the entry.
static bool is_decoded(Entry const& entry) {
  for (DecodeText const& decode : decodes())
    for (std::string const& name : decode.entries)
      if (name == entry.name) return true;
  return false;
}

static void check_decodes(ModelText const& model) {
  std::string known;
  for (Entry const& entry : model.entries) known += (known.empty() ? "" : ", ") + std::string(entry.name);
  for (DecodeText const& decode : decodes()) {
    if (decode.entries.empty()) fail(decode.at, "NAX_DECODE names the entries to decode: NAX_DECODE(forward)");
    for (std::string const& name : decode.entries)
      if ((", " + known + ", ").find(", " + name + ", ") == std::string::npos)
        fail(decode.at, "NAX_DECODE: model " + model.name + " has no entry " + name + ", only " + known);
  }
}

int main(int argc, char** argv) {
  if (argc != 2) fail({}, "this program takes one argument, the file to write");
  if (models().empty())
    fail({}, "there is no NAX_MODEL: it names the model and its entries, as in NAX_MODEL(gpt, Model, (forward, (ids), "
             "(logits)))");
  ModelText const& model = models().front();
  if (models().size() > 1)
    fail(models()[1].at,
         "more than one NAX_MODEL: " + model.name + " and " + models()[1].name + "; an object holds one model");
  if (model.entries.empty()) fail(model.at, "model " + model.name + " has no entry: (forward, (ids), (logits))");

  check_decodes(model);

  Emitter emitter(model);
  std::vector<ParamText> params;
  Rotations rotations;
  for (Entry const& entry : model.entries) {
    for (Entry const& other : model.entries)
      if (&other < &entry && std::string(other.name) == entry.name)
        fail(model.at, "model " + model.name + " has two entries called " + entry.name);
    Graph graph = run(model, entry);
    params.clear();
    for (Node const& node : graph.nodes)
      if (node.op == "param") params.push_back({node.name, node.type});
    add_rotated(graph, rotations);
    emitter.entry(entry, graph, is_decoded(entry));
  }
  write_file(argv[1], emitter.module(names_attribute(params, rotations)));
}
