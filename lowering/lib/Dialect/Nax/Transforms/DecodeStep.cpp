//===- DecodeStep.cpp - a function on new positions -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Each operation is copied with T' in the place of T. What is only read (it
// stands on Read<T> and not on T) is copied as it is before it is read, on T',
// and goes through nax.cached where attention takes it.
//
//===----------------------------------------------------------------------===//

#include "DecodeStep.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace nax;
using namespace nax::decode;

static nax::TensorType typeOf(Value value) {
  return cast<nax::TensorType>(value.getType());
}

FunctionWriter::FunctionWriter(Derivation &derivation, Prepared &prepared,
                               const llvm::BitVector &replaced, bool isEntry)
    : derivation(derivation), sequence(derivation.sequence), prepared(prepared),
      replaced(replaced), isEntry(isEntry),
      builder(prepared.function->getContext()),
      at(prepared.function->getLoc()) {}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether `value` is something that is read, and no mask of what is.
bool FunctionWriter::isRead(Value value) const {
  return sequence.isOffered(value.getType()) && !typeOf(value).is(Is::mask);
}

Value FunctionWriter::extra(Extra::Kind kind, Type type, Value of,
                            int64_t ring) {
  Value value = made.getBody().front().addArgument(type, at);
  extras.push_back({kind, value, of, ring});
  return value;
}

Value FunctionWriter::now(Value value) {
  if (Value known = values.lookupOrNull(value))
    return known;
  if (isEntry && prepared.isFixed(value))
    return fixed(value);
  failed = true;
  emitError(value.getLoc())
      << "a step of " << sequence.name << " has no lengths or starts of "
      << sequence.axis.getName()
      << ", which nothing but operations on it may take";
  return {};
}

/// What is computed once is given to each step with its rows first, as they are
/// in a cache.
Value FunctionWriter::fixed(Value value) {
  nax::TensorType type = typeOf(value);
  SmallVector<AxisAttr> axes;
  for (AxisAttr row : sequence.rows)
    if (type.has(row))
      axes.push_back(row);
  if (!axes.empty() && axes.size() < sequence.rows.size()) {
    failed = true;
    AxisAttr missing = sequence.missingRow(type);
    emitError(value.getLoc())
        << sequence.name << ": " << type.getLabel()
        << " is computed once for all steps and has some of the rows, but not "
        << missing.getName() << "; spread<" << missing.getName()
        << ">(...) it, or take it as an argument on all of them";
  }
  for (AxisAttr axis : type.getAxes())
    if (!llvm::is_contained(axes, axis))
      axes.push_back(axis);
  Value given = extra(Extra::Fixed, type.withAxes(axes), value);
  if (given.getType() != type)
    given = CastOp::create(builder, value.getLoc(), type, given);
  values.map(value, given);
  return given;
}

Value FunctionWriter::span() {
  for (const Extra &known : extras)
    if (known.kind == Extra::Span)
      return known.value;
  SmallVector<AxisAttr> axes(sequence.rows);
  axes.push_back(AxisAttr::getSpan(sequence.now));
  return extra(Extra::Span, nax::TensorType::get(axes, builder.getI32Type()));
}

/// By documents if these are not null. Made once, where it is known of which.
Value FunctionWriter::positions(Value documents) {
  Value &known = positionsOf[documents];
  if (known)
    return known;
  SmallVector<AxisAttr> axes(sequence.rows);
  axes.push_back(sequence.now);
  auto type = nax::TensorType::get(axes, builder.getI32Type());
  if (!isEntry && (!documents || isa<BlockArgument>(documents)))
    return known = extra(Extra::Positions, type, documents);
  Value numbers = documents ? now(documents) : Value();
  Value before = documents ? cachedDocuments(documents) : Value();
  return positionsOf[documents] = PositionsOp::create(
             builder, at, type, span(), numbers, before, sequence.now);
}

/// Rows, slots, then the other axes of x, those named last at the end.
nax::TensorType FunctionWriter::cacheType(nax::TensorType x, int64_t ring,
                                          ArrayRef<AxisAttr> last) {
  SmallVector<AxisAttr> axes(sequence.rows), end;
  axes.push_back(AxisAttr::getSlots(sequence.now, ring));
  for (AxisAttr axis : x.getAxes()) {
    if (axis == sequence.now || llvm::is_contained(sequence.rows, axis))
      continue;
    (llvm::is_contained(last, axis) ? end : axes).push_back(axis);
  }
  llvm::append_range(axes, end);
  return nax::TensorType::get(axes, CachedOp::numberKept(x.getElementType()));
}

Value FunctionWriter::keep(Value x, Value cache, Type type) {
  return CachedOp::create(builder, at, derivation.toNow.replace(type), x, cache,
                          span(), sequence.now);
}

Value FunctionWriter::documentsCache(Value documents) {
  for (const Extra &known : extras)
    if (known.kind == Extra::Documents && known.of == documents)
      return known.value;
  return extra(Extra::Documents,
               cacheType(typeOf(now(documents)), /*ring=*/0, {}), documents);
}

