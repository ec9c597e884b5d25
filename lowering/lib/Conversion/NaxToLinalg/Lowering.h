//===- Lowering.h - state of the nax to linalg conversion -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Private to this folder. A nax value becomes a buffer whose dimensions are
// named; the order of the names in memory is chosen per buffer, so a split, a
// merge, a read and most permutations cost nothing. One method lowers one
// operation; the files of this folder hold one family of operations each.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_CONVERSION_NAXTOLINALG_LOWERING_H
#define NAX_LIB_CONVERSION_NAXTOLINALG_LOWERING_H

#include "nax/Conversion/CpuTarget.h"
#include "nax/Conversion/WeightFormat.h"
#include "nax/Dialect/Nax/IR/Nax.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace nax {

using Axes = llvm::SmallVector<AxisAttr>;
using AxesRef = llvm::ArrayRef<AxisAttr>;

/// Values in memory: dimension i of `memref` is the axis `order[i]`. The layout
/// is always the identity (row-major, dense).
struct Buffer {
  mlir::Value memref;
  Axes order;
};

/// The value of a nax.cached: positions that are cached and new ones. Both have
/// the order of the cache's type; in one `slots` stands where the other has
/// `now`, the continued axis.
struct Cached {
  Buffer fresh, cache;
  AxisAttr now, slots;
  Buffer span;
};

/// What the queries of an attention are rotated by when its kernel loads them.
/// The tables stand on axes of the queries and, last, on the pairs.
struct Rotation {
  Buffer cosines, sines;
  Pairing pairing;
};

/// How one use wants a parameter laid out. `nr` == 0: row-major in the order
/// `n`, as a GPU's matrices are. Otherwise panels [ceil(N / nr)][K][nr] with N running over the axes `n`
/// and K over `k`; numbers are positions in the parameter's own axes. What `stored`
/// says is in model_desc.h.
struct Layout {
  int64_t nr = 0;
  llvm::SmallVector<int64_t> n, k;
  nax_stored stored = NAX_STORED_AS_DECLARED;
  bool operator==(const Layout &o) const {
    return nr == o.nr && n == o.n && k == o.k && stored == o.stored;
  }
};

/// A parameter in one layout, at `offset` bytes of the parameter block.
struct Slot {
  std::string param;
  Layout layout;
  int64_t offset;
  mlir::Type element; ///< in memory
};

/// What the functions of a module share.
struct ModuleState {
  mlir::ModuleOp module;
  llvm::StringMap<mlir::func::FuncOp> sources; ///< the nax functions, by name
  int64_t panelWidth = 16; ///< NR of the CPU level; 0 for a GPU
  int64_t blockPanelWidth = 16; ///< the same where panels are quantised
  bool hasPairs = false;   ///< whether the level multiplies pairs of bf16
  /// What parameters of f32 that are contracted or looked up are stored as.
  std::optional<WeightFormat> weights;
  /// The same for each one's name, in the place of `weights`; may be null.
  mlir::DictionaryAttr weightsByName;
  bool exact = false; ///< no rows are rounded for quantised weights
  /// The type in memory of what the model has as f32: f16 or bf16 on a GPU; null:
  /// f32 itself.
  mlir::Type narrow;
  Axes runtimeAxes;        ///< axes whose size is known when called
  Axes slotAxes;           ///< those that count the slots of a cache
  llvm::SmallVector<Slot> slots;
  int64_t blockBytes = 0;

  bool onGpu() const { return panelWidth == 0; }
  /// Columns of a panel that is stored so; 0 for a GPU.
  int64_t widthOf(nax_stored stored) const;
  /// The type of an element of values, parameters and caches in memory.
  mlir::Type stored(mlir::Type element) const;
  /// The memref that holds `type` in `layout`.
  mlir::MemRefType layoutType(TensorType type, const Layout &layout) const;
  /// The matrix that contracting `over` with `type` reads: panels or, for a GPU,
  /// the kept axes before the contracted ones; none if it can be no matrix.
  std::optional<Layout> matrixLayout(mlir::Value matrix, AxesRef over) const;
  /// What a table has whose rows `from` counts, if nobody contracts it.
  Layout tableLayout(mlir::Value table, AxisAttr from) const;
  /// Which operand of a contraction is read as a matrix, if the shapes allow it
  /// (0: x, 1: y).
  std::optional<unsigned> matrixOperand(mlir::Operation *contraction) const;
  /// The layouts that the uses of a parameter-like value ask for, first use
  /// first; follows calls into their callee.
  llvm::SmallVector<Layout> layoutsOf(mlir::Value param);
  /// The offset of `param` in `layout`; a slot is made when there is none yet.
  int64_t offsetOf(llvm::StringRef param, TensorType type,
                   const Layout &layout);

private:
  std::optional<WeightFormat> wishOf(mlir::Value param) const;
  /// How `value` is stored as panels of `k` rows, or row-major where k is 0.
  nax_stored storedAs(mlir::Value value, int64_t k) const;
};

