// SPDX-License-Identifier: Apache-2.0
// Epilogues of nax.kernel.dot against double: extras between pages that must not
// be touched, a residual in the place of the result, and the same bits whatever
// rows stand beside one.
#include "harness.h"

namespace {

enum Kind { bias, residual, gate };
const char *const names[] = {"bias", "residual", "gate"};

/// gelu(x * factor + bias[n]), relu(x) + residual[m, n], gate[m, n] * sigmoid(gate[m, n]) * x.
const char *const extras[] = {"%bias : memref<$Nxf32>", "%c : memref<?x$Nxf32>", "%gate : memref<?x$Nxf32, strided<[?, 1]>>"};
const char *const bodies[] = {R"(
    %s = arith.mulf %sum, %factor : f32
    %x = arith.addf %s, %e : f32
    %root = arith.constant 0.70710678118654752 : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %u = arith.mulf %x, %root : f32
    %erf = math.erf %u : f32
    %v = arith.addf %erf, %one : f32
    %w = arith.mulf %x, %half : f32
    %y = arith.mulf %v, %w : f32
)",
                              R"(
    %zero = arith.constant 0.0 : f32
    %negative = arith.cmpf olt, %sum, %zero : f32
    %x = arith.select %negative, %zero, %sum : f32
    %y = arith.addf %x, %e : f32
)",
                              R"(
    %one = arith.constant 1.0 : f32
    %minus = arith.negf %e : f32
    %exp = math.exp %minus : f32
    %t = arith.addf %exp, %one : f32
    %u = arith.divf %e, %t : f32
    %y = arith.mulf %u, %sum : f32
)"};
constexpr float factor = 0.25f;

struct Kernel {
  Kind kind;
  int64_t n, k, width;

  std::string name() const {
    return std::string(names[kind]) + "_" + std::to_string(n) + "_" + std::to_string(k) + "_" + std::to_string(width);
  }
  int64_t panels() const { return (n + width - 1) / width; }
};

std::vector<Kernel> kernels() {
  std::vector<Kernel> list;
  for (Kind kind : {bias, residual, gate}) {
    for (int64_t width : {16, 48})
      for (int64_t n : {1, 15, 16, 17, 48, 50, 97})
        list.push_back({kind, n, 9, width});
    list.push_back({kind, 130, 64, 64});
    list.push_back({kind, 1200, 300, 48});
  }
  return list;
}

std::string with(std::string text, const std::string &n) {
  for (size_t at; (at = text.find("$N")) != std::string::npos;)
    text.replace(at, 2, n);
  return text;
}

void emitAll() {
  for (const Kernel &kernel : kernels()) {
    std::string n = std::to_string(kernel.n), k = std::to_string(kernel.k), w = std::to_string(kernel.width);
    std::string a = "memref<?x" + k + "xf32>", c = "memref<?x" + n + "xf32>";
    std::string p = "memref<" + std::to_string(kernel.panels()) + "x" + k + "x" + w + "xf32>";
    std::printf("func.func @%s(%%ctx: !llvm.ptr, %%a: %s, %%p: %s, %%c: %s, %%bias: memref<%sxf32>,\n"
                "    %%gate: memref<?x%sxf32, strided<[?, 1]>>, %%factor: f32) attributes {llvm.emit_c_interface} {\n"
                "  nax.kernel.dot %%a, %%p into %%c epilogue(%s) {\n  ^bb0(%%sum: f32, %%e: f32):%s"
                "    nax.yield %%y : f32\n  } : %s, %s, %s\n  return\n}\n",
                kernel.name().c_str(), a.c_str(), p.c_str(), c.c_str(), n.c_str(), n.c_str(),
                with(extras[kernel.kind], n).c_str(), bodies[kernel.kind], a.c_str(), p.c_str(), c.c_str());
  }
}

double expected(Kind kind, double sum, double extra) {
  if (kind == bias) {
    double x = sum * factor + extra;
    return x / 2 * (1 + std::erf(x * std::sqrt(0.5)));
  }
  if (kind == residual)
    return std::max(sum, 0.0) + extra;
  return extra / (1 + std::exp(-extra)) * sum;
}

struct Operands {
  Guarded<float> panels, bias;
  int64_t gap = 3; ///< between rows of the gate
};

void call(const Kernel &kernel, const Operands &operands, const Guarded<float> &a, const Guarded<float> &gate,
          const Guarded<float> &c, int64_t rows) {
  auto *function = ::kernel<void(void *, void *, void *, void *, void *, void *, float)>(kernel.name());
  Memref<2> ar(a, {rows, kernel.k}), cr(c, {rows, kernel.n}), gr(gate, {rows, kernel.n});
  gr.strides[0] = kernel.n + operands.gap;
  Memref<3> pr(operands.panels, {kernel.panels(), kernel.k, kernel.width});
  Memref<1> br(operands.bias, {kernel.n});
  function(nullptr, &ar, &pr, &cr, &br, &gr, factor);
}

void check(const Kernel &kernel, int64_t m) {
  int64_t n = kernel.n, k = kernel.k;
  Operands operands{Guarded<float>(kernel.panels() * k * kernel.width), Guarded<float>(n)};
  int64_t stride = n + operands.gap;
  Guarded<float> matrix(k * n), a(m * k), before(m * n), gates(m ? m * stride - operands.gap : 0);
  fillNormal(matrix), fillNormal(a), fillNormal(before), fillNormal(gates), fillNormal(operands.bias);
  for (float &x : operands.panels)
    x = 0;
  for (int64_t i = 0; i < k; ++i)
    for (int64_t j = 0; j < n; ++j)
      operands.panels[(j / kernel.width * k + i) * kernel.width + j % kernel.width] = matrix[i * n + j];
  Guarded<float> c(before);
  call(kernel, operands, a, gates, c, m);

  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0, size = 1;
      for (int64_t l = 0; l < k; ++l) {
        double x = double(a[i * k + l]) * matrix[l * n + j];
        sum += x, size += std::abs(x);
      }
      double extra = kernel.kind == bias ? operands.bias[j] : kernel.kind == residual ? before[i * n + j] : gates[i * stride + j];
      double want = expected(kernel.kind, sum, extra);
      EXPECT(std::abs(c[i * n + j] - want) < 2e-6 * size * (1 + std::abs(extra)), "%s m %ld: [%ld,%ld] is %.9g, not %.9g",
             kernel.name().c_str(), long(m), long(i), long(j), c[i * n + j], want);
    }
  for (int64_t i = 0; i < m; i += std::max<int64_t>(1, m / 3)) {
    Guarded<float> one(k), alone(n), gate(n);
    std::copy_n(&a[i * k], k, one.begin());
    std::copy_n(&before[i * n], n, alone.begin());
    std::copy_n(&gates[i * stride], n, gate.begin());
    call(kernel, operands, one, gate, alone, 1);
    EXPECT(!std::memcmp(alone.data(), &c[i * n], n * sizeof(float)), "%s m %ld: row %ld alone", kernel.name().c_str(), long(m),
           long(i));
  }
  for (Order other : {Order::backward, Order::threads}) {
    order = other;
    Guarded<float> again(before);
    call(kernel, operands, a, gates, again, m);
    EXPECT(again.sameBits(c), "%s m %ld in order %d", kernel.name().c_str(), long(m), int(other));
    order = Order::forward;
  }
}

void run() {
  for (const Kernel &kernel : kernels())
    for (int64_t m : {0, 1, 2, 3, 5, 6, 7, 8, 11, 13, 16, 47})
      check(kernel, m);
}

} // namespace

int main(int argc, char **argv) { return runTest(argc, argv, emitAll, run); }
