//===- SourceText.h - the user's own text, where a message points ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_SOURCETEXT_H
#define NAX_LIB_DRIVER_SOURCETEXT_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace nax::driver {

/// Line and column count from 1.
struct Place {
  std::string file;
  unsigned line = 0, column = 0;
};

/// A mistake in the use of a macro, of which a compiler sees only the ruins.
struct MacroMistake {
  Place place;
  std::string sentence;
};

/// The files that messages name. Each is read once; one that cannot be read is
/// empty.
class SourceText {
public:
  /// `   31 |   source text` and the caret below it; nothing if there is no
  /// such line.
  std::string show(const Place &place);
  /// The text of the line itself.
  llvm::StringRef lineOf(const Place &place);

  /// Where the statement or the side of a comma begins that the place is in or
  /// right behind.
  Place startOfStatement(const Place &place);
  /// The name that is called, where the place is a bracket of the call.
  Place startOfCall(const Place &place);
  /// The sign of a binary operator, where the place is in or right behind its
  /// second operand.
  Place signBefore(const Place &place, llvm::StringRef sign);
  /// What the expression that begins here does last, as sentences name it:
  /// "softmax", "operator+", "layers[0]"; nothing if that can't be told.
  std::string operationAt(const Place &place);

  /// The uses of NAX_MODEL and BOOST_HANA_DEFINE_STRUCT that lack parentheses,
  /// names or commas.
  std::vector<MacroMistake> macroMistakes(llvm::StringRef file);

private:
  /// `code` is `text` with spaces for comments, literals and lines of the
  /// preprocessor, so that brackets and commas in it are brackets and commas.
  struct File {
    std::string text, code;
  };
  const File &read(llvm::StringRef path);
  Place placeAt(llvm::StringRef path, size_t offset);

  llvm::StringMap<File> files;
};

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_SOURCETEXT_H