Value FunctionWriter::cachedDocuments(Value documents) {
  Value &known = cachedOf[documents];
  if (known)
    return known;
  auto type = typeOf(now(documents));
  Value cache = isEntry || isa<BlockArgument>(documents)
                    ? documentsCache(documents)
                    : extra(Extra::Cache, cacheType(type, /*ring=*/0, {}));
  SmallVector<AxisAttr> axes(type.getAxes());
  llvm::replace(axes, sequence.now, sequence.readNow);
  return cachedOf[documents] = keep(now(documents), cache, type.withAxes(axes));
}

/// What of a value that is read is matched or mixed: the axes that the one who
/// asks has not. They are last in its cache.
static SmallVector<AxisAttr> ownAxes(Value read, Operation &use) {
  nax::TensorType other;
  if (auto scores = dyn_cast<ScoresOp>(use))
    return {scores.getOver()};
  if (auto dot = dyn_cast<DotOp>(use))
    other = typeOf(dot.getX() == read ? dot.getY() : dot.getX());
  SmallVector<AxisAttr> axes;
  for (AxisAttr axis : typeOf(read).getAxes())
    if (other && !other.has(axis))
      axes.push_back(axis);
  return axes;
}

Value FunctionWriter::cached(Value value, Operation &use) {
  Value x = unread.lookup(value);
  Value &known = cachedOf[x];
  if (known)
    return known;
  int64_t ring = prepared.rings.lookup(beforeRead(value, sequence));
  Value cache = extra(
      Extra::Cache, cacheType(typeOf(x), ring, ownAxes(value, use)), {}, ring);
  return cachedOf[x] = keep(x, cache, value.getType());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Operation *FunctionWriter::copy(Operation &op, AttrTypeReplacer &types) {
  IRMapping operands;
  for (Value operand : op.getOperands()) {
    // Lengths and starts are replaced by giveData.
    auto argument = dyn_cast<BlockArgument>(operand);
    if (operands.contains(operand) ||
        (argument && replaced.test(argument.getArgNumber()) &&
         !isa<func::CallOp, func::ReturnOp, ShorterThanOp>(op)))
      continue;
    bool before = isRead(operand);
    Value taken = !before                          ? now(operand)
                  : &types == &derivation.toUnread ? unread.lookup(operand)
                                                   : cached(operand, op);
    if (!taken)
      return nullptr;
    operands.map(operand, taken);
  }
  Operation *copied = builder.clone(op, operands);
  types.replaceElementsIn(copied, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                          /*replaceTypes=*/true);
  giveData(copied, op);
  return copied;
}

/// Positions or span, where the operation is about T.
void FunctionWriter::giveData(Operation *copied, Operation &op) {
  bool packed = sequence.axis.getData() == AxisData::packed;
  auto isT = [&](AxisAttr axis) { return axis.getBase() == sequence.axis; };
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(copied);
  if (auto rope = dyn_cast<RopeOp>(copied);
      rope && isT(cast<RopeOp>(op).getPositions()))
    rope.getDataMutable().assign(
        positions(packed ? Value(cast<RopeOp>(op).getData()) : Value()));
  else if (auto embed = dyn_cast<EmbedPositionsOp>(copied);
           embed && isT(cast<EmbedPositionsOp>(op).getAxis()))
    embed.getDataMutable().assign(positions(
        packed ? Value(cast<EmbedPositionsOp>(op).getData()) : Value()));
  else if (auto last = dyn_cast<LastOp>(copied);
           last && isT(cast<LastOp>(op).getAxis()))
    last.getDataMutable().assign(span());
  else if (auto same = dyn_cast<SameDocumentOp>(copied);
           same && isT(cast<SameDocumentOp>(op).getAxis()))
    same.getCachedMutable().assign(
        cachedDocuments(cast<SameDocumentOp>(op).getDocuments()));
  else if (auto softmax = dyn_cast<SoftmaxOp>(copied);
           softmax && isT(cast<SoftmaxOp>(op).getAlong())) {
    if (packed)
      hideDocuments(softmax, cast<SoftmaxOp>(op));
    softmax.getDataMutable().assign(span());
  }
}

/// The span says which positions there are; documents become a mask.
void FunctionWriter::hideDocuments(SoftmaxOp copied, SoftmaxOp softmax) {
  Value documents = softmax.getData();
  auto type = typeOf(now(documents));
  SmallVector<AxisAttr> axes(type.getAxes());
  axes.push_back(sequence.readNow);
  auto maskType = nax::TensorType::get(
      axes, builder.getI1Type(),
      KindAttr::getMask(sequence.now, sequence.readNow), type.getWhole());
  Value same = SameDocumentOp::create(builder, at, maskType, now(documents),
                                      cachedDocuments(documents), sequence.now);
  auto scores = typeOf(copied.getX());
  KindAttr kind = scores.getKind();
  kind =
      KindAttr::getScores(kind.getA(), kind.getB(), kind.getStates() | Masked);
  copied.getXMutable().assign(
      MaskOp::create(builder, at, scores.withKind(kind), copied.getX(), same));
}

void FunctionWriter::visit(Operation &op) {
  at = op.getLoc();
  if (auto call = dyn_cast<func::CallOp>(op))
    return visitCall(call);
  if (auto ret = dyn_cast<func::ReturnOp>(op))
    return visitReturn(ret);
  Value result = op.getResult(0);
  if (auto read = dyn_cast<ReadOp>(op);
      read && read.getAxis() == sequence.axis) {
    if (Value x = now(read.getX()))
      unread.map(result, x);
    return;
  }
  bool before = isRead(result);
  if (Operation *copied =
          copy(op, before ? derivation.toUnread : derivation.toNow))
    (before ? unread : values).map(result, copied->getResult(0));
}

void FunctionWriter::visitCall(func::CallOp call) {
  func::FuncOp callee =
      sequence.entry->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(
          call.getCallee());
  if (!sequence.mentions(callee)) {
    if (Operation *copied = copy(*call, derivation.toNow))
      values.map(call.getResults(), copied->getResults());
    return;
  }
  llvm::BitVector gone(call.getNumOperands());
  SmallVector<Value> operands;
  for (auto [index, operand] : llvm::enumerate(call.getOperands())) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (argument && replaced.test(argument.getArgNumber()))
      gone.set(index);
    else
      operands.push_back(now(operand));
  }
  const Step *step = failed ? nullptr : derivation.blockStep(callee, gone);
  if (!step) {
    failed = true;
    return;
  }
  for (const Extra &asked : step->extras) {
    Value of;
    if (asked.of)
      of = call.getOperand(cast<BlockArgument>(asked.of).getArgNumber());
    switch (asked.kind) {
    case Extra::Span:
      operands.push_back(span());
      break;
    case Extra::Positions:
      operands.push_back(positions(of));
      break;
    case Extra::Documents:
      operands.push_back(documentsCache(of));
      break;
    case Extra::Cache:
      operands.push_back(
          extra(Extra::Cache, asked.value.getType(), {}, asked.ring));
      break;
    case Extra::Fixed:
      llvm_unreachable("a block that is given something fixed was inlined");
    }
  }
  func::FuncOp function = step->function;
  auto copied =
      func::CallOp::create(builder, call.getLoc(), function, operands);
  values.map(call.getResults(), copied.getResults());
}

