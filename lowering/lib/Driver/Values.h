//===- Values.h - elements of buffers as numbers --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_VALUES_H
#define NAX_LIB_DRIVER_VALUES_H

#include "nax/Emit/ModelInfo.h"

#include <string>

namespace nax::driver {

/// Element `index` of a buffer. i64 beyond 2^53 is rounded.
double valueAt(DType dtype, const void *data, int64_t index);
/// Stores a number, rounded to the nearest of the type.
void setValue(DType dtype, void *data, int64_t index, double value);

bool isInteger(DType dtype);
/// "0.25", "7"
std::string formatNumber(DType dtype, double value);
/// "1.3e-07"
std::string formatError(double value);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_VALUES_H
