//===- Npy.cpp - arrays in numpy's file format ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

using namespace nvemu::tool;

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

/// 'f4' and the like: a kind and bytes.
std::string codeOf(NumberType type) {
  char kind = type.kind == NumberType::Kind::Float ? 'f' : type.kind == NumberType::Kind::Signed ? 'i' : 'u';
  return kind + std::to_string(type.bytes);
}

/// What stands in the header behind a key: 'descr': '<f4' gives '<f4'.
std::string_view valueOf(std::string_view header, std::string_view key) {
  size_t at = header.find("'" + std::string(key) + "':");
  if (at == header.npos)
    return {};
  std::string_view rest = header.substr(at + key.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (rest.starts_with('\''))
    return rest.substr(1, rest.find('\'', 1) - 1);
  if (rest.starts_with('('))
    return rest.substr(1, rest.find(')') - 1);
  return rest.substr(0, rest.find_first_of(",}"));
}

/// The numbers of a shape like `2, 3,` multiplied; false: no shape.
bool countOf(std::string_view shape, size_t &count) {
  count = 1;
  size_t number = 0;
  bool within = false;
  for (char c : std::string(shape) + ",") {
    if (c >= '0' && c <= '9') {
      number = within ? number * 10 + (c - '0') : c - '0';
      within = true;
    } else if (c == ',' && within) {
      if (number && count > (size_t(1) << 40) / number)
        return false;
      count *= number;
      within = false;
    } else if (c != ' ' && c != ',') {
      return false;
    }
  }
  return true;
}

bool readHeader(std::FILE *file, std::string &header) {
  unsigned char head[12];
  if (std::fread(head, 1, 10, file) != 10 || std::memcmp(head, "\x93NUMPY", 6) != 0 || head[6] < 1 || head[6] > 3)
    return false;
  size_t bytes = head[8] | head[9] << 8;
  if (head[6] > 1) {
    if (std::fread(head + 10, 1, 2, file) != 2)
      return false;
    bytes |= size_t(head[10]) << 16 | size_t(head[11]) << 24;
  }
  if (bytes > 1 << 20)
    return false;
  header.resize(bytes);
  return std::fread(header.data(), 1, bytes, file) == bytes;
}

/// Why this header does not describe `count` numbers of the type; empty: it does.
std::string mismatch(std::string_view header, NumberType type, size_t count) {
  std::string_view descr = valueOf(header, "descr");
  std::string code(descr.substr(std::min<size_t>(1, descr.size())));
  bool isBits = type.kind == NumberType::Kind::Bits && code.size() == 2 && code[1] == char('0' + type.bytes);
  if (descr.starts_with('>') || (code != codeOf(type) && !isBits))
    return "which has numbers of type " + std::string(descr) + ", not <" + codeOf(type);
  size_t found = 0;
  if (!valueOf(header, "fortran_order").starts_with("False"))
    return "which is not in C order";
  if (!countOf(valueOf(header, "shape"), found))
    return "which has no shape";
  if (found != count)
    return "which has " + std::to_string(found) + " numbers, not " + std::to_string(count);
  return "";
}

} // namespace

bool nvemu::tool::readNpy(const std::string &name, NumberType type, size_t count, void *to, std::string &error) {
  File file(std::fopen(name.c_str(), "rb"), std::fclose);
  std::string header, why;
  if (!file)
    why = "which cannot be opened";
  else if (!readHeader(file.get(), header))
    why = "which is no .npy file";
  else
    why = mismatch(header, type, count);
  if (why.empty() && std::fread(to, type.bytes, count, file.get()) != count)
    why = "which ends early";
  error = "reads " + name + ", " + why;
  return why.empty();
}

bool nvemu::tool::writeNpy(const std::string &name, NumberType type, size_t count, const void *from,
                           std::string &error) {
  std::string descr = (type.bytes == 1 ? "|" : "<") + codeOf(type);
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
  // The data begin at a multiple of 64 bytes.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  unsigned char head[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
  head[8] = header.size() & 0xff;
  head[9] = header.size() >> 8;
  File file(std::fopen(name.c_str(), "wb"), std::fclose);
  if (!file) {
    error = name + " cannot be written";
    return false;
  }
  bool fine = std::fwrite(head, 1, sizeof head, file.get()) == sizeof head &&
              std::fwrite(header.data(), 1, header.size(), file.get()) == header.size() &&
              std::fwrite(from, type.bytes, count, file.get()) == count;
  fine &= std::fclose(file.release()) == 0;
  if (!fine) {
    std::remove(name.c_str());
    error = name + " cannot be written to its end";
  }
  return fine;
}
