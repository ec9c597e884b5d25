//===- Diagnostics.cpp - the compiler's messages, the user's line first ---===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "Explain.h"
#include "SourceText.h"
#include "ThrownAway.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <vector>

using namespace llvm;
using namespace nax::driver;

namespace {

/// `file:line:column: severity: sentence` and the lines that show the place.
struct Message {
  Place place;
  StringRef severity, sentence;
  std::vector<StringRef> shown;

  bool isNote() const { return severity == "note"; }
  bool isError() const { return severity.contains("error"); }
};

/// An error or warning with the notes that belong to it; `asked` are the lines
/// that g++ prints before it ("required from here").
struct Mistake {
  Message main;
  std::vector<Message> notes, asked;

  // What is shown of it.
  std::string sentence;
  Place place; ///< of the user's text, if `isUsers`
  bool isUsers = false;
  const Message *from = nullptr; ///< the note that has it, if `main` has not
  /// Composed by nax's headers or by naxc; the others are the compiler's words
  /// about plain C++.
  bool isOurs = false;
  size_t number = 0; ///< among all, before they are sorted
};

class Folder {
public:
  explicit Folder(StringRef headers) : headers(headers) {}

  Folded fold(StringRef output);

private:
  void read(StringRef output);
  void readHead(const SmallVectorImpl<StringRef> &parts);
  bool isUsers(StringRef file) const;
  const Message *userPlace(const Mistake &mistake) const;
  void settle(Mistake &mistake);
  void addMacroMistakes();
  void dropFollowUps();
  void sort();
  bool isAtModel(const Mistake &mistake) {
    return sources.lineOf(mistake.place).contains("NAX_MODEL");
  }
  void print(const Mistake &mistake);
  void printAt(const Place &place, StringRef severity, StringRef sentence,
               ArrayRef<StringRef> shown);
  void printCalls(const Mistake &mistake);

