// SPDX-License-Identifier: Apache-2.0
// nax.kernel.attention with a cache. Each call is cut out of a whole sequence:
// what is before a row's start goes to slots, what follows is new, and the
// reference is asked about the whole. A row's result follows bit by bit from
// its own keys, start and end, and from no slot that it may not read.
#include "attention.h"

namespace {

struct Cached : Kernel {
  int64_t k = 0, g = 0; // heads that are known when it is compiled, or 0
};

/// Lengths, Starts, ... Slopes as in attention.h, but no extra has pairs: in
/// their places are truths of queries and nothing. The caches follow.
enum { OpenQueries = Pairs, DocumentSlots = Slopes + 1, KeySlots, BiasSlots, numExtras };
const char *const extraTypes[] = {"memref<?xi32>",   "memref<?xi32>",  "memref<?x?xi32>",   "memref<?x?xi8>",
                                  "memref<?x?xi8>",  "memref<f32>",    "memref<?x?x?xf32>", "memref<?x?xf32>",
                                  "memref<?x?xi32>", "memref<?x?xi8>", "memref<?x?x?xf32>"};
const char *const extraMaps[] = {"(b)",       "(b)",    "(b, t)", "(b, t)", "(b, s)",   "()",
                                 "(b, k, s)", "(k, g)", "(b, t)", "(b, s)", "(b, k, s)"};
const char *const extraCaches = "-1, -1, 8, -1, 9, -1, 10, -1, -1, -1, -1";

Mask openQueries() {
  return {"[\"true\", " + std::to_string(OpenQueries) + "]",
          [](const Data &d, Sizes n, int64_t b, int64_t t, int64_t) { return d.keys[b * n.s + t] != 0; }};
}

std::vector<Cached> kernels() {
  std::vector<Cached> list;
  auto add = [&](Kernel kernel, int64_t k = 0, int64_t g = 0) { list.push_back({kernel, k, g}); };
  for (int64_t d : {1, 3, 8, 16, 17, 80})
    add({"plain_" + std::to_string(d), d, d == 8 ? 5 : d, true});
  for (auto [k, g] : {std::pair<int64_t, int64_t>{2, 1}, {1, 2}, {2, 3}, {2, 4}, {1, 5}, {1, 7}})
    add({"heads_" + std::to_string(k) + "_" + std::to_string(g), 24, 40, true}, k, g);
  add({"smol", 64, 64, true, all(), 0, -1, -1, false, 0.125}, 3, 3);
  add({"wide", 128, 256, true, all(), 0, -1, -1, false, 0.09}, 2, 4);
  add({"turned", 17, 19, true, all(), 0, -1, -1, true});
  add({"turned_heads", 17, 33, true, all(), 0, -1, -1, true}, 2, 2);
  add({"window1", 8, 8, true, window(1)});
  add({"window3", 8, 8, true, window(3)}, 1, 2);
  add({"window40", 8, 8, true, window(40)});
  add({"window300", 8, 8, true, window(300)});
  add({"sink", 8, 8, true, either(prefix(3), window(4))});
  add({"ragged", 8, 8, true, shorter()});
  add({"padded", 8, 8, true, begun()}, 1, 3);
  add({"not_middle", 8, 8, true, inverse(both(begun(), shorter()))});
  add({"packed", 8, 8, true, same()});
  add({"packed_window", 8, 8, true, both(same(), window(30))}, 1, 2);
  add({"blocked_keys", 8, 8, true, blockedKeys()}, 1, 6);
  add({"open_queries", 8, 8, true, openQueries()}, 1, 2);
  add({"tangle", 8, 8, true, both(inverse(either(prefix(3), blockedKeys())), either(shorter(), same()))});
  add({"open_keys", 8, 8, false});
  add({"open_packed", 8, 8, false, same()}, 1, 2);
  add({"capped", 16, 16, true, all(), 1.5});
  add({"biased_keys", 16, 16, true, window(90), 0, KeyBias}, 2, 2);
  add({"biased", 16, 16, true, same(), 2.0, KeyBias});
  add({"alibi", 16, 16, true, all(), 0, -1, Slopes}, 2, 3);
  add({"alibi_dynamic", 16, 16, true, window(50), 0, -1, Slopes});
  return list;
}

/// The scratch that the operation asks for, of which it is given no byte more.
int64_t scratchBytes(const Cached &kernel) {
  auto has = [&](const char *name) { return kernel.mask.tree.find(name) != std::string::npos; };
  bool documents = has("\"same\""), keys = has("\"false\""), queries = has("\"true\"");
  int64_t keyExtras = documents + keys + (kernel.bias >= 0);
  int64_t most = blockScratchBytes(kernel.d, kernel.e, 0, queries, keyExtras, documents);
  auto round = [](int64_t bytes) { return (bytes + 63) / 64 * 64; };
  int64_t group = std::max<int64_t>(1, kernel.g), blocks = (group + 3) / 4, heads = (group + blocks - 1) / blocks;
  // Heads side by side are at most 32; of a size known when called, as many.
  int64_t beside = std::max<int64_t>(32 / group, 1);
  if (kernel.k || kernel.turned)
    beside = kernel.turned ? 1 : std::min(kernel.k, beside);
  int64_t queryRows = beside * group, scoreRows = beside * blocks * heads;
  int64_t chunk = queryRows * round(kernel.d * 4) + round(scoreRows * 144 * 4) + keyExtras * round(heads * 144 * 8);
  return std::max(most, 64 * chunk + 64 * queryRows * (2 * 64 + round(kernel.e * 4)));
}

const char *const space = "affine_map<(b, k, g, t, s, d, e) -> ";

std::string memref(std::initializer_list<int64_t> shape) {
  std::string text = "memref<";
  for (int64_t size : shape)
    text += (size ? std::to_string(size) : "?") + "x";
  return text + "f32>";
}

void emit(const Cached &kernel) {
  int64_t d = kernel.d, e = kernel.e, k = kernel.k, g = kernel.g;
  std::string q = memref({0, 0, k, g, d}), key = memref({0, 0, k, d}), v = memref({0, 0, k, e}),
              out = memref({0, 0, k, g, e});
  std::string qMap = "(b, t, k, g, d)", kMap = "(b, s, k, d)", vMap = "(b, s, k, e)", outMap = "(b, t, k, g, e)";
  if (kernel.turned) {
    q = memref({0, g, d, 0, k}), key = memref({k, d, 0, 0}), v = memref({e, 0, 0, k}), out = memref({g, 0, k, e, 0});
    qMap = "(b, g, d, t, k)", kMap = "(k, d, s, b)", vMap = "(e, s, b, k)", outMap = "(g, b, k, e, t)";
  }
  std::string scratch = "memref<" + std::to_string(scratchBytes(kernel)) + "xi8>", span = "memref<?x2xi32>";
  std::string arguments, extras, types, maps;
  for (int i = 0; i < numExtras; ++i) {
    std::string comma = i ? ", " : "", name = "%x" + std::to_string(i);
    arguments += ", " + name + ": " + extraTypes[i];
    extras += comma + name, types += comma + extraTypes[i], maps += comma + space + extraMaps[i] + ">";
  }
  std::string text =
      "func.func @" + kernel.name + "(%ctx: !llvm.ptr, %q: " + q + ", %k: " + key + ", %v: " + v + ", %kc: " + key +
      ", %vc: " + v + ", %span: " + span + ", %out: " + out + ", %scratch: " + scratch + arguments +
      ") attributes {llvm.emit_c_interface} {\n  nax.kernel.attention(%q, %k, %v) cached(" +
      "%kc, %vc, %span : " + key + ", " + v + ", " + span + ") into %out extras(" + extras + " : " + types +
      ")\n    scratch %scratch : " + scratch + " {q_map = " + space + qMap + ">, k_map = " + space + kMap +
      ">, v_map = " + space + vMap + ">, out_map = " + space + outMap + ">, span_map = " + space +
      "(b)>,\n    extra_maps = [" + maps + "], extra_caches = array<i64: " + extraCaches + ">, num_batch = 3 : i64, ";
  std::printf("%sscale = %.17e : f64", text.c_str(), kernel.scale);
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
  std::printf("}\n    : %s, %s, %s, %s\n  return\n}\n", q.c_str(), key.c_str(), v.c_str(), out.c_str());
}

void emitAll() {
  for (const Cached &kernel : kernels())
    emit(kernel);
}

//===--- calling -----------------------------------------------------------===//

/// One call: where each row begins, how many queries of the t it has, and the
/// slots of the caches of keys and of all else.
struct Rows {
  int64_t t, keySlots, slots;
  std::vector<int64_t> start, count;
  std::vector<int64_t> of; // rows of the whole

