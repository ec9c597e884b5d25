// SPDX-License-Identifier: Apache-2.0
// What the numeric tests of kernels share: buffers between pages that must not
// be touched, MLIR's descriptors of memrefs, and a runtime that runs chunks in
// a chosen order. Each test is one program: `PROGRAM --emit` prints its kernels
// as MLIR, `PROGRAM FILE.so` runs them once they are compiled.
#ifndef NAX_TEST_KERNELS_HARNESS_H
#define NAX_TEST_KERNELS_HARNESS_H

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <sys/mman.h>
#include <thread>

/// How the runtime of the test runs chunks; results may not depend on it.
enum class Order { forward, backward, threads };
inline Order order = Order::forward;

/// nax_phase of nax/model_desc.h
struct Phase {
  void (*task)(void *, int64_t);
  void *closure;
  int64_t count, rounds;
};

inline void runRound(const Phase &phase, int64_t first) {
  int64_t end = first + phase.count;
  if (order == Order::forward)
    for (int64_t i = first; i < end; ++i)
      phase.task(phase.closure, i);
  if (order == Order::backward)
    for (int64_t i = end - 1; i >= first; --i)
      phase.task(phase.closure, i);
  if (order == Order::threads) {
    std::thread other([&] {
      for (int64_t i = first; i < end; i += 2)
        phase.task(phase.closure, i);
    });
    for (int64_t i = first + 1; i < end; i += 2)
      phase.task(phase.closure, i);
    other.join();
  }
}

// Kept in the program, where the kernels find it.
extern "C" __attribute__((used)) inline void naxrt_parallel_phases(void *, const Phase *phases, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    for (int64_t round = 0; round < phases[i].rounds; ++round)
      runRound(phases[i], round * phases[i].count);
}

/// Parts of a scratch buffer that chunks have.
inline std::atomic<uint64_t> takenSlots{0};
extern "C" __attribute__((used)) inline int64_t naxrt_take_slot(void *) {
  for (uint64_t taken = takenSlots;;) {
    int slot = __builtin_ctzll(~taken);
    if (takenSlots.compare_exchange_weak(taken, taken | uint64_t(1) << slot))
      return slot;
  }
}
extern "C" __attribute__((used)) inline void naxrt_give_slot(void *, int64_t slot) {
  takenSlots &= ~(uint64_t(1) << slot);
}

/// Numbers that end where a page begins that may not be touched, so that one
/// element too many is a crash.
template <class T>
class Guarded {
public:
  explicit Guarded(int64_t count = 0) : count(count) {
    constexpr size_t page = 4096;
    size_t bytes = count * sizeof(T), room = (bytes + page - 1) / page * page;
    length = room + 2 * page;
    pages = static_cast<char *>(mmap(nullptr, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (pages == MAP_FAILED || (room && mprotect(pages + page, room, PROT_READ | PROT_WRITE)))
      std::abort();
    numbers = reinterpret_cast<T *>(pages + page + room - bytes);
  }
  Guarded(const Guarded &from) : Guarded(from.count) { std::memcpy(numbers, from.numbers, count * sizeof(T)); }
  Guarded(Guarded &&from) noexcept : count(from.count), pages(from.pages), length(from.length), numbers(from.numbers) {
    from.pages = nullptr;
  }
  Guarded &operator=(Guarded from) noexcept {
    std::swap(count, from.count), std::swap(pages, from.pages);
    std::swap(length, from.length), std::swap(numbers, from.numbers);
    return *this;
  }
  ~Guarded() {
    if (pages)
      munmap(pages, length);
  }
  T &operator[](int64_t i) { return numbers[i]; }
  const T &operator[](int64_t i) const { return numbers[i]; }
  T *data() const { return numbers; }
  int64_t size() const { return count; }
  T *begin() const { return numbers; }
  T *end() const { return numbers + count; }
  bool sameBits(const Guarded &o) const { return count == o.count && !std::memcmp(numbers, o.numbers, count * sizeof(T)); }

private:
  int64_t count;
  char *pages;
  size_t length;
  T *numbers;
};

/// MLIR's descriptor of a memref, dense and row-major.
template <size_t rank>
struct Memref {
  void *base, *aligned;
  int64_t offset = 0;
  std::array<int64_t, rank> sizes, strides;

  template <class T>
  Memref(const Guarded<T> &memory, std::array<int64_t, rank> shape)
      : base(memory.data()), aligned(memory.data()), sizes(shape) {
    int64_t stride = 1;
    for (size_t i = rank; i-- > 0; stride *= sizes[i])
      strides[i] = stride;
  }
};

inline std::mt19937 &generator() {
  static std::mt19937 engine(12345);
  return engine;
}
inline void fillNormal(Guarded<float> &memory, float scale = 1) {
  std::normal_distribution<float> normal(0, scale);
  for (float &x : memory)
    x = normal(generator());
}
inline int64_t drawBelow(int64_t n) { return n > 0 ? int64_t(generator()() % n) : 0; }

inline long failures = 0, checks = 0;
#define EXPECT(condition, ...)                                                                                          \
  do {                                                                                                                 \
    ++checks;                                                                                                          \
    if (!(condition) && ++failures <= 20) {                                                                            \
      std::printf("%s:%d: not so: %s: ", __FILE__, __LINE__, #condition);                                              \
      std::printf(__VA_ARGS__);                                                                                        \
      std::printf("\n");                                                                                               \
    }                                                                                                                  \
  } while (0)

/// Some of the `m` rows of `a` alone, and chunks in other orders, give the bits of `c`, which is what `call(a, c, m)` gave.
template <class Call>
void expectSameBits(const std::string &name, const Guarded<float> &a, const Guarded<float> &c, int64_t m, Call call) {
  for (int64_t i : {int64_t(0), m / 2, m - 1}) {
    if (m == 0)
      break;
    int64_t k = a.size() / m, n = c.size() / m;
    Guarded<float> one(k), alone(n);
    std::copy_n(&a[i * k], k, one.begin());
    call(one, alone, 1);
    EXPECT(!std::memcmp(alone.data(), &c[i * n], n * sizeof(float)), "%s m %ld: row %ld alone", name.c_str(), long(m), long(i));
  }
  for (Order other : {Order::backward, Order::threads}) {
    order = other;
    Guarded<float> again(c.size());
    call(a, again, m);
    EXPECT(again.sameBits(c), "%s m %ld in order %d", name.c_str(), long(m), int(other));
    order = Order::forward;
  }
}

inline void *library = nullptr;
template <class Function>
Function *kernel(const std::string &name) {
  void *found = dlsym(library, ("_mlir_ciface_" + name).c_str());
  if (!found) {
    std::printf("no kernel %s\n", name.c_str());
    std::exit(2);
  }
  return reinterpret_cast<Function *>(found);
}

/// The main of each test.
inline int runTest(int argc, char **argv, void (*emit)(), void (*run)()) {
  if (argc != 2)
    return 2;
  if (!std::strcmp(argv[1], "--emit")) {
    emit();
    return 0;
  }
  library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    std::printf("%s\n", dlerror());
    return 2;
  }
  run();
  std::printf("%ld checks, %ld failures\n", checks, failures);
  return checks == 0 || failures != 0;
}

#endif // NAX_TEST_KERNELS_HARNESS_H
