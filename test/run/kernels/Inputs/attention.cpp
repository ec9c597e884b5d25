// SPDX-License-Identifier: Apache-2.0
// nax.kernel.attention and nax.kernel.attention_weights against a reference in
// double, over sizes and masks, and what must hold bit by bit: a query's result
// follows from what it may read and from nothing else.
#include "attention.h"

namespace {

const char *const extraTypes[] = {"memref<?xi32>",  "memref<?xi32>",         "memref<?x?xi32>", "memref<?x?x?xi8>",
                                  "memref<?x?xi8>", "memref<?x?x?x?x?xf32>", "memref<?x?xf32>", "memref<?x?xf32>"};
const char *const extraMaps[] = {"(b)", "(b)", "(b, t)", "(b, t, s)", "(b, s)", "(b, k, g, t, s)", "(k, s)", "(k, g)"};

std::vector<Kernel> kernels() {
  std::vector<Kernel> list;
  for (int64_t d : {1, 2, 3, 8, 17, 64}) {
    list.push_back({"causal_" + std::to_string(d), d, d, true});
    list.push_back({"open_" + std::to_string(d), d, d == 8 ? 5 : d, false});
  }
  list.push_back({"d80_e33", 80, 33, true, all(), 0, -1, -1, false, 0.11});
  list.push_back({"d128_e256", 128, 256, true, all(), 0, -1, -1, false, 0.09});
  list.push_back({"turned", 17, 19, true, all(), 0, -1, -1, true});
  list.push_back({"window1", 8, 8, true, window(1)});
  list.push_back({"window3", 8, 8, true, window(3)});
  list.push_back({"window40", 8, 8, true, window(40)});
  list.push_back({"window_open", 8, 8, false, window(5)});
  list.push_back({"prefix", 8, 8, false, prefix(20)});
  list.push_back({"sink", 8, 8, true, either(prefix(3), window(4))});
  list.push_back({"sinks", 8, 8, true, either(window(70), prefix(2))});
  list.push_back({"ragged", 8, 8, false, shorter()});
  list.push_back({"ragged_causal", 8, 8, true, shorter()});
  list.push_back({"padded", 8, 8, true, begun()});
  list.push_back({"middle", 8, 8, false, both(begun(), shorter())});
  list.push_back({"packed", 8, 8, true, same(), 0, -1, -1, false, 0.37, true});
  list.push_back({"packed_open", 8, 8, false, both(same(), window(30)), 0, -1, -1, false, 0.37, true});
  list.push_back({"pairs", 8, 8, false, allowedPairs()});
  list.push_back({"pairs_causal", 8, 8, true, allowedPairs()});
  list.push_back({"blocked_keys", 8, 8, false, blockedKeys()});
  list.push_back({"not_window", 8, 8, true, inverse(window(4))});
  list.push_back({"not_prefix", 8, 8, true, inverse(prefix(5))});
  list.push_back({"not_ragged", 8, 8, false, inverse(shorter())});
  list.push_back({"not_padded", 8, 8, false, inverse(begun())});
  list.push_back({"not_middle", 8, 8, false, inverse(both(begun(), shorter()))});
  list.push_back(
      {"tangle", 8, 8, false, both(inverse(either(prefix(3), blockedKeys())), either(shorter(), allowedPairs()))});
  list.push_back({"capped", 16, 16, true, all(), 1.5});
  list.push_back({"biased", 16, 16, true, window(50), 0, Bias});
  list.push_back({"biased_keys", 16, 16, false, all(), 0, KeyBias});
  list.push_back({"alibi", 16, 16, true, all(), 0, -1, Slopes});
  list.push_back({"alibi_open", 16, 16, false, shorter(), 3.0, -1, Slopes});
  return list;
}

/// The scratch that the operation asks for, of which it is given no byte more.
int64_t scratchBytes(const Kernel &kernel, bool weights) {
  auto has = [&](const char *name) { return kernel.mask.tree.find(name) != std::string::npos; };
  return blockScratchBytes(kernel.d, weights ? 0 : kernel.e, kernel.bias == Bias, has("\"true\""), 0, has("\"same\""));
}

const char *const space = "affine_map<(b, k, g, t, s, d, e) -> ";

void emit(const Kernel &kernel, bool weights) {
  std::string d = std::to_string(kernel.d), e = std::to_string(kernel.e);
  std::string q = "memref<?x?x?x?x" + d + "xf32>", key = "memref<?x?x?x" + d + "xf32>";
  std::string v = "memref<?x?x?x" + e + "xf32>", out = "memref<?x?x?x?x" + e + "xf32>";
  std::string qMap = "(b, t, k, g, d)", kMap = "(b, s, k, d)", vMap = "(b, s, k, e)", outMap = "(b, t, k, g, e)";
  if (kernel.turned) {
    q = "memref<?x?x" + d + "x?x?xf32>", key = "memref<?x" + d + "x?x?xf32>";
    v = "memref<" + e + "x?x?x?xf32>", out = "memref<?x?x?x" + e + "x?xf32>";
    qMap = "(b, g, d, t, k)", kMap = "(k, d, s, b)", vMap = "(e, s, b, k)", outMap = "(g, b, k, e, t)";
  }
  if (weights)
    out = "memref<?x?x?x?x?xf32>", outMap = "(b, t, k, g, s)";
  std::string scratch = "memref<" + std::to_string(scratchBytes(kernel, weights)) + "xi8>";

  std::printf("func.func @%s%s(%%ctx: !llvm.ptr, %%q: %s, %%k: %s, ", weights ? "weights_" : "", kernel.name.c_str(),
              q.c_str(), key.c_str());
  if (!weights)
    std::printf("%%v: %s, ", v.c_str());
  std::printf("%%out: %s, %%scratch: %s", out.c_str(), scratch.c_str());
  for (int i = 0; i < 8; ++i)
    std::printf(", %%x%d: %s", i, extraTypes[i]);
  std::printf(") attributes {llvm.emit_c_interface} {\n  nax.kernel.attention%s(%%q, %%k%s) into %%out extras(",
              weights ? "_weights" : "", weights ? "" : ", %v");
  for (int i = 0; i < 8; ++i)
    std::printf("%s%%x%d", i ? ", " : "", i);
  for (int i = 0; i < 8; ++i)
    std::printf("%s%s", i ? ", " : " : ", extraTypes[i]);
  std::printf(")\n    scratch %%scratch : %s {q_map = %s%s>, k_map = %s%s>, ", scratch.c_str(), space, qMap.c_str(),
              space, kMap.c_str());
  if (!weights)
    std::printf("v_map = %s%s>, ", space, vMap.c_str());
  std::printf("out_map = %s%s>,\n    extra_maps = [", space, outMap.c_str());
  for (int i = 0; i < 8; ++i)
    std::printf("%s%s%s>", i ? ", " : "", space, extraMaps[i]);
  std::printf("], num_batch = 3 : i64, scale = %.17e : f64", kernel.scale);
  if (kernel.cap)
    std::printf(", cap = %.17e : f64", kernel.cap);
  if (kernel.causal)
    std::printf(", causal");
  if (kernel.bias >= 0)
    std::printf(", bias = %d : i64", kernel.bias);
  if (kernel.alibi >= 0)
    std::printf(", alibi = %d : i64", kernel.alibi);
  if (!kernel.mask.tree.empty())
    std::printf(", mask = %s", kernel.mask.tree.c_str());
  std::printf("}\n    : %s, %s, %s%s\n  return\n}\n", q.c_str(), key.c_str(), weights ? "" : (v + ", ").c_str(),
              out.c_str());
}

//===--- calling -----------------------------------------------------------===//

/// The result, [B,T,K,G,E] or [B,T,K,G,S].
Guarded<float> call(const Kernel &kernel, const Operands &o, bool weights = false) {
  Sizes n = o.n;
  int64_t last = weights ? n.s : kernel.e;
  std::array<int64_t, 5> q{n.b, n.t, n.k, n.g, kernel.d}, out{n.b, n.t, n.k, n.g, last};
  std::array<int64_t, 4> k{n.b, n.s, n.k, kernel.d}, v{n.b, n.s, n.k, kernel.e};
  std::array<int64_t, 5> qShape = q, outShape = out;
  std::array<int64_t, 4> kShape = k, vShape = v;
  Guarded<float> qm = o.q, km = o.k, vm = o.v, result(n.b * n.t * n.k * n.g * last);
  if (kernel.turned) {
    qm = turn<5>(qm, q, {0, 3, 4, 1, 2}), qShape = {n.b, n.g, kernel.d, n.t, n.k};
    km = turn<4>(km, k, {2, 3, 1, 0}), kShape = {n.k, kernel.d, n.s, n.b};
    vm = turn<4>(vm, v, {3, 1, 0, 2}), vShape = {kernel.e, n.s, n.b, n.k};
    if (!weights)
      outShape = {n.g, n.b, n.k, kernel.e, n.t};
  }
  for (float &x : result)
    x = 1234; // every element has to be written
  Guarded<int8_t> scratch(scratchBytes(kernel, weights));
  for (int8_t &x : scratch)
    x = -1; // NaN
  const Data &d = o.data;
  Memref<5> qr(qm, qShape), outr(result, outShape), biasr(d.bias, {n.b, n.k, n.g, n.t, n.s});
  Memref<4> kr(km, kShape), vr(vm, vShape);
  Memref<1> scratchr(scratch, {scratch.size()}), lengths(d.lengths, {n.b}), starts(d.starts, {n.b});
  Memref<2> documents(d.documents, {n.b, n.t}), keys(d.keys, {n.b, n.s}), keyBias(d.keyBias, {n.k, n.s});
  Memref<2> slopes(d.slopes, {n.k, n.g});
  Memref<3> pairs(d.pairs, {n.b, n.t, n.s});
  void *extras[] = {&lengths, &starts, &documents, &pairs, &keys, &biasr, &keyBias, &slopes};
  auto apply = [&](auto *function, auto... first) {
    function(nullptr, first..., &outr, &scratchr, extras[0], extras[1], extras[2], extras[3], extras[4], extras[5],
             extras[6], extras[7]);
  };
  using P = void *;
  if (weights)
    apply(::kernel<void(P, P, P, P, P, P, P, P, P, P, P, P, P)>("weights_" + kernel.name), P(&qr), P(&kr));
  else
    apply(::kernel<void(P, P, P, P, P, P, P, P, P, P, P, P, P, P)>(kernel.name), P(&qr), P(&kr), P(&vr));
  if (kernel.turned && !weights)
    result = turn<5>(result, out, {3, 0, 2, 4, 1}, true);
  return result;
}

//===--- checks ------------------------------------------------------------===//

void compare(const Kernel &kernel, Sizes n) {
  Operands o(kernel, n);
  Guarded<float> out = call(kernel, o);
  for (int64_t row = 0; row < n.b * n.t * n.k * n.g; ++row) {
    int64_t g = row % n.g, k = row / n.g % n.k, t = row / n.g / n.k % n.t, b = row / n.g / n.k / n.t;
    std::vector<double> weights = referenceWeights(kernel, o, b, t, k, g, n.s);
    bool nothing = true;
    for (int64_t s = 0; s < n.s; ++s)
      nothing &= !allows(kernel, o, b, t, s);
    for (int64_t e = 0; e < kernel.e; ++e) {
      double sum = 0, size = 1e-30;
      for (int64_t s = 0; s < n.s; ++s) {
        double x = weights[s] * o.v[((b * n.s + s) * n.k + k) * kernel.e + e];
        sum += x, size += std::abs(x);
      }
      float got = out[row * kernel.e + e];
      if (nothing)
        EXPECT(got == 0 && !std::signbit(got), "%s row %ld is %g", said(kernel, n).c_str(), long(row), got);
      double error = std::abs(got - sum) / size;
      worst = std::max(worst, error);
      EXPECT(error < 4e-6, "%s b %ld t %ld k %ld g %ld e %ld: %.9g, not %.9g", said(kernel, n).c_str(), long(b),
             long(t), long(k), long(g), long(e), got, sum);
    }
  }
  if (kernel.turned)
    return;
  Guarded<float> rows = call(kernel, o, true);
  for (int64_t row = 0; row < n.b * n.t * n.k * n.g; ++row) {
    int64_t g = row % n.g, k = row / n.g % n.k, t = row / n.g / n.k % n.t, b = row / n.g / n.k / n.t;
    std::vector<double> weights = referenceWeights(kernel, o, b, t, k, g, n.s);
    for (int64_t s = 0; s < n.s; ++s) {
      float got = rows[row * n.s + s];
      if (!allows(kernel, o, b, t, s))
        EXPECT(got == 0 && !std::signbit(got), "%s weight t %ld s %ld is %g", said(kernel, n).c_str(), long(t), long(s),
               got);
      EXPECT(std::abs(got - weights[s]) < 4e-6, "%s weight t %ld s %ld: %.9g, not %.9g", said(kernel, n).c_str(),
             long(t), long(s), got, weights[s]);
    }
  }
}

//===--- bit by bit --------------------------------------------------------===//

/// Chunks in another order, and on two threads.
void checkOrder(const Kernel &kernel, Sizes n) {
  Operands o(kernel, n);
  Guarded<float> out = call(kernel, o);
  for (Order other : {Order::forward, Order::backward, Order::threads}) {
    order = other;
    EXPECT(call(kernel, o).sameBits(out), "%s in order %d", said(kernel, n).c_str(), int(other));
  }
  order = Order::forward;
}

/// What stands in key `s` of batch row `b`, NaN or not, reaches only queries
/// that may read it.
void checkUnread(const Kernel &kernel, Sizes n) {
  Operands o(kernel, n);
  Guarded<float> out = call(kernel, o), rows = kernel.turned ? Guarded<float>() : call(kernel, o, true);
  int64_t heads = n.k * n.g;
  for (int64_t s : {int64_t(0), int64_t(1), n.s / 2, n.s - 2, n.s - 1, drawBelow(n.s), drawBelow(n.s)}) {
    if (s < 0)
      continue;
    // All bits set is a NaN, too, and one that sums of bits would spoil.
    float allBits;
    std::memset(&allBits, -1, sizeof allBits);
    for (float poison : {std::nanf(""), allBits, -1e30f, 0.0f}) {
      int64_t b = drawBelow(n.b);
      Operands changed = o;
      for (int64_t i = 0; i < n.k * kernel.d; ++i)
        changed.k[(b * n.s + s) * n.k * kernel.d + i] = poison;
      for (int64_t i = 0; i < n.k * kernel.e; ++i)
        changed.v[(b * n.s + s) * n.k * kernel.e + i] = poison;
      Guarded<float> after = call(kernel, changed);
      Guarded<float> rowsAfter = kernel.turned ? Guarded<float>() : call(kernel, changed, true);
      for (int64_t row = 0; row < n.b * n.t; ++row) {
        if (row / n.t == b && allows(kernel, o, b, row % n.t, s)) {
          if (std::isnan(poison))
            EXPECT(std::isnan(after[row * heads * kernel.e]), "%s: a NaN in key %ld is lost in query %ld",
                   said(kernel, n).c_str(), long(s), long(row % n.t));
          continue;
        }
        EXPECT(sameRow(out, row, after, row, heads * kernel.e),
               "%s: key %ld of row %ld as %g reached query %ld of row %ld", said(kernel, n).c_str(), long(s), long(b),
               poison, long(row % n.t), long(row / n.t));
        if (!kernel.turned)
          EXPECT(sameRow(rows, row, rowsAfter, row, heads * n.s), "%s: key %ld as %g reached the weights of query %ld",
                 said(kernel, n).c_str(), long(s), poison, long(row % n.t));
      }
    }
  }
}

/// Fewer queries, fewer rows, and for a causal kernel fewer keys: what is left
/// does not change.
void checkAlone(const Kernel &kernel, Sizes n) {
  if (kernel.mask.tree.find(", 2]") != std::string::npos || kernel.mask.tree.find(", 3]") != std::string::npos ||
      kernel.mask.tree.find(", 4]") != std::string::npos || kernel.bias >= 0)
    return; // their data would have to be cut, too
  Operands o(kernel, n);
  Guarded<float> out = call(kernel, o);
  int64_t heads = n.k * n.g;
  for (int64_t t : {int64_t(1), int64_t(17), int64_t(32), n.t - 1})
    for (int64_t b = 0; b < n.b; ++b) {
      if (t < 1 || t > n.t)
        continue;
      Sizes few{1, t, kernel.causal ? std::min(t, n.s) : n.s, n.k, n.g};
      Operands part(kernel, few);
      std::copy_n(&o.q[b * n.t * heads * kernel.d], part.q.size(), part.q.begin());
      std::copy_n(&o.k[b * n.s * n.k * kernel.d], part.k.size(), part.k.begin());
      std::copy_n(&o.v[b * n.s * n.k * kernel.e], part.v.size(), part.v.begin());
      part.data.lengths[0] = o.data.lengths[b], part.data.starts[0] = o.data.starts[b];
      std::copy(o.data.slopes.begin(), o.data.slopes.end(), part.data.slopes.begin());
      Guarded<float> alone = call(kernel, part);
      for (int64_t row = 0; row < t; ++row)
        EXPECT(sameRow(out, b * n.t + row, alone, row, heads * kernel.e), "%s: query %ld alone with %ld queries",
               said(kernel, n).c_str(), long(row), long(t));
    }
}

void emitAll() {
  for (const Kernel &kernel : kernels()) {
    emit(kernel, false);
    if (!kernel.turned)
      emit(kernel, true);
  }
}

void run() {
  const std::vector<int64_t> lengths{0, 1, 2, 17, 33, 129};
  const std::vector<std::pair<int64_t, int64_t>> heads{{1, 1}, {4, 1}, {2, 2}, {2, 3}, {1, 7}};
  for (const Kernel &kernel : kernels()) {
    bool sweeps = kernel.name.rfind("causal_", 0) == 0 || kernel.name.rfind("open_", 0) == 0;
    for (int64_t t : lengths)
      for (int64_t s : lengths) {
        if (kernel.needsSquare && t != s)
          continue;
        for (auto [k, g] : heads) {
          if (!sweeps && k * g != 6 && t * s != 17 * 33)
            continue;
          for (int64_t b : {0, 1, 3})
            if (b < 3 || t * s < 129 * 33 || k * g == 6)
              compare(kernel, {b, t, s, k, g});
        }
      }
    compare(kernel, {2, 200, kernel.needsSquare ? 200 : 310, 1, 2});
    int64_t s = kernel.needsSquare ? 150 : 170;
    checkOrder(kernel, {2, 150, s, 2, 3});
    checkUnread(kernel, {2, 150, s, 1, 2});
    checkUnread(kernel, {3, 33, 33, 2, 1});
    checkAlone(kernel, {3, 150, s, 2, 2});
  }
  std::printf("largest error %.1e of the sum of sizes\n", worst);
}

} // namespace

int main(int argc, char **argv) { return runTest(argc, argv, emitAll, run); }
