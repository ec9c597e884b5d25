// SPDX-License-Identifier: Apache-2.0
// What the tests of attention kernels share: operands, masks as the kernel's
// attribute says them and as predicates, and a reference in double.
#ifndef NAX_TEST_KERNELS_ATTENTION_H
#define NAX_TEST_KERNELS_ATTENTION_H

#include "harness.h"

#include <functional>

/// Sizes of one call: batch, queries, keys, key heads, query heads to each.
struct Sizes {
  int64_t b, t, s, k, g;
};

/// The scratch of blocks of queries, for the level that takes most: of a tile of keys and values, their scores and what
/// else is read by query and key (`biases` floats, `truths` bytes) or by key, and of a unit's blocks.
inline int64_t blockScratchBytes(int64_t d, int64_t e, int64_t biases, int64_t truths, int64_t keyExtras,
                                 int64_t documents) {
  auto round = [](int64_t count, int64_t unit = 64) { return (count + unit - 1) / unit * unit; };
  int64_t most = 0;
  struct Level {
    int64_t lanes, keys, rows, panel;
  };
  for (auto [lanes, keys, rows, panel] : {Level{16, 96, 101, 48}, Level{32, 48, 63, 16}}) {
    int64_t numbers = keys * (round(d, 16) + round(e, panel)) + (1 + biases) * rows * lanes;
    int64_t blocks = std::clamp<int64_t>((272 << 10) / ((d + e) * lanes * 4), 1, 16);
    int64_t state = (d + e + 2) * lanes * 4 + documents * round(lanes * 8);
    most = std::max(most, numbers * 4 + truths * round(rows * lanes) + keyExtras * round(rows * 8) + blocks * state);
  }
  return most * 64;
}

/// The data of masks and biases; every kernel takes all of it.
struct Data {
  Guarded<int32_t> lengths, starts; // [B]
  Guarded<int32_t> documents;       // [B,T]; read at s too
  Guarded<int8_t> pairs;            // [B,T,S]
  Guarded<int8_t> keys;             // [B,S]
  Guarded<float> bias;              // [B,K,G,T,S]
  Guarded<float> keyBias;           // [K,S]
  Guarded<float> slopes;            // [K,G]

  explicit Data(Sizes n, bool hasPairs = true)
      : lengths(n.b), starts(n.b), documents(n.b * n.t), pairs(hasPairs ? n.b * n.t * n.s : 0), keys(n.b * n.s),
        bias(hasPairs ? n.b * n.k * n.g * n.t * n.s : 0), keyBias(n.k * n.s), slopes(n.k * n.g) {
    for (auto &x : lengths)
      x = drawBelow(n.s + 2); // sometimes beyond the keys
    for (auto &x : starts)
      x = drawBelow(n.s + 1);
    for (int64_t b = 0; b < n.b; ++b)
      for (int64_t t = 0, id = 7; t < n.t; ++t)
        documents[b * n.t + t] = drawBelow(9) == 0 ? ++id : id;
    for (auto &x : pairs)
      x = drawBelow(3) != 0;
    for (auto &x : keys)
      x = drawBelow(3) != 0;
    fillNormal(bias), fillNormal(keyBias);
    for (auto &x : slopes)
      x = 0.03f + 0.01f * drawBelow(50);
  }
};

using Allows = std::function<bool(const Data &, Sizes, int64_t b, int64_t t, int64_t s)>;

/// A mask as the kernel's attribute says it and as a predicate.
struct Mask {
  std::string tree;
  Allows allows;
};

enum Extra { Lengths, Starts, Documents, Pairs, Keys, Bias, KeyBias, Slopes };
inline Mask all() {
  return {"", [](auto &&...) { return true; }};
}
inline Mask window(int64_t n) {
  return {"[\"window\", " + std::to_string(n) + "]",
          [n](const Data &, Sizes, int64_t, int64_t t, int64_t s) { return t - s < n; }};
}
inline Mask prefix(int64_t n) {
  return {"[\"prefix\", " + std::to_string(n) + "]",
          [n](const Data &, Sizes, int64_t, int64_t, int64_t s) { return s < n; }};
}
inline std::string leaf(const char *name, Extra extra) {
  return "[\"" + std::string(name) + "\", " + std::to_string(extra) + "]";
}
inline Mask shorter() {
  return {leaf("less_than", Lengths),
          [](const Data &d, Sizes, int64_t b, int64_t, int64_t s) { return s < d.lengths[b]; }};
}
inline Mask begun() {
  return {leaf("not_before", Starts),
          [](const Data &d, Sizes, int64_t b, int64_t, int64_t s) { return s >= d.starts[b]; }};
}
inline Mask same() {
  return {leaf("same", Documents), [](const Data &d, Sizes n, int64_t b, int64_t t, int64_t s) {
            return d.documents[b * n.t + t] == d.documents[b * n.t + s];
          }};
}
inline Mask allowedPairs() {
  return {leaf("true", Pairs), [](const Data &d, Sizes n, int64_t b, int64_t t, int64_t s) {
            return d.pairs[(b * n.t + t) * n.s + s] != 0;
          }};
}
inline Mask blockedKeys() {
  return {leaf("false", Keys),
          [](const Data &d, Sizes n, int64_t b, int64_t, int64_t s) { return d.keys[b * n.s + s] == 0; }};
}
inline Mask both(Mask x, Mask y) {
  return {"[\"and\", " + x.tree + ", " + y.tree + "]", [=](auto &&...a) { return x.allows(a...) && y.allows(a...); }};
}
inline Mask either(Mask x, Mask y) {
  return {"[\"or\", " + x.tree + ", " + y.tree + "]", [=](auto &&...a) { return x.allows(a...) || y.allows(a...); }};
}
inline Mask inverse(Mask x) {
  return {"[\"not\", " + x.tree + "]", [=](auto &&...a) { return !x.allows(a...); }};
}

