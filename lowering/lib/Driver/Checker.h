//===- Checker.h - the state of naxc check --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_CHECKER_H
#define NAX_LIB_DRIVER_CHECKER_H

#include "Binding.h"
#include "Compare.h"
#include "Random.h"
#include "Session.h"
#include "Values.h"

#include "nax/Reference/Evaluator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

namespace nax::driver {

struct Outcome;

class Checker {
public:
  Checker(Session &session, mlir::OwningOpRef<mlir::ModuleOp> model,
          LinkedModel library)
      : session(session), info(session.checkedInfo()), model(std::move(model)),
        library(std::move(library)), random(session.options.seed) {}

  llvm::Error loadParams();
  /// Whether the entry passed; prints its part of the report.
  llvm::Expected<bool> checkEntry(const ModelEntry &entry);
  /// The same for the step that was derived from it, if one was.
  llvm::Expected<bool> checkSteps(const ModelEntry &entry);

private:
  /// One call among those of an entry: what differs from the first one.
  struct Call {
    Arguments arguments;
    int64_t threads = 1;
    bool ownWorkspace = false;
  };
  /// The future of an axis from a position on was changed.
  struct Cut {
    int64_t axis, from;
    size_t call;
  };

  bool giveParams(Callee &callee);
  llvm::Error readParams(std::vector<Shared> &values);
  llvm::Error saveParams(llvm::ArrayRef<Shared> values);
  llvm::Error saveEntry(const ModelEntry &entry, const Binding &binding,
                        llvm::ArrayRef<reference::NDArray> results);
  reference::Extents extentsOf(const ModelEntry &entry,
                               llvm::ArrayRef<int64_t> dims);
  /// Refuses sizes at which the reference would not fit into the machine.
  llvm::Error fitsInMemory(const ModelEntry &entry,
                           llvm::ArrayRef<int64_t> dims);
  llvm::Expected<std::vector<reference::NDArray>>
  evaluate(const ModelEntry &entry, const Arguments &arguments);

  // --- CheckEntry.cpp
  llvm::Error addChange(const ModelEntry &entry, const Binding &binding,
                        const TokenChange &change, Arguments &arguments);
  void addCuts(const ModelEntry &entry, const Binding &binding);
  llvm::Error compareWithReference(const ModelEntry &entry,
                                   const Binding &binding, Report &report);
  void compareAgain(const ModelEntry &entry, const Binding &binding,
                    Report &report);
  void compareCuts(const ModelEntry &entry, const Binding &binding,
                   Report &report);
  void describeChanges(const ModelEntry &entry, const Binding &binding,
                       Report &report);
  /// How far from float64 a result may be.
  double barOf(mlir::Value result) const;
  /// What files and --size say.
  llvm::Error bindSizes(const ModelEntry &entry, Binding &binding);
  void printHead(const ModelEntry &entry, const Binding &binding);

  // --- CheckSteps.cpp
  void reportSteps(const Outcome &outcome, Report &report);

  Session &session;
  const ModelInfo &info;
  mlir::OwningOpRef<mlir::ModuleOp> model;
  LinkedModel library;
  Random random;
  std::vector<Shared> drawn; ///< random parameters, in their own types
  llvm::StringMap<reference::NDArray> params;

  // Of the entry that is being checked. calls[0] is what all is compared with.
  std::vector<Call> calls;
  std::vector<Cut> cuts;
  size_t again = 0, threaded = 0, changed = 0; ///< places in calls
  std::vector<std::string> changeTexts;
};

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_CHECKER_H
