// SPDX-License-Identifier: Apache-2.0
// nax.kernel.dot with quantised panels against double, on the numbers that the
// bytes stand for: those of model_desc.h, and of rows those that rounding to
// int8 leaves, or with `exact` the rows as they are. A row has the same bits
// whatever rows stand beside it. The last line of what is printed has a sum over
// all results, which is the same at levels that have fused multiply-adds.
#include "harness.h"

namespace {

struct Format {
  const char *name;
  int64_t block, bytes;
};
constexpr Format formats[] = {
    {"q8_0", 32, 34}, {"q4_0", 32, 18}, {"q4_1", 32, 20}, {"q6_k", 256, 210}, {"q4_k", 256, 148}};

struct Kernel {
  Format format;
  bool exact;
  int64_t n, k, width;

  std::string name() const {
    return "dot_" + std::string(format.name) + (exact ? "_exact_" : "_") + std::to_string(n) + "_" + std::to_string(k) + "_" +
           std::to_string(width);
  }
  int64_t panels() const { return (n + width - 1) / width; }
  int64_t record() const { return width * format.bytes; }
  // At least what is asked for, at every level.
  int64_t scratch() const { return 4 * (k + k / 32 + k / 16); }
};

std::vector<Kernel> kernels() {
  std::vector<Kernel> list;
  for (const Format &format : formats)
    for (bool exact : {false, true}) {
      list.push_back({format, exact, 50, 3 * format.block, 16});
      list.push_back({format, exact, 130, format.block == 32 ? 576 : 768, 48});
      list.push_back({format, exact, 48, format.block, 48});
    }
  return list;
}

void emitAll() {
  for (const Kernel &kernel : kernels()) {
    std::string a = "memref<?x" + std::to_string(kernel.k) + "xf32>", c = "memref<?x" + std::to_string(kernel.n) + "xf32>";
    std::string p = "memref<" + std::to_string(kernel.panels()) + "x" + std::to_string(kernel.k / kernel.format.block) + "x" +
                    std::to_string(kernel.record()) + "xi8>";
    std::printf("func.func @%s(%%ctx: !llvm.ptr, %%a: %s, %%p: %s, %%c: %s, %%s: memref<?xi8>)\n"
                "    attributes {llvm.emit_c_interface} {\n"
                "  nax.kernel.dot %%a, %%p into %%c scratch %%s : memref<?xi8> {%sstored = \"%s\"}\n"
                "    : %s, %s, %s\n  return\n}\n",
                kernel.name().c_str(), a.c_str(), p.c_str(), c.c_str(), kernel.exact ? "exact, " : "", kernel.format.name, a.c_str(),
                p.c_str(), c.c_str());
  }
}

float halfAt(const uint8_t *bytes) {
  _Float16 half;
  std::memcpy(&half, bytes, 2);
  return half;
}

/// What a record says of number `k` of column `n`.
double decode(const std::string &format, const uint8_t *record, int64_t nr, int64_t n, int64_t k) {
  int64_t s = k / 32, g = k % 32 / 4, j = k % 4, half = g / 4;
  double d = halfAt(record + 2 * n);
  auto nibble = [&](const uint8_t *q) { return q[((s * 4 + g % 4) * nr + n) * 4 + j] >> 4 * half & 15; };
  if (format == "q8_0")
    return d * (record[2 * nr + (g * nr + n) * 4 + j] - 128);
  if (format == "q4_0")
    return d * (nibble(record + 2 * nr) - 8);
  if (format == "q4_1")
    return d * nibble(record + 4 * nr) + halfAt(record + 2 * nr + 2 * n);
  if (format == "q4_k") {
    double least = halfAt(record + 2 * nr + 2 * n), scale = record[4 * nr + s * nr + n];
    return d * scale * nibble(record + 20 * nr) - least * record[12 * nr + s * nr + n];
  }
  int scale = int8_t(record[2 * nr + k / 16 * nr + n]);
  int high = record[146 * nr + ((s * 2 + g % 2) * nr + n) * 4 + j] >> 2 * (g / 2) & 3;
  return d * scale * ((nibble(record + 18 * nr) | high << 4) - 32);
}

/// Bytes at random, scales of the usual size, nothing in columns that are not.
void fillPanels(const Kernel &kernel, Guarded<uint8_t> &panels) {
  std::normal_distribution<float> normal(0, 0.02f);
  int64_t width = kernel.width, halves = kernel.format.bytes == 20 || kernel.format.bytes == 148 ? 2 : 1;
  for (int64_t at = 0; at < panels.size(); at += kernel.record()) {
    int64_t panel = at / (kernel.record() * (kernel.k / kernel.format.block));
    auto isReal = [&](int64_t n) { return panel * width + n < kernel.n; };
    uint8_t *record = panels.data() + at;
    for (int64_t i = 0; i < 2 * halves * width; i += 2) {
      _Float16 half = isReal(i / 2 % width) ? normal(generator()) : 0;
      std::memcpy(record + i, &half, 2);
    }
    // Fields of single bytes come first, then those of four for each column.
    int64_t begin = 2 * halves * width, singles = kernel.format.block == 32 ? 0 : 16 * width;
    for (int64_t i = begin; i < kernel.record(); ++i) {
      int64_t n = i < begin + singles ? (i - begin) % width : (i - begin - singles) / 4 % width;
      record[i] = isReal(n) ? uint8_t(drawBelow(256)) : 0;
    }
  }
}

/// A row as products see it.
std::vector<double> seen(const Kernel &kernel, const float *row) {
  std::vector<double> numbers(row, row + kernel.k);
  for (int64_t from = 0; from < kernel.k && !kernel.exact; from += 32) {
    float most = 0;
    for (int64_t i = from; i < from + 32; ++i)
      most = std::max(most, std::abs(row[i]));
    float factor = most ? 127 / most : 0, scale = most / 127;
    for (int64_t i = from; i < from + 32; ++i)
      numbers[i] = double(std::nearbyint(row[i] * factor)) * scale;
  }
  return numbers;
}

uint64_t bits = 14695981039346656037u;

void check(const Kernel &kernel, int64_t m) {
  int64_t n = kernel.n, k = kernel.k, width = kernel.width, block = kernel.format.block;
  Guarded<uint8_t> panels(kernel.panels() * (k / block) * kernel.record());
  Guarded<float> a(m * k), c(m * n);
  fillPanels(kernel, panels);
  fillNormal(a);
  for (int64_t i = 0; i < k && m > 1; ++i)
    a[i] = i < 32 ? a[i] * 1e-20f : 0; // a block of small numbers, and zeros
  auto *function = ::kernel<void(void *, void *, void *, void *, void *)>(kernel.name());
  auto call = [&](const Guarded<float> &from, const Guarded<float> &to, int64_t rows) {
    Guarded<uint8_t> scratch(rows * kernel.scratch());
    std::fill(scratch.begin(), scratch.end(), 0xff);
    Memref<2> ar(from, {rows, k}), cr(to, {rows, n});
    Memref<3> pr(panels, {kernel.panels(), k / block, kernel.record()});
    Memref<1> sr(scratch, {rows * kernel.scratch()});
    function(nullptr, &ar, &pr, &cr, &sr);
  };
  call(a, c, m);
  for (float x : c) {
    uint32_t word;
    std::memcpy(&word, &x, 4);
    bits = (bits ^ word) * 1099511628211u;
  }

  for (int64_t i = 0; i < m; ++i) {
    std::vector<double> row = seen(kernel, &a[i * k]);
    for (int64_t j = 0; j < n; ++j) {
      const uint8_t *records = panels.data() + j / width * (k / block) * kernel.record();
      double sum = 0, size = 1e-30;
      for (int64_t l = 0; l < k; ++l) {
        double w = decode(kernel.format.name, records + l / block * kernel.record(), width, j % width, l % block);
        sum += row[l] * w, size += std::abs(row[l] * w);
      }
      EXPECT(std::abs(c[i * n + j] - sum) < 2e-6 * size, "%s m %ld: [%ld,%ld] is %.9g, not %.9g", kernel.name().c_str(), long(m),
             long(i), long(j), c[i * n + j], sum);
    }
  }
  expectSameBits(kernel.name(), a, c, m, call);
  // What is no number stays in its row, and is seen there.
  for (float odd : {NAN, INFINITY}) {
    Guarded<float> from(a), again(c.size());
    for (int64_t i = 0; i < m; i += 2)
      from[i * k + k / 2] = odd;
    call(from, again, m);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        EXPECT(i % 2 ? again[i * n + j] == c[i * n + j] : !std::isfinite(again[i * n + j]), "%s m %ld: %g in row 0 of [%ld,%ld]",
               kernel.name().c_str(), long(m), odd, long(i), long(j));
  }
}

void run() {
  for (const Kernel &kernel : kernels())
    for (int64_t m : {0, 1, 2, 3, 5, 8, 15, 40})
      check(kernel, m);
  std::printf("bits %016lx\n", (unsigned long)bits);
}

} // namespace

int main(int argc, char **argv) { return runTest(argc, argv, emitAll, run); }
