//===- Embed.cpp - verifiers of tables of tokens and positions ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "../Rules.h"

using namespace mlir;
using namespace nax;
using namespace nax::checks;

LogicalResult EmbedOp::verify() {
  if (failed(obey(*this, rule::embed(describe(getFrom()), Described(getIds()),
                                     Described(getTable())))))
    return failure();
  nax::TensorType ids = getIds().getType(), table = getTable().getType();
  return expectResult(
      *this, Wanted(joined(ids.getAxes(), less(table.getAxes(), getFrom())),
                    table.getElementType(), {}, joinedWhole(ids, table)));
}

LogicalResult UnembedOp::verify() {
  if (failed(obey(*this, rule::unembed(describe(getTo()), Described(getX()),
                                       Described(getTable())))))
    return failure();
  nax::TensorType x = getX().getType(), table = getTable().getType();
  return expectResult(
      *this, Wanted(joined(less(x.getAxes(), table.getAxes()), getTo()),
                    x.getElementType(), KindAttr::getLogits(getTo()),
                    joinedWhole(x, table)));
}

LogicalResult EmbedPositionsOp::verify() {
  nax::TensorType type = getX().getType();
  if (failed(obey(*this,
                  rule::embed_positions(describe(getAxis()), Described(getX()),
                                        Described(getTable())))) ||
      failed(verifyData(*this, getData(), getAxis(), type,
                        {AxisData::packed, AxisData::left_padded,
                         AxisData::continued})))
    return failure();
  return expectResult(*this, Wanted(type).withKind({}));
}
