//===- NaxAttrs.cpp - axes, rotations and kinds ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace nax;

#include "nax/Dialect/Nax/IR/NaxEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "nax/Dialect/Nax/IR/NaxAttrs.cpp.inc"

void NaxDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "nax/Dialect/Nax/IR/NaxAttrs.cpp.inc"
      >();
}

ArrayRef<AxisAttr> nax::axesOf(ArrayAttr array) {
  // An attribute is a pointer, whatever its class.
  static_assert(sizeof(AxisAttr) == sizeof(Attribute));
  return {static_cast<const AxisAttr *>(array.getValue().data()), array.size()};
}

ArrayAttr nax::axesAttr(MLIRContext *context, ArrayRef<AxisAttr> axes) {
  return ArrayAttr::get(context,
                        SmallVector<Attribute>(axes.begin(), axes.end()));
}

//===----------------------------------------------------------------------===//
// AxisAttr
//===----------------------------------------------------------------------===//

/// The size of an axis made of parts; -1 if a part has none, `tooLarge` if it
/// does not fit.
static constexpr int64_t tooLarge = -2;
static int64_t sizeOfParts(AxisKind kind, ArrayRef<AxisAttr> parts) {
  int64_t size = kind == AxisKind::concat ? 0 : 1;
  for (AxisAttr part : parts) {
    if (!part || !part.hasStaticSize())
      return -1;
    bool overflows = kind == AxisKind::concat
                         ? __builtin_add_overflow(size, part.getSize(), &size)
                         : __builtin_mul_overflow(size, part.getSize(), &size);
    if (overflows)
      return tooLarge;
  }
  return size;
}

static AxisAttr getComposed(MLIRContext *context, StringRef name, AxisKind kind,
                            ArrayRef<AxisAttr> parts) {
  return AxisAttr::get(context, name, sizeOfParts(kind, parts), kind,
                       AxisData::all, parts);
}

AxisAttr AxisAttr::getProduct(StringRef name, ArrayRef<AxisAttr> parts) {
  return getComposed(parts.front().getContext(), name, AxisKind::product,
                     parts);
}

AxisAttr AxisAttr::getConcat(StringRef name, ArrayRef<AxisAttr> parts) {
  return getComposed(parts.front().getContext(), name, AxisKind::concat, parts);
}

AxisAttr AxisAttr::getRead(AxisAttr sequence) {
  return getComposed(sequence.getContext(), sequence.getName(), AxisKind::read,
                     sequence);
}

AxisAttr AxisAttr::getSpan(AxisAttr sequence) {
  return get(sequence.getContext(), (sequence.getName() + ".span").str(), 2);
}

AxisAttr AxisAttr::getSlots(AxisAttr sequence, int64_t ring) {
  std::string name = (sequence.getName() + ".").str();
  name += ring ? "ring" + std::to_string(ring) : "cache";
  return get(sequence.getContext(), name);
}

AxisAttr AxisAttr::getNext(AxisAttr sequence) {
  return getComposed(sequence.getContext(), sequence.getName(), AxisKind::next,
                     sequence);
}

AxisAttr AxisAttr::getBase() const {
  return isRead() || isNext() ? getParts().front() : *this;
}

std::string AxisAttr::getLabel() const {
  if (isRead())
    return ("Read<" + getName() + ">").str();
  if (isNext())
    return ("Next<" + getName() + ">").str();
  return getName().str();
}

LogicalResult AxisAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StringRef name, int64_t size, AxisKind kind,
                               AxisData data, ArrayRef<AxisAttr> parts) {
  if (name.empty())
    return emitError() << "expects an axis to have a name";

  bool isSequence = kind == AxisKind::positions || kind == AxisKind::causal;
  if (data != AxisData::all && !isSequence)
    return emitError() << "expects " << stringifyAxisData(data)
                       << " data on a sequence only, but " << name << " is "
                       << stringifyAxisKind(kind);
  if (data == AxisData::continued && kind != AxisKind::causal)
    return emitError() << "expects only a causal axis to be continued, since "
                          "positions may read later ones of "
                       << name;
  if (data == AxisData::continued && size >= 0)
    return emitError() << "expects no size of the continued axis " << name
                       << ", whose new positions are counted when called, but "
                          "got "
                       << size;

  if (kind == AxisKind::plain || isSequence) {
    if (!parts.empty())
      return emitError() << "expects no parts in the "
                         << stringifyAxisKind(kind) << " axis " << name;
    if (size < -1 || (size == 0))
      return emitError() << "expects the size of axis " << name
                         << " to be positive, but got " << size;
    return success();
  }

  if (kind == AxisKind::read || kind == AxisKind::next) {
    if (parts.size() != 1 || !parts.front() || !parts.front().isSequence())
      return emitError() << "expects what is " << stringifyAxisKind(kind)
                         << " to be a sequence (positions or causal), but got "
                         << name;
    if (name != parts.front().getName())
      return emitError() << "expects a " << stringifyAxisKind(kind)
                         << " axis to carry the name of its base "
                         << parts.front().getName() << ", but got " << name;
  } else {
    if (parts.empty())
      return emitError() << "expects the " << stringifyAxisKind(kind)
                         << " axis " << name << " to have parts";
    for (auto [index, part] : llvm::enumerate(parts)) {
      if (!part || part.isSequence() || part.isRead() || part.isNext())
        return emitError() << "expects the parts of axis " << name
                           << " to be no sequences, but "
                           << (part ? part.getLabel() : "null") << " is one";
      if (kind == AxisKind::product &&
          llvm::is_contained(parts.take_front(index), part))
        return emitError() << "expects the factors of axis " << name
                           << " to differ, but " << part.getName()
                           << " is there twice";
    }
  }
  if (sizeOfParts(kind, parts) == tooLarge)
    return emitError() << "expects the size of axis " << name
                       << " to fit into 64 bits";
  if (size != sizeOfParts(kind, parts))
    return emitError() << "expects the size of axis " << name
                       << " to follow from its parts, but got " << size;
  return success();
}

