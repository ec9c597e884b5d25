//===- Ptx.cpp - small questions to the syntax tree -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Ptx.h"

#include <algorithm>

using namespace nvemu::ptx;

namespace {

struct Named {
  Type type;
  std::string_view name;
  unsigned bits;
};

constexpr Named types[] = {
    {Type::Pred, "pred", 1},  {Type::B8, "b8", 8},          {Type::B16, "b16", 16},       {Type::B32, "b32", 32},
    {Type::B64, "b64", 64},   {Type::B128, "b128", 128},    {Type::U8, "u8", 8},          {Type::U16, "u16", 16},
    {Type::U32, "u32", 32},   {Type::U64, "u64", 64},       {Type::S8, "s8", 8},          {Type::S16, "s16", 16},
    {Type::S32, "s32", 32},   {Type::S64, "s64", 64},       {Type::F16, "f16", 16},       {Type::F16x2, "f16x2", 32},
    {Type::BF16, "bf16", 16}, {Type::BF16x2, "bf16x2", 32}, {Type::TF32, "tf32", 32},     {Type::F32, "f32", 32},
    {Type::F64, "f64", 64},   {Type::E4M3x2, "e4m3x2", 16}, {Type::E5M2x2, "e5m2x2", 16},
};

const Named &named(Type type) {
  return *std::find_if(std::begin(types), std::end(types), [&](const Named &each) { return each.type == type; });
}

} // namespace

unsigned nvemu::ptx::bitsOf(Type type) { return named(type).bits; }
std::string_view nvemu::ptx::nameOf(Type type) { return named(type).name; }

std::optional<Type> nvemu::ptx::typeNamed(std::string_view name) {
  for (const Named &each : types)
    if (each.name == name)
      return each.type;
  return std::nullopt;
}

bool Instruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::vector<Type> Instruction::types() const {
  std::vector<Type> found;
  for (const std::string &modifier : modifiers)
    if (auto type = typeNamed(modifier))
      found.push_back(*type);
  return found;
}

std::optional<Space> Instruction::space() const {
  static constexpr std::pair<std::string_view, Space> spaces[] = {
      {"global", Space::Global}, {"shared", Space::Shared}, {"local", Space::Local},
      {"const", Space::Const},   {"param", Space::Param},
  };
  for (const std::string &modifier : modifiers)
    for (auto [name, space] : spaces)
      if (std::string_view(modifier).substr(0, modifier.find("::")) == name)
        return space;
  return std::nullopt;
}

std::string Instruction::fullName() const {
  std::string name = opcode;
  for (const std::string &modifier : modifiers)
    name += "." + modifier;
  return name;
}

uint64_t Variable::bytes() const { return count * ((bitsOf(type) + 7) / 8); }

const Function *Module::function(std::string_view name) const {
  for (const Function &each : functions)
    if (each.name == name)
      return &each;
  return nullptr;
}
