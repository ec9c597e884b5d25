//===- Argument.h - arguments of a kernel, from the command line *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_TOOL_ARGUMENT_H
#define NVEMU_TOOL_ARGUMENT_H

#include "Number.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace nvemu::tool {

/// A number, or a buffer in the device's memory whose address is passed.
class Argument {
public:
  /// From `i32:5`, `i32:1,2,3` (a structure of them), or `f32[128]:` and one of zero,
  /// iota, uninit, random, numbers with commas (repeated to the end), @file.npy. False,
  /// and `error` is one sentence.
  static bool parse(std::string_view text, uint64_t dataSeed, Argument &argument, std::string &error);

  bool isBuffer() const { return memory != nullptr; }
  /// What is passed, and its size in bytes.
  const void *value() const { return isBuffer() ? static_cast<const void *>(&address) : bytes.data(); }
  size_t valueBytes() const { return isBuffer() ? sizeof address : bytes.size(); }

  /// The buffer's numbers with blanks between them.
  std::string show(bool hex) const;
  bool write(const std::string &file, std::string &error) const;

private:
  bool parseBuffer(std::string_view values, uint64_t dataSeed, std::string &error);
  bool fill(std::string_view values, uint64_t dataSeed, std::string &error);
  bool parseList(std::string_view values, std::vector<uint64_t> &list, std::string &error) const;
  void set(size_t element, uint64_t bits);
  uint64_t get(size_t element) const;

  NumberType type;
  size_t count = 0;
  std::vector<unsigned char> bytes; // of numbers
  std::shared_ptr<void> memory;     // of a buffer
  void *address = nullptr;
};

} // namespace nvemu::tool

#endif // NVEMU_TOOL_ARGUMENT_H
