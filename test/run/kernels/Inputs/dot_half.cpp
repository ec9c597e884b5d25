// SPDX-License-Identifier: Apache-2.0
// nax.kernel.dot whose panels are f16 or bf16 against double, on the numbers that are stored; with PAIRS panels are pairs of
// bf16, and rows are rounded to bf16, too. A row has the same bits whatever rows stand beside it.
#include "harness.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace {

#ifdef PAIRS
constexpr bool pairs = true;
#else
constexpr bool pairs = false;
#endif

uint32_t bitsOf(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return bits;
}
float floatOf(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, 4);
  return x;
}
/// To the nearest, ties to even.
uint16_t toBf16(float x) { return (bitsOf(x) + 0x7fff + (bitsOf(x) >> 16 & 1)) >> 16; }
float fromBf16(uint16_t x) { return floatOf(uint32_t(x) << 16); }

uint16_t toF16(float x) {
  _Float16 half = x;
  uint16_t bits;
  std::memcpy(&bits, &half, 2);
  return bits;
}
float fromF16(uint16_t bits) {
  _Float16 half;
  std::memcpy(&half, &bits, 2);
  return half;
}

struct Kernel {
  bool bf16;
  int64_t n, k, width;

  std::string name() const {
    return (bf16 ? "bf16_" : "f16_") + std::to_string(n) + "_" + std::to_string(k) + "_" + std::to_string(width);
  }
  int64_t panels() const { return (n + width - 1) / width; }
  int64_t steps() const { return pairs ? (k + 31) / 32 * 16 : k; }
  int64_t scratch() const { return pairs ? ((k + 31) / 32 | 1) * 64 : 0; } // a row's
  int64_t place(int64_t i, int64_t j) const {                              // of B[i, j]
    int64_t each = pairs ? 2 : 1;
    return ((j / width * steps() + i / each) * width + j % width) * each + i % each;
  }
};

std::vector<Kernel> kernels() {
  std::vector<Kernel> list;
  for (bool bf16 : {false, true})
    for (int64_t width : pairs ? std::vector<int64_t>{32} : std::vector<int64_t>{16, 48})
      for (int64_t n : {1, 33, 48, 130})
        for (int64_t k : {1, 2, 5, 16, 49, 97})
          if (bf16 || !pairs)
            list.push_back({bf16, n, k, width});
  list.push_back({true, 1200, 300, pairs ? 32 : 48});
  list.push_back({true, 33, 2101, pairs ? 32 : 48}); // parts of K
  return list;
}

void emitAll() {
  for (const Kernel &kernel : kernels()) {
    std::string a = "memref<?x" + std::to_string(kernel.k) + "xf32>",
                c = "memref<?x" + std::to_string(kernel.n) + "xf32>";
    std::string p = "memref<" + std::to_string(kernel.panels()) + "x" + std::to_string(kernel.steps()) + "x" +
                    std::to_string(kernel.width) + (pairs ? "x2x" : "x") + (kernel.bf16 ? "bf16>" : "f16>");
    std::printf(
        "func.func @%s(%%ctx: !llvm.ptr, %%a: %s, %%p: %s, %%c: %s, %%s: memref<?xi8>) "
        "attributes {llvm.emit_c_interface} {\n  nax.kernel.dot %%a, %%p into %%c %s : %s, %s, %s\n  return\n}\n",
        kernel.name().c_str(), a.c_str(), p.c_str(), c.c_str(), pairs ? "scratch %s : memref<?xi8>" : "", a.c_str(),
        p.c_str(), c.c_str());
  }
}

void check(const Kernel &kernel, int64_t m) {
  int64_t n = kernel.n, k = kernel.k;
  Guarded<float> matrix(k * n), a(m * k), c(m * n);
  Guarded<uint16_t> panels(kernel.panels() * kernel.steps() * kernel.width * (pairs ? 2 : 1));
  fillNormal(matrix), fillNormal(a);
  for (uint16_t &x : panels)
    x = 0;
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float &x = matrix[i * n + j];
      uint16_t bits = kernel.bf16 ? toBf16(x) : toF16(x);
      panels[kernel.place(i, j)] = bits;
      x = kernel.bf16 ? fromBf16(bits) : fromF16(bits);
    }
  auto *function = ::kernel<void(void *, void *, void *, void *, void *)>(kernel.name());
  auto call = [&](const Guarded<float> &from, const Guarded<float> &to, int64_t rows) {
    Guarded<char> scratch(rows * kernel.scratch());
    std::fill(scratch.begin(), scratch.end(), char(0xff)); // NaNs
    Memref<2> ar(from, {rows, k}), cr(to, {rows, n});
    Memref<1> sr(scratch, {scratch.size()});
    if (pairs) {
      Memref<4> pr(panels, {kernel.panels(), kernel.steps(), kernel.width, 2});
      function(nullptr, &ar, &pr, &cr, &sr);
    } else {
      Memref<3> pr(panels, {kernel.panels(), kernel.steps(), kernel.width});
      function(nullptr, &ar, &pr, &cr, &sr);
    }
  };
  call(a, c, m);

  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0, size = 1e-30;
      for (int64_t l = 0; l < k; ++l) {
        float row = a[i * k + l];
        double x = double(pairs ? fromBf16(toBf16(row)) : row) * matrix[l * n + j];
        sum += x, size += std::abs(x);
      }
      float got = c[i * n + j];
      EXPECT(std::abs(got - sum) < 2e-6 * size, "%s m %ld: [%ld,%ld] is %.9g, not %.9g", kernel.name().c_str(), long(m),
             long(i), long(j), got, sum);
    }
  expectSameBits(kernel.name(), a, c, m, call);
}

void run() {
#if defined(PAIRS) && defined(SYS_arch_prctl)
  (void)syscall(SYS_arch_prctl, 0x1023, 18); // as the runtime asks for tiles
#endif
  for (const Kernel &kernel : kernels())
    for (int64_t m : {0, 1, 2, 3, 7, 8, 13, 29, 32, 47, 300})
      if (m < 300 || kernel.k > 200)
        check(kernel, m);
}

} // namespace

int main(int argc, char **argv) { return runTest(argc, argv, emitAll, run); }
