//===- KnownToPtx.cpp - what NVPTX has instructions for -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The code generator ends the process where it finds no instruction, for
// example for llvm.log.f32. So only what is listed here is handed to it.
//
//===----------------------------------------------------------------------===//

#include "nax/Ptx/Ptx.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Intrinsics with an expansion for each type of number that PTX has.
static bool isKnownForAll(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::abs:
  case Intrinsic::assume:
  case Intrinsic::bitreverse:
  case Intrinsic::bswap:
  case Intrinsic::copysign:
  case Intrinsic::ctlz:
  case Intrinsic::ctpop:
  case Intrinsic::cttz:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::fabs:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::lifetime_end:
  case Intrinsic::lifetime_start:
  case Intrinsic::maxnum:
  case Intrinsic::minnum:
  case Intrinsic::sadd_sat:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::ssub_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::usub_sat:
    return true;
  default:
    return false;
  }
}

/// Those that only f32 and f64 have.
static bool isKnownForFloats(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::ceil:
  case Intrinsic::floor:
  case Intrinsic::nearbyint:
  case Intrinsic::rint:
  case Intrinsic::roundeven:
  case Intrinsic::sqrt:
  case Intrinsic::trunc:
    return true;
  default:
    return false;
  }
}

/// Prefixes of what the kernels use of the nvvm dialect.
static bool isKnownNvvm(StringRef name) {
  static constexpr StringLiteral prefixes[] = {
      "llvm.nvvm.atomic.",        "llvm.nvvm.bar",
      "llvm.nvvm.cp.async.",      "llvm.nvvm.cos.approx.",
      "llvm.nvvm.ex2.approx.",    "llvm.nvvm.f2tf32.",
      "llvm.nvvm.fence.",         "llvm.nvvm.fma.",
      "llvm.nvvm.fmax.",          "llvm.nvvm.fmin.",
      "llvm.nvvm.ldmatrix.",      "llvm.nvvm.lg2.approx.",
      "llvm.nvvm.mbarrier.",      "llvm.nvvm.membar.",
      "llvm.nvvm.mma.",           "llvm.nvvm.rcp.",
      "llvm.nvvm.read.ptx.sreg.", "llvm.nvvm.redux.",
      "llvm.nvvm.rsqrt.",         "llvm.nvvm.shfl.",
      "llvm.nvvm.sin.approx.",    "llvm.nvvm.sqrt.",
      "llvm.nvvm.tanh.approx.",   "llvm.nvvm.vote.",
  };
  return any_of(prefixes,
                [&](StringRef prefix) { return name.starts_with(prefix); });
}

static bool isKnownIntrinsic(const Function &callee) {
  if (isKnownForAll(callee.getIntrinsicID()) || isKnownNvvm(callee.getName()))
    return true;
  const Type *scalar = callee.getReturnType()->getScalarType();
  if (isKnownForFloats(callee.getIntrinsicID()))
    return scalar->isFloatTy() || scalar->isDoubleTy();
  // NaN-propagating ones are instructions of f32, f16 and bf16 only.
  if (callee.getIntrinsicID() == Intrinsic::maximum ||
      callee.getIntrinsicID() == Intrinsic::minimum)
    return scalar->isFloatTy() || scalar->isHalfTy() || scalar->isBFloatTy();
  return false;
}

static bool isKnownType(const Type *type) {
  if (const auto *vector = dyn_cast<VectorType>(type))
    return isa<FixedVectorType>(type) && isKnownType(vector->getElementType());
  if (type->isIntegerTy())
    return type->getIntegerBitWidth() <= 64;
  if (type->isStructTy() || type->isArrayTy())
    return all_of(type->subtypes(), isKnownType);
  return type->isFloatTy() || type->isDoubleTy() || type->isHalfTy() ||
         type->isBFloatTy() || type->isPointerTy() || type->isVoidTy() ||
         type->isMetadataTy();
}

static std::string troubleWith(const Instruction &instruction) {
  std::string trouble;
  raw_string_ostream os(trouble);
  if (!isKnownType(instruction.getType())) {
    os << "has a value of type " << *instruction.getType();
  } else if (const auto *call = dyn_cast<CallBase>(&instruction)) {
    const Function *callee = call->getCalledFunction();
    if (call->isInlineAsm())
      return trouble;
    if (!callee)
      os << "calls a function through a pointer";
    else if (callee->isIntrinsic() ? !isKnownIntrinsic(*callee)
                                   : callee->isDeclaration())
      os << "calls " << callee->getName();
  } else if (isa<AtomicCmpXchgInst, InvokeInst, IndirectBrInst, LandingPadInst>(
                 instruction) ||
             (isa<AllocaInst>(instruction) &&
              !cast<AllocaInst>(instruction).isStaticAlloca())) {
    os << "has the instruction " << instruction.getOpcodeName();
  }
  return trouble;
}

std::string nax::findUnknownToPtx(const Module &module) {
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function)) {
      std::string trouble = troubleWith(instruction);
      if (!trouble.empty())
        return trouble + " in @" + function.getName().str();
    }
  return {};
}
