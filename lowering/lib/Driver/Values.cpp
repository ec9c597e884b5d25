//===- Values.cpp - elements of buffers as numbers ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Values.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

static const fltSemantics &halfSemantics(DType dtype) {
  return dtype == DType::F16 ? APFloat::IEEEhalf() : APFloat::BFloat();
}

static double fromHalf(DType dtype, uint16_t bits) {
  APFloat value(halfSemantics(dtype), APInt(16, bits));
  bool inexact = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

static uint16_t toHalf(DType dtype, double number) {
  APFloat value(number);
  bool inexact = false;
  value.convert(halfSemantics(dtype), APFloat::rmNearestTiesToEven, &inexact);
  return static_cast<uint16_t>(value.bitcastToAPInt().getZExtValue());
}

double nax::driver::valueAt(DType dtype, const void *data, int64_t index) {
  switch (dtype) {
  case DType::F64:
    return static_cast<const double *>(data)[index];
  case DType::F32:
    return static_cast<const float *>(data)[index];
  case DType::F16:
  case DType::BF16:
    return fromHalf(dtype, static_cast<const uint16_t *>(data)[index]);
  case DType::I64:
    return static_cast<double>(static_cast<const int64_t *>(data)[index]);
  case DType::I32:
    return static_cast<const int32_t *>(data)[index];
  case DType::Bool:
    return static_cast<const uint8_t *>(data)[index];
  }
  llvm_unreachable("every dtype can be read");
}

void nax::driver::setValue(DType dtype, void *data, int64_t index,
                           double value) {
  switch (dtype) {
  case DType::F64:
    static_cast<double *>(data)[index] = value;
    return;
  case DType::F32:
    static_cast<float *>(data)[index] = static_cast<float>(value);
    return;
  case DType::F16:
  case DType::BF16:
    static_cast<uint16_t *>(data)[index] = toHalf(dtype, value);
    return;
  case DType::I64:
    static_cast<int64_t *>(data)[index] = static_cast<int64_t>(value);
    return;
  case DType::I32:
    static_cast<int32_t *>(data)[index] = static_cast<int32_t>(value);
    return;
  case DType::Bool:
    static_cast<uint8_t *>(data)[index] = value != 0;
    return;
  }
}

bool nax::driver::isInteger(DType dtype) {
  return dtype == DType::I32 || dtype == DType::I64 || dtype == DType::Bool;
}

static std::string printed(const char *pattern, double value) {
  std::string text;
  raw_string_ostream os(text);
  os << format(pattern, value);
  return text;
}

std::string nax::driver::formatNumber(DType dtype, double value) {
  return isInteger(dtype) ? std::to_string(static_cast<int64_t>(value))
                          : printed("%.6g", value);
}

std::string nax::driver::formatError(double value) {
  return value == 0 ? "0" : printed("%.1e", value);
}
