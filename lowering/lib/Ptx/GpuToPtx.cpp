//===- GpuToPtx.cpp - PTX as a pass ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Ptx/Ptx.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace nax {
#define GEN_PASS_DEF_GPUTOPTX
#include "nax/Ptx/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;

namespace {

struct GpuToPtx final : nax::impl::GpuToPtxBase<GpuToPtx> {
  using GpuToPtxBase::GpuToPtxBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerPtxTranslations(registry);
  }

  LogicalResult write(gpu::GPUModuleOp module, StringRef ptx) {
    SmallString<128> path(dir);
    llvm::sys::path::append(path, module.getName() + ".ptx");
    std::error_code error = llvm::sys::fs::create_directories(dir);
    if (!error) {
      llvm::raw_fd_ostream os(path, error);
      os << ptx;
      os.close();
      if (!error)
        error = os.error();
      os.clear_error();
    }
    if (error)
      return module.emitError()
             << "can't write " << path << ": " << error.message();
    return success();
  }

  void runOnOperation() override {
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>()) {
      FailureOr<std::string> ptx = emitPtx(module, {chip, features});
      if (failed(ptx) || (!dir.empty() && failed(write(module, *ptx))))
        return signalPassFailure();
      module->setAttr("nax.ptx", StringAttr::get(&getContext(), *ptx));
    }
  }
};

} // namespace
