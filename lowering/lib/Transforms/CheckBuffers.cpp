//===- CheckBuffers.cpp - buffers for pairs of positions ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Conversion/Passes.h"
#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/DenseSet.h"

namespace nax {
#define GEN_PASS_DEF_CHECKBUFFERS
#include "nax/Conversion/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

struct CheckBuffers final : nax::impl::CheckBuffersBase<CheckBuffers> {
  void runOnOperation() override {
    // A layer that is compiled several times is told of once.
    llvm::DenseSet<Location> told;
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
        if (!told.insert(alloc.getLoc()).second)
          return;
        alloc.emitWarning() << "[" << text << "] is kept in memory, which grows "
                            << "with the square of " << t
                            << "; weights that go straight into dot<Read<" << t
                            << ">>(w, v) are not";
        return;
      }
    });
  }
};

} // namespace
