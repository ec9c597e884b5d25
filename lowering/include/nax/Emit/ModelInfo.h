//===- ModelInfo.h - what a compiled model shows to its caller ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// One description of a model's axes, parameters and entries, read off the nax
// module once. The C header, the C++ header, the constants that the runtime
// checks calls against and `naxc run` all come from it, so that they can't
// disagree about the order of an argument.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_EMIT_MODELINFO_H
#define NAX_EMIT_MODELINFO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nax {

/// The numbers of nax_dtype in the runtime's header.
enum class DType : int64_t { F32, F16, BF16, F64, I32, I64, Bool };

/// Bytes of one element in a buffer or a parameter.
int64_t sizeOf(DType dtype);
/// "float", "int32_t", ...: the C type of an element. The two half types have
/// none and are passed as their bits.
llvm::StringRef cTypeOf(DType dtype);
/// "f32", "i32", "bool": as the language spells it.
llvm::StringRef nameOf(DType dtype);

/// The numbers of nax_buffer_desc::role.
enum class Role : int64_t {
  Input,
  Output,
  Lengths,
  Starts,
  Documents,
  Seed,
  Counts, ///< of a step: how many new positions each row has
  Cache   ///< memory of the cache object, no argument in C
};

/// The numbers of nax_entry_desc::kind: as the model has it, or derived from
/// one of those by nax-derive-decode.
enum class EntryKind : int64_t { Whole, Step, Begin };

struct ModelAxis {
  std::string name;
  /// -1: known when the model is called.
  int64_t size = -1;
  /// The largest extent that a call may give it; -1: none. The reason ends
  /// the sentence "axis T: 2000 is more than the 1024 ...".
  int64_t limit = -1;
  std::string limitReason;
  /// Position t may read only s <= t.
  bool causal = false;
  /// Slots of a cache for positions of this axis, as many as its capacity or,
  /// if `ring` is positive, at most that many; -1: an axis like any other.
  int64_t slotsOf = -1;
  int64_t ring = 0;

  bool isRuntime() const { return size < 0; }
  bool isSlots() const { return slotsOf >= 0; }
};

/// A parameter, or what arguments and results have in common with one.
struct ModelTensor {
  std::string name;
  DType dtype = DType::F32;
  /// Places in ModelInfo::axes, outermost first. `Read<T>` and `Next<T>` are as
  /// long as T and stand here as T.
  llvm::SmallVector<int64_t, 4> axes;
  /// "[B,T,Read<T>]"
  std::string text;
};

struct ModelBuffer : ModelTensor {
  Role role = Role::Input;
  /// Input ids are below this size of the axis they index; a document has at
  /// most so many positions. -1: neither, no limit, or an axis whose size is
  /// known when called.
  int64_t bound = -1;
  /// Of ids the axis, of documents the reason, as ModelAxis::limitReason.
  std::string boundName;
  /// The axis that lengths, starts, documents or counts describe; -1 for the
  /// others.
  int64_t dataAxis = -1;
  /// The number of a cache; of a step's documents, of the cache that keeps
  /// them; -1 for the others.
  int64_t cache = -1;

  bool isInput() const { return role != Role::Output; }
  bool isSeed() const { return role == Role::Seed; }
  bool isCounts() const { return role == Role::Counts; }
  bool isCache() const { return role == Role::Cache; }
};

/// One line of the names table; an empty text is an absent one.
struct ModelName {
  std::string table, param, file, axes, pairing;
};

struct ModelEntry {
  std::string name;
  EntryKind kind = EntryKind::Whole;
  /// The entry that a step or a begin was derived from.
  std::string of;
  /// The entry whose caches this one works on: of a step its own place in
  /// ModelInfo::entries, of a begin that of its step; else -1.
  int64_t step = -1;
  /// The axes whose sizes are known when called, by first appearance over the
  /// inputs. Those that are no slots are int64_t arguments of the C call.
  llvm::SmallVector<int64_t, 4> dims;
  /// The func.func's arguments, then its results. Those that are no caches are
  /// arguments of the C call. A step's span stands here as its counts.
  std::vector<ModelBuffer> buffers;
  /// Sizes of `dims` and the bytes of workspace that a call with them takes, at
  /// the level that takes most; empty before there is code.
  std::vector<std::pair<llvm::SmallVector<int64_t, 4>, int64_t>> workspace;

  bool hasCache() const { return kind != EntryKind::Whole; }
};

struct ModelInfo {
  std::string name;
  std::vector<ModelAxis> axes;
  /// By first use over the entries, each once.
  std::vector<ModelTensor> params;
  std::vector<ModelName> names;
  std::vector<ModelEntry> entries;

  /// Reads a module of the nax level. Whatever a C call can't express is
  /// reported at the argument, result or parameter that asks for it. On a
  /// lower level it is what `attach` left there.
  static mlir::FailureOr<ModelInfo> get(mlir::ModuleOp module);

  /// Writes this into the module's attribute nax.interface, so that a stage
  /// whose functions no longer have axes can still be resumed.
  void attach(mlir::ModuleOp module) const;

  /// The form for GPUs: parameters and caches of f32 have the type in memory.
  ModelInfo withMemoryType(DType type) const;

  const ModelEntry *findEntry(llvm::StringRef name) const;
  /// Of a step: those of its dims whose sizes its cache is created with, T's
  /// being the capacity.
  llvm::SmallVector<int64_t, 4> cacheDims(const ModelEntry &step) const;
  int64_t findParam(llvm::StringRef name) const;
};

} // namespace nax

#endif // NAX_EMIT_MODELINFO_H