/// A parameter, or an argument of a repeated block that stands for one.
bool isParamLike(mlir::Value value);
/// Repeated blocks whose calls have parameters of different types become one for
/// each; arguments that stand for parameters then say what those are stored as,
/// `nax.stored`.
void specialiseBlocks(mlir::ModuleOp module, mlir::DictionaryAttr byName);
/// Says which parameters stay as declared: those that would have more than one
/// value, and those whose products read no matrix. Returns what the others are
/// stored as, by name, where there is one of the former; null otherwise.
mlir::DictionaryAttr keepOneValue(ModuleState &state);
/// Number `k` of row `id` of a table that lies in panels as `layout` says.
mlir::Value loadFromPanels(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value panels, const Layout &layout,
                           mlir::Value id, mlir::Value k);
/// Row-major in the order of the type.
Layout plainLayout(TensorType type);
/// The contracted axes of a nax.dot or nax.unembed.
Axes contractedAxes(mlir::Operation *contraction);

/// `axes` less `dropped`, in their order.
Axes without(AxesRef axes, AxesRef dropped);
/// The static extent of an axis, or ShapedType::kDynamic.
int64_t extentOf(AxisAttr axis);
/// The type of one element in memory: booleans take a byte.
mlir::Type storageType(mlir::Type element);

/// Adds the axes of `types` whose size is known when called, in order of
/// appearance.
void collectRuntimeAxes(mlir::TypeRange types, Axes &into);
/// The sizes a function is called with: an entry takes those of its own
/// arguments, in order of appearance (the C call's order); a repeated block
/// takes all of the module's.
Axes dimsOf(const ModuleState &state, mlir::func::FuncOp source);

/// The axis of a cache that counts its slots; it follows the rows.
AxisAttr slotsOf(CachedOp op);

/// Whose cosines and sines: positions of a base axis, a rope, the axis of its
/// pairs, and the data of the positions, null where position t is simply t.
using RopeKey = std::tuple<AxisAttr, RopeAttr, AxisAttr, mlir::Value>;
/// What a repeated block, or one that it calls, rotates by that its callers
/// know, in order of first use. Calls pass the tables, since they are the same
/// for all of them.
llvm::SmallVector<RopeKey> ropesOf(mlir::func::FuncOp source);
/// The same in the function that calls it.
RopeKey keyInCaller(RopeKey key, mlir::func::CallOp call);
/// The order of the tables that a block is given.
Axes ropeAxes(const RopeKey &key);

/// Whether no mask leaves its function: there is nothing to hand over.
mlir::LogicalResult checkMasks(mlir::func::FuncOp source);

/// Lowers the body of one function.
class FunctionLowering {
public:
  /// What the body of a linalg.generic sees.
  struct Body {
    mlir::OpBuilder &b;
    mlir::Location loc;
    mlir::ValueRange args; ///< elements of ins, then of outs
    llvm::function_ref<mlir::Value(AxisAttr)> index;
  };
  using BodyFn =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(const Body &)>;

  FunctionLowering(ModuleState &state, mlir::func::FuncOp source);
  mlir::LogicalResult run();

private:
  // --- Functions.cpp
  void takeSizes(mlir::Block::args_iterator &next);
  void takeArguments(mlir::Block::args_iterator &next);
  void lowerReturn(mlir::func::ReturnOp op);
  mlir::Value inMemory(mlir::Value argument, TensorType type, bool isCache);
  mlir::LogicalResult lowerCall(mlir::func::CallOp op);

  // --- NaxToLinalg.cpp
  mlir::LogicalResult lower(mlir::Operation *op);

