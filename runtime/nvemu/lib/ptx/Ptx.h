//===- Ptx.h - PTX text as data ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// What the parser makes of a module. Names in nested scopes are made unique by
// the parser (`%r1` of an inner scope is `%r1#2`; # is in no name of PTX), so each
// function has one flat list of registers, those that it uses, and one of statements.
// A vector register v is its parts, v.x and so on.
//
//===----------------------------------------------------------------------===//

#ifndef NVEMU_PTX_PTX_H
#define NVEMU_PTX_PTX_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nvemu::ptx {

enum class Space { Generic, Global, Shared, Local, Const, Param };

enum class Type {
  Pred, B8, B16, B32, B64, B128, U8, U16, U32, U64, S8, S16, S32, S64,
  F16, F16x2, BF16, BF16x2, TF32, F32, F64, E4M3x2, E5M2x2,
};
unsigned bitsOf(Type);                             // Pred is 1
std::optional<Type> typeNamed(std::string_view);   // "f32", "bf16x2"
std::string_view nameOf(Type);

struct Location {            // .loc; file 0: none
  unsigned file = 0, line = 0, column = 0;
};

struct Operand {
  enum class Kind {
    Register,    // name
    Special,     // name: "%tid.x", "%laneid", "%clock64"
    Integer,     // bits; also WARP_SZ
    Float,       // bits of an f64; 0f and 0F literals, which are of 32 bits, are widened exactly
    Symbol,      // name + offset: the address of a variable, or a function
    Address,     // [base + offset]; base is parts[0] (Register or Symbol), absent for an absolute one.
                 // parts[1...] are what stands beside it: [tensorMap, {coordinates}]
    Vector,      // {parts...}
    Pair,        // a|b, of setp and shfl: parts
    Label,       // name
    Sink,        // _
  };
  Kind kind = Kind::Sink;
  std::string name;
  uint64_t bits = 0;
  int64_t offset = 0;
  bool negated = false;      // !%p
  bool isShort = false;      // of Float: it was a 0f literal
  std::vector<Operand> parts;
};

struct Instruction {
  std::string opcode;                    // "ld", "mma", "cp"
  std::vector<std::string> modifiers;    // "sync", "aligned", "m16n8k16", "row", ...; "shared::cta" is one
  std::vector<Operand> operands;
  std::string guard;                     // a predicate register, or empty
  bool guardNegated = false;
  unsigned line = 0;                     // of the PTX text
  Location location;
  // Of call: results, callee and arguments are operands 0 (Vector), 1, 2 (Vector).

  bool has(std::string_view modifier) const;
  /// The modifiers that name types, in order.
  std::vector<Type> types() const;
  std::optional<Space> space() const;
  std::string fullName() const;          // "cp.async.cg.shared.global"
};

struct Variable {
  std::string name;
  Space space = Space::Global;
  Type type = Type::B8;
  unsigned alignment = 0;                // bytes; at least the type's size
  uint64_t count = 1;                    // elements; 0: extern, sized by the launch
  bool isArray = false, isExtern = false;
  std::vector<uint8_t> initial;          // empty: zero (global, const)
  struct Fixup { uint64_t offset; std::string symbol; int64_t addend; };
  std::vector<Fixup> fixups;             // addresses of other variables within `initial`
  uint64_t bytes() const;
  unsigned line = 0;
};

struct Statement {
  std::string label;                     // not empty: a label, and no instruction
  Instruction instruction;
  std::vector<std::string> targets;      // of .branchtargets
};

struct Function {
  std::string name;
  bool isEntry = false, isDeclaration = false, noReturn = false;
  std::vector<Variable> parameters, results;      // space Param
  std::map<std::string, Type> registers;
  std::vector<Variable> variables;                // .local, .shared and .param of its scopes
  std::vector<Statement> body;
  std::optional<unsigned> maxThreads[3], requiredThreads[3], minBlocks, maxRegisters;
  unsigned line = 0;
};

struct Module {
  unsigned versionMajor = 0, versionMinor = 0;
  std::string target;                    // "sm_90a"
  unsigned addressBits = 64;
  std::map<unsigned, std::string> files; // .file
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<std::string> lines;        // of the text, for reports
  const Function *function(std::string_view name) const;
};

/// nullptr, and `error` is `line 12: what is wrong`. Debug sections are skipped.
std::unique_ptr<Module> parse(std::string_view text, std::string &error);

} // namespace nvemu::ptx

#endif // NVEMU_PTX_PTX_H
