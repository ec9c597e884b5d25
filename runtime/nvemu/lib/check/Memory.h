//===- Memory.h - buffers of the emulated device ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_CHECK_MEMORY_H
#define NVEMU_CHECK_MEMORY_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace nvemu {

/// Bytes first..first + count - 1 of a word of 64, as bits; they lie in one word.
inline uint64_t bitsOfBytes(uint64_t first, unsigned count) {
  return (count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1) << (first & 63);
}

/// A buffer that allocate gave. Lives on while a launch uses it, even if it is
/// released meanwhile.
struct Region {
  uint64_t base = 0, bytes = 0;
  void *map = nullptr;
  size_t mapBytes = 0;
  uint64_t *initialised = nullptr; // one bit a byte, from base; mapped, so zero at first

  Region() = default;
  Region(const Region &) = delete;
  Region &operator=(const Region &) = delete;
  ~Region();

  uint64_t end() const { return base + bytes; }
  bool holds(uint64_t address, uint64_t count) const {
    return address >= base && count <= bytes && address - base <= bytes - count;
  }
  /// `count` bytes at `offset` that lie within one word of 64 bytes. Several host
  /// threads may ask and set at once.
  bool isInitialized(uint64_t offset, unsigned count) const {
    uint64_t bits = bitsOfBytes(offset, count);
    return (std::atomic_ref(initialised[offset / 64]).load(std::memory_order_relaxed) & bits) == bits;
  }
  void setInitialized(uint64_t offset, unsigned count) {
    if (!isInitialized(offset, count))
      std::atomic_ref(initialised[offset / 64]).fetch_or(bitsOfBytes(offset, count), std::memory_order_relaxed);
  }
  /// Of any length: true if all of it is.
  bool allInitialized(uint64_t offset, uint64_t count) const;
};

/// The buffer that holds `address`, or nullptr.
std::shared_ptr<Region> regionAt(uint64_t address);
/// The buffer that begins or ends closest to an address in none, for words about it;
/// nullptr if none is within 1 MiB.
std::shared_ptr<Region> regionNear(uint64_t address);

} // namespace nvemu

#endif // NVEMU_CHECK_MEMORY_H
