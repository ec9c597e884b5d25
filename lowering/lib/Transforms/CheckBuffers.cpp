//===- CheckBuffers.cpp - no buffer for pairs of positions ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Conversion/Passes.h"
#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace nax {
#define GEN_PASS_DEF_CHECKBUFFERS
#include "nax/Conversion/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

struct CheckBuffers final : nax::impl::CheckBuffersBase<CheckBuffers> {
  void runOnOperation() override {
    getOperation().walk([&](memref::AllocOp alloc) {
      auto names = alloc->getAttrOfType<ArrayAttr>("nax.axes");
      if (!names)
        return;
      // T beside Read<T> is a value for each pair of positions. Two different
      // sequences side by side are an image, or a sequence of sequences.
      for (AxisAttr axis : axesOf(names)) {
        if (!axis.isRead() ||
            !llvm::is_contained(axesOf(names), axis.getBase()))
          continue;
        StringRef t = axis.getBase().getName();
        std::string text;
        for (AxisAttr each : axesOf(names))
          text += (text.empty() ? "" : ",") + each.getLabel();
        alloc.emitError()
            << "[" << text << "] would be kept in memory, which grows with the "
            << "square of " << t << "; mix values with dot<Read<" << t
            << ">>(w, v), or make it a result of the model";
        signalPassFailure();
        return;
      }
    });
  }
};

} // namespace
