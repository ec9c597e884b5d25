//===- NaxDialect.cpp - registration, aliases -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Dialect/Nax/IR/Nax.h"

#include "AxisTable.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nax;

#include "nax/Dialect/Nax/IR/NaxDialect.cpp.inc"

namespace {

/// Prints #T, #ReadT, #NextT for axes and #rope for rotations. Aliases may not
/// end in a digit, since the printer numbers those that collide.
struct NaxAsmInterface final : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (auto axis = dyn_cast<AxisAttr>(attr)) {
      os << (axis.isRead() ? "Read" : axis.isNext() ? "Next" : "")
         << sanitised(axis.getName());
      return AliasResult::FinalAlias;
    }
    if (isa<RopeAttr>(attr)) {
      os << "rope";
      return AliasResult::FinalAlias;
    }
    return AliasResult::NoAlias;
  }

private:
  static std::string sanitised(StringRef name) {
    std::string alias;
    for (char c : name)
      alias += llvm::isAlnum(c) || c == '_' ? c : '_';
    if (alias.empty() || llvm::isDigit(alias.front()))
      alias.insert(alias.begin(), '_');
    if (llvm::isDigit(alias.back()))
      alias += '_';
    return alias;
  }
};

} // namespace

void NaxDialect::initialize() {
  axisTable.reset(new nax::detail::AxisTable());
  registerAttributes();
  registerTypes();
  registerOperations();
  addInterfaces<NaxAsmInterface>();
}

void nax::detail::AxisTableDeleter::operator()(AxisTable *table) const {
  delete table;
}
