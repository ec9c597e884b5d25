//===- CheckStage.cpp - what may be left after a stage --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Conversion/Passes.h"
#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"

namespace nax {
#define GEN_PASS_DEF_CHECKSTAGE
#include "nax/Conversion/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

/// Dialects, or single operations with a dot in their name.
struct StageRule {
  StringRef stage;
  SmallVector<StringRef> allowed;
};

ArrayRef<StageRule> stageRules() {
  static const StageRule rules[] = {
      {"nax", {"builtin", "func", "nax"}},
      {"fused", {"builtin", "func", "nax"}},
      {"linalg",
       {"builtin", "func", "linalg", "memref", "scf", "affine", "arith", "math",
        "nax.kernel", "nax.yield"}},
      {"planned",
       {"builtin", "func", "linalg", "memref", "scf", "affine", "arith", "math",
        "nax.kernel", "nax.yield", "nax.phases", "nax.done"}},
      {"kernels",
       {"builtin", "func", "memref", "scf", "affine", "arith", "math", "vector",
        "ub", "nax.phases", "nax.parallel", "nax.done", "llvm.call_intrinsic",
        "llvm.inline_asm", "llvm.inttoptr"}},
      {"llvm", {"builtin", "llvm"}},
      {"gpu-linalg",
       {"builtin", "func", "linalg", "memref", "scf", "affine", "arith", "math",
        "nax.kernel", "nax.yield"}},
      {"gpu-planned",
       {"builtin", "func", "linalg", "memref", "scf", "affine", "arith", "math",
        "nax.kernel", "nax.yield"}},
      {"gpu-kernels",
       {"builtin", "func", "memref", "scf", "affine", "arith", "gpu",
        "nax.launch"}},
      {"gpu-llvm", {"builtin", "llvm"}},
  };
  return rules;
}

struct CheckStage final : nax::impl::CheckStageBase<CheckStage> {
  using CheckStageBase::CheckStageBase;

  void runOnOperation() override {
    if (failed(verify(getOperation())))
      return signalPassFailure();
    const StageRule *rule = llvm::find_if(
        stageRules(), [&](const StageRule &r) { return r.stage == stage; });
    if (rule == stageRules().end()) {
      getOperation().emitError() << "there is no stage '" << stage << "'";
      return signalPassFailure();
    }
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What kernels consist of is looked at where they become PTX.
      if (isa<gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      StringRef name = op->getName().getStringRef();
      bool allowed = llvm::any_of(rule->allowed, [&](StringRef prefix) {
        return name.starts_with(prefix) &&
               (name.size() == prefix.size() || name[prefix.size()] == '.');
      });
      if (allowed)
        return WalkResult::advance();
      op->emitError() << "'" << name << "' is left after stage " << stage
                      << ", which no later stage expects";
      signalPassFailure();
      return WalkResult::advance();
    });
  }
};

} // namespace
