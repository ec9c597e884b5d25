//===- JoinObjects.h - several objects become one ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_EMIT_JOINOBJECTS_H
#define NAX_LIB_EMIT_JOINOBJECTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace nax {

/// Writes one relocatable object with all that these have: ELF, 64 bits, little
/// endian, of one machine, as LLVM's code generator makes them. What one of
/// them defines as hidden and another asks for becomes local.
llvm::Error joinObjects(llvm::ArrayRef<llvm::StringRef> objects,
                        llvm::raw_ostream &os);

} // namespace nax

#endif // NAX_LIB_EMIT_JOINOBJECTS_H
