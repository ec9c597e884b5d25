//===- MatrixOperations.cpp - mma, ldmatrix, stmatrix, movmatrix ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Matrix.h"
#include "Modifiers.h"
#include "Place.h"

#include "../Block.h"
#include "../Warp.h"

#include <bit>

namespace nvemu {

namespace {

//===--- mma.sync ----------------------------------------------------------===//

std::optional<MatrixType> matrixTypeNamed(std::string_view name) {
  static constexpr std::string_view names[] = {"f16", "bf16", "tf32", "f64", "s8", "u8", "s4", "u4"};
  for (unsigned i = 0; i < std::size(names); ++i)
    if (name == names[i])
      return MatrixType(i);
  return std::nullopt;
}

std::optional<SumType> sumTypeNamed(std::string_view name) {
  static constexpr std::string_view names[] = {"f16", "f32", "f64", "s32"};
  for (unsigned i = 0; i < std::size(names); ++i)
    if (name == names[i])
      return SumType(i);
  return std::nullopt;
}

struct Shape {
  std::string_view name;
  uint8_t m, k;
};

/// Whether the PTX ISA has the combination ("mma": the table of shapes by type).
bool isDefined(const Mma &mma) {
  auto shape = [&](unsigned m, unsigned k) { return mma.m == m && mma.k == k; };
  switch (mma.a) {
  case MatrixType::F16:
    return mma.b == mma.a && (mma.sum == SumType::F16 || mma.sum == SumType::F32) && (shape(16, 8) || shape(16, 16));
  case MatrixType::BF16:
    return mma.b == mma.a && mma.sum == SumType::F32 && (shape(16, 8) || shape(16, 16));
  case MatrixType::TF32:
    return mma.b == mma.a && mma.sum == SumType::F32 && (shape(16, 4) || shape(16, 8));
  case MatrixType::F64:
    return mma.b == mma.a && mma.sum == SumType::F64 && (shape(8, 4) || shape(16, 4) || shape(16, 8) || shape(16, 16));
  case MatrixType::S8:
  case MatrixType::U8:
    return (mma.b == MatrixType::S8 || mma.b == MatrixType::U8) && mma.sum == SumType::S32 &&
           (shape(8, 16) || shape(16, 16) || shape(16, 32));
  case MatrixType::S4:
  case MatrixType::U4:
    return (mma.b == MatrixType::S4 || mma.b == MatrixType::U4) && mma.sum == SumType::S32 &&
           (shape(8, 32) || shape(16, 32) || shape(16, 64));
  }
  return false;
}

bool readShape(Modifiers &modifiers, Mma &mma, std::string &why) {
  static constexpr Shape shapes[] = {
      {"m8n8k4", 8, 4},   {"m8n8k16", 8, 16},   {"m8n8k32", 8, 32},   {"m16n8k4", 16, 4},
      {"m16n8k8", 16, 8}, {"m16n8k16", 16, 16}, {"m16n8k32", 16, 32}, {"m16n8k64", 16, 64},
  };
  for (const Shape &shape : shapes)
    if (modifiers.take(shape.name)) {
      mma.m = shape.m;
      mma.k = shape.k;
      return true;
    }
  why = "its shape is not one of those that it understands, m8n8k4 to m16n8k64";
  return false;
}

bool readMma(const ptx::Instruction &instruction, Mma &mma, std::string &why) {
  Modifiers modifiers(instruction);
  if (modifiers.takeOneOf({"sp", "sp::ordered_metadata"})) {
    why = "sparse matrices (mma.sp) are not modelled; multiply dense ones";
    return false;
  }
  if (!modifiers.take("sync") || !modifiers.take("aligned")) {
    why = "it lacks .sync.aligned";
    return false;
  }
  if (!readShape(modifiers, mma, why))
    return false;
  bool layouts = modifiers.take("row") && modifiers.take("col");
  mma.saturate = modifiers.take("satfinite");
  const std::vector<std::string> &types = modifiers.rest();
  std::optional<SumType> d, c;
  std::optional<MatrixType> a, b;
  if (types.size() == 4) {
    d = sumTypeNamed(types[0]);
    a = matrixTypeNamed(types[1]);
    b = matrixTypeNamed(types[2]);
    c = sumTypeNamed(types[3]);
  }
  if (!a || !b || !c || !d) {
    why = "its types are not four of those that it understands: sums f16, f32, f64, s32, "
          "factors f16, bf16, tf32, f64, s8, u8, s4, u4";
    return false;
  }
  mma.a = *a;
  mma.b = *b;
  mma.sum = *c;
  if (*c == *d && layouts && isDefined(mma) && (!mma.saturate || mma.sum == SumType::S32))
    return true;
  why = mma.m == 8 && mma.a == MatrixType::F16
            ? "the shape m8n8k4 of f16 is that of sm_70 and is not modelled; use m16n8k8"
            : "the PTX ISA has no such combination of shape, layouts and types";
  return false;
}

void runMma(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  collectiveWholeWarp(thread, site, in, out, [&](Gathered &lanes) {
    if (!areAllHere(lanes))
      return false;
    multiply(kept<Mma>(site), lanes.in, lanes.out);
    return true;
  });
}

//===--- ldmatrix, stmatrix, movmatrix -------------------------------------===//

struct Move {
  uint8_t matrices;
  bool transposed;
  ptx::Space space;
};

/// In whose name row `row` of matrix `matrix` is read or written. The address is of
/// lane 8 * matrix + row, the data of lanes 4 * row to 4 * row + 3, and nothing orders
/// the two: one of the latter that is not the former, so that a missing
/// bar.warp.sync is noticed, unless the address itself is wrong.
Thread &whoMoves(Gathered &lanes, unsigned matrix, unsigned row, uint64_t offset) {
  unsigned owner = 8 * matrix + row, mover = 4 * row == owner ? owner + 1 : 4 * row;
  bool isSound = offset % 16 == 0 && offset + 16 <= lanes.warp->block->sharedBytes;
  return lanes.thread(isSound ? mover : owner);
}

/// The host addresses of a matrix's rows; false: one is wrong, and is reported.
bool findRows(Gathered &lanes, const Move &move, unsigned matrix, uint32_t flags, uint8_t *rows[8]) {
  Block &block = *lanes.warp->block;
  for (unsigned row = 0; row < 8; ++row) {
    unsigned owner = 8 * matrix + row;
    uint64_t offset = lanes.in[owner][0];
    if (Block::resolve(offset, move.space) != ptx::Space::Shared) {
      block.report(Kind::Invalid, lanes.thread(owner), notSharedMessage);
      return false;
    }
    Thread &mover = whoMoves(lanes, matrix, row, offset);
    rows[row] = static_cast<uint8_t *>(block.tryAccess(mover, offset, ptx::Space::Shared, 16, flags));
    if (!rows[row])
      return false;
  }
  return true;
}

void runLoad(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  collectiveWholeWarp(thread, site, in, out, [&](Gathered &lanes) {
    Move move = kept<Move>(site);
    if (!areAllHere(lanes))
      return false;
    for (unsigned matrix = 0; matrix < move.matrices; ++matrix) {
      uint8_t *rows[8];
      if (!findRows(lanes, move, matrix, accessRead, rows))
        return false;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        lanes.out[lane][matrix] = matrixPiece(rows, lane, move.transposed);
    }
    return true;
  });
}

void runStore(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  collectiveWholeWarp(thread, site, in, out, [&](Gathered &lanes) {
    Move move = kept<Move>(site);
    if (!areAllHere(lanes))
      return false;
    for (unsigned matrix = 0; matrix < move.matrices; ++matrix) {
      uint8_t *rows[8];
      if (!findRows(lanes, move, matrix, accessWrite, rows))
        return false;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        storeMatrixPiece(rows, lane, move.transposed, uint32_t(lanes.in[lane][1 + matrix]));
    }
    return true;
  });
}

void runTranspose(Thread &thread, const SiteInfo &site, const uint64_t *in, uint64_t *out) {
  collectiveWholeWarp(thread, site, in, out, [&](Gathered &lanes) {
    if (!areAllHere(lanes))
      return false;
    uint8_t bytes[8][16];
    uint8_t *rows[8];
    for (unsigned row = 0; row < 8; ++row)
      rows[row] = bytes[row];
    for (unsigned lane = 0; lane < warpSize; ++lane)
      storeMatrixPiece(rows, lane, false, uint32_t(lanes.in[lane][0]));
    for (unsigned lane = 0; lane < warpSize; ++lane)
      lanes.out[lane][0] = matrixPiece(rows, lane, true);
    return true;
  });
}

bool readMove(const ptx::Instruction &instruction, Move &move, std::string &why) {
  Modifiers modifiers(instruction);
  if (!modifiers.take("sync") || !modifiers.take("aligned") || !modifiers.take("m8n8") || !modifiers.take("b16")) {
    why = "only .sync.aligned.m8n8 of .b16 is understood";
    return false;
  }
  move.transposed = modifiers.take("trans");
  if (instruction.opcode == "movmatrix") {
    move.matrices = 1;
    if (!move.transposed)
      why = "it lacks .trans";
    return move.transposed && modifiers.isEmpty(why);
  }
  std::optional<unsigned> number = modifiers.takeOneOf({"x1", "x2", "x4"});
  std::optional<ptx::Space> space = modifiers.takeSpace();
  if (!number || !space || *space == ptx::Space::Global) {
    why = number ? "its address is not one of the block's own shared memory" : "it lacks .x1, .x2 or .x4";
    return false;
  }
  move.matrices = uint8_t(1u << *number);
  move.space = *space;
  return modifiers.isEmpty(why);
}

} // namespace

bool findMma(SiteInfo &site, unsigned &results, std::string &why) {
  const ptx::Instruction &instruction = *site.instruction;
  Mma mma{};
  if (!readMma(instruction, mma, why) || !hasOperands(instruction, 4, 4, why))
    return false;
  const unsigned expected[] = {mma.cRegisters(), mma.aRegisters(), mma.bRegisters(), mma.cRegisters()};
  for (unsigned i = 0; i < 4; ++i)
    if (unsigned count = flattened(instruction, i, i + 1); count != expected[i]) {
      why = "its operand " + std::to_string(i + 1) + " has " + std::to_string(count) + " registers, and " +
            std::to_string(expected[i]) + " are expected";
      return false;
    }
  keep(site, mma);
  site.handler = runMma;
  results = 1;
  site.outputs = expected[0];
  site.inputs = expected[1] + expected[2] + expected[3];
  return true;
}

bool findMoveMatrix(SiteInfo &site, unsigned &results, std::string &why) {
  const ptx::Instruction &instruction = *site.instruction;
  Move move{};
  if (!readMove(instruction, move, why) || !hasOperands(instruction, 2, 2, why))
    return false;
  const bool stores = instruction.opcode == "stmatrix";
  if (flattened(instruction, stores, stores + 1) != move.matrices) {
    why = "the number of its registers is not that of its matrices";
    return false;
  }
  keep(site, move);
  site.handler = stores ? runStore : instruction.opcode == "ldmatrix" ? runLoad : runTranspose;
  results = stores ? 0 : 1;
  site.outputs = stores ? 0 : move.matrices;
  site.inputs = stores ? 1u + move.matrices : 1;
  return true;
}

} // namespace nvemu