  // --- Buffers.cpp
  mlir::Value constant(int64_t value);
  mlir::OpFoldResult size(AxisAttr axis);
  mlir::Value sizeValue(AxisAttr axis);
  mlir::MemRefType memrefType(AxesRef order, mlir::Type element);
  Buffer alloc(AxesRef order, mlir::Type element);
  mlir::Value allocBytes(int64_t bytes);
  /// What a kernel of attention needs; `batch` are the axes of its batch.
  mlir::Value allocScratch(mlir::Operation *kernel, AxesRef batch);
  /// The buffer that a result is written to: what the caller handed over when
  /// `value` is returned in this order, else a new one.
  Buffer allocResult(mlir::Value value, AxesRef order);
  /// An error at the operation that is being lowered; the function fails.
  mlir::InFlightDiagnostic refuse();
  Buffer buffer(mlir::Value value);
  void set(mlir::Value value, Buffer buffer);
  Buffer permuted(const Buffer &from, AxesRef order);
  /// `from` as numbers of `element`, converted into a new buffer where it is
  /// not.
  Buffer as(mlir::Type element, const Buffer &from);
  Buffer asF32(const Buffer &from) { return as(b.getF32Type(), from); }
  /// Whether kernels take numbers of the type as they are.
  bool fitsKernels(mlir::Type element) const;
  /// The type in which a kernel takes all of `operands`: f32 on a CPU.
  mlir::Type kernelType(llvm::ArrayRef<Buffer> operands);
  /// [product of the first `leading` axes][product of the others].
  mlir::Value as2D(const Buffer &from, size_t leading);
  mlir::Value collapse(const Buffer &from,
                       llvm::ArrayRef<mlir::ReassociationIndices> groups);
  Buffer expand(const Buffer &from, size_t at, AxesRef parts);
  Buffer merge(const Buffer &from, AxisAttr product);
  void copy(const Buffer &from, const Buffer &to);
  void fill(const Buffer &to, double value);
  void generic(AxesRef parallel, AxesRef reduced, llvm::ArrayRef<Buffer> ins,
               llvm::ArrayRef<Buffer> outs, BodyFn body);
  mlir::Type elementOf(const Buffer &b) {
    return mlir::cast<mlir::MemRefType>(b.memref.getType()).getElementType();
  }

  // --- Elementwise.cpp
  bool isElementwise(mlir::Operation *op);
  bool isDeferred(mlir::Operation *op);
  void lowerElementwise(mlir::Operation *op);
  void lowerSpread(SpreadOp op);
  void lowerDropout(DropoutOp op);

  // --- Contract.cpp
  mlir::Value paramIn(mlir::Value param, const Layout &layout);
  mlir::LogicalResult lowerContraction(mlir::Operation *op);
  void lowerScores(ScoresOp op);
  void matrixContraction(mlir::Operation *op, unsigned weights);
  Buffer matrixOf(mlir::Value weights, const Layout &layout, AxesRef columns,
                  AxesRef over);
  mlir::StringAttr storedName(const Layout &layout);
  void giveScratch(kernel::DotOp dot, AxesRef axes);
  void genericContraction(mlir::Operation *op);
  mlir::Value pack(const Buffer &from, AxesRef n, AxesRef k);
  /// The element `at`, where `id` is below `size`; else `otherwise`. The host
  /// can't look at ids that are on a GPU: one that is out of range reads
  /// nothing, and makes NaN of all that it leads to.
  static mlir::Value loadBelow(mlir::OpBuilder &b, mlir::Location loc,
                               mlir::Value memory, mlir::ValueRange at,
                               mlir::Value id, mlir::Value size,
                               double otherwise);
  void lowerEmbed(EmbedOp op);

  // --- Attention.cpp
  /// What masks and biases need. `caches[i]` is the number of the one that is
  /// the cache of number i, or -1.
  struct Extras {
    llvm::SmallVector<Buffer> buffers;
    llvm::SmallVector<int64_t> caches;
  };
  mlir::LogicalResult lowerAttention(mlir::Operation *op);
  mlir::FailureOr<mlir::Attribute> maskTree(mlir::Value mask, Extras &extras);
  /// The number that an extra gets. What is cached is followed by its cache.
  int64_t addExtra(Extras &extras, const Buffer &buffer, int64_t cache = -1);
  int64_t addExtra(Extras &extras, mlir::Value value, bool inF32 = false);
  int64_t addSame(Extras &extras, SameDocumentOp op);

