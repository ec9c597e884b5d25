//===- GpuAttentionRope.cpp - queries are rotated as they are loaded ------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The arithmetic of nax.rope on the copy of the queries in shared memory: in
// f32, without a fused multiplication, and rounded to the type of the tile. A
// result is the same bits as that of queries rotated by a loop of their own.
//
// A thread takes a few neighbouring pairs of a row at once, so that it reads
// its tables and the tile in vectors; no other thread touches these components.
//
//===----------------------------------------------------------------------===//

#include "GpuAttention.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <numeric>

using namespace mlir;
using namespace nax;

/// Items of a thread whose tables are in registers at the same time.
static constexpr int64_t kItemsAtOnce = 4;

/// One number, or a vector of `count` of them.
static Values loadSome(GpuBuilder &b, Value pointer, int64_t count,
                       Type element) {
  if (count == 1)
    return {b.load(pointer, element)};
  return b.unpack(b.load(pointer, VectorType::get(count, element)));
}

/// f32 in accesses of `bytes`.
static Values loadTable(GpuBuilder &b, Value pointer, int64_t count,
                        int64_t bytes) {
  int64_t width = bytes / 4;
  Values numbers;
  for (int64_t first = 0; first < count; first += width)
    llvm::append_range(numbers,
                       loadSome(b, b.at(pointer, b.i32(first), b.getF32Type()),
                                width, b.getF32Type()));
  return numbers;
}

/// Elements of a tile, `count` of them inside of a chunk, as f32.
static Values loadElements(GpuBuilder &b, Value pointer, int64_t count,
                           Type element) {
  Values numbers;
  if (element.isF32() || count == 1) {
    numbers = loadSome(b, pointer, count, element);
  } else {
    auto pair = VectorType::get(2, element);
    for (Value word : loadSome(b, pointer, count / 2, b.getI32Type()))
      llvm::append_range(numbers,
                         b.unpack(LLVM::BitcastOp::create(b, pair, word)));
  }
  for (Value &number : numbers)
    number = b.toF32(number);
  return numbers;
}

static void storeElements(GpuBuilder &b, ValueRange numbers, Value pointer,
                          Type element) {
  if (numbers.size() == 1)
    return b.store(b.fromF32(numbers[0], element), pointer);
  if (element.isF32())
    return b.store(b.pack(numbers), pointer);
  Values words;
  for (size_t i = 0; i < numbers.size(); i += 2)
    words.push_back(b.packHalves(numbers[i], numbers[i + 1], element));
  b.store(words.size() == 1 ? words[0] : b.pack(words), pointer);
}

namespace {

/// Pairs of one row that a thread rotates at once.
struct Item {
  Value inside; ///< whether there is such an item; null: always
  Value row, firstPair;
  Values cosines, sines;
};

} // namespace

void GpuAttention::rotateQueries() {
  bool interleaved = spec.isInterleaved;
  // Elements of one access: those of a chunk, if all accesses can have as many.
  int64_t width = std::gcd(interleaved ? 2 * spec.pairs : spec.pairs,
                           tile.keyTile.elementsOfChunk());
  int64_t pairs = interleaved ? width / 2 : width;
  int64_t itemsOfRow = spec.pairs / pairs, total = tile.rows() * itemsOfRow;
  int64_t tableBytes = std::gcd(4 * pairs, alignedBytes(o.cosines->type));

  auto prepare = [&](int64_t from) {
    Item item;
    Value number = b.add(b.threadId(), from);
    if (from + tile.threads() > total) {
      item.inside = b.less(number, b.i32(total));
      number = b.min(number, b.i32(total - 1));
    }
    item.row = b.div(number, itemsOfRow);
    item.firstPair = b.mul(b.rem(number, itemsOfRow), pairs);
    QueryRow query = rowOf(item.row);
    Values place = at(spec.ropeMap, query.batch, query.t);
    place.push_back(item.firstPair);
    item.cosines = loadTable(b, o.cosines->at(b, place), pairs, tableBytes);
    item.sines = loadTable(b, o.sines->at(b, place), pairs, tableBytes);
    return item;
  };

  auto rotate = [&](const Item &item) {
    Values columns{b.mul(item.firstPair, interleaved ? 2 : 1)}, places, sides;
    if (!interleaved)
      columns.push_back(b.add(item.firstPair, spec.pairs));
    for (Value column : columns) {
      places.push_back(tile.keyTile.at(b, arena, item.row, column));
      llvm::append_range(sides,
                         loadElements(b, places.back(), width, tile.element));
    }
    for (int64_t i = 0; i < pairs; ++i) {
      Value &first = sides[interleaved ? 2 * i : i];
      Value &second = sides[interleaved ? 2 * i + 1 : pairs + i];
      Value p = first, q = second, c = item.cosines[i], s = item.sines[i];
      first = b.subf(b.mulf(p, c), b.mulf(q, s));
      second = b.addf(b.mulf(q, c), b.mulf(p, s));
    }
    for (auto [i, place] : llvm::enumerate(places))
      storeElements(b, ValueRange(sides).slice(i * width, width), place,
                    tile.element);
  };

  for (int64_t first = 0; first < total;
       first += kItemsAtOnce * tile.threads()) {
    SmallVector<Item> items;
    for (int64_t from = first; from < total && items.size() < kItemsAtOnce;
         from += tile.threads())
      items.push_back(prepare(from));
    // The first tables are on their way while the queries are.
    if (first == 0) {
      b.waitCopies(1);
      b.barrier();
    }
    for (const Item &item : items) {
      if (item.inside)
        b.when(item.inside, [&] { rotate(item); });
      else
        rotate(item);
    }
  }
}
