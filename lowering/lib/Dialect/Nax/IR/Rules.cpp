//===- Rules.cpp - what verifiers share -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "AxisTable.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace nax;
using namespace nax::checks;

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

rule::Ax nax::detail::AxisTable::lookup(AxisAttr axis) {
  if (auto found = entries.find(axis); found != entries.end())
    return &found->second->info;

  static constexpr rule::Kind kinds[] = {
      rule::Kind::plain,     rule::Kind::product, rule::Kind::concat,
      rule::Kind::positions, rule::Kind::causal,  rule::Kind::read,
      rule::Kind::next};
  static constexpr rule::Data data[] = {
      rule::Data::all, rule::Data::ragged, rule::Data::packed,
      rule::Data::left_padded, rule::Data::continued};
  auto entry = std::make_unique<Entry>();
  entry->info.name = axis.getName();
  entry->info.size = axis.getSize();
  entry->info.kind = kinds[static_cast<size_t>(axis.getKind())];
  entry->info.data = data[static_cast<size_t>(axis.getData())];
  if (axis.isRead() || axis.isNext()) {
    entry->info.of = lookup(axis.getBase());
  } else {
    for (AxisAttr part : axis.getParts())
      entry->parts.push_back(lookup(part));
    entry->info.parts = entry->parts.data();
    entry->info.nparts = entry->parts.size();
  }
  rule::Ax description = &entry->info;
  entries[axis] = std::move(entry);
  return description;
}

rule::Ax checks::describe(AxisAttr axis) {
  if (!axis)
    return nullptr;
  auto *dialect = axis.getContext()->getLoadedDialect<NaxDialect>();
  return dialect->getAxisTable().describe(axis);
}

SmallVector<rule::Ax, 4> checks::describe(ArrayRef<AxisAttr> axes) {
  return SmallVector<rule::Ax, 4>(
      llvm::map_range(axes, [](AxisAttr axis) { return describe(axis); }));
}

Rope checks::describe(RopeAttr rope) {
  return Rope{rope.getBase(),
              rope.getPairing() == Pairing::halves ? Rope::halves
                                                   : Rope::interleaved,
              rope.getScaling(), static_cast<int>(rope.getDims())};
}

StringRef checks::nameOf(Type elementType) {
  if (elementType.isF64())
    return "f64";
  if (elementType.isF32())
    return "f32";
  if (elementType.isF16())
    return "f16";
  if (elementType.isBF16())
    return "bf16";
  if (elementType.isInteger(64))
    return "i64";
  if (elementType.isInteger(32))
    return "i32";
  return "boolean";
}

Described::Described(const Wanted &type, bool isParameter) {
  axes.append(checks::describe(type.axes));
  info.ax = axes.data();
  info.n = axes.size();
  info.number = nameOf(type.elementType);
  info.whole = describe(type.whole);
  info.param = isParameter;
  KindAttr kind = type.kind;
  if (!kind) {
    info.is =
        type.elementType.isInteger(1) ? rule::Is::boolean : rule::Is::number;
    return;
  }
  static constexpr rule::Is kinds[] = {
      rule::Is::ids,    rule::Is::rotated, rule::Is::scores, rule::Is::weights,
      rule::Is::logits, rule::Is::mask,    rule::Is::losses};
  info.is = kinds[static_cast<size_t>(kind.getIs())];
  info.a = describe(kind.getA());
  info.b = describe(kind.getB());
  info.state = kind.getStates();
  if (kind.getRope())
    info.rope = describe(kind.getRope());
}

/// Whether a value is a parameter as such: not computed from anything.
static bool isParameter(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return function && argument.getOwner()->isEntryBlock() &&
           function.getArgAttr(argument.getArgNumber(),
                               NaxDialect::getParamAttrName());
  }
  return isa<ParamOp>(value.getDefiningOp());
}

Described::Described(TypedValue<nax::TensorType> value)
    : Described(value.getType(), isParameter(value)) {}

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

LogicalResult checks::obey(Operation *op, const rule::Text &sentence) {
  if (!sentence)
    return success();
  InFlightDiagnostic diag = op->emitOpError() << StringRef(sentence.view());
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<nax::TensorType>(operand.getType());
    if (!type || !operand.getDefiningOp())
      continue;
    rule::Text words;
    words << static_cast<const rule::TensorInfo &>(Described(type));
    if (StringRef(sentence.view()).contains(StringRef(words.view())))
      diag.attachNote(operand.getLoc())
          << StringRef(words.view()) << " comes from here";
  }
  return diag;
}

