//===- Causality.h - what an element may depend on --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The abstract states of nax-check-causality and what each operation does to
// them. One causal axis T at a time.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DIALECT_NAX_TRANSFORMS_CAUSALITY_H
#define NAX_LIB_DIALECT_NAX_TRANSFORMS_CAUSALITY_H

#include "nax/Dialect/Nax/IR/Nax.h"

namespace nax::causality {

/// Which positions of T the element at (t, s) of a value may depend on; a set
/// of these. The empty set: on none.
enum Bound : unsigned {
  UpToQuery = 1, ///< those <= t, where the value stands on T
  UpToRead = 2,  ///< those <= s, where the value stands on Read<T>
  UpToNext = 4,  ///< those <= t + 1: labels, and what was compared with them
  Everything = 8 ///< all of them
};

/// What is known of the elements with s > t of a value on T and Read<T>.
enum class Future : unsigned char {
  Unknown,
  Zero,   ///< they are 0
  Blocked ///< they are scores that softmax turns into 0
};

struct State {
  unsigned bounds = 0;
  Future future = Future::Unknown;

  bool has(Bound bound) const { return bounds & bound; }
  bool operator==(const State &) const = default;
};

/// The axes of a value that matter for one T.
struct Stand {
  Stand(mlir::Type type, AxisAttr sequence);
  bool onQuery = false, onRead = false, onNext = false;
};

/// The axes that `op` looks along: each element of its result may depend on all
/// positions of its operands there.
llvm::SmallVector<AxisAttr> lookedAlong(mlir::Operation *op);

/// What an argument of a function that nothing calls may depend on.
State stateOfArgument(mlir::Type type, AxisAttr sequence, bool isData);

/// Why a result stands on T and needs all of T.
enum class Leak {
  None,
  Unmasked, ///< takes in all of an axis without a causal mask
  Joins,    ///< an operand that has seen all of T meets T
  Unknown   ///< nothing is known of the operation
};

struct Outcome {
  State state;
  Leak leak = Leak::None;
};

/// The state of a result of `op` by those of its operands. If `leak` is set,
/// the state is what it would be without the leak, so that one mistake gives
/// one message.
Outcome transfer(mlir::Operation *op, mlir::OpResult result,
                 llvm::ArrayRef<State> operands, AxisAttr sequence);

} // namespace nax::causality

#endif // NAX_LIB_DIALECT_NAX_TRANSFORMS_CAUSALITY_H
