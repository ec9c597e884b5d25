//===- Diagnostics.cpp - the compiler's messages, the user's line first ---===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <vector>

using namespace llvm;

namespace {

/// `file:line:column: severity: sentence` and the lines that show the place.
struct Message {
  StringRef file, place, severity, sentence; // place: "31:14"
  std::vector<StringRef> shown;

  bool isNote() const { return severity == "note"; }
  bool isError() const { return severity.contains("error"); }
};

/// An error or warning with the notes that belong to it; `asked` are the lines
/// that g++ prints before it ("required from here").
struct Mistake {
  Message main;
  std::vector<Message> notes, asked;
};

class Folder {
public:
  explicit Folder(StringRef headers) : headers(headers) {}

  std::string fold(StringRef output);

private:
  void read(StringRef output);
  void readHead(const SmallVectorImpl<StringRef> &parts);
  bool isUsers(StringRef file) const;
  const Message *userPlace(const Mistake &mistake) const;
  void print(const Mistake &mistake);
  void printAt(const Message &place, StringRef severity, StringRef sentence);

  StringRef headers;
  std::vector<Mistake> mistakes;
  std::vector<Message> asked;
  Message *last = nullptr;
  StringSet<> printed;
  std::string text;
  bool folded = false;
};

} // namespace

/// Nax's headers, the host compiler's and the system's are not the user's.
bool Folder::isUsers(StringRef file) const {
  SmallString<256> clean(file);
  sys::path::remove_dots(clean, /*remove_dot_dot=*/true);
  for (StringRef folder :
       {headers, StringRef("/usr/include"), StringRef("/usr/lib"),
        StringRef("/usr/local/include")})
    if (StringRef(clean).starts_with(folder))
      return false;
  return true;
}

void Folder::readHead(const SmallVectorImpl<StringRef> &parts) {
  Message message{parts[1], parts[2], parts[3], parts[4], {}};
  if (!message.isNote()) {
    mistakes.push_back({message, {}, std::move(asked)});
    asked.clear();
    last = &mistakes.back().main;
  } else if (!mistakes.empty()) {
    mistakes.back().notes.push_back(message);
    last = &mistakes.back().notes.back();
  }
}

void Folder::read(StringRef output) {
  static const Regex head("^([^ :][^:]*):([0-9]+:[0-9]+): "
                          "(fatal error|error|warning|note): (.*)$");
  static const Regex required("^([^ :][^:]*):([0-9]+:[0-9]+): +required from");
  SmallVector<StringRef> lines, parts;
  output.split(lines, '\n');
  for (StringRef line : lines) {
    if (head.match(line, &parts)) {
      readHead(parts);
    } else if (required.match(line, &parts)) {
      asked.push_back({parts[1], parts[2], "note", "", {}});
      last = nullptr;
    } else if (last && line.starts_with(" ")) {
      last->shown.push_back(line);
    } else {
      last = nullptr; // "In file included from", "1 error generated."
    }
  }
}

/// Where the user's text asked for what went wrong. The innermost template of
/// the user's comes first in clang's notes and last in g++'s list.
const Message *Folder::userPlace(const Mistake &mistake) const {
  if (isUsers(mistake.main.file))
    return &mistake.main;
  for (const Message &note : mistake.notes)
    if (isUsers(note.file))
      return &note;
  for (const Message &place : mistake.asked)
    if (isUsers(place.file))
      return &place;
  return nullptr;
}

/// The sentence without what the compilers put around it.
static std::string bare(StringRef sentence) {
  static const Regex words("Words<[0-9]+>\\{\"((\\\\.|[^\"\\\\])*)\"");
  SmallVector<StringRef> parts;
  if (words.match(sentence, &parts)) {
    std::string plain;
    for (size_t i = 0; i < parts[1].size(); ++i) {
      if (parts[1][i] == '\\' && i + 1 < parts[1].size())
        ++i;
      plain += parts[1][i];
    }
    return plain;
  }
  // In a class the condition can't be a literal, and clang prints it in quotes.
  if (sentence.consume_front("static assertion failed due to requirement '"))
    sentence = sentence.split("': ").second;
  sentence.consume_front("static assertion failed: ");
  return sentence.str();
}

void Folder::printAt(const Message &place, StringRef severity,
                     StringRef sentence) {
  text += (place.file + ":" + place.place + ": " + severity + ": " + sentence +
           "\n")
              .str();
  for (StringRef line : place.shown)
    text += (line + "\n").str();
}

void Folder::print(const Mistake &mistake) {
  std::string sentence = bare(mistake.main.sentence);
  const Message *place = userPlace(mistake);
  // A warning about code that is not the user's is not for the user.
  if (!place && !mistake.main.isError())
    return;
  if (!place)
    place = &mistake.main;
  StringRef line = place->place.split(':').first;
  std::string key = (place->file + ":" + line + ": " + sentence).str();
  if (!printed.insert(key).second) {
    folded = true;
    return;
  }
  printAt(*place, mistake.main.severity, sentence);
  for (const Message &note : mistake.notes) {
    bool trace = note.sentence.starts_with("in instantiation of");
    if (isUsers(note.file) && !trace && &note != place)
      printAt(note, note.severity, note.sentence);
    else if (&note != place)
      folded = true;
  }
  folded |= place != &mistake.main;
}

std::string Folder::fold(StringRef output) {
  read(output);
  bool hasError = false;
  for (const Mistake &mistake : mistakes)
    hasError |= mistake.main.isError();
  for (const Mistake &mistake : mistakes)
    if (mistake.main.isError())
      print(mistake);
  for (const Mistake &mistake : mistakes)
    if (!mistake.main.isError())
      print(mistake);
  // Not a mistake in the model: the linker, a crash, a missing header.
  if (mistakes.empty())
    return output.str();
  if (folded && hasError)
    text += "(--verbose shows all that the compiler said)\n";
  return text;
}

/// `  31 |   source text` and the caret below it; nothing if there is no such
/// line.
static std::string sourceLine(StringRef path, unsigned line, unsigned column) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  if (!file)
    return "";
  line_iterator lines(**file, /*SkipBlanks=*/false);
  for (unsigned skip = 1; skip < line && !lines.is_at_end(); ++skip)
    ++lines;
  if (line == 0 || lines.is_at_end())
    return "";
  std::string number = std::to_string(line);
  std::string margin(std::max<size_t>(number.size(), 5) - number.size(), ' ');
  std::string text = margin + number + " | " + lines->str() + "\n";
  if (column > 0)
    text += std::string(margin.size() + number.size(), ' ') + " | " +
            std::string(column - 1, ' ') + "^\n";
  return text;
}

std::string nax::driver::showPlaces(StringRef output) {
  static const Regex head("^([^ :][^:]*):([0-9]+):([0-9]+): error: ");
  std::string text;
  SmallVector<StringRef> lines, parts;
  output.rtrim('\n').split(lines, '\n');
  for (StringRef line : lines) {
    text += (line + "\n").str();
    unsigned row = 0, column = 0;
    if (head.match(line, &parts) && !parts[2].getAsInteger(10, row) &&
        !parts[3].getAsInteger(10, column))
      text += sourceLine(parts[1], row, column);
  }
  return text;
}

std::string nax::driver::foldDiagnostics(StringRef output, StringRef headers) {
  return Folder(headers).fold(output);
}
