//===- Ops.h - one function for each operation ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Each function takes arrays and gives an array, in whatever order of axes is
// simplest; the evaluator brings results into the order of their types. A
// blocked score is -infinity, and softmax turns a row of nothing else into
// zeros.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_REFERENCE_OPS_H
#define NAX_LIB_REFERENCE_OPS_H

#include "nax/Reference/NDArray.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace nax::reference {

// --- Positions.cpp: what the data of an axis says. `data` is null for an axis
// whose positions are all there. Results stand on [row axes, axis].

/// Where each position counts from: 0, its row's start, its document's start.
NDArray positionsOf(AxisAttr axis, const NDArray *data, const Extents &extents);
/// 1 where a position is really there.
NDArray realOf(AxisAttr axis, const NDArray *data, const Extents &extents);
/// 1 where the next position exists and belongs to the same text.
NDArray hasNext(AxisAttr axis, const NDArray *data, const Extents &extents);
/// What `data` hides from a reader: [row axes, read T], and T if it is packed.
NDArray readableOf(AxisAttr read, const NDArray *data, const Extents &extents);

// --- Contract.cpp
/// Where `counted` is given, only what it says is there is summed.
NDArray dot(const NDArray &x, const NDArray &y, AxesRef over,
            const NDArray *counted = nullptr);

// --- Attention.cpp
NDArray read(NDArray x, AxisAttr axis);
NDArray scores(const NDArray &q, const NDArray &k, AxisAttr over, double scale);
NDArray softcap(NDArray s, double cap);
NDArray bias(const NDArray &s, const NDArray &b);
NDArray alibi(NDArray s, AxesRef heads, AxisAttr key, const Extents &extents);
NDArray causalMask(NDArray s, AxisAttr key);
NDArray mask(NDArray s, const NDArray &allowed);
/// `readable`: see readableOf; null where nothing is hidden.
NDArray softmax(NDArray x, AxisAttr along, const NDArray *readable);

// --- Masks.cpp
NDArray window(AxisAttr axis, int64_t size, const Extents &extents);
NDArray past(AxisAttr axis, const Extents &extents);
NDArray prefix(AxisAttr axis, int64_t size, const Extents &extents);
NDArray shorterThan(const NDArray &lengths, AxisAttr axis,
                    const Extents &extents);
NDArray sameDocument(const NDArray &documents, AxisAttr axis);
NDArray both(const NDArray &x, const NDArray &y);
NDArray either(const NDArray &x, const NDArray &y);
NDArray negated(NDArray x);

// --- Elementwise.cpp
NDArray binary(const NDArray &x, const NDArray &y,
               llvm::function_ref<double(double, double)> function);
NDArray unary(NDArray x, llvm::function_ref<double(double)> function);
NDArray converted(const NDArray &x, bool integral);
NDArray cast(NDArray x, mlir::Type to);
NDArray spread(const NDArray &x, AxisAttr axis, const Extents &extents);
NDArray dropout(NDArray x, int64_t seed, double p, int64_t site);
double silu(double x);
double gelu(double x);
double geluTanh(double x);
double sigmoid(double x);

// --- Norm.cpp
NDArray rmsNorm(NDArray x, const NDArray &gain, AxesRef over, double eps,
                bool onePlus);
NDArray layerNorm(NDArray x, const NDArray &gain, const NDArray *shift,
                  AxesRef over, double eps);

// --- Rope.cpp
NDArray rope(const NDArray &x, const NDArray &positions, AxisAttr features,
             RopeAttr rope);

// --- Embed.cpp
/// Null if an id is outside of the table; `outside` is that id.
std::optional<NDArray> embed(const NDArray &ids, const NDArray &table,
                             AxisAttr from, int64_t &outside);
/// Null if a position is outside of the table.
std::optional<NDArray> embedPositions(NDArray x, const NDArray &table,
                                      const NDArray &positions,
                                      int64_t &outside);
NDArray unembed(const NDArray &x, const NDArray &table, AxisAttr to);

// --- Shape.cpp
NDArray split(NDArray x, AxisAttr product, const Extents &extents);
NDArray merge(const NDArray &x, AxisAttr product);
NDArray part(const NDArray &x, AxisAttr concat, AxisAttr part,
             const Extents &extents);
NDArray concat(llvm::ArrayRef<const NDArray *> pieces, AxisAttr concat,
               const Extents &extents);

// --- Reduce.cpp: `counted` is 1 where an element takes part; null: everywhere.
NDArray sum(const NDArray &x, AxesRef over, const NDArray *counted);
NDArray mean(const NDArray &x, AxesRef over, const NDArray *counted);
NDArray max(const NDArray &x, AxesRef over, const NDArray *counted);
NDArray last(const NDArray &x, AxisAttr axis, const NDArray &real);
NDArray first(const NDArray &x, AxisAttr axis, const NDArray &real);
NDArray argmax(const NDArray &x, AxisAttr over);
NDArray topK(const NDArray &x, AxisAttr over, AxisAttr k);

// --- Loss.cpp
NDArray next(const NDArray &ids, AxisAttr axis);
/// `labelled` is 1 where there is a label; null: everywhere.
std::optional<NDArray> crossEntropy(const NDArray &logits,
                                    const NDArray &labels, AxisAttr over,
                                    const NDArray *labelled, int64_t &outside);

} // namespace nax::reference

#endif // NAX_LIB_REFERENCE_OPS_H
