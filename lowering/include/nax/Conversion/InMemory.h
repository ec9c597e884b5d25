//===- InMemory.h - conversions that are no part of a model -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_CONVERSION_INMEMORY_H
#define NAX_CONVERSION_INMEMORY_H

#include "llvm/ADT/StringRef.h"

namespace nax {

/// Marks, from nax-to-linalg to nax-fuse-epilogues, an arith.extf or
/// arith.truncf between f32 of the model and the shorter type that a GPU's
/// memory has it in.
inline constexpr llvm::StringLiteral inMemoryName = "nax.in_memory";

} // namespace nax

#endif // NAX_CONVERSION_INMEMORY_H