/// axis ::= `"` name `"` (`=` axis ((`+` | `*`) axis)*
///                        | (`,` (kind | data | size))*)
///        | (`read` | `next`) axis
Attribute AxisAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  auto emitError = [&] { return parser.emitError(loc); };
  if (parser.parseLess())
    return {};

  StringRef role;
  if (succeeded(parser.parseOptionalKeyword(&role, {"read", "next"}))) {
    AxisAttr base;
    if (parser.parseAttribute(base) || parser.parseGreater())
      return {};
    AxisKind kind = *symbolizeAxisKind(role);
    return getChecked(emitError, parser.getContext(), base.getName(),
                      sizeOfParts(kind, base), kind, AxisData::all,
                      ArrayRef(base));
  }

  std::string name;
  if (parser.parseString(&name))
    return {};

  AxisKind kind = AxisKind::plain;
  AxisData data = AxisData::all;
  int64_t size = -1;
  SmallVector<AxisAttr> parts;
  if (succeeded(parser.parseOptionalEqual())) {
    kind = AxisKind::product;
    do {
      if (parser.parseAttribute(parts.emplace_back()))
        return {};
      if (parts.size() == 1 && succeeded(parser.parseOptionalPlus())) {
        kind = AxisKind::concat;
        if (parser.parseAttribute(parts.emplace_back()))
          return {};
      }
    } while (succeeded(kind == AxisKind::concat ? parser.parseOptionalPlus()
                                                : parser.parseOptionalStar()));
    size = sizeOfParts(kind, parts);
  } else {
    while (succeeded(parser.parseOptionalComma())) {
      StringRef word;
      OptionalParseResult number = parser.parseOptionalInteger(size);
      if (number.has_value()) {
        if (failed(*number))
          return {};
        continue;
      }
      SMLoc wordLoc = parser.getCurrentLocation();
      if (parser.parseKeyword(&word))
        return {};
      std::optional<AxisKind> asKind = symbolizeAxisKind(word);
      std::optional<AxisData> asData = symbolizeAxisData(word);
      if (asKind == AxisKind::positions || asKind == AxisKind::causal) {
        kind = *asKind;
      } else if (asData) {
        data = *asData;
      } else {
        parser.emitError(wordLoc, "expects positions, causal, ragged, packed, "
                                  "left_padded, continued or a size, but got ")
            << word;
        return {};
      }
    }
  }
  if (parser.parseGreater())
    return {};
  return getChecked(emitError, parser.getContext(), name, size, kind, data,
                    parts);
}

void AxisAttr::print(AsmPrinter &printer) const {
  printer << '<';
  switch (getKind()) {
  case AxisKind::read:
  case AxisKind::next:
    printer << stringifyAxisKind(getKind()) << ' ' << getParts().front();
    break;
  case AxisKind::product:
  case AxisKind::concat:
    printer.printString(getName());
    printer << " = ";
    llvm::interleave(
        getParts(), [&](AxisAttr part) { printer << part; },
        [&] { printer << (isConcat() ? " + " : " * "); });
    break;
  case AxisKind::plain:
  case AxisKind::positions:
  case AxisKind::causal:
    printer.printString(getName());
    if (getKind() != AxisKind::plain)
      printer << ", " << stringifyAxisKind(getKind());
    if (hasStaticSize())
      printer << ", " << getSize();
    if (getData() != AxisData::all)
      printer << ", " << stringifyAxisData(getData());
    break;
  }
  printer << '>';
}

//===----------------------------------------------------------------------===//
// RopeAttr
//===----------------------------------------------------------------------===//

LogicalResult RopeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               APFloat base, Pairing pairing, APFloat scaling,
                               int64_t dims) {
  if (!base.isFinite() || !(base.convertToDouble() > 0))
    return emitError() << "expects the base of a rope to be positive, but got "
                       << base.convertToDouble();
  if (!scaling.isFinite() || !(scaling.convertToDouble() > 0))
    return emitError()
           << "expects the scaling of a rope to be positive, but got "
           << scaling.convertToDouble();
  if (dims < 0 || dims % 2 || dims > std::numeric_limits<int>::max())
    return emitError()
           << "expects the rotary size of a rope to be even, but got " << dims;
  return success();
}

Attribute RopeAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  double base = 0, scaling = 1;
  int64_t dims = 0;
  StringRef pairing;
  if (parser.parseLess() || parser.parseKeyword("base") ||
      parser.parseEqual() || parser.parseFloat(base) || parser.parseComma() ||
      parser.parseKeyword("pairing") || parser.parseEqual() ||
      parser.parseKeyword(&pairing) || parser.parseComma() ||
      parser.parseKeyword("scaling") || parser.parseEqual() ||
      parser.parseFloat(scaling) || parser.parseComma() ||
      parser.parseKeyword("dims") || parser.parseEqual() ||
      parser.parseInteger(dims) || parser.parseGreater())
    return {};
  std::optional<Pairing> pair = symbolizePairing(pairing);
  if (!pair) {
    parser.emitError(loc, "expects pairing halves or interleaved, but got ")
        << pairing;
    return {};
  }
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    APFloat(base), *pair, APFloat(scaling), dims);
}

void RopeAttr::print(AsmPrinter &printer) const {
  printer << "<base = " << getBaseValue()
          << ", pairing = " << stringifyPairing(getPairing())
          << ", scaling = " << getScalingValue() << ", dims = " << getDims()
          << '>';
}