/// "scores [B,T]".
static std::string label(const Wanted &type) {
  rule::Text words;
  words << static_cast<const rule::TensorInfo &>(Described(type));
  return std::string(words.view());
}

/// "[B,T,Read<T>] of f32, scores<T,Read<T>,capped>, whole U": a type in full,
/// with axes by name.
static std::string spell(const Wanted &type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleave(
      type.axes, os, [&](AxisAttr axis) { os << axis.getLabel(); }, ",");
  os << "] of " << checks::nameOf(type.elementType);
  if (KindAttr kind = type.kind) {
    os << ", " << stringifyIs(kind.getIs()) << '<'
       << (kind.getA() ? kind.getA().getLabel() : "every");
    if (kind.getB())
      os << ',' << kind.getB().getLabel();
    if (RopeAttr rope = kind.getRope())
      os << ",base " << llvm::format("%g", rope.getBase()) << ' '
         << stringifyPairing(rope.getPairing()) << " scaling "
         << llvm::format("%g", rope.getScaling()) << " dims " << rope.getDims();
    for (auto [state, word] :
         {std::pair(Capped, "capped"), std::pair(Biased, "biased"),
          std::pair(Masked, "masked"), std::pair(Causally, "causally")})
      if (kind.hasState(state))
        os << ',' << word;
    os << '>';
  }
  if (type.whole)
    os << ", whole " << type.whole.getLabel();
  return text;
}

LogicalResult checks::expectResult(Operation *op, const Wanted &wanted) {
  auto actual = cast<nax::TensorType>(op->getResult(0).getType());
  // A type has each axis once, so equally many that are all wanted are those.
  bool sameAxes = actual.getAxes().size() == wanted.axes.size() &&
                  llvm::all_of(actual.getAxes(), [&](AxisAttr axis) {
                    return llvm::is_contained(wanted.axes, axis);
                  });
  bool sameWhole = actual.getWhole() == wanted.whole ||
                   (actual.getAxes().empty() && !actual.getWhole());
  if (sameAxes && sameWhole && actual.getKind() == wanted.kind &&
      actual.getElementType() == wanted.elementType)
    return success();
  return op->emitOpError("expects the result ")
         << spell(wanted) << ", but got " << spell(actual);
}

static StringRef nameOf(AxisData data) {
  switch (data) {
  case AxisData::ragged:
    return "lengths";
  case AxisData::packed:
    return "documents";
  case AxisData::left_padded:
    return "starts";
  case AxisData::continued:
    return "positions";
  case AxisData::all:
    break;
  }
  return "";
}

std::string checks::adjectiveOf(AxisData data) {
  std::string word = stringifyAxisData(data).str();
  std::replace(word.begin(), word.end(), '_', '-');
  return word;
}

bool checks::isSpan(nax::TensorType type, AxisAttr sequence) {
  return type.isPlain() && type.getElementType().isInteger(32) &&
         !type.getWhole() && !type.getAxes().empty() &&
         type.getAxes().back() == AxisAttr::getSpan(sequence) &&
         !type.has(sequence);
}

/// verifyData of a continued axis.
static LogicalResult verifyContinued(Operation *op, Value data,
                                     AxisAttr sequence, const Wanted &x,
                                     ArrayRef<AxisData> needed) {
  if (!llvm::is_contained(needed, AxisData::continued))
    return op->emitOpError("expects a sequence whose positions are all here, "
                           "but those of the continued ")
           << sequence.getName() << " before its new ones are in a cache";
  bool counts = isa<RopeOp, EmbedPositionsOp>(op);
  StringRef what = counts ? "positions" : "span";
  if (!data)
    return op->emitOpError("expects the ")
           << what << " of the continued axis " << sequence.getName()
           << " as its data";
  auto type = cast<nax::TensorType>(data.getType());
  SmallVector<AxisAttr> rows = checks::less(
      type.getAxes(), counts ? sequence : AxisAttr::getSpan(sequence));
  bool fits = counts ? type.isPlain() && type.getElementType().isInteger(32) &&
                           type.has(sequence)
                     : checks::isSpan(type, sequence);
  for (AxisAttr row : rows)
    fits &= llvm::is_contained(x.axes, row);
  if (fits)
    return success();
  return op->emitOpError("expects the ")
         << what << " of " << sequence.getName() << " to be i32 on the rows of "
         << label(x) << " and on "
         << (counts ? sequence.getName().str()
                    : AxisAttr::getSpan(sequence).getName().str())
         << ", but got " << type.getLabel() << " of "
         << checks::nameOf(type.getElementType());
}

