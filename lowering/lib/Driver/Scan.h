//===- Scan.h - brackets and words of C++ text ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Of text without comments, literals and lines of the preprocessor.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_SCAN_H
#define NAX_LIB_DRIVER_SCAN_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace nax::driver {

/// Of a word, also of one that has letters beyond ASCII.
inline bool isWord(char c) {
  return llvm::isAlnum(c) || c == '_' || (c & 0x80);
}
inline bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
inline bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

/// The bracket that closes the one at `open`; npos if none does.
size_t closing(llvm::StringRef code, size_t open);

/// The end of what stands as one at `at`: brackets with all in them, template
/// arguments, a word or number, else one character.
size_t skipOne(llvm::StringRef code, size_t at);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_SCAN_H
