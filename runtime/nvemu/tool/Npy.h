//===- Npy.h - arrays in numpy's file format --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Format: numpy.lib.format, versions 1 to 3, C order, little-endian. numpy has no
// bf16; its bits are read and written as u2.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_TOOL_NPY_H
#define NVEMU_TOOL_NPY_H

#include "Number.h"

#include <cstddef>

namespace nvemu::tool {

/// `count` numbers of a file of any shape that has as many. False, and `error` is what
/// the file is or has, "reads x.npy, which has 3 numbers, not 4".
bool readNpy(const std::string &file, NumberType type, size_t count, void *to, std::string &error);
/// As one row. Leaves no file behind if it fails.
bool writeNpy(const std::string &file, NumberType type, size_t count, const void *from, std::string &error);

} // namespace nvemu::tool

#endif // NVEMU_TOOL_NPY_H
