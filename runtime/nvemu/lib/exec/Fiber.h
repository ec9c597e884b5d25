//===- Fiber.h - stacks that a host thread switches between -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NVEMU_EXEC_FIBER_H
#define NVEMU_EXEC_FIBER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nvemu {

/// A stack and where its execution stands. Nothing on it is destroyed when it is
/// started anew: whoever may be left there for good holds no memory of his own.
class Fiber {
public:
  Fiber() = default; // the host thread's own stack, once it has switched away

  /// The next switch here calls entry(argument), which must not return.
  void start(void (*entry)(void *), void *argument);
  /// From this one, which is running, to `other`.
  void switchTo(Fiber &other);
  /// Bytes left below `frame`, an address on this stack.
  size_t room(const void *frame) const { return static_cast<size_t>(static_cast<const char *>(frame) - low); }
  /// A digest of what is on the stack from `frame` to its beginning.
  uint64_t digest(const void *frame) const;
  bool contains(const void *place) const { return place >= low && place < low + bytes; }

private:
  friend class Fibers;
  [[noreturn]] static void enter(Fiber *self);

  void *stackPointer = nullptr;
  char *low = nullptr;         // above the guard page
  size_t bytes = 0, above = 0; // of the stack, and those of it above its first frame
  void (*entry)(void *) = nullptr;
  void *argument = nullptr;
  void *shadow = nullptr; // AddressSanitizer's
};

/// The fibers of one host thread, each with a guard page below its stack.
class Fibers {
public:
  Fibers() = default;
  Fibers(const Fibers &) = delete;
  Fibers &operator=(const Fibers &) = delete;
  ~Fibers();

  /// At least `count` of them; false: the host has no memory for so many.
  bool reserve(size_t count);
  Fiber &operator[](size_t number) { return fibers[number]; }

private:
  struct Slab {
    void *memory;
    size_t bytes;
  };
  std::vector<Slab> slabs;
  std::vector<Fiber> fibers;
};

} // namespace nvemu

#endif // NVEMU_EXEC_FIBER_H
