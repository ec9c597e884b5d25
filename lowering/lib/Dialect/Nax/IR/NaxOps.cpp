//===- NaxOps.cpp - the generated definitions of all operations -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Verifiers live in Ops/, one file for each .td file of a family.
//
//===----------------------------------------------------------------------===//

#include "nax/Dialect/Nax/IR/Nax.h"

using namespace mlir;
using namespace nax;

#define GET_OP_CLASSES
#include "nax/Dialect/Nax/IR/NaxOps.cpp.inc"

void NaxDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "nax/Dialect/Nax/IR/NaxOps.cpp.inc"
      >();
}
