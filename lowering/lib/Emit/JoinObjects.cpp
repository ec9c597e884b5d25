//===- JoinObjects.cpp - several objects become one -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// An object may have many sections of one name, so that nothing is laid out
// anew: the sections of all objects stand one after the other, and only what
// refers to sections and symbols by number gets the new numbers. Structures and
// constants are those of the System V ABI (gABI, chapters 4 and 5).
//
//===----------------------------------------------------------------------===//

#include "JoinObjects.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/MathExtras.h"

#include <optional>
#include <string>
#include <vector>

using namespace llvm;

namespace {

using Elf = object::ELF64LE;
using File = object::ELFFile<Elf>;

/// Bytes that end with 0, each text once.
class Strings {
public:
  uint32_t add(StringRef text) {
    auto [place, isNew] = places.try_emplace(text, bytes.size());
    if (isNew)
      bytes.append(text.data(), text.size()).push_back('\0');
    return place->second;
  }
  const std::string &text() const { return bytes; }

private:
  std::string bytes = std::string(1, '\0');
  StringMap<uint32_t> places{{{"", 0u}}};
};

struct Input {
  File file;
  Elf::ShdrRange sections;
  Elf::SymRange symbols;
  StringRef names;                           ///< of the symbols
  std::vector<uint32_t> sectionAt, symbolAt; ///< the new numbers
};

struct Section {
  Elf::Shdr header;
  std::string bytes;
};

class Joiner {
public:
  Error add(StringRef object);
  Error join(raw_ostream &os);

private:
  bool isKept(const Elf::Shdr &section, StringRef name);
  Error takeSections(Input &input);
  Error takeLocals(Input &input);
  Error takeGlobals(Input &input, bool defined);
  Error renumber(Input &input);
  void put(Elf::Sym symbol, StringRef name, std::vector<Elf::Sym> &to);
  void write(raw_ostream &os);

  std::vector<Input> inputs;
  std::vector<Section> sections;
  std::vector<Elf::Sym> locals, globals;
  /// Numbers of symbols by name; of a global one, that among globals.
  StringMap<uint32_t> hidden, shown;
  Strings strings;
  bool hasStackNote = false;
};

} // namespace

static Error unable(const Twine &why) {
  return createStringError("objects can't be joined: " + why);
}

Error Joiner::add(StringRef object) {
  Expected<File> file = File::create(object);
  if (!file)
    return file.takeError();
  Input input{*file, {}, {}, "", {}, {}};
  if (Error error = file->sections().moveInto(input.sections))
    return error;
  for (const Elf::Shdr &section : input.sections) {
    if (section.sh_type == ELF::SHT_GROUP ||
        section.sh_type == ELF::SHT_SYMTAB_SHNDX)
      return unable("a section of a type that is not known");
    if (section.sh_type != ELF::SHT_SYMTAB)
      continue;
    if (Error error = file->symbols(&section).moveInto(input.symbols))
      return error;
    if (Error error =
            file->getStringTableForSymtab(section).moveInto(input.names))
      return error;
  }
  inputs.push_back(std::move(input));
  return Error::success();
}

/// Tables are made anew; of the note about the stack one is enough.
bool Joiner::isKept(const Elf::Shdr &section, StringRef name) {
  switch (section.sh_type) {
  case ELF::SHT_NULL:
  case ELF::SHT_SYMTAB:
  case ELF::SHT_STRTAB:
  case ELF::SHT_LLVM_ADDRSIG:
    return false;
  default:
    break;
  }
  return name != ".note.GNU-stack" || !std::exchange(hasStackNote, true);
}

