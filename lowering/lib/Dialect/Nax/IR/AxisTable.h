//===- AxisTable.h - descriptions of axes, one for each -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DIALECT_NAX_IR_AXISTABLE_H
#define NAX_LIB_DIALECT_NAX_IR_AXISTABLE_H

namespace nax::detail {

class AxisTable {};

} // namespace nax::detail

#endif // NAX_LIB_DIALECT_NAX_IR_AXISTABLE_H
