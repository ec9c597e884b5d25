//===- NaxTypes.cpp - the tensor type -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Dialect/Nax/IR/Nax.h"

#include "Rules.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nax;

#define GET_TYPEDEF_CLASSES
#include "nax/Dialect/Nax/IR/NaxTypes.cpp.inc"

void NaxDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "nax/Dialect/Nax/IR/NaxTypes.cpp.inc"
      >();
}

int64_t nax::TensorType::indexOf(AxisAttr axis) const {
  const auto *found = llvm::find(getAxes(), axis);
  return found == getAxes().end() ? -1 : found - getAxes().begin();
}

nax::TensorType nax::TensorType::withAxes(ArrayRef<AxisAttr> axes) const {
  return get(axes, getElementType(), getKind(), getWhole());
}

nax::TensorType nax::TensorType::withKind(KindAttr kind) const {
  return get(getAxes(), getElementType(), kind, getWhole());
}

nax::TensorType nax::TensorType::withWhole(AxisAttr whole) const {
  return get(getAxes(), getElementType(), getKind(), whole);
}

nax::TensorType nax::TensorType::withElementType(Type elementType) const {
  return get(getAxes(), elementType, getKind(), getWhole());
}

std::string nax::TensorType::getLabel() const {
  std::string label;
  llvm::raw_string_ostream os(label);
  if (getKind())
    os << stringifyIs(getKind().getIs()) << ' ';
  os << '[';
  llvm::interleave(
      getAxes(), os, [&](AxisAttr axis) { os << axis.getLabel(); }, ",");
  os << ']';
  return label;
}

static bool isElement(Type type) {
  return type.isF64() || type.isF32() || type.isF16() || type.isBF16() ||
         type.isSignlessInteger(64) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(1);
}

LogicalResult
nax::TensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                        ArrayRef<AxisAttr> axes, Type elementType,
                        KindAttr kind, AxisAttr whole) {
  if (!isElement(elementType))
    return emitError() << "expects elements of f64, f32, f16, bf16, i32, i64 "
                          "or i1, but got "
                       << elementType;
  if (whole && whole.getKind() != AxisKind::causal)
    return emitError() << "expects only a causal axis to be seen whole, but "
                       << whole.getLabel() << " is none";
  nax::checks::Described described(
      nax::checks::Wanted(axes, elementType, kind, whole));
  if (rule::Text sentence = rule::distinct(described))
    return emitError() << StringRef(sentence.view());
  if (!kind)
    return success();

  StringRef word = stringifyIs(kind.getIs());
  bool isFloat = isa<FloatType>(elementType);
  switch (kind.getIs()) {
  case Is::ids:
    if (llvm::is_contained(axes, kind.getA()))
      return emitError() << "expects ids into " << kind.getA().getLabel()
                         << " to have no axis of that name";
    return success();
  case Is::mask:
    if (!elementType.isSignlessInteger(1))
      return emitError() << "expects a mask to be i1, but got " << elementType;
    break;
  case Is::losses:
  case Is::rotated:
  case Is::scores:
  case Is::weights:
  case Is::logits:
    if (!isFloat)
      return emitError() << "expects " << word << " to be floats, but got "
                         << elementType;
    break;
  }
  for (AxisAttr axis : {kind.getA(), kind.getB()})
    if (axis && !llvm::is_contained(axes, axis))
      return emitError() << "expects " << word << " about " << axis.getLabel()
                         << " to stand on it";
  return success();
}

/// tensor ::= `<` `[` axes `]` `,` type (`,` kind)? (`,` `whole` axis)? `>`
Type nax::TensorType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<AxisAttr> axes;
  Type elementType;
  KindAttr kind;
  AxisAttr whole;
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseAttribute(axes.emplace_back()); }) ||
      parser.parseComma() || parser.parseType(elementType))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef word;
    if (parser.parseKeyword(&word))
      return {};
    if (word == "whole") {
      if (parser.parseAttribute(whole))
        return {};
      break;
    }
    FailureOr<KindAttr> parsed = KindAttr::parseBare(parser, word);
    if (failed(parsed))
      return {};
    kind = *parsed;
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    axes, elementType, kind, whole);
}

void nax::TensorType::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getAxes(), printer,
                        [&](AxisAttr axis) { printer << axis; });
  printer << "], " << getElementType();
  if (getKind()) {
    printer << ", ";
    getKind().printBare(printer);
  }
  if (getWhole())
    printer << ", whole " << getWhole();
  printer << '>';
}
