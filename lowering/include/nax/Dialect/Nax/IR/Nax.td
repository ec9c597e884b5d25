//===- Nax.td - umbrella: dialect, attributes, types, operations ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX
#define NAX

include "nax/Dialect/Nax/IR/NaxDialect.td"
include "nax/Dialect/Nax/IR/NaxAttrs.td"
include "nax/Dialect/Nax/IR/NaxTypes.td"
include "nax/Dialect/Nax/IR/NaxOps.td"

#endif // NAX
