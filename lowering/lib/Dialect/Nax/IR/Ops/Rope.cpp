//===- Rope.cpp - verifier of rotary positions ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../Rules.h"

using namespace mlir;
using namespace nax;
using namespace nax::checks;

LogicalResult RopeOp::verify() {
  nax::TensorType type = getX().getType();
  if (failed(obey(*this,
                  rule::rope(describe(getPositions()), describe(getFeatures()),
                             Described(getX()), describe(getRope())))) ||
      failed(verifyData(*this, getData(), getPositions(), type,
                        {AxisData::packed, AxisData::left_padded,
                         AxisData::continued})))
    return failure();
  return expectResult(*this, Wanted(type).withKind(KindAttr::getRotated(
                                 getPositions(), getFeatures(), getRope())));
}