void FunctionWriter::visitReturn(func::ReturnOp op) {
  SmallVector<Value> results;
  for (Value operand : op.getOperands())
    results.push_back(now(operand));
  if (!failed)
    func::ReturnOp::create(builder, op.getLoc(), results);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// The extra arguments by their kind, in the order in which they were asked
/// for; the documents that the entry declares before others.
void FunctionWriter::orderArguments() {
  auto rank = [&](const Extra &extra) {
    auto argument = dyn_cast_or_null<BlockArgument>(extra.of);
    bool declared =
        argument && prepared.function->getArgAttr(
                        argument.getArgNumber(), NaxDialect::getDataAttrName());
    return std::pair(extra.kind, !(declared && extra.kind == Extra::Documents));
  };
  SmallVector<std::pair<decltype(rank(extras[0])), unsigned>> order;
  for (auto [index, extra] : llvm::enumerate(extras))
    order.push_back({rank(extra), index});
  llvm::sort(order);
  extras = llvm::map_to_vector(
      order, [&](auto place) { return extras[place.second]; });
  Block &body = made.getBody().front();
  unsigned first = body.getNumArguments() - extras.size();
  for (Extra &extra : extras) {
    Value moved = body.addArgument(extra.value.getType(), extra.value.getLoc());
    extra.value.replaceAllUsesWith(moved);
    extra.value = moved;
  }
  body.eraseArguments(first, extras.size());
  Operation *end = body.getTerminator();
  made.setFunctionType(
      builder.getFunctionType(body.getArgumentTypes(), end->getOperandTypes()));
}

FailureOr<Step> FunctionWriter::write() {
  func::FuncOp before = *prepared.function;
  made = func::FuncOp::create(before.getLoc(), before.getName(),
                              builder.getFunctionType({}, {}));
  Block *body = made.addEntryBlock();
  SmallVector<DictionaryAttr> attributes;
  for (BlockArgument argument : before.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (replaced.test(index) ||
        (isEntry && prepared.sources.lookup(argument) == Source::Fixed))
      continue;
    values.map(argument,
               body->addArgument(derivation.toNow.replace(argument.getType()),
                                 argument.getLoc()));
    auto given = before.getArgAttrDict(index);
    attributes.push_back(
        given ? cast<DictionaryAttr>(derivation.toNow.replace(Attribute(given)))
              : builder.getDictionaryAttr({}));
  }
  builder.setInsertionPointToStart(body);
  if (isEntry)
    span();
  for (Operation &op : prepared.body())
    if (!failed && (prepared.live.contains(&op) || isa<func::ReturnOp>(op)))
      visit(op);
  if (failed) {
    made.erase();
    return failure();
  }
  orderArguments();
  for (auto [index, given] : llvm::enumerate(attributes))
    made.setArgAttrs(index, given);
  return Step{made, extras};
}
