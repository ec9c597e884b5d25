//===- Explain.cpp - naxc explain: a page for each code -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The pages are dsl/explain/N0012.md and so on, embedded when naxc is built.
//
//===----------------------------------------------------------------------===//

#include "Explain.h"

#include "Session.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace nax::driver;

namespace {
struct Page {
  unsigned code;
  const char *text; ///< "# N0012: title", then the page; null ends the table
};
} // namespace

static constexpr Page pages[] = {
#include "Pages.inc"
    {0, nullptr}};

static ArrayRef<Page> allPages() { return ArrayRef(pages).drop_back(); }

static const Page *findPage(unsigned code) {
  const Page *found =
      find_if(allPages(), [&](const Page &page) { return page.code == code; });
  return found == allPages().end() ? nullptr : found;
}

/// 12 of "N0012", "n12", "12" or "[N0012]".
static std::optional<unsigned> parseCode(StringRef word) {
  if (word.consume_front("["))
    word.consume_back("]");
  if (!word.consume_front("N"))
    word.consume_front("n");
  unsigned code = 0;
  if (word.getAsInteger(10, code))
    return std::nullopt;
  return code;
}

static std::string spelled(unsigned code) {
  std::string name;
  raw_string_ostream(name) << format("N%04u", code);
  return name;
}

int nax::driver::explainCommand(const Options &options) {
  for (StringRef word : options.inputs) {
    std::optional<unsigned> code = parseCode(word);
    if (!code || !findPage(*code))
      return complain(
          "there is no page " + (code ? spelled(*code) : word.str()) +
          "; naxc explain lists all " + Twine(allPages().size()) +
          " of them, and naxc explain " +
          (pages[0].text ? spelled(pages[0].code) : "N0001") + " prints one");
  }
  if (options.inputs.empty())
    for (const Page &page : allPages()) {
      StringRef title = StringRef(page.text).split('\n').first;
      title.consume_front("# " + spelled(page.code) + ":");
      outs() << spelled(page.code) << "  " << title.trim() << "\n";
    }
  for (auto [index, word] : enumerate(options.inputs))
    outs() << (index ? "\n" : "") << findPage(*parseCode(word))->text;
  return 0;
}

std::string nax::driver::closingHint(StringRef said, bool leftOut) {
  constexpr size_t most = 4;
  SmallVector<unsigned> codes;
  for (size_t at = 0; (at = said.find("  [N", at)) != StringRef::npos; ++at) {
    StringRef digits = said.substr(at + 4).split(']').first;
    unsigned code = 0;
    if (digits.size() == 4 && !digits.getAsInteger(10, code) &&
        findPage(code) && !is_contained(codes, code) && codes.size() < most)
      codes.push_back(code);
  }
  std::string hint;
  if (!codes.empty()) {
    hint = "naxc explain";
    for (unsigned code : codes)
      hint += " " + spelled(code);
    hint += " says more";
  }
  if (leftOut)
    hint += (hint.empty() ? "" : "; ") +
            std::string("--verbose shows all that the compiler said");
  return hint.empty() ? "" : "(" + hint + ")\n";
}