  StringRef headers;
  SourceText sources;
  std::vector<Mistake> mistakes;
  std::vector<Message> asked;
  Message *last = nullptr;
  std::string text;
  bool leftOut = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Headers of nax, Hana, the host compiler and the system are not the user's.
bool Folder::isUsers(StringRef file) const {
  SmallString<256> clean(file);
  sys::path::remove_dots(clean, /*remove_dot_dot=*/true);
  StringRef path = clean;
  for (StringRef folder :
       {headers, StringRef("/usr/include"), StringRef("/usr/lib"),
        StringRef("/usr/local/include"), StringRef("<")})
    if (path.starts_with(folder))
      return false;
  return !path.contains("/boost/hana/") && !path.contains("/include/c++/");
}

static Place placeOf(const SmallVectorImpl<StringRef> &parts) {
  // Of a header beside the model only clang says "./".
  Place place{parts[1].substr(parts[1].starts_with("./") ? 2 : 0).str()};
  parts[2].getAsInteger(10, place.line);
  parts[3].getAsInteger(10, place.column);
  return place;
}

void Folder::readHead(const SmallVectorImpl<StringRef> &parts) {
  Message message{placeOf(parts), parts[4], parts[5], {}};
  if (!message.isNote()) {
    Mistake &mistake = mistakes.emplace_back();
    mistake.main = message;
    mistake.asked = std::move(asked);
    asked.clear();
    last = &mistake.main;
  } else if (!mistakes.empty()) {
    mistakes.back().notes.push_back(message);
    last = &mistakes.back().notes.back();
  }
}

void Folder::read(StringRef output) {
  static const Regex head("^([^ :][^:]*):([0-9]+):([0-9]+): "
                          "(fatal error|error|warning|note): (.*)$");
  static const Regex required(
      "^([^ :][^:]*):([0-9]+):([0-9]+): +required from");
  SmallVector<StringRef> lines, parts;
  output.split(lines, '\n');
  for (StringRef line : lines) {
    if (head.match(line, &parts)) {
      readHead(parts);
    } else if (required.match(line, &parts)) {
      asked.push_back({placeOf(parts), "note", "", {}});
      last = nullptr;
    } else if (last && line.starts_with(" ")) {
      last->shown.push_back(line);
    } else {
      last = nullptr; // "In file included from", "1 error generated."
    }
  }
}

//===----------------------------------------------------------------------===//
// What is meant
//===----------------------------------------------------------------------===//

/// Where the user's text asked for what went wrong. The innermost template of
/// the user's comes first in either compiler's list.
const Message *Folder::userPlace(const Mistake &mistake) const {
  if (isUsers(mistake.main.place.file))
    return &mistake.main;
  for (const Message &note : mistake.notes)
    if (isUsers(note.place.file))
      return &note;
  for (const Message &place : mistake.asked)
    if (isUsers(place.place.file))
      return &place;
  return nullptr;
}

/// The sentence in a template argument that g++ prints.
static bool unwrap(StringRef sentence, std::string &plain) {
  static const Regex words("Words<[0-9]+>\\{\"((\\\\.|[^\"\\\\])*)\"");
  SmallVector<StringRef> parts;
  if (!words.match(sentence, &parts))
    return false;
  for (size_t i = 0; i < parts[1].size(); ++i) {
    if (parts[1][i] == '\\' && i + 1 < parts[1].size())
      ++i;
    plain += parts[1][i];
  }
  return true;
}

void Folder::settle(Mistake &mistake) {
  StringRef sentence = mistake.main.sentence;
  const Message *user = userPlace(mistake);
  mistake.isUsers = user;
  mistake.from = user == &mistake.main ? nullptr : user;
  mistake.place = user ? user->place : mistake.main.place;

  if (unwrap(sentence, mistake.sentence)) {
    mistake.isOurs = true;
    // g++ points behind a name or an operator, clang at it.
    StringRef sign = sentence.split("nax::operator").second.split('(').first;
    mistake.place = sign.empty() ? sources.startOfCall(mistake.place)
                                 : sources.signBefore(mistake.place, sign);
    return;
  }
  if (isThrownAway(sentence)) {
    mistake.isOurs = true;
    mistake.main.severity = "error";
    if (sentence.starts_with("ignoring returned")) // as g++ has it
      mistake.place = sources.startOfStatement(mistake.place);
    mistake.sentence = thrownAway(sources.operationAt(mistake.place), sentence);
    return;
  }
  mistake.isOurs = sentence.consume_front("static assertion failed: ");
  // In a class the condition can't be a literal, and clang prints it in quotes.
  if (sentence.consume_front("static assertion failed due to requirement '")) {
    mistake.isOurs = true;
    sentence = sentence.split("': ").second;
  }
  // What is no single function has no address to take.
  if (sentence.starts_with("no matching ") && sentence.contains("trace::Model"))
    sentence = "NAX_MODEL: an entry is one member function, no template and "
               "without overloads: auto forward(Tensor<...> x) const";
  mistake.sentence = sentence.str();
}

/// They explain what else the compiler says of plain C++.
void Folder::addMacroMistakes() {
  StringSet<> files;
  for (const Mistake &mistake : mistakes)
    if (mistake.isUsers && mistake.main.isError())
      files.insert(mistake.place.file);
  std::vector<Mistake> found;
  for (const auto &file : files)
    for (MacroMistake &macro : sources.macroMistakes(file.getKey())) {
      Mistake &mistake = found.emplace_back();
      mistake.main.severity = "error";
      mistake.sentence = std::move(macro.sentence);
      mistake.place = std::move(macro.place);
      mistake.isOurs = true;
    }
  if (found.empty())
    return;
  leftOut = true;
  erase_if(mistakes, [](const Mistake &mistake) { return !mistake.isOurs; });
  append_range(mistakes, found);
}

static std::string lineKey(const Mistake &mistake) {
  return mistake.place.file + ":" + std::to_string(mistake.place.line);
}

/// Of one mistake a compiler may say more than one thing. A sentence of ours is
/// kept, but once a line; of the compiler's own the first of a line, and none
/// about nax's inside if there is one of ours. What is at NAX_MODEL follows
/// from what is wrong in the functions that it names.
void Folder::dropFollowUps() {
  StringSet<> oursAt, lines, sentences;
  bool elsewhere = false, plainElsewhere = false;
  for (const Mistake &mistake : mistakes) {
    if (!mistake.main.isError())
      continue;
    if (mistake.isOurs)
      oursAt.insert(lineKey(mistake));
    elsewhere |= !isAtModel(mistake);
    plainElsewhere |= !mistake.isOurs && !isAtModel(mistake);
  }
  std::vector<Mistake> kept;
  for (Mistake &mistake : mistakes) {
    bool error = mistake.main.isError();
    std::string line = lineKey(mistake);
    bool followsUp = !sentences.insert(line + mistake.sentence).second;
    // A warning about code that is not the user's is not for the user.
    if (!mistake.isOurs && !error)
      followsUp |= !mistake.isUsers || oursAt.contains(line);
    if (!mistake.isOurs && error)
      followsUp |= oursAt.contains(line) ||
                   (!oursAt.empty() && !isUsers(mistake.main.place.file)) ||
                   !lines.insert(line).second;
    followsUp |=
        isAtModel(mistake) && (mistake.isOurs ? plainElsewhere : elsewhere);
    followsUp |= !oursAt.empty() && mentionsRefused(mistake.main.sentence);
    if (!followsUp)
      kept.push_back(std::move(mistake));
    leftOut |= followsUp && error;
  }
  mistakes = std::move(kept);
}

/// Errors, then warnings; of a file in the order of lines.
void Folder::sort() {
  StringMap<size_t> order;
  size_t count = 0;
  for (Mistake &mistake : mistakes) {
    order.try_emplace(mistake.place.file, order.size());
    mistake.number = count++;
  }
  auto key = [&](const Mistake &mistake) {
    return std::tuple(!mistake.main.isError(), order[mistake.place.file],
                      mistake.place.line, mistake.place.column, mistake.number);
  };
  llvm::sort(mistakes, [&](const Mistake &one, const Mistake &other) {
    return key(one) < key(other);
  });
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void Folder::printAt(const Place &place, StringRef severity, StringRef sentence,
                     ArrayRef<StringRef> shown) {
  text += place.file + ":" + std::to_string(place.line) + ":" +
          std::to_string(place.column) + ": " + severity.str() + ": " +
          sentence.str() + "\n";
  for (StringRef line : shown)
    text += line.str() + "\n";
  if (shown.empty())
    text += sources.show(place);
}

/// The user's own lines that called what has the mistake: a template or module.
void Folder::printCalls(const Mistake &mistake) {
  size_t most = 3;
  StringSet<> lines({lineKey(mistake)});
  for (const auto *frames : {&mistake.notes, &mistake.asked})
    for (const Message &frame : *frames) {
      bool call = frames == &mistake.asked ||
                  frame.sentence.starts_with("in instantiation of");
      if (!call || &frame == mistake.from)
        continue;
      leftOut = true;
      Place place = sources.startOfCall(frame.place);
      std::string line = place.file + ":" + std::to_string(place.line);
      if (most && isUsers(place.file) && lines.insert(line).second &&
          !sources.lineOf(place).contains("NAX_MODEL")) {
        printAt(place, "note", "called here", {});
        --most;
      }
    }
}

void Folder::print(const Mistake &mistake) {
  ArrayRef<StringRef> shown;
  if (mistake.sentence == mistake.main.sentence)
    shown = mistake.from ? mistake.from->shown : mistake.main.shown;
  printAt(mistake.place, mistake.main.severity, mistake.sentence, shown);
  leftOut |= mistake.from != nullptr;
  for (const Message &note : mistake.notes) {
    bool trace = note.sentence.starts_with("in instantiation of");
    if (trace || &note == mistake.from)
      continue;
    if (isUsers(note.place.file) && !mistake.isOurs)
      printAt(note.place, note.severity, note.sentence, note.shown);
    else
      leftOut = true;
  }
  printCalls(mistake);
}

Folded Folder::fold(StringRef output) {
  read(output);
  // Not a mistake in the model: the linker, a crash, a missing header.
  if (mistakes.empty())
    return {output.str()};
  for (Mistake &mistake : mistakes)
    settle(mistake);
  addMacroMistakes();
  dropFollowUps();
  sort();
  bool hasError = false;
  for (const Mistake &mistake : mistakes) {
    print(mistake);
    hasError |= mistake.main.isError();
  }
  return {text + closingHint(text, leftOut && hasError), hasError};
}

std::string nax::driver::showPlaces(StringRef output) {
  static const Regex head("^([^ :][^:]*):([0-9]+):([0-9]+): error: ");
  SourceText sources;
  std::string text;
  SmallVector<StringRef> lines, parts;
  output.rtrim('\n').split(lines, '\n');
  for (StringRef line : lines) {
    text += (line + "\n").str();
    if (head.match(line, &parts))
      text += sources.show(placeOf(parts));
  }
  return text + closingHint(text);
}

Folded nax::driver::foldDiagnostics(StringRef output, StringRef headers) {
  return Folder(headers).fold(output);
}
