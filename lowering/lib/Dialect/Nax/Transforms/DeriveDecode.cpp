//===- DeriveDecode.cpp - the step of an entry ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The pass: which entries, what their step is called, and what of them is
// computed before it. DecodeRefusals.cpp says where there is none,
// DecodeStep.cpp writes the functions.
//
//===----------------------------------------------------------------------===//

#include "DecodeStep.h"

#include "nax/Dialect/Nax/Transforms/Passes.h"

namespace nax {
#define GEN_PASS_DEF_DERIVEDECODE
#include "nax/Dialect/Nax/Transforms/Passes.h.inc"
} // namespace nax

using namespace mlir;
using namespace nax;
using namespace nax::decode;

/// Puts T' in the place of T and what `read` says in that of Read<T>.
static void replaceAxis(AttrTypeReplacer &replacer, const Sequence &sequence,
                        AxisAttr read) {
  replacer.addReplacement(
      [=, axis = sequence.axis, old = sequence.read, now = sequence.now](
          AxisAttr any) -> std::optional<std::pair<Attribute, WalkResult>> {
        AxisAttr with = any == axis ? now : any == old ? read : any;
        return std::pair(Attribute(with), WalkResult::skip());
      });
}

Derivation::Derivation(const Sequence &sequence)
    : sequence(sequence), symbols(sequence.entry->getParentOfType<ModuleOp>()) {
  replaceAxis(toNow, sequence, sequence.readNow);
  replaceAxis(toUnread, sequence, sequence.now);
}

