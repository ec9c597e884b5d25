// SPDX-License-Identifier: Apache-2.0
// The polynomials for exp, exp2, log, tanh and erf against double, over all
// exponents and signs of f32, as vectors and as single numbers.
#include "harness.h"

namespace {

struct Function {
  const char *name;
  double (*exact)(double);
  double ulps; ///< largest error, a little above what was measured
};

const Function functions[] = {
    {"exp", std::exp, 1.1}, {"exp2", std::exp2, 1.1}, {"log", std::log, 1.0}, {"tanh", std::tanh, 1.4}, {"erf", std::erf, 1.4},
};

void emitAll() {
  for (const Function &f : functions) {
    std::printf("func.func @vector_%s(%%ctx: !llvm.ptr, %%x: memref<16xf32>, %%y: memref<16xf32>) attributes "
                "{llvm.emit_c_interface} {\n  %%c0 = arith.constant 0 : index\n"
                "  %%0 = vector.load %%x[%%c0] : memref<16xf32>, vector<16xf32>\n  %%1 = math.%s %%0 : vector<16xf32>\n"
                "  vector.store %%1, %%y[%%c0] : memref<16xf32>, vector<16xf32>\n  return\n}\n",
                f.name, f.name);
    std::printf("func.func @scalar_%s(%%ctx: !llvm.ptr, %%x: memref<16xf32>, %%y: memref<16xf32>) attributes "
                "{llvm.emit_c_interface} {\n  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n"
                "  %%c16 = arith.constant 16 : index\n  scf.for %%i = %%c0 to %%c16 step %%c1 {\n"
                "    %%0 = memref.load %%x[%%i] : memref<16xf32>\n    %%1 = math.%s %%0 : f32\n"
                "    memref.store %%1, %%y[%%i] : memref<16xf32>\n  }\n  return\n}\n",
                f.name, f.name);
  }
}

void check(const Function &f, float x, float got) {
  double exact = f.exact(x);
  if (std::isnan(exact)) {
    EXPECT(std::isnan(got), "%s(%.9g) is %.9g, not NaN", f.name, x, got);
    return;
  }
  if (std::isinf(exact) || std::isinf(got)) {
    EXPECT(got == float(exact), "%s(%.9g) is %.9g, not %.9g", f.name, x, got, exact);
    return;
  }
  int exponent;
  std::frexp(exact, &exponent);
  double ulp = std::ldexp(1.0, std::max(exponent - 24, -149));
  EXPECT(std::abs(got - exact) <= f.ulps * ulp, "%s(%.9g) is %.9g, not %.9g", f.name, x, got, exact);
}

void run() {
  Guarded<float> x(16), y(16), z(16);
  Memref<1> xr(x, {16}), yr(y, {16}), zr(z, {16});
  for (const Function &f : functions) {
    auto *vector = kernel<void(void *, void *, void *)>(std::string("vector_") + f.name);
    auto *scalar = kernel<void(void *, void *, void *)>(std::string("scalar_") + f.name);
    auto sixteen = [&] {
      vector(nullptr, &xr, &yr), scalar(nullptr, &xr, &zr);
      EXPECT(y.sameBits(z) || std::isnan(y[0]), "%s as vector and alone near %g", f.name, x[0]);
      for (int i = 0; i < 16; ++i)
        check(f, x[i], y[i]);
    };
    for (uint64_t bits = 0; bits < (uint64_t(1) << 32);) {
      for (float &v : x) {
        uint32_t low = bits;
        std::memcpy(&v, &low, 4);
        bits += 3989;
      }
      sixteen();
    }
    float inf = std::numeric_limits<float>::infinity(), least = std::numeric_limits<float>::denorm_min();
    float edges[16] = {0, -0.0f, inf, -inf, std::nanf(""), least, -least, 1, -1, 88.72284f, 88.7229f, -103.97f, -104, 128, -149, -150};
    std::copy_n(edges, 16, x.begin());
    sixteen();
    if (f.exact(0) == 0)
      EXPECT(std::signbit(y[1]), "%s(-0) is not -0", f.name);
  }
}

} // namespace

int main(int argc, char **argv) { return runTest(argc, argv, emitAll, run); }
