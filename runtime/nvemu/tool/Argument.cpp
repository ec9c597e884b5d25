//===- Argument.cpp - arguments of a kernel, from the command line --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Argument.h"
#include "Npy.h"

#include "nvemu/nvemu.h"

#include <charconv>
#include <cstring>

using namespace nvemu::tool;

namespace {

constexpr size_t mostBytes = size_t(1) << 34;

/// splitmix64, so that a seed gives the same numbers everywhere.
uint64_t draw(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

} // namespace

bool Argument::parse(std::string_view text, uint64_t dataSeed, Argument &argument, std::string &error) {
  auto fail = [&](const std::string &why) {
    error = "the argument '" + std::string(text) + "' " + why;
    return false;
  };
  size_t colon = text.find(':');
  if (colon == text.npos)
    return fail("has no ':'; write it as i32:5 or f32[128]:zero");
  std::string_view head = text.substr(0, colon), values = text.substr(colon + 1);
  size_t bracket = head.find('[');
  auto type = numberType(head.substr(0, bracket));
  if (!type)
    return fail("has no type; it is one of b8 to b64, u8 to u64, i8 to i64, f16, bf16, f32, f64");
  argument.type = *type;
  std::string why;
  if (bracket == head.npos) {
    std::vector<uint64_t> list;
    if (!argument.parseList(values, list, why))
      return fail(why);
    argument.count = list.size();
    argument.bytes.resize(list.size() * type->bytes);
    for (size_t element = 0; element < list.size(); ++element)
      argument.set(element, list[element]);
    return true;
  }
  std::string_view size = head.substr(bracket + 1);
  auto [end, code] = std::from_chars(size.data(), size.data() + size.size(), argument.count);
  if (code != std::errc() || std::string_view(end, size.data() + size.size()) != "]" || !argument.count)
    return fail("has a size that is no number of elements; write it as f32[128]:zero");
  if (argument.count > mostBytes / type->bytes)
    return fail("is larger than 16 GiB");
  return argument.parseBuffer(values, dataSeed, why) || fail(why);
}

bool Argument::parseBuffer(std::string_view values, uint64_t dataSeed, std::string &error) {
  size_t size = count * type.bytes;
  address = nvemu::allocate(size);
  if (!address) {
    error = "is larger than the memory that there is";
    return false;
  }
  memory = std::shared_ptr<void>(address, [](void *each) { nvemu::release(each); });
  if (values == "uninit") {
    std::memset(address, 0xff, size);
    return true;
  }
  if (!fill(values, dataSeed, error))
    return false;
  nvemu::markInitialized(address, size);
  return true;
}

bool Argument::fill(std::string_view values, uint64_t dataSeed, std::string &error) {
  if (values == "zero") {
    std::memset(address, 0, count * type.bytes);
    return true;
  }
  if (values.starts_with('@'))
    return readNpy(std::string(values.substr(1)), type, count, address, error);
  std::vector<uint64_t> list;
  bool isIota = values == "iota", isRandom = values == "random";
  if (!isIota && !isRandom && !parseList(values, list, error))
    return false;
  uint64_t mask = ~0ull >> (64 - 8 * type.bytes);
  for (size_t element = 0; element < count; ++element) {
    if (isIota)
      set(element, numberFrom(type, double(element)));
    else if (isRandom && type.isFloat())
      set(element, numberFrom(type, double(int64_t(draw(dataSeed) >> 40) - (1 << 23)) / (1 << 23)));
    else if (isRandom)
      set(element, draw(dataSeed) & mask);
    else
      set(element, list[element % list.size()]);
  }
  return true;
}

bool Argument::parseList(std::string_view values, std::vector<uint64_t> &list, std::string &error) const {
  for (;;) {
    size_t comma = values.find(',');
    std::string_view number = values.substr(0, comma);
    auto bits = parseNumber(type, number);
    if (!bits) {
      error = "has '" + std::string(number) + "', which is no number of its type";
      return false;
    }
    list.push_back(*bits);
    if (comma == values.npos)
      return true;
    values.remove_prefix(comma + 1);
  }
}

void Argument::set(size_t element, uint64_t bits) {
  unsigned char *begin = isBuffer() ? static_cast<unsigned char *>(address) : bytes.data();
  std::memcpy(begin + element * type.bytes, &bits, type.bytes);
}

uint64_t Argument::get(size_t element) const {
  uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const unsigned char *>(address) + element * type.bytes, type.bytes);
  return bits;
}

std::string Argument::show(bool hex) const {
  std::string text;
  for (size_t element = 0; element < count; ++element)
    text += (element ? " " : "") + showNumber(type, get(element), hex);
  return text;
}

bool Argument::write(const std::string &file, std::string &error) const {
  return writeNpy(file, type, count, address, error);
}