  int64_t size() const { return start.size(); }
  Rows only(int64_t row, int64_t queries) const {
    return {queries, keySlots, slots, {start[row]}, {count[row]}, {of[row]}};
  }
};

bool allowsAny(const Cached &kernel, const Operands &whole, const Rows &rows, int64_t row, int64_t s) {
  for (int64_t t = 0; t < rows.count[row]; ++t)
    if (allows(kernel, whole, rows.of[row], rows.start[row] + t, s))
      return true;
  return false;
}

/// A new part and its cache, of `length` numbers for each position.
template <class T>
struct Parts {
  Guarded<T> news, slots;

  /// `at(row, s)` is where the whole sequence has position s; what may not be
  /// read, or `keeps` does not ask for, is `filler(row)`.
  template <class At, class Keeps, class Filler>
  Parts(const Rows &rows, int64_t numSlots, int64_t length, At at, Keeps keeps, Filler filler)
      : news(rows.size() * rows.t * length), slots(rows.size() * numSlots * length) {
    for (int64_t row = 0; row < rows.size(); ++row) {
      std::fill_n(&news[row * rows.t * length], rows.t * length, filler(row));
      std::fill_n(&slots[row * numSlots * length], numSlots * length, filler(row));
      for (int64_t s = std::max<int64_t>(0, rows.start[row] - numSlots); s < rows.start[row] + rows.count[row]; ++s)
        if (keeps(row, s))
          std::copy_n(at(row, s), length,
                      s < rows.start[row] ? &slots[(row * numSlots + s % numSlots) * length]
                                          : &news[(row * rows.t + s - rows.start[row]) * length]);
    }
  }
};

/// The result, [B,T,K,G,E]. What no query of a row may read is `poison`, or as
/// it is in the whole sequence.
Guarded<float> call(const Cached &kernel, const Operands &whole, const Rows &rows, const float *poison = nullptr) {
  Sizes n = whole.n;
  int64_t B = rows.size(), heads = n.k * n.g;
  auto position = [&](int64_t row, int64_t s) { return rows.of[row] * n.s + s; };
  auto read = [&](int64_t row, int64_t s) { return !poison || allowsAny(kernel, whole, rows, row, s); };
  auto always = [](int64_t, int64_t) { return true; };
  auto fill = [&](int64_t) { return poison ? *poison : 0.5f; };
  const Data &data = whole.data;
  // A document in an empty slot is the one that the queries are in.
  auto document = [&](int64_t row) { return data.documents[position(row, rows.start[row])]; };
  auto one = [](int64_t) { return int8_t(1); };
  auto zero = [](int64_t) { return int8_t(0); };
  auto from = [&](const auto &memory, int64_t length) {
    return [&, length](int64_t row, int64_t s) { return &memory[position(row, s) * length]; };
  };
  Parts<float> q(
      rows, 1, heads * kernel.d, from(whole.q, heads * kernel.d),
      [&](int64_t row, int64_t s) { return s >= rows.start[row]; }, fill);
  Parts<float> k(rows, rows.keySlots, n.k * kernel.d, from(whole.k, n.k * kernel.d), read, fill);
  Parts<float> v(rows, rows.slots, n.k * kernel.e, from(whole.v, n.k * kernel.e), read, fill);
  Parts<int32_t> documents(rows, rows.slots, 1, from(data.documents, 1), always, document);
  Parts<int8_t> keys(rows, rows.slots, 1, from(data.keys, 1), always, zero);
  Parts<int8_t> queries(rows, 1, 1, from(data.keys, 1), always, one);
  Guarded<float> keyBias(n.s * n.k); // [S,K], then [B,K,...]
  for (int64_t i = 0; i < n.s * n.k; ++i)
    keyBias[i] = data.keyBias[i % n.k * n.s + i / n.k];
  Parts<float> bias(rows, rows.slots, n.k, [&](int64_t, int64_t s) { return &keyBias[s * n.k]; }, read, fill);
  bias.news = turn<3>(bias.news, {B, rows.t, n.k}, {0, 2, 1});
  bias.slots = turn<3>(bias.slots, {B, rows.slots, n.k}, {0, 2, 1});
  Guarded<int32_t> span(2 * B), lengths(B), starts(B);
  for (int64_t row = 0; row < B; ++row) {
    span[2 * row] = rows.start[row], span[2 * row + 1] = rows.start[row] + rows.count[row];
    lengths[row] = data.lengths[rows.of[row]], starts[row] = data.starts[rows.of[row]];
  }

  std::array<int64_t, 5> qShape{B, rows.t, n.k, n.g, kernel.d}, out{B, rows.t, n.k, n.g, kernel.e}, outShape = out;
  std::array<int64_t, 4> kShape{B, rows.t, n.k, kernel.d}, vShape{B, rows.t, n.k, kernel.e};
  std::array<int64_t, 4> kcShape{B, rows.keySlots, n.k, kernel.d}, vcShape{B, rows.slots, n.k, kernel.e};
  if (kernel.turned) {
    q.news = turn<5>(q.news, qShape, {0, 3, 4, 1, 2}), qShape = {B, n.g, kernel.d, rows.t, n.k};
    k.news = turn<4>(k.news, kShape, {2, 3, 1, 0}), kShape = {n.k, kernel.d, rows.t, B};
    k.slots = turn<4>(k.slots, kcShape, {2, 3, 1, 0}), kcShape = {n.k, kernel.d, rows.keySlots, B};
    v.news = turn<4>(v.news, vShape, {3, 1, 0, 2}), vShape = {kernel.e, rows.t, B, n.k};
    v.slots = turn<4>(v.slots, vcShape, {3, 1, 0, 2}), vcShape = {kernel.e, rows.slots, B, n.k};
    outShape = {n.g, B, n.k, kernel.e, rows.t};
  }
  Guarded<float> result(B * rows.t * heads * kernel.e), nothing(1);
  std::fill(result.begin(), result.end(), 1234); // every element has to be written
  Guarded<int8_t> scratch(scratchBytes(kernel));
  std::fill(scratch.begin(), scratch.end(), -1); // NaN
  Memref<5> qr(q.news, qShape), outr(result, outShape);
  Memref<4> kr(k.news, kShape), kcr(k.slots, kcShape), vr(v.news, vShape), vcr(v.slots, vcShape);
  Memref<3> biasr(bias.news, {B, n.k, rows.t}), biasSlots(bias.slots, {B, n.k, rows.slots});
  Memref<2> spanr(span, {B, 2}), documentsr(documents.news, {B, rows.t}),
      documentSlots(documents.slots, {B, rows.slots});
  Memref<2> keysr(keys.news, {B, rows.t}), keySlots(keys.slots, {B, rows.slots}), queriesr(queries.news, {B, rows.t});
  Memref<2> slopes(data.slopes, {n.k, n.g});
  Memref<1> scratchr(scratch, {scratch.size()}), lengthsr(lengths, {B}), startsr(starts, {B});
  Memref<0> nothingr(nothing, {});
  using P = void *;
  using Function = void(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P);
  ::kernel<Function>(kernel.name)(nullptr, &qr, &kr, &vr, &kcr, &vcr, &spanr, &outr, &scratchr, &lengthsr, &startsr,
                                  &documentsr, &queriesr, &keysr, &nothingr, &biasr, &slopes, &documentSlots, &keySlots,
                                  &biasSlots);
  return kernel.turned ? turn<5>(result, out, {3, 0, 2, 4, 1}, true) : result;
}

//===--- checks ------------------------------------------------------------===//

std::string said(const Cached &kernel, const Operands &whole, const Rows &rows, int64_t row) {
  char text[200];
  std::snprintf(text, sizeof text, "%s B %ld T %ld K %ld G %ld slots %ld and %ld row %ld start %ld count %ld",
                kernel.name.c_str(), long(rows.size()), long(rows.t), long(whole.n.k), long(whole.n.g),
                long(rows.keySlots), long(rows.slots), long(row), long(rows.start[row]), long(rows.count[row]));
  return text;
}

void compare(const Cached &kernel, const Operands &whole, const Rows &rows, const Guarded<float> &out) {
  Sizes n = whole.n;
  for (int64_t i = 0; i < rows.size() * rows.t * n.k * n.g; ++i) {
    int64_t g = i % n.g, k = i / n.g % n.k, t = i / n.g / n.k % rows.t, row = i / n.g / n.k / rows.t;
    std::vector<double> weights(n.s);
    if (t < rows.count[row])
      weights =
          referenceWeights(kernel, whole, rows.of[row], rows.start[row] + t, k, g, rows.start[row] + rows.count[row]);
    bool nothing = std::all_of(weights.begin(), weights.end(), [](double x) { return x == 0; });
    for (int64_t e = 0; e < kernel.e; ++e) {
      double sum = 0, size = 1e-30;
      for (int64_t s = 0; s < n.s; ++s) {
        double x = weights[s] * whole.v[((rows.of[row] * n.s + s) * n.k + k) * kernel.e + e];
        sum += x, size += std::abs(x);
      }
      float got = out[i * kernel.e + e];
      if (nothing)
        EXPECT(got == 0 && !std::signbit(got), "%s query %ld is %g", said(kernel, whole, rows, row).c_str(), long(t),
               got);
      double error = std::abs(got - sum) / size;
      worst = std::max(worst, error);
      EXPECT(error < 4e-6, "%s query %ld k %ld g %ld e %ld: %.9g, not %.9g", said(kernel, whole, rows, row).c_str(),
             long(t), long(k), long(g), long(e), got, sum);
    }
  }
}

/// All that holds of a call: what it computes; that no NaN gets in; that a row
/// alone is the row among others, with no more queries than it has or more,
/// and, unless its caches are rings, in caches of another size; that it does
/// not matter in which order chunks run.
void check(const Cached &kernel, const Operands &whole, const Rows &rows) {
  Guarded<float> out = call(kernel, whole, rows);
  compare(kernel, whole, rows, out);
  float allBits;
  std::memset(&allBits, -1, sizeof allBits);
  for (float poison : {std::nanf(""), allBits, -1e30f})
    EXPECT(call(kernel, whole, rows, &poison).sameBits(out), "%s: %g gets in", said(kernel, whole, rows, 0).c_str(),
           poison);
  for (Order other : {Order::backward, Order::threads}) {
    order = other;
    EXPECT(call(kernel, whole, rows).sameBits(out), "%s in order %d", said(kernel, whole, rows, 0).c_str(), int(other));
  }
  order = Order::forward;
  int64_t length = whole.n.k * whole.n.g * kernel.e;
  bool grows = std::all_of(rows.start.begin(), rows.start.end(),
                           [&](int64_t start) { return start <= std::min(rows.keySlots, rows.slots); });
  for (int64_t row = 0; row < std::min<int64_t>(rows.size(), 8); ++row)
    for (int64_t more : {0, 1, 40}) {
      Rows only = rows.only(row, rows.count[row] + more);
      if (grows)
        only.keySlots += more, only.slots += 2 * more;
      Guarded<float> alone = call(kernel, whole, only);
      for (int64_t t = 0; t < rows.count[row]; ++t)
        EXPECT(sameRow(out, row * rows.t + t, alone, t, length), "%s: query %ld alone with %ld more",
               said(kernel, whole, rows, row).c_str(), long(t), long(more));
    }
}

/// A batch of rows that begin at these positions, each with another number of
/// queries.
Rows batchOf(std::vector<int64_t> starts, int64_t slots, int64_t keySlots, std::vector<int64_t> counts) {
  Rows rows{1, keySlots, slots, starts, {}, {}};
  for (size_t i = 0; i < starts.size(); ++i) {
    rows.count.push_back(counts[i % counts.size()]), rows.of.push_back(i);
    rows.t = std::max(rows.t, rows.count.back());
  }
  return rows;
}

/// The window that every query is in, or 0.
int64_t windowOf(const Cached &kernel) {
  size_t at = kernel.mask.tree.find("[\"window\", ");
  bool any = kernel.mask.tree.find("\"or\"") != std::string::npos;
  return at == std::string::npos || any ? 0 : std::atoi(&kernel.mask.tree[at + 11]);
}

void run() {
  for (const Cached &kernel : kernels()) {
    Sizes n{7, 420, 420, kernel.k ? kernel.k : 2, kernel.g ? kernel.g : 2};
    Operands whole(kernel, n, false);
    check(kernel, whole, batchOf({0, 300, 17, 1, 255, 256, 33}, 301, 301, {1}));
    check(kernel, whole, batchOf({300, 1, 40, 0, 255, 16, 100}, 310, 302, {17, 1, 0, 33, 2}));
    check(kernel, whole, batchOf({0, 0, 0}, 1, 1, {0, 1, 2}));
    check(kernel, whole, batchOf({drawBelow(300), drawBelow(300), drawBelow(300)}, 300, 300, {0}));
    for (int i = 0; i < 3; ++i) {
      std::vector<int64_t> starts(7);
      for (int64_t &start : starts)
        start = drawBelow(300);
      check(kernel, whole, batchOf(starts, 300, 300, {1, 33, 2, 1, 17}));
    }
    // Rings of as few slots as there may be and some more, begun and gone
    // round several times.
    if (int64_t window = windowOf(kernel))
      for (int64_t slots : {std::max<int64_t>(1, window - 1), window, window + 1, window + 5})
        for (int64_t keySlots : {slots, slots + 3}) {
          std::vector<int64_t> starts{window - 1, window, window + 1, 2 * window, 2 * window + 3, slots, 3 * slots + 1};
          for (int64_t &start : starts)
            start = std::min<int64_t>(start, 380);
          check(kernel, whole, batchOf(starts, slots, keySlots, {1}));
          check(kernel, whole, batchOf(starts, slots, keySlots, {2, 1, 33, 0, 17, 1}));
        }
  }
  // Units of more than a tile, and more heads than there are slots for units.
  for (const Cached &kernel : kernels()) {
    if (kernel.name != "plain_16" && kernel.name != "smol" && kernel.name != "window300" && kernel.name != "alibi")
      continue;
    Sizes n{3, 9000, 9000, kernel.k ? kernel.k : 1, kernel.g ? kernel.g : 1};
    Operands whole(kernel, n, false);
    check(kernel, whole, batchOf({8990, 4097, 4600}, 9000, 9000, {1}));
    if (windowOf(kernel))
      check(kernel, whole, batchOf({8990, 4097, 4600}, 299, 300, {1, 1, 2}));
    n.b = 75, n.t = n.s = 600;
    std::vector<int64_t> starts(n.b);
    for (int64_t &start : starts)
      start = drawBelow(590);
    check(kernel, Operands(kernel, n, false), batchOf(starts, 600, 600, {1, 1, 1, 2}));
  }
  std::printf("largest error %.1e of the sum of sizes\n", worst);
}

} // namespace

int main(int argc, char **argv) { return runTest(argc, argv, emitAll, run); }