Error Joiner::takeSections(Input &input) {
  for (const Elf::Shdr &section : input.sections) {
    Expected<StringRef> name = input.file.getSectionName(section);
    if (!name)
      return name.takeError();
    if (!isKept(section, *name)) {
      input.sectionAt.push_back(0);
      continue;
    }
    Section copy{section, ""};
    copy.header.sh_name = strings.add(*name);
    if (section.sh_type != ELF::SHT_NOBITS) {
      Expected<ArrayRef<uint8_t>> bytes =
          input.file.getSectionContents(section);
      if (!bytes)
        return bytes.takeError();
      copy.bytes.assign(bytes->begin(), bytes->end());
    }
    input.sectionAt.push_back(sections.size());
    sections.push_back(std::move(copy));
  }
  return Error::success();
}

void Joiner::put(Elf::Sym symbol, StringRef name, std::vector<Elf::Sym> &to) {
  symbol.st_name = strings.add(name);
  to.push_back(symbol);
}

static bool isReserved(uint16_t section) {
  return section == ELF::SHN_UNDEF || section >= ELF::SHN_LORESERVE;
}

/// Local symbols, and those that only these objects see.
Error Joiner::takeLocals(Input &input) {
  input.symbolAt.assign(input.symbols.size(), 0);
  for (auto [i, symbol] : enumerate(input.symbols)) {
    bool isLocal = symbol.getBinding() == ELF::STB_LOCAL;
    bool isHidden = symbol.getVisibility() == ELF::STV_HIDDEN &&
                    symbol.st_shndx != ELF::SHN_UNDEF;
    if (i == 0 || !(isLocal || isHidden))
      continue;
    Expected<StringRef> name = symbol.getName(input.names);
    if (!name)
      return name.takeError();
    Elf::Sym copy = symbol;
    copy.setBinding(ELF::STB_LOCAL);
    copy.setVisibility(ELF::STV_DEFAULT);
    if (symbol.st_shndx == ELF::SHN_XINDEX)
      return unable("there are too many sections");
    if (!isReserved(symbol.st_shndx)) {
      copy.st_shndx = input.sectionAt[symbol.st_shndx];
      // Of a section that is left out.
      if (copy.st_shndx == 0)
        continue;
    }
    input.symbolAt[i] = locals.size();
    if (isHidden && !hidden.try_emplace(*name, locals.size()).second)
      return unable(*name + " is there twice");
    put(copy, *name, locals);
  }
  return Error::success();
}

/// Global symbols, those that are defined before those that are asked for.
Error Joiner::takeGlobals(Input &input, bool defined) {
  for (auto [i, symbol] : enumerate(input.symbols)) {
    bool isDefined = symbol.st_shndx != ELF::SHN_UNDEF;
    bool isHidden = symbol.getVisibility() == ELF::STV_HIDDEN;
    if (i == 0 || symbol.getBinding() == ELF::STB_LOCAL ||
        isDefined != defined || (isDefined && isHidden))
      continue;
    Expected<StringRef> name = symbol.getName(input.names);
    if (!name)
      return name.takeError();
    if (auto known = hidden.find(*name); known != hidden.end()) {
      input.symbolAt[i] = known->second;
      continue;
    }
    if (isHidden)
      return unable(*name + " is nowhere defined");
    auto [place, isNew] = shown.try_emplace(*name, globals.size());
    input.symbolAt[i] = locals.size() + place->second;
    if (!isNew && isDefined)
      return unable(*name + " is there twice");
    if (!isNew)
      continue;
    Elf::Sym copy = symbol;
    if (!isReserved(symbol.st_shndx))
      copy.st_shndx = input.sectionAt[symbol.st_shndx];
    put(copy, *name, globals);
  }
  return Error::success();
}

