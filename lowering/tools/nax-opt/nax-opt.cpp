//===- nax-opt.cpp - run passes on a file of IR ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Pipeline/Pipeline.h"

#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  nax::registerPipelinePasses();

  mlir::DialectRegistry registry;
  nax::registerPipelineDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "nax optimizer driver\n", registry));
}
