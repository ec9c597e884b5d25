//===- NaxDialect.cpp - registration, aliases, attributes of functions ----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Dialect/Nax/IR/Nax.h"

#include "AxisTable.h"
#include "Rules.h"

#include "nax/rules/names.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace nax;

#include "nax/Dialect/Nax/IR/NaxDialect.cpp.inc"

namespace {

/// Prints #T, #ReadT, #NextT for axes, #T_new for what continues one and #rope
/// for rotations. Aliases may not end in a digit, since the printer numbers
/// those that collide.
struct NaxAsmInterface final : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (auto axis = dyn_cast<AxisAttr>(attr)) {
      os << (axis.isRead()   ? "Read"
             : axis.isNext() ? "Next"
                             : "")
         << sanitised(axis.getName()) << (axis.isContinued() ? "_new" : "");
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

/// Whether each row of the names tables suits the parameters that it names.
static LogicalResult verifyNames(Operation *module, ArrayAttr rows) {
  // Below the nax level there are none left, but very many operations.
  SmallVector<ParamOp> params;
  module->walk([&](ParamOp param) { params.push_back(param); });
  for (auto row : rows.getAsRange<DictionaryAttr>()) {
    auto text = [&](StringRef key) -> std::string_view {
      auto value = row.getAs<StringAttr>(key);
      return value ? value.getValue() : StringRef();
    };
    for (ParamOp param : params) {
      std::string_view path = param.getName();
      auto type = dyn_cast<nax::TensorType>(param->getResult(0).getType());
      if (!type || !rule::names_parameter(text("param"), path))
        continue;
      checks::Described x{checks::Wanted(type)};
      if (failed(checks::obey(
              module, rule::file_axes(text("table"), text("axes"), path, x))) ||
          failed(checks::obey(
              module,
              rule::file_pairing(text("table"), text("pairing"), path, x))))
        return failure();
    }
  }
  return success();
}

LogicalResult NaxDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attr) {
  StringRef name = attr.getName();
  auto expects = [&](bool fits, StringRef what) -> LogicalResult {
    if (fits)
      return success();
    return op->emitOpError("expects ") << name << " to be " << what;
  };
  if (name == getEntryAttrName() || name == getDecodeAttrName())
    return expects(isa<UnitAttr>(attr.getValue()) &&
                       isa<FunctionOpInterface>(op),
                   "a unit attribute of a function");
  if (name == getStepAttrName() || name == getBeginAttrName())
    return expects(isa<StringAttr>(attr.getValue()) &&
                       isa<FunctionOpInterface>(op),
                   "the name of an entry, at a function derived from it");
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
    if (!names || !llvm::all_of(names, llvm::IsaPred<DictionaryAttr>))
      return expects(false, "an array of dictionaries");
    return verifyNames(op, names);
  }
  return success();
}

/// {index = 0 : i64}: a cache that grows with the positions; with `ring`, one
/// of the last of them; with `fixed`, a value that all steps take as it is.
static bool isCacheAttr(Attribute attr) {
  auto cache = dyn_cast<DictionaryAttr>(attr);
  if (!cache || !cache.getAs<IntegerAttr>("index"))
    return false;
  auto ring = cache.getAs<IntegerAttr>("ring");
  bool fixed = bool(cache.getAs<UnitAttr>("fixed"));
  return cache.size() == 1u + bool(ring) + fixed && !(ring && fixed) &&
         (!ring || ring.getInt() > 0);
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
  if (name == getCacheAttrName() && !isCacheAttr(attr.getValue()))
    return op->emitOpError("expects ")
           << name << " to have an index, and be fixed or a ring of a size";
  auto axis = dyn_cast<AxisAttr>(attr.getValue());
  if (name == getSpanAttrName()) {
    auto span = dyn_cast<nax::TensorType>(function.getArgumentTypes()[index]);
    if (axis && axis.isContinued() && span && checks::isSpan(span, axis))
      return success();
    return op->emitOpError("expects ")
           << name << " to be a continued axis whose span the argument is";
  }
  if (name != getDataAttrName())
    return success();

  if (!axis || !axis.isSequence() || axis.getData() == AxisData::all)
    return op->emitOpError("expects ")
           << name << " to be a ragged, packed or left-padded sequence";
  // What is continued may have documents, whatever it was before.
  bool hasDocuments = axis.getData() == AxisData::packed || axis.isContinued();
  auto type = dyn_cast<nax::TensorType>(function.getArgumentTypes()[index]);
  if (!type || !type.isPlain() || !type.getElementType().isInteger(32) ||
      type.has(axis) != hasDocuments)
    return op->emitOpError("expects the data of the ")
           << checks::adjectiveOf(axis.getData()) << " axis " << axis.getName()
           << " to be i32 on its rows"
           << (hasDocuments ? " and on it" : " alone");
  return success();
}

LogicalResult NaxDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                      unsigned,
                                                      NamedAttribute attr) {
  if (attr.getName() == getNameAttrName() && !isa<StringAttr>(attr.getValue()))
    return op->emitOpError("expects ")
           << getNameAttrName() << " to be a string";
  if (attr.getName() == getCacheAttrName() && !isCacheAttr(attr.getValue()))
    return op->emitOpError("expects ")
           << getCacheAttrName() << " to have an index, and be fixed or a ring";
  return success();
}
