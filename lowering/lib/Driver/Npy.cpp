//===- Npy.cpp - numpy's array files --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A magic string, a version, the length of a header, the header (a Python
// dictionary of three keys), the elements. Everything a file says is checked
// against the file's own length before it is believed.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include "Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace nax;
using namespace nax::driver;

static constexpr StringLiteral magic = "\x93NUMPY";

int64_t NpyArray::count() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

StringRef nax::driver::descrOf(DType dtype) {
  switch (dtype) {
  case DType::F32:
    return "<f4";
  case DType::F16:
    return "<f2";
  case DType::BF16:
    return "<u2";
  case DType::F64:
    return "<f8";
  case DType::I32:
    return "<i4";
  case DType::I64:
    return "<i8";
  case DType::Bool:
    return "|b1";
  }
  llvm_unreachable("every dtype has a numpy name");
}

std::string nax::driver::describeDescr(StringRef descr) {
  if (descr.size() < 3)
    return descr.str();
  StringRef kind = StringSwitch<StringRef>(descr.substr(1, 1))
                       .Case("f", "float")
                       .Case("i", "int")
                       .Case("u", "uint")
                       .Case("b", "bool")
                       .Case("c", "complex")
                       .Default("");
  unsigned bytes = 0;
  if (kind.empty() || descr.substr(2).getAsInteger(10, bytes))
    return descr.str();
  return kind == "bool" ? "bool" : kind.str() + std::to_string(bytes * 8);
}

namespace {

/// Reads the header's dictionary, which numpy writes with repr(): the keys in
/// any order, strings in single or double quotes, a trailing comma.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : text(text.trim()) {}

  bool parse(NpyArray &array, bool &fortran) {
    if (!text.consume_front("{"))
      return false;
    while (!text.starts_with("}")) {
      std::string key;
      if (!string(key) || !token(":"))
        return false;
      bool good = key == "descr"           ? string(array.descr)
                  : key == "fortran_order" ? boolean(fortran)
                  : key == "shape"         ? tuple(array.shape)
                                           : false;
      if (!good)
        return false;
      seen += 1;
      if (!token(",") && !text.starts_with("}"))
        return false;
      text = text.ltrim();
    }
    return seen == 3;
  }

private:
  bool token(StringRef what) {
    text = text.ltrim();
    bool there = text.consume_front(what);
    text = text.ltrim();
    return there;
  }
  bool string(std::string &out) {
    text = text.ltrim();
    if (text.empty() || (text[0] != '\'' && text[0] != '"'))
      return false;
    size_t end = text.find(text[0], 1);
    if (end == StringRef::npos)
      return false;
    out = text.slice(1, end).str();
    text = text.drop_front(end + 1);
    return true;
  }
  bool boolean(bool &out) {
    out = token("True");
    return out || token("False");
  }
  bool tuple(SmallVectorImpl<int64_t> &out) {
    if (!token("("))
      return false;
    while (!token(")")) {
      int64_t size = 0;
      if (text.consumeInteger(10, size) || size < 0 || out.size() == 32)
        return false;
      out.push_back(size);
      if (!token(",") && !text.starts_with(")"))
        return false;
    }
    return true;
  }

  StringRef text;
  int seen = 0;
};

} // namespace

/// The element's size in bytes, or an error in words.
static Expected<int64_t> elementSize(StringRef path, StringRef descr) {
  int64_t size = 0;
  if (descr.size() < 3 || descr.substr(2).getAsInteger(10, size) || size < 1 ||
      size > 16 || !StringRef("fiubc").contains(descr[1]))
    return wrong(path + ": elements of type " + descr + " are not numbers");
  if (descr[0] == '>')
    return wrong(path + ": holds big-endian numbers; save it with "
                        "a.astype(a.dtype.newbyteorder('<'))");
  if (descr[0] != '<' && descr[0] != '|')
    return wrong(path + ": elements of type " + descr + " have no byte order");
  return size;
}

Expected<NpyArray> nax::driver::parseNpy(StringRef path, StringRef text) {
  if (!text.consume_front(magic) || text.size() < 4)
    return wrong(path + ": is no npy file");
  unsigned version = static_cast<unsigned char>(text[0]);
  if (version < 1 || version > 3)
    return wrong(path + ": is npy of version " + Twine(version) +
                 ", which is not known");
  unsigned lengthBytes = version == 1 ? 2 : 4;
  if (text.size() < 2 + lengthBytes)
    return wrong(path + ": ends within its header");
  const char *length = text.data() + 2;
  uint64_t headerSize = version == 1 ? support::endian::read16le(length)
                                     : support::endian::read32le(length);
  text = text.drop_front(2 + lengthBytes);
  if (headerSize > text.size())
    return wrong(path + ": ends within its header");

  NpyArray array;
  bool fortran = false;
  if (!HeaderParser(text.take_front(headerSize)).parse(array, fortran))
    return wrong(path + ": has a header that is not numpy's");
  if (fortran)
    return wrong(path + ": is in Fortran order; save it with "
                        "np.ascontiguousarray");
  Expected<int64_t> element = elementSize(path, array.descr);
  if (!element)
    return element.takeError();
  text = text.drop_front(headerSize);
  uint64_t bytes = *element;
  for (int64_t size : array.shape) {
    if (size != 0 && bytes > text.size() / static_cast<uint64_t>(size)) {
      bytes = text.size() + 1;
      break;
    }
    bytes *= size;
  }
  // A later size of 0 makes an empty array of what was too large before it.
  if (is_contained(array.shape, 0))
    bytes = 0;
  if (bytes != text.size())
    return wrong(path + ": has " + Twine(text.size()) +
                 " bytes of elements, which is not what its shape asks for");
  array.bytes = text.str();
  return array;
}

std::string nax::driver::formatNpy(StringRef descr, ArrayRef<int64_t> shape,
                                   StringRef bytes) {
  std::string header =
      "{'descr': '" + descr.str() + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : shape)
    header += std::to_string(size) + (shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1)
    header.resize(header.size() - 2);
  header += "), }";
  // The elements start at a multiple of 64.
  size_t prefix = magic.size() + 4;
  while ((prefix + header.size() + 1) % 64)
    header += ' ';
  header += '\n';

  std::string file = magic.str() + std::string("\x01\x00", 2);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  return file + header + bytes.str();
}