LogicalResult checks::verifyData(Operation *op, Value data, AxisAttr axis,
                                 const Wanted &x, ArrayRef<AxisData> needed) {
  AxisAttr sequence = axis.getBase();
  AxisData what = sequence.getData();
  if (what == AxisData::continued)
    return verifyContinued(op, data, sequence, x, needed);
  if (!data) {
    if (!llvm::is_contained(needed, what))
      return success();
    return op->emitOpError("expects the ")
           << ::nameOf(what) << " of the " << adjectiveOf(what) << " axis "
           << sequence.getName() << " as its data";
  }
  if (what == AxisData::all)
    return op->emitOpError("expects no data, since the axis ")
           << sequence.getName() << " has all positions";

  auto type = cast<nax::TensorType>(data.getType());
  bool fits = type.isPlain() && type.getElementType().isInteger(32) &&
              type.has(sequence) == (what == AxisData::packed);
  for (AxisAttr row : type.getAxes())
    fits &= row == sequence || llvm::is_contained(x.axes, row);
  if (fits)
    return success();
  InFlightDiagnostic diag = op->emitOpError("expects the ");
  diag << ::nameOf(what) << " of " << sequence.getName() << " to be i32 on the "
       << "rows of " << label(x)
       << (what == AxisData::packed ? " and on " : ", not on ")
       << sequence.getName() << ", but got " << type.getLabel() << " of "
       << checks::nameOf(type.getElementType());
  return diag;
}

LogicalResult checks::verifyCounted(Operation *op, Value data,
                                    ArrayRef<AxisAttr> over, const Wanted &x,
                                    ArrayRef<AxisData> needed) {
  AxisAttr withData;
  for (AxisAttr axis : over) {
    if (axis.getBaseData() == AxisData::all)
      continue;
    if (withData)
      return op->emitOpError("expects data on one of its axes at most, but ")
             << withData.getLabel() << " and " << axis.getLabel()
             << " have some; reduce them one after the other";
    withData = axis;
  }
  if (withData)
    return verifyData(op, data, withData, x, needed);
  if (data)
    return op->emitOpError(
        "expects no data, since its axes have all positions");
  return success();
}

LogicalResult checks::verifyConstant(Operation *op, StringRef name,
                                     const APFloat &value, bool positive) {
  if (value.isFinite() &&
      (!positive || (!value.isNegative() && !value.isZero())))
    return success();
  SmallString<16> text;
  value.toString(text);
  return op->emitOpError("expects a ") << (positive ? "positive " : "finite ")
                                       << name << ", but got " << text;
}

//===----------------------------------------------------------------------===//
// Types of results
//===----------------------------------------------------------------------===//

SmallVector<AxisAttr> checks::less(ArrayRef<AxisAttr> axes,
                                   ArrayRef<AxisAttr> gone) {
  SmallVector<AxisAttr> left(axes);
  llvm::erase_if(left,
                 [&](AxisAttr axis) { return llvm::is_contained(gone, axis); });
  return left;
}

SmallVector<AxisAttr> checks::joined(ArrayRef<AxisAttr> x,
                                     ArrayRef<AxisAttr> y) {
  SmallVector<AxisAttr> all(x);
  llvm::append_range(all, less(y, x));
  return all;
}

SmallVector<AxisAttr> checks::replaced(ArrayRef<AxisAttr> axes, AxisAttr axis,
                                       ArrayRef<AxisAttr> by) {
  SmallVector<AxisAttr> changed;
  for (AxisAttr old : axes) {
    if (old == axis)
      llvm::append_range(changed, by);
    else
      changed.push_back(old);
  }
  return changed;
}

AxisAttr checks::wholeAfter(AxisAttr whole, ArrayRef<AxisAttr> axes) {
  if (whole)
    return whole;
  for (AxisAttr axis : axes)
    if (axis.isCausal())
      return axis.getBase();
  return {};
}