const Step *Derivation::blockStep(func::FuncOp block,
                                  const llvm::BitVector &replaced) {
  std::string gone;
  for (unsigned index : replaced.set_bits())
    gone += std::to_string(index) + ",";
  auto key = std::pair(block.getOperation(), gone);
  if (auto found = blocks.find(key); found != blocks.end())
    return &found->second;
  Prepared prepared = prepare(block, sequence, /*isEntry=*/false);
  FailureOr<Step> step =
      FunctionWriter(*this, prepared, replaced, /*isEntry=*/false).write();
  if (failed(step))
    return nullptr;
  // Extras speak of the block's own arguments from now on.
  for (Extra &extra : step->extras)
    if (extra.of)
      extra.of =
          block.getArgument(cast<BlockArgument>(extra.of).getArgNumber());
  step->function.setPrivate();
  step->function.setName((block.getName() + "_step").str());
  symbols.insert(step->function, block->getIterator());
  return &(blocks[key] = *step);
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static bool isCache(const Extra &extra) {
  return extra.kind == Extra::Documents || extra.kind == Extra::Cache ||
         extra.kind == Extra::Fixed;
}

/// The attributes of cache `index`: as an argument, and as a result of what
/// computes it.
static DictionaryAttr cacheAttributes(const Extra &extra, int64_t index,
                                      func::FuncOp before) {
  Builder builder(before.getContext());
  NamedAttrList cache, all;
  cache.set("index", builder.getI64IntegerAttr(index));
  if (extra.kind == Extra::Fixed)
    cache.set("fixed", builder.getUnitAttr());
  if (extra.ring)
    cache.set("ring", builder.getI64IntegerAttr(extra.ring));
  all.set(NaxDialect::getCacheAttrName(),
          cache.getDictionary(before.getContext()));
  all.set(NaxDialect::getNameAttrName(),
          builder.getStringAttr("cache." + std::to_string(index)));
  // Lengths that are given on are checked as where they were given.
  if (auto argument = dyn_cast_or_null<BlockArgument>(extra.of);
      argument && extra.kind == Extra::Fixed)
    if (Attribute data = before.getArgAttr(argument.getArgNumber(),
                                           NaxDialect::getDataAttrName()))
      all.set(NaxDialect::getDataAttrName(), data);
  return all.getDictionary(before.getContext());
}

/// Marks `made` as derived from `entry`.
static void mark(func::FuncOp made, const Sequence &sequence,
                 StringRef attribute, StringRef suffix) {
  Builder builder(made.getContext());
  func::FuncOp entry = sequence.entry;
  made.setName((entry.getName() + suffix).str());
  made->setAttr(NaxDialect::getEntryAttrName(), builder.getUnitAttr());
  made->setAttr(attribute, entry.getNameAttr());
}

LogicalResult Derivation::run() {
  func::FuncOp entry = sequence.entry;
  for (StringRef suffix : {"_step", "_begin"})
    if (Operation *taken = symbols.lookup((entry.getName() + suffix).str()))
      return emitError(taken->getLoc())
             << entry.getName() << suffix
             << " is a function of the model already; rename it, since what is "
                "derived from "
             << entry.getName() << " has that name";

  Prepared prepared = prepare(entry, sequence, /*isEntry=*/true);
  llvm::BitVector replaced(entry.getNumArguments());
  for (unsigned index = 0; index < entry.getNumArguments(); ++index)
    if (sequence.isReplaced(entry, index))
      replaced.set(index);
  FailureOr<Step> step =
      FunctionWriter(*this, prepared, replaced, /*isEntry=*/true).write();
  if (failed(step))
    return failure();

  func::FuncOp made = step->function;
  mark(made, sequence, NaxDialect::getStepAttrName(), "_step");
  int64_t index = 0;
  for (const Extra &extra : step->extras) {
    unsigned argument = cast<BlockArgument>(extra.value).getArgNumber();
    if (isCache(extra)) {
      made.setArgAttrs(argument, cacheAttributes(extra, index++, entry));
      continue;
    }
    Builder builder(entry.getContext());
    made.setArgAttr(
        argument, NaxDialect::getNameAttrName(),
        builder.getStringAttr(sequence.axis.getName() + "_lengths"));
    made.setArgAttr(argument, NaxDialect::getSpanAttrName(), sequence.now);
  }
  for (unsigned i = 0; i < entry.getNumResults(); ++i)
    if (DictionaryAttr given = entry.getResultAttrDict(i))
      made.setResultAttrs(i, given);
  symbols.insert(made, std::next(entry->getIterator()));
  return makeBegin(prepared, *step);
}

/// What a step is given for as long as its cache lasts, computed from the
/// arguments without T.
LogicalResult Derivation::makeBegin(Prepared &prepared, const Step &step) {
  func::FuncOp entry = sequence.entry, before = *prepared.function;
  SmallVector<DictionaryAttr> given, named;
  SmallVector<const Extra *> wanted;
  int64_t index = 0;
  for (const Extra &extra : step.extras) {
    if (extra.kind == Extra::Fixed) {
      wanted.push_back(&extra);
      named.push_back(cacheAttributes(extra, index, entry));
    }
    index += isCache(extra);
  }
  if (wanted.empty())
    return success();

  llvm::DenseSet<Operation *> live;
  llvm::DenseSet<Value> taken;
  auto take = [&](Value value) {
    if (Operation *maker = value.getDefiningOp())
      live.insert(maker);
    else
      taken.insert(value);
  };
  for (const Extra *extra : wanted)
    take(extra->of);
  for (Operation &op : llvm::reverse(prepared.body()))
    if (live.contains(&op))
      llvm::for_each(op.getOperands(), take);

  OpBuilder builder(entry.getContext());
  auto made = func::FuncOp::create(entry.getLoc(), entry.getName(),
                                   builder.getFunctionType({}, {}));
  Block *body = made.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping values;
  for (BlockArgument argument : before.getArguments()) {
    if (!taken.contains(argument))
      continue;
    values.map(argument,
               body->addArgument(argument.getType(), argument.getLoc()));
    given.push_back(before.getArgAttrDict(argument.getArgNumber()));
  }
  for (Operation &op : prepared.body())
    if (live.contains(&op))
      builder.clone(op, values);
  SmallVector<Value> results;
  for (const Extra *extra : wanted) {
    Value value = values.lookup(extra->of);
    // The rows first, as the cache has them.
    if (Type type = extra->value.getType(); type != value.getType())
      value = CastOp::create(builder, extra->of.getLoc(), type, value);
    results.push_back(value);
  }
  auto end = func::ReturnOp::create(builder, entry.getLoc(), results);
  made.setFunctionType(
      builder.getFunctionType(body->getArgumentTypes(), end.getOperandTypes()));
  for (auto [i, attributes] : llvm::enumerate(given))
    if (attributes)
      made.setArgAttrs(i, attributes);
  for (auto [i, attributes] : llvm::enumerate(named))
    made.setResultAttrs(i, attributes);
  mark(made, sequence, NaxDialect::getBeginAttrName(), "_begin");
  symbols.insert(made, std::next(entry->getIterator()));
  return success();
}

LogicalResult decode::deriveStep(const Sequence &sequence) {
  return Derivation(sequence).run();
}

namespace {

struct DeriveDecode final : nax::impl::DeriveDecodeBase<DeriveDecode> {
  void runOnOperation() override {
    DenseSet<StringRef> derived;
    SmallVector<func::FuncOp> entries;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (auto of = function->getAttrOfType<StringAttr>(
              NaxDialect::getStepAttrName()))
        derived.insert(of.getValue());
      if (function->hasAttr(NaxDialect::getDecodeAttrName()) &&
          !function.isExternal())
        entries.push_back(function);
    }
    for (func::FuncOp entry : entries) {
      // A module that was dumped after this pass comes through it again.
      if (derived.contains(entry.getName()))
        continue;
      FailureOr<Sequence> sequence = sequenceOf(entry);
      if (failed(sequence) || failed(checkDerivable(*sequence)) ||
          failed(deriveStep(*sequence)))
        signalPassFailure();
    }
  }
};

} // namespace