  // --- Decode.cpp
  void lowerPositions(PositionsOp op);
  void countDocuments(const Cached &documents, const Buffer &out);
  mlir::Value
  countBack(mlir::Value document, mlir::Value start, mlir::Value slots,
            llvm::function_ref<mlir::Value(mlir::Value)> loadSlot);
  void lowerCached(CachedOp op);
  /// Writes to their caches what nobody reads after `op`.
  void appendAfter(mlir::Operation *op);
  void append(const Cached &cached);
  /// The two numbers of a row's span as indices, loaded where `b` stands.
  std::pair<mlir::Value, mlir::Value>
  loadSpan(mlir::OpBuilder &b, mlir::Location loc, const Buffer &span,
           llvm::function_ref<mlir::Value(AxisAttr)> index);
  void appendOnGpu(llvm::ArrayRef<Cached> all);
  /// A loop nest over `axes`; for a GPU one that may run in any order.
  void forEach(AxesRef axes,
               llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);

  // --- Norm.cpp
  void lowerNorm(mlir::Operation *op);
  void lowerSoftmax(SoftmaxOp op);
  void lowerCrossEntropy(CrossEntropyOp op);

  // --- Reduce.cpp
  void lowerReduction(mlir::Operation *op);
  void lowerArgMax(ArgmaxOp op);
  void lowerTopK(TopKOp op);
  /// Whether position `t` of an axis with data is really there; null: always.
  mlir::Value isReal(const Body &body, AxisAttr axis, mlir::Value data,
                     bool needsNext);

  // --- Shape.cpp
  void lowerSplit(SplitOp op);
  void lowerPart(PartOp op);
  void lowerConcat(ConcatOp op);
  void lowerNext(NextOp op);
  void lowerEnd(mlir::Operation *op, bool last);
  void rename(mlir::Value from, mlir::Value to,
              llvm::function_ref<AxisAttr(AxisAttr)> name);

  // --- Rope.cpp
  /// Positions of an axis with data, [row axes, T] of i32; null when position
  /// t is simply t.
  std::optional<Buffer> positionsOf(AxisAttr axis, mlir::Value data);
  /// Cosines and sines of each position; made where there are none yet.
  std::pair<Buffer, Buffer> ropeTablesOf(const RopeKey &key);
  /// Whether it is left to the kernel of the one attention that has the result
  /// as its queries.
  bool leavesToKernel(RopeOp op, const Rotation &rotation);
  /// Gives `kernel` the tables that were left to it.
  void rotateQueries(mlir::Operation *attention, kernel::AttentionOp kernel,
                     llvm::function_ref<mlir::AffineMap(const Buffer &)> mapOf);
  void lowerRope(RopeOp op);
  void lowerEmbedPositions(EmbedPositionsOp op);

  ModuleState &state;
  mlir::func::FuncOp source, target;
  mlir::OpBuilder b;
  mlir::Location loc;
  mlir::Value context, params, workspace;
  llvm::SmallVector<mlir::Value> results; ///< where they go
  llvm::SmallVector<mlir::Value> dims; ///< sizes of state.runtimeAxes
  bool refused = false; ///< an error was reported
  llvm::DenseMap<mlir::Value, Buffer> buffers;
  llvm::DenseMap<mlir::Value, Cached> caches; ///< of each nax.cached
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<mlir::Value>> appends;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<Layout, mlir::Value>>>
      paramViews;
  llvm::DenseMap<mlir::Value, mlir::Value> destinations;
  llvm::DenseMap<mlir::Operation *, mlir::Value> workspaceBytes;
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Value>, Buffer> positions;
  llvm::DenseMap<RopeKey, std::pair<Buffer, Buffer>> ropeTables;
  llvm::DenseMap<mlir::Operation *, Rotation> rotations; ///< by attention
};

/// Shared by bodies: half precision is computed in f32.
mlir::Value widen(mlir::OpBuilder &b, mlir::Location loc, mlir::Value v);
mlir::Value convertTo(mlir::OpBuilder &b, mlir::Location loc, mlir::Value v,
                      mlir::Type type);
mlir::Value floatConstant(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Type type, double value);
mlir::Value indexConstant(mlir::OpBuilder &b, mlir::Location loc,
                          int64_t value);
/// Functions of one element, for f32 by our own polynomials, for f64 by libm.
mlir::Value expOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value v);
mlir::Value logOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value v);

} // namespace nax

#endif // NAX_LIB_CONVERSION_NAXTOLINALG_LOWERING_H
