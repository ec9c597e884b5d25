//===- CompilerOutput.cpp - messages, as compilers print them -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "CompilerOutput.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace nax::driver;

static Place placeOf(ArrayRef<StringRef> parts) {
  // Of a header beside the model only clang says "./".
  Place place{parts[1].substr(parts[1].starts_with("./") ? 2 : 0).str()};
  parts[2].getAsInteger(10, place.line);
  parts[3].getAsInteger(10, place.column);
  return place;
}

std::optional<Message> nax::driver::readMessage(StringRef line) {
  static const Regex head("^([^ :][^:]*):([0-9]+):([0-9]+): "
                          "(fatal error|error|warning|note): (.*)$");
  SmallVector<StringRef> parts;
  if (!head.match(line, &parts))
    return std::nullopt;
  return Message{placeOf(parts), parts[4], parts[5], {}};
}

std::vector<Said> nax::driver::readCompilerOutput(StringRef output) {
  static const Regex required(
      "^([^ :][^:]*):([0-9]+):([0-9]+): +required from");
  std::vector<Said> all;
  std::vector<Message> asked;
  Message *last = nullptr;
  SmallVector<StringRef> lines, parts;
  output.split(lines, '\n');
  for (StringRef line : lines) {
    std::optional<Message> message = readMessage(line);
    if (message && !message->isNote()) {
      all.push_back({std::move(*message), {}, std::move(asked)});
      asked.clear();
      last = &all.back().main;
    } else if (message && !all.empty()) {
      asked.clear(); // they were for this note
      last = &all.back().notes.emplace_back(std::move(*message));
    } else if (required.match(line, &parts)) {
      asked.push_back({placeOf(parts), "note", "", {}});
      last = nullptr;
    } else if (last && line.starts_with(" ")) {
      last->shown.push_back(line);
    } else {
      last = nullptr; // "In file included from", "1 error generated."
    }
  }
  return all;
}
