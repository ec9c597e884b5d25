//===- Functions.cpp - arguments, results and calls -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Functions are lowered one by one into new ones. The order of operations is
// kept; only elementwise operations move, into the loop of their one user.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace nax {

//===----------------------------------------------------------------------===//
// Sizes that are known when called
//===----------------------------------------------------------------------===//

static void collectRuntimeAxes(AxisAttr axis, Axes &into) {
  axis = axis.getBase();
  if (axis.hasStaticSize())
    return;
  if (axis.isProduct() || axis.isConcat()) {
    for (AxisAttr part : axis.getParts())
      collectRuntimeAxes(part, into);
    return;
  }
  if (!llvm::is_contained(into, axis))
    into.push_back(axis);
}

void collectRuntimeAxes(TypeRange types, Axes &into) {
  for (Type type : types)
    if (auto tensor = dyn_cast<nax::TensorType>(type))
      for (AxisAttr axis : tensor.getAxes())
        collectRuntimeAxes(axis, into);
}

Axes dimsOf(const ModuleState &state, func::FuncOp source) {
  if (!source->hasAttr("nax.entry"))
    return state.runtimeAxes;
  Axes axes;
  collectRuntimeAxes(source.getArgumentTypes(), axes);
  return axes;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// With a suffix, so that an entry called `exp` is no function of libm.
static std::string loweredName(StringRef source) {
  return (source + ".body").str();
}
static std::string workspaceName(StringRef source) {
  return (source + ".workspace").str();
}

/// Arguments of a lowered function:
/// (context, parameter block, sizes..., arguments..., results..., tables of
/// ropes..., workspace).
/// An entry's arguments and results are bytes, as C hands them over; a block's
/// are memrefs, one for each layout of a parameter.
static FunctionType loweredType(ModuleState &state, func::FuncOp source) {
  MLIRContext *context = source.getContext();
  auto bytes = MemRefType::get({ShapedType::kDynamic},
                               IntegerType::get(context, 8));
  SmallVector<Type> inputs{LLVM::LLVMPointerType::get(context), bytes};
  inputs.append(dimsOf(state, source).size(), IndexType::get(context));
  bool entry = source->hasAttr("nax.entry");
  auto memory = [&](Type type) -> Type {
    if (entry)
      return bytes;
    auto tensor = cast<nax::TensorType>(type);
    SmallVector<int64_t> shape;
    for (AxisAttr axis : tensor.getAxes())
      shape.push_back(extentOf(axis));
    return MemRefType::get(shape, state.stored(tensor.getElementType()));
  };
  for (BlockArgument arg : source.getArguments()) {
    if (!isParamLike(arg)) {
      inputs.push_back(memory(arg.getType()));
      continue;
    }
    auto type = cast<nax::TensorType>(arg.getType());
    for (const Layout &layout : state.layoutsOf(arg))
      inputs.push_back(state.layoutType(type, layout));
  }
  for (Type result : source.getResultTypes())
    inputs.push_back(memory(result));
  for (const RopeKey &key : ropesOf(source)) {
    auto shape = llvm::map_to_vector(ropeAxes(key), extentOf);
    inputs.append(2, MemRefType::get(shape, Float32Type::get(context)));
  }
  inputs.push_back(bytes);
  return FunctionType::get(context, inputs, {});
}

FunctionLowering::FunctionLowering(ModuleState &state, func::FuncOp source)
    : state(state), source(source), b(source.getContext()),
      loc(source.getLoc()) {}

LogicalResult FunctionLowering::run() {
  b.setInsertionPoint(source);
  target = func::FuncOp::create(b, source.getLoc(), loweredName(source.getName()),
                                loweredType(state, source));
  if (source->hasAttr("nax.entry"))
    target->setAttr("nax.entry", b.getUnitAttr());
  else
    target.setPrivate();
  auto workspaceType = FunctionType::get(
      b.getContext(), SmallVector<Type>(dimsOf(state, source).size(), b.getIndexType()),
      {b.getIndexType()});
  func::FuncOp::create(b, source.getLoc(), workspaceName(source.getName()),
                       workspaceType)
      .setPrivate();

  Block *body = target.addEntryBlock();
  b.setInsertionPointToStart(body);
  auto next = body->args_begin();
  context = *next++;
  params = *next++;
  takeSizes(next);
  takeArguments(next);
  for (Operation &op : source.getBody().front().without_terminator()) {
    loc = op.getLoc();
    if (failed(lower(&op)))
      return failure();
    appendAfter(&op);
    if (refused)
      return failure();
  }
  lowerReturn(cast<func::ReturnOp>(source.getBody().front().getTerminator()));
  return failure(refused);
}

/// Axes of other entries do not occur here; their size is 0, so that `dims` is
/// parallel to the module's axes.
void FunctionLowering::takeSizes(Block::args_iterator &next) {
  Axes known = dimsOf(state, source);
  SmallVector<Value> given;
  for (size_t i = 0; i < known.size(); ++i)
    given.push_back(*next++);
  Value none;
  for (AxisAttr axis : state.runtimeAxes) {
    auto it = llvm::find(known, axis);
    if (it == known.end() && !none)
      none = constant(0);
    dims.push_back(it == known.end() ? none : given[it - known.begin()]);
  }
}

/// What an entry is given are bytes; a block is given memrefs. Arguments and
/// results of an entry are of the types that the model says; caches are ours.
Value FunctionLowering::inMemory(Value argument, nax::TensorType type,
                                 bool isCache) {
  if (!source->hasAttr("nax.entry"))
    return argument;
  SmallVector<Value> dynamic;
  for (AxisAttr axis : type.getAxes())
    if (ShapedType::isDynamic(extentOf(axis)))
      dynamic.push_back(sizeValue(axis));
  Type element = type.getElementType();
  return memref::ViewOp::create(
      b, loc,
      memrefType(type.getAxes(), isCache ? state.stored(element) : element),
      argument, constant(0), dynamic);
}

void FunctionLowering::takeArguments(Block::args_iterator &next) {
  for (BlockArgument arg : source.getArguments()) {
    auto type = cast<nax::TensorType>(arg.getType());
    if (isParamLike(arg)) {
      for (const Layout &layout : state.layoutsOf(arg))
        paramViews[arg].push_back({layout, *next++});
      continue;
    }
    bool isCache = bool(source.getArgAttr(arg.getArgNumber(), "nax.cache"));
    set(arg, {inMemory(*next++, type, isCache), Axes(type.getAxes())});
  }
  for (auto [i, type] : llvm::enumerate(source.getResultTypes()))
    results.push_back(inMemory(*next++, cast<nax::TensorType>(type),
                               bool(source.getResultAttr(i, "nax.cache"))));
  for (const RopeKey &key : ropesOf(source)) {
    Buffer cosines{*next++, ropeAxes(key)}, sines{*next++, ropeAxes(key)};
    ropeTables[key] = {cosines, sines};
  }
  workspace = *next;

  // A result that is computed, and in its type's order, is computed in place;
  // one that only looks at another value's numbers where that one is computed.
  Operation *ret = source.getBody().front().getTerminator();
  for (auto [value, memory] : llvm::zip(ret->getOperands(), results)) {
    AxesRef order = cast<nax::TensorType>(value.getType()).getAxes();
    while (isa_and_nonnull<ValuesOp, LogitsOp>(value.getDefiningOp()) &&
           cast<nax::TensorType>(value.getDefiningOp()->getOperand(0).getType())
                   .getAxes() == order)
      value = value.getDefiningOp()->getOperand(0);
    if (value.getDefiningOp() && !isParamLike(value))
      destinations.try_emplace(value, memory);
  }
}

void FunctionLowering::lowerReturn(func::ReturnOp op) {
  loc = op.getLoc();
  for (auto [value, memory] : llvm::zip(op.getOperands(), results))
    copy(buffer(value),
         {memory, Axes(cast<nax::TensorType>(value.getType()).getAxes())});
  func::ReturnOp::create(b, loc);
}

LogicalResult FunctionLowering::lowerCall(func::CallOp op) {
  func::FuncOp callee = state.sources.lookup(op.getCallee());
  SmallVector<Value> operands{context, params};
  operands.append(dims.begin(), dims.end());
  for (auto [operand, arg] :
       llvm::zip(op.getOperands(), callee.getArguments())) {
    auto type = cast<nax::TensorType>(operand.getType());
    if (isParamLike(arg)) {
      for (const Layout &layout : state.layoutsOf(arg))
        operands.push_back(paramIn(operand, layout));
      continue;
    }
    Buffer given = permuted(buffer(operand), type.getAxes());
    operands.push_back(as(state.stored(type.getElementType()), given).memref);
  }
  SmallVector<std::pair<Buffer, Buffer>> copies;
  for (Value result : op.getResults()) {
    auto type = cast<nax::TensorType>(result.getType());
    Type element = state.stored(type.getElementType());
    Buffer wanted = allocResult(result, type.getAxes()), out = wanted;
    if (elementOf(out) != element) {
      out = alloc(type.getAxes(), element);
      copies.push_back({out, wanted});
    }
    operands.push_back(out.memref);
    set(result, wanted);
  }
  for (const RopeKey &key : ropesOf(callee)) {
    auto [cosines, sines] = ropeTablesOf(keyInCaller(key, op));
    for (const Buffer &table : {cosines, sines})
      operands.push_back(permuted(table, ropeAxes(key)).memref);
  }
  // One value for all calls of a block, so that the memory plan sees that their
  // workspaces are of one size.
  Value &bytes = workspaceBytes[callee];
  if (!bytes)
    bytes = func::CallOp::create(b, loc, workspaceName(callee.getName()),
                                 TypeRange{b.getIndexType()}, dims)
                .getResult(0);
  operands.push_back(memref::AllocOp::create(
      b, loc, MemRefType::get({ShapedType::kDynamic}, b.getI8Type()),
      ValueRange{bytes}));
  func::CallOp::create(b, loc, loweredName(callee.getName()), TypeRange{},
                       operands);
  for (auto &[from, to] : copies)
    copy(from, to);
  return success();
}

} // namespace nax
