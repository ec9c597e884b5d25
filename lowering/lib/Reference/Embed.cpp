//===- Embed.cpp - tables of rows -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Ops.h"

using namespace nax;
using namespace nax::reference;

/// [ids' axes, then the table's less V]
std::optional<NDArray> reference::embed(const NDArray &ids,
                                        const NDArray &table, AxisAttr from,
                                        int64_t &outside) {
  Shape row = table.without({from});
  Shape points = ids;
  for (auto [axis, size] : llvm::zip(row.axes, row.sizes))
    points = points.with(axis, size);

  NDArray result(points);
  Walk<2> components(row, {&table, &result});
  bool inside = true;
  Walk<2>(ids, {&ids, &result}).run([&](const auto &at) {
    int64_t id = ids.integers[at[0]];
    if (id < 0 || id >= table.sizeOf(from)) {
      inside = false;
      outside = id;
      return;
    }
    components.run(
        [&](const auto &place) { result[place[1]] = table[place[0]]; },
        {id * table.strideOf(from), at[1]});
  });
  if (!inside)
    return std::nullopt;
  return result;
}

std::optional<NDArray> reference::embedPositions(NDArray x,
                                                 const NDArray &table,
                                                 const NDArray &positions,
                                                 int64_t &outside) {
  AxisAttr numbered; // the table's one axis that x lacks
  for (AxisAttr axis : table.axes)
    if (!x.has(axis))
      numbered = axis;
  int64_t stride = table.strideOf(numbered);
  bool inside = true;
  Walk<3>(x, {&x, &table, &positions}).run([&](const auto &at) {
    int64_t position = int64_t(positions[at[2]]);
    // A position before its row's start is no position: what it holds is never
    // read, and it takes the first row of the table.
    position = std::max<int64_t>(position, 0);
    if (position >= table.sizeOf(numbered)) {
      inside = false;
      outside = position;
      return;
    }
    x[at[0]] += table[at[1] + position * stride];
  });
  if (!inside)
    return std::nullopt;
  return x;
}

/// Contracts every axis of the table but V.
NDArray reference::unembed(const NDArray &x, const NDArray &table,
                           AxisAttr to) {
  return dot(x, table, table.without({to}).axes);
}
