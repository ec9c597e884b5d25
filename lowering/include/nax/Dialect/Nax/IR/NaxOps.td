//===- NaxOps.td - all operations -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_OPS
#define NAX_OPS

include "nax/Dialect/Nax/IR/Ops/Contract.td"
include "nax/Dialect/Nax/IR/Ops/Attention.td"
include "nax/Dialect/Nax/IR/Ops/Masks.td"
include "nax/Dialect/Nax/IR/Ops/Rope.td"
include "nax/Dialect/Nax/IR/Ops/Norm.td"
include "nax/Dialect/Nax/IR/Ops/Reduce.td"
include "nax/Dialect/Nax/IR/Ops/Elementwise.td"
include "nax/Dialect/Nax/IR/Ops/Shape.td"
include "nax/Dialect/Nax/IR/Ops/Embed.td"
include "nax/Dialect/Nax/IR/Ops/Loss.td"
include "nax/Dialect/Nax/IR/Ops/Decode.td"
include "nax/Dialect/Nax/IR/Ops/Kernel.td"
include "nax/Dialect/Nax/IR/Ops/Parallel.td"
include "nax/Dialect/Nax/IR/Ops/Launch.td"

#endif // NAX_OPS
