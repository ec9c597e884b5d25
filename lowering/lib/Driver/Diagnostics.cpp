//===- Diagnostics.cpp - the compiler's messages, the user's line first ---===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "CompilerOutput.h"
#include "Explain.h"
#include "NumberAsAxis.h"
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

/// What a compiler said of one thing, and what is shown of it.
struct Mistake : Said {
  explicit Mistake(Said said) : Said(std::move(said)) {}

  std::string sentence;
  Place place; ///< of the user's text, if `isUsers`
  bool isUsers = false;
  const Message *from = nullptr; ///< the note that has it, if `main` has not
  /// Composed by nax's headers or by naxc; the others are the compiler's words
  /// about plain C++.
  bool isOurs = false;
  /// A type became int: much is wrong after it, and nothing of that is meant.
  bool spoilsTypes = false;
  size_t number = 0; ///< among all, before they are sorted
};

class Folder {
public:
  explicit Folder(StringRef headers) : headers(headers) {}

  Folded fold(StringRef output);

private:
  bool isUsers(StringRef file) const;
  const Message *userPlace(const Mistake &mistake) const;
  void settle(Mistake &mistake);
  bool settleNumberAsAxis(Mistake &mistake);
  void dropSpoilt();
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
  std::string text;
  bool leftOut = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is meant
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

bool Folder::settleNumberAsAxis(Mistake &mistake) {
  if (!isValueForType(mistake.main.sentence))
    return false;
  StringRef line = sources.lineOf(mistake.place);
  Place place = mistake.place;
  for (const Message &note : mistake.notes)
    place.column = columnOfValue(line, place.column, note.sentence);
  mistake.sentence = numberAsAxis(line, place.column);
  if (mistake.sentence.empty())
    return false;
  mistake.place = place;
  mistake.main.shown.clear();
  mistake.isOurs = mistake.spoilsTypes = true;
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
    erase_if(mistake.notes, [](const Message &note) {
      return !note.sentence.starts_with("in instantiation of");
    });
    if (sentence.starts_with("ignoring returned")) // as g++ has it
      mistake.place = sources.startOfStatement(mistake.place);
    mistake.sentence = thrownAway(sources.operationAt(mistake.place), sentence);
    return;
  }
  if (settleNumberAsAxis(mistake))
    return;
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
  if (isAtModel(mistake) && (sentence.contains("is a private member of") ||
                             sentence.contains("is private within")))
    sentence = "NAX_MODEL: an entry is public, as all in a struct is";
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
      Mistake &mistake = found.emplace_back(Said());
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

/// The first of a line is shown, as clang says no more.
void Folder::dropSpoilt() {
  if (none_of(mistakes, [](const Mistake &one) { return one.spoilsTypes; }))
    return;
  StringSet<> lines;
  erase_if(mistakes, [&](const Mistake &one) {
    return !one.spoilsTypes || !lines.insert(lineKey(one)).second;
  });
  leftOut = true;
}

/// The axis that tensors name and that is none: all of them say so.
static StringRef axisAtFault(StringRef sentence) {
  return sentence.contains(" is not an axis; ") ? sentence.split(" in [").first
                                                : StringRef();
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
    if (StringRef axis = axisAtFault(mistake.sentence); !axis.empty())
      followsUp |= !sentences.insert(axis).second;
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

static std::string headOf(const Place &place, StringRef severity,
                          StringRef sentence) {
  return (place.file + ":" + Twine(place.line) + ":" + Twine(place.column) +
          ": " + severity + ": " + sentence + "\n")
      .str();
}

void Folder::printAt(const Place &place, StringRef severity, StringRef sentence,
                     ArrayRef<StringRef> shown) {
  text += headOf(place, severity, sentence);
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
  for (Said &said : readCompilerOutput(output))
    mistakes.emplace_back(std::move(said));
  // Not a mistake in the model: the linker, a crash, a missing header.
  if (mistakes.empty())
    return {output.str()};
  for (Mistake &mistake : mistakes)
    settle(mistake);
  dropSpoilt();
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
  SourceText sources;
  std::string text;
  SmallVector<StringRef> lines;
  output.rtrim('\n').split(lines, '\n');
  for (StringRef line : lines) {
    std::optional<Message> message = readMessage(line);
    if (!message || !message->isError()) {
      text += (line + "\n").str();
      continue;
    }
    // g++ has the place of a call at its bracket; of a macro it has the begin
    // and clang the end.
    Place place = sources.startOfCall(message->place);
    size_t macro = sources.lineOf(place).find("NAX_");
    if (macro != StringRef::npos)
      place.column = macro + 1;
    text += headOf(place, message->severity, message->sentence) +
            sources.show(place);
  }
  return text + closingHint(text);
}

Folded nax::driver::foldDiagnostics(StringRef output, StringRef headers) {
  return Folder(headers).fold(output);
}
