// SPDX-License-Identifier: Apache-2.0
// nax.kernel.norm against double, also on rows that hardly vary.
#include "harness.h"

namespace {

struct Kernel {
  std::string kind;
  int64_t c;
  double eps;
  bool hasShift, onePlus;

  std::string name() const {
    return kind + "_" + std::to_string(c) + (hasShift ? "_shift" : "") + (onePlus ? "_plus" : "") +
           (eps > 1e-6 ? "" : "_small");
  }
};

std::vector<Kernel> kernels() {
  std::vector<Kernel> list;
  for (int64_t c : {1, 2, 3, 8, 15, 16, 17, 33, 64, 576}) {
    list.push_back({"rms", c, 1e-5, false, false});
    list.push_back({"layer", c, 1e-5, true, false});
  }
  list.push_back({"rms", 40, 1e-6, false, true});
  list.push_back({"layer", 40, 1e-12, false, false});
  return list;
}

void emitAll() {
  for (const Kernel &kernel : kernels()) {
    std::string c = std::to_string(kernel.c), rows = "memref<?x" + c + "xf32>", row = "memref<" + c + "xf32>";
    std::printf("func.func @%s(%%ctx: !llvm.ptr, %%x: %s, %%gain: %s, %%shift: %s, %%out: %s) attributes "
                "{llvm.emit_c_interface} {\n  nax.kernel.norm \"%s\" %%x, %%gain %sinto %%out eps %.17e %s: %s, %s, %s\n"
                "  return\n}\n",
                kernel.name().c_str(), rows.c_str(), row.c_str(), row.c_str(), rows.c_str(), kernel.kind.c_str(),
                kernel.hasShift ? ("shift %shift : " + row + " ").c_str() : "", kernel.eps, kernel.onePlus ? "one_plus " : "",
                rows.c_str(), row.c_str(), rows.c_str());
  }
}

double worst = 0;

void check(const Kernel &kernel, int64_t m, float mean, float spread) {
  int64_t c = kernel.c;
  Guarded<float> x(m * c), gain(c), shift(c), out(m * c);
  fillNormal(x, spread), fillNormal(gain), fillNormal(shift);
  for (float &v : x)
    v += mean;
  for (float &v : out)
    v = 1234;
  auto *function = ::kernel<void(void *, void *, void *, void *, void *)>(kernel.name());
  auto call = [&](const Guarded<float> &from, const Guarded<float> &to) {
    Memref<2> xr(from, {m, c}), outr(to, {m, c});
    Memref<1> gr(gain, {c}), sr(shift, {c});
    function(nullptr, &xr, &gr, &sr, &outr);
  };
  call(x, out);
  for (int64_t i = 0; i < m; ++i) {
    const float *row = x.data() + i * c;
    double average = 0, square = 0;
    for (int64_t j = 0; j < c && kernel.kind == "layer"; ++j)
      average += double(row[j]) / c;
    for (int64_t j = 0; j < c; ++j)
      square += (row[j] - average) * (row[j] - average) / c;
    for (int64_t j = 0; j < c; ++j) {
      double g = kernel.onePlus ? 1.0 + gain[j] : gain[j];
      double y = (row[j] - average) / std::sqrt(square + kernel.eps);
      // Next to the mean the error is measured against a hundredth of the row.
      double size = std::abs(g) * (std::abs(y) + 0.01 * std::sqrt(square / (square + kernel.eps))) + 1e-30;
      size += kernel.hasShift ? std::abs(shift[j]) : 0;
      y = y * g + (kernel.hasShift ? shift[j] : 0);
      double error = std::abs(out[i * c + j] - y) / size;
      worst = std::max(worst, error);
      EXPECT(error < 1e-6, "%s m %ld mean %g spread %g: [%ld,%ld] is %.9g, not %.9g", kernel.name().c_str(), long(m), mean,
             spread, long(i), long(j), out[i * c + j], y);
    }
  }
  for (Order other : {Order::backward, Order::threads}) {
    order = other;
    Guarded<float> again(m * c);
    call(x, again);
    EXPECT(again.sameBits(out), "%s m %ld in order %d", kernel.name().c_str(), long(m), int(other));
    order = Order::forward;
  }
  Guarded<float> inPlace = x;
  call(inPlace, inPlace);
  EXPECT(inPlace.sameBits(out), "%s m %ld in place", kernel.name().c_str(), long(m));
}

void run() {
  for (const Kernel &kernel : kernels())
    for (int64_t m : {0, 1, 2, 33, 300})
      for (auto [mean, spread] : {std::pair<float, float>{0, 1}, {0, 1e-4f}, {1000, 1e-3f}, {-3e4f, 1}, {0.5f, 1e-6f}, {0, 1e15f}})
        check(kernel, m, mean, spread);
  // J1: the divisor is C and eps stands inside of the root; J4: 1 + gain.
  Guarded<float> x(8), gain(8), shift(8), out(8);
  for (int i = 0; i < 8; ++i)
    x[i] = i % 4 == 0, gain[i] = 1, shift[i] = 0;
  Memref<2> xr(x, {1, 8}), outr(out, {1, 8});
  Memref<1> gr(gain, {8}), sr(shift, {8});
  ::kernel<void(void *, void *, void *, void *, void *)>("layer_8_shift")(nullptr, &xr, &gr, &sr, &outr);
  EXPECT(std::abs(out[0] - 1.73200) < 1e-5 && std::abs(out[1] + 0.57733) < 1e-5, "[1,0,0,0] gives %g, %g", out[0], out[1]);
  std::printf("largest relative error %.1e\n", worst);
}

} // namespace

int main(int argc, char **argv) { return runTest(argc, argv, emitAll, run); }