/// One kernel: what is fixed when it is compiled.
struct Kernel {
  std::string name;
  int64_t d, e;
  bool causal;
  Mask mask = all();
  double cap = 0;
  int bias = -1, alibi = -1; // of Extra
  bool turned = false;       // components are not the last dimension
  double scale = 0.37;
  bool needsSquare = false; // the mask reads documents at s
};

/// Operands in the order [B,T,K,G,D], [B,S,K,D], [B,S,K,E].
struct Operands {
  Sizes n;
  Guarded<float> q, k, v;
  Data data;

  Operands(const Kernel &kernel, Sizes n, bool hasPairs = true)
      : n(n), q(n.b * n.t * n.k * n.g * kernel.d), k(n.b * n.s * n.k * kernel.d), v(n.b * n.s * n.k * kernel.e),
        data(n, hasPairs) {
    fillNormal(q), fillNormal(k), fillNormal(v);
  }
};

/// The first memory in another order of its dimensions; the reverse is done
/// by swapping `from` and `to`.
template <size_t rank>
Guarded<float> turn(const Guarded<float> &memory, std::array<int64_t, rank> shape, std::array<int, rank> to,
                    bool back = false) {
  Guarded<float> turned(memory.size());
  std::array<int64_t, rank> strides{};
  int64_t stride = 1;
  for (size_t i = rank; i-- > 0; stride *= shape[to[i]])
    strides[to[i]] = stride;
  for (int64_t i = 0; i < memory.size(); ++i) {
    int64_t rest = i, place = 0;
    for (size_t j = rank; j-- > 0; rest /= shape[j])
      place += rest % shape[j] * strides[j];
    back ? turned[i] = memory[place] : turned[place] = memory[i];
  }
  return turned;
}

//===--- the reference -----------------------------------------------------===//

inline bool allows(const Kernel &kernel, const Operands &o, int64_t b, int64_t t, int64_t s) {
  return (!kernel.causal || s <= t) && kernel.mask.allows(o.data, o.n, b, t, s);
}

/// Weights of one query over the keys before `end`; zeros for others and where
/// nothing is allowed.
inline std::vector<double> referenceWeights(const Kernel &kernel, const Operands &o, int64_t b, int64_t t, int64_t k,
                                            int64_t g, int64_t end) {
  Sizes n = o.n;
  std::vector<double> row(n.s, 0);
  std::vector<bool> open(n.s);
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  const float *q = &o.q.data()[(((b * n.t + t) * n.k + k) * n.g + g) * kernel.d];
  for (int64_t s = 0; s < end; ++s) {
    if (!(open[s] = allows(kernel, o, b, t, s)))
      continue;
    const float *key = &o.k.data()[((b * n.s + s) * n.k + k) * kernel.d];
    double x = 0;
    for (int64_t d = 0; d < kernel.d; ++d)
      x += double(q[d]) * key[d];
    x *= kernel.scale;
    if (kernel.cap)
      x = kernel.cap * std::tanh(x / kernel.cap);
    if (kernel.bias == Bias)
      x += o.data.bias[(((b * n.k + k) * n.g + g) * n.t + t) * n.s + s];
    if (kernel.bias == KeyBias)
      x += o.data.keyBias[k * n.s + s];
    if (kernel.alibi >= 0)
      x -= double(o.data.slopes[k * n.g + g]) * std::abs(t - s);
    row[s] = x;
    top = std::max(top, x);
  }
  for (int64_t s = 0; s < n.s; ++s)
    sum += row[s] = open[s] ? std::exp(row[s] - top) : 0;
  for (double &x : row)
    x = sum > 0 ? x / sum : 0;
  return row;
}

inline std::string said(const Kernel &kernel, Sizes n) {
  char text[200];
  std::snprintf(text, sizeof text, "%s B %ld T %ld S %ld K %ld G %ld", kernel.name.c_str(), long(n.b), long(n.t),
                long(n.s), long(n.k), long(n.g));
  return text;
}

inline double worst = 0; // error of a result, of the sum of sizes

inline bool sameRow(const Guarded<float> &x, int64_t rowOfX, const Guarded<float> &y, int64_t rowOfY, int64_t length) {
  return !std::memcmp(&x.data()[rowOfX * length], &y.data()[rowOfY * length], length * sizeof(float));
}

#endif // NAX_TEST_KERNELS_ATTENTION_H