/// What refers to a section or a symbol by its number.
Error Joiner::renumber(Input &input) {
  uint32_t symbolTable = sections.size();
  for (auto [i, at] : enumerate(input.sectionAt)) {
    if (at == 0)
      continue;
    Section &section = sections[at];
    const Elf::Shdr &old = input.sections[i];
    if (old.sh_flags & ELF::SHF_LINK_ORDER)
      section.header.sh_link = input.sectionAt[old.sh_link];
    if (old.sh_type == ELF::SHT_REL)
      return unable("relocations without addends");
    if (old.sh_type != ELF::SHT_RELA)
      continue;
    section.header.sh_link = symbolTable;
    section.header.sh_info = input.sectionAt[old.sh_info];
    auto *relocations = reinterpret_cast<Elf::Rela *>(section.bytes.data());
    for (size_t r = 0, n = section.bytes.size() / sizeof(Elf::Rela); r < n;
         ++r) {
      uint32_t symbol = relocations[r].getSymbol(/*isMips64EL=*/false);
      if (symbol >= input.symbolAt.size() ||
          (symbol && !input.symbolAt[symbol]))
        return unable("a relocation refers to no symbol");
      relocations[r].setSymbol(input.symbolAt[symbol], /*isMips64EL=*/false);
    }
  }
  return Error::success();
}

Error Joiner::join(raw_ostream &os) {
  sections.emplace_back();
  locals.emplace_back();
  for (Input &input : inputs)
    if (Error error = takeSections(input))
      return error;
  for (Input &input : inputs)
    if (Error error = takeLocals(input))
      return error;
  for (bool defined : {true, false})
    for (Input &input : inputs)
      if (Error error = takeGlobals(input, defined))
        return error;
  for (Input &input : inputs)
    if (Error error = renumber(input))
      return error;
  if (sections.size() + 2 >= ELF::SHN_LORESERVE)
    return unable("there are too many sections");

  Section symbols{};
  symbols.header.sh_name = strings.add(".symtab");
  symbols.header.sh_type = ELF::SHT_SYMTAB;
  symbols.header.sh_link = sections.size() + 1;
  symbols.header.sh_info = locals.size();
  symbols.header.sh_addralign = 8;
  symbols.header.sh_entsize = sizeof(Elf::Sym);
  for (const auto &part : {locals, globals})
    symbols.bytes.append(reinterpret_cast<const char *>(part.data()),
                         part.size() * sizeof(Elf::Sym));
  sections.push_back(std::move(symbols));
  Section names{};
  names.header.sh_name = strings.add(".strtab");
  names.header.sh_type = ELF::SHT_STRTAB;
  names.header.sh_addralign = 1;
  names.bytes = strings.text();
  sections.push_back(std::move(names));
  write(os);
  return Error::success();
}

void Joiner::write(raw_ostream &os) {
  uint64_t offset = sizeof(Elf::Ehdr);
  for (Section &section : sections) {
    bool hasBytes = section.header.sh_type != ELF::SHT_NULL &&
                    section.header.sh_type != ELF::SHT_NOBITS;
    if (hasBytes) {
      offset =
          alignTo(offset, std::max<uint64_t>(1, section.header.sh_addralign));
      section.header.sh_size = section.bytes.size();
    }
    if (section.header.sh_type != ELF::SHT_NULL)
      section.header.sh_offset = offset;
    offset += section.bytes.size();
  }
  Elf::Ehdr header = inputs.front().file.getHeader();
  header.e_shoff = alignTo(offset, 8);
  header.e_shnum = sections.size();
  header.e_shstrndx = sections.size() - 1;
  auto bytesOf = [](const auto &structure) {
    return StringRef(reinterpret_cast<const char *>(&structure),
                     sizeof structure);
  };
  os << bytesOf(header);
  uint64_t at = sizeof header;
  for (const Section &section : sections) {
    if (section.bytes.empty())
      continue;
    os.write_zeros(section.header.sh_offset - at);
    os << section.bytes;
    at = section.header.sh_offset + section.bytes.size();
  }
  os.write_zeros(header.e_shoff - at);
  for (const Section &section : sections)
    os << bytesOf(section.header);
}

Error nax::joinObjects(ArrayRef<StringRef> objects, raw_ostream &os) {
  Joiner joiner;
  for (StringRef object : objects)
    if (Error error = joiner.add(object))
      return error;
  return joiner.join(os);
}
