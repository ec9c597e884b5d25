// SPDX-License-Identifier: Apache-2.0
// nax.kernel.dot against double. A row has the same bits whatever rows stand
// beside it, which covers every kind of tile and every split into chunks.
#include "harness.h"

namespace {

struct Kernel {
  int64_t n, k, width;
  bool padded = false; // rows of both sides are further apart than they are long

  std::string name() const {
    return "dot_" + std::to_string(n) + "_" + std::to_string(k) + "_" + std::to_string(width) + (padded ? "_padded" : "");
  }
  int64_t panels() const { return (n + width - 1) / width; }
};

std::vector<Kernel> kernels() {
  std::vector<Kernel> list;
  for (int64_t width : {16, 48})
    for (int64_t n : {1, 7, 15, 16, 17, 32, 33, 48, 49, 96, 130, 576})
      for (int64_t k : {1, 3, 4, 64, 97})
        list.push_back({n, k, width});
  list.push_back({130, 64, 64});
  list.push_back({1200, 300, 48});
  list.push_back({1200, 300, 16});
  list.push_back({50, 19, 48, true});
  // Long enough for several blocks of rows and parts of K.
  list.push_back({70, 2101, 64});
  list.push_back({50, 2000, 48});
  list.push_back({50, 2000, 16});
  return list;
}

void emitAll() {
  for (const Kernel &kernel : kernels()) {
    std::string n = std::to_string(kernel.n), k = std::to_string(kernel.k), w = std::to_string(kernel.width);
    std::string layout = kernel.padded ? ", strided<[?, 1], offset: ?>>" : ">";
    std::string a = "memref<?x" + k + "xf32" + layout, c = "memref<?x" + n + "xf32" + layout;
    std::string p = "memref<" + std::to_string(kernel.panels()) + "x" + k + "x" + w + "xf32>";
    std::printf("func.func @%s(%%ctx: !llvm.ptr, %%a: %s, %%p: %s, %%c: %s) attributes {llvm.emit_c_interface} {\n"
                "  nax.kernel.dot %%a, %%p into %%c : %s, %s, %s\n  return\n}\n",
                kernel.name().c_str(), a.c_str(), p.c_str(), c.c_str(), a.c_str(), p.c_str(), c.c_str());
  }
}

/// Rows of `length` numbers; between them, if padded, numbers that stay.
Memref<2> rowsOf(const Guarded<float> &memory, int64_t rows, int64_t length, int64_t stride) {
  Memref<2> ref(memory, {rows, length});
  ref.strides[0] = stride;
  return ref;
}

void check(const Kernel &kernel, int64_t m) {
  int64_t n = kernel.n, k = kernel.k, gap = kernel.padded ? 3 : 0;
  Guarded<float> matrix(k * n), panels(kernel.panels() * k * kernel.width);
  Guarded<float> a(m ? m * (k + gap) - gap : 0), c(m ? m * (n + gap) - gap : 0);
  fillNormal(matrix), fillNormal(a);
  for (float &x : panels)
    x = 0;
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < n; ++j)
      panels[(j / kernel.width * k + i) * kernel.width + j % kernel.width] = matrix[i * n + j];
  for (float &x : c)
    x = 1234;
  auto *function = ::kernel<void(void *, void *, void *, void *)>(kernel.name());
  auto call = [&](const Guarded<float> &from, const Guarded<float> &to, int64_t rows) {
    Memref<2> ar = rowsOf(from, rows, k, k + gap), cr = rowsOf(to, rows, n, n + gap);
    Memref<3> pr(panels, {kernel.panels(), k, kernel.width});
    function(nullptr, &ar, &pr, &cr);
  };
  call(a, c, m);

  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0, size = 1e-30;
      for (int64_t l = 0; l < k; ++l) {
        double x = double(a[i * (k + gap) + l]) * matrix[l * n + j];
        sum += x, size += std::abs(x);
      }
      float got = c[i * (n + gap) + j];
      EXPECT(std::abs(got - sum) < 2e-6 * size, "%s m %ld: [%ld,%ld] is %.9g, not %.9g", kernel.name().c_str(), long(m),
             long(i), long(j), got, sum);
    }
    for (int64_t j = n; j < n + gap && i + 1 < m; ++j)
      EXPECT(c[i * (n + gap) + j] == 1234, "%s m %ld: wrote behind row %ld", kernel.name().c_str(), long(m), long(i));
  }
  for (int64_t i : {int64_t(0), m / 2, m - 1}) {
    if (i < 0 || i >= m)
      continue;
    Guarded<float> one(k), alone(n);
    std::copy_n(&a[i * (k + gap)], k, one.begin());
    call(one, alone, 1);
    EXPECT(!std::memcmp(alone.data(), &c[i * (n + gap)], n * sizeof(float)), "%s m %ld: row %ld alone", kernel.name().c_str(),
           long(m), long(i));
  }
  for (Order other : {Order::backward, Order::threads}) {
    order = other;
    Guarded<float> again(c.size());
    for (float &x : again)
      x = 1234;
    call(a, again, m);
    EXPECT(again.sameBits(c), "%s m %ld in order %d", kernel.name().c_str(), long(m), int(other));
    order = Order::forward;
  }
}

void run() {
  for (const Kernel &kernel : kernels())
    for (int64_t m : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17, 47, 100, 301})
      if (m < 300 || kernel.k > 200)
        check(kernel, m);
}

} // namespace

int main(int argc, char **argv) { return runTest(argc, argv, emitAll, run); }
