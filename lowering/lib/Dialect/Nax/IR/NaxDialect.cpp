//===- NaxDialect.cpp - registration, aliases, attributes of functions ----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Dialect/Nax/IR/Nax.h"

#include "AxisTable.h"
#include "Rules.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
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
      os << (axis.isRead()   ? "Read"
             : axis.isNext() ? "Next"
                             : "")
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

//===----------------------------------------------------------------------===//
// Attributes of modules, functions, arguments and results
//===----------------------------------------------------------------------===//

LogicalResult NaxDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attr) {
  StringRef name = attr.getName();
  auto expects = [&](bool fits, StringRef what) -> LogicalResult {
    if (fits)
      return success();
    return op->emitOpError("expects ") << name << " to be " << what;
  };
  if (name == getEntryAttrName())
    return expects(isa<UnitAttr>(attr.getValue()) &&
                       isa<FunctionOpInterface>(op),
                   "a unit attribute of a function");
  if (name == "nax.model")
    return expects(isa<StringAttr>(attr.getValue()), "a string");
  if (name == "nax.format") {
    auto format = dyn_cast<IntegerAttr>(attr.getValue());
    return expects(format && format.getType().isInteger(64) &&
                       format.getInt() == getFormat(),
                   "the format of this compiler, 1 : i64");
  }
  if (name == "nax.names") {
    auto names = dyn_cast<ArrayAttr>(attr.getValue());
    return expects(names && llvm::all_of(names, llvm::IsaPred<DictionaryAttr>),
                   "an array of dictionaries");
  }
  return success();
}

LogicalResult NaxDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned index,
                                                   NamedAttribute attr) {
  StringRef name = attr.getName();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitOpError("expects ") << name << " on arguments of functions";
  if (name == getNameAttrName() && !isa<StringAttr>(attr.getValue()))
    return op->emitOpError("expects ") << name << " to be a string";
  if (name == getParamAttrName() && !isa<UnitAttr>(attr.getValue()))
    return op->emitOpError("expects ") << name << " to be a unit attribute";
  if (name != getDataAttrName())
    return success();

  auto axis = dyn_cast<AxisAttr>(attr.getValue());
  if (!axis || !axis.isSequence() || axis.getData() == AxisData::all)
    return op->emitOpError("expects ")
           << name << " to be a ragged, packed or left-padded sequence";
  auto type = dyn_cast<nax::TensorType>(function.getArgumentTypes()[index]);
  if (!type || !type.isPlain() || !type.getElementType().isInteger(32) ||
      type.has(axis) != (axis.getData() == AxisData::packed))
    return op->emitOpError("expects the data of the ")
           << checks::adjectiveOf(axis.getData()) << " axis " << axis.getName()
           << " to be i32 on its rows"
           << (axis.getData() == AxisData::packed ? " and on it" : " alone");
  return success();
}

LogicalResult NaxDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                      unsigned,
                                                      NamedAttribute attr) {
  if (attr.getName() == getNameAttrName() && !isa<StringAttr>(attr.getValue()))
    return op->emitOpError("expects ")
           << getNameAttrName() << " to be a string";
  return success();
}
