//===- CppHeader.cpp - the C++ header of a compiled model -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Over the C functions it adds what C can't say: a buffer comes with its sizes,
// so buffers that disagree about an axis are found before the call; and
// parameters close themselves. Nothing in it throws or allocates, except for
// the text of an error.
//
//===----------------------------------------------------------------------===//

#include "nax/Emit/Headers.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace nax;

static constexpr StringLiteral preamble = R"(
/// What a call came to: a status and, if it failed, why.
class [[nodiscard]] outcome {
public:
  outcome(nax_status status, std::string message) : status_(status), message_(std::move(message)) {}
  explicit operator bool() const { return status_ == NAX_OK; }
  nax_status status() const { return status_; }
  const std::string &message() const { return message_; }

private:
  nax_status status_;
  std::string message_;
};

namespace detail {

inline outcome finished(nax_status status, const nax_context *context) {
  return {status, status == NAX_OK ? "" : nax_last_error(context)};
}

inline outcome axis_mismatch(const char *axis, const char *one, std::int64_t size, const char *other,
                             std::int64_t other_size) {
  return {NAX_E_SIZE, std::string("axis ") + axis + ": " + one + " has " + std::to_string(size) + ", " + other +
                          " has " + std::to_string(other_size)};
}

inline outcome count_mismatch(const char *buffer, std::int64_t count, std::size_t size) {
  if (count < 0)
    return {NAX_E_SIZE, std::string(buffer) + ": a size is negative, or they are more than memory can hold"};
  return {NAX_E_SIZE,
          std::string(buffer) + " is " + std::to_string(count) + " elements, but got " + std::to_string(size)};
}

/// How many elements these sizes make; -1 if no memory could hold them.
inline std::int64_t count(std::initializer_list<std::int64_t> sizes) {
  std::int64_t product = 1;
  for (std::int64_t size : sizes) {
    if (size < 0 || (size > 0 && product > (std::int64_t{1} << 48) / size))
      return -1;
    product *= size;
  }
  return product;
}

} // namespace detail
)";

/// Parameters and their context; %0 is the model's name.
static constexpr StringLiteral paramsClass = R"(
/// The model's parameters. Movable; closed with the last owner.
class params {
public:
  params() = default;
  params(params &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  params &operator=(params &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~params() { %0_params_close(handle_); }

  /// From a safetensors, GGUF or npy file, a folder of npy files, or a packed
  /// file, which is mapped.
  outcome open(nax_context *context, const char *path) {
    %0_params_close(std::exchange(handle_, nullptr));
    return detail::finished(%0_params_open(context, path, &handle_), context);
  }
  const %0_params *get() const { return handle_; }

private:
  %0_params *handle_ = nullptr;
};
)";

static void printTemplate(StringRef text, StringRef name, raw_ostream &os) {
  SmallVector<StringRef> pieces;
  text.split(pieces, "%0");
  os << join(pieces, name);
}

namespace {

/// Writes the C++ side of one entry.
class EntryPrinter {
public:
  EntryPrinter(const ModelInfo &info, const ModelEntry &entry, raw_ostream &os)
      : info(info), entry(entry), names(info, entry), os(os) {}

  void print();

private:
  /// Handed over as it is, and not as a view with its sizes.
  bool isBare(size_t index) const {
    return entry.buffers[index].axes.empty() || entry.buffers[index].isCounts();
  }
  /// One number, by value or reference.
  bool isScalar(size_t index) const {
    return entry.buffers[index].axes.empty() &&
           !entry.buffers[index].isCounts();
  }
  std::string spanOf(size_t index) const;
  std::string typeOf(size_t index) const {
    return entry.name + "_" + names.buffers[index];
  }
  /// Run-time axes of a buffer, each once, as places in entry.dims.
  SmallVector<size_t> dimsOf(size_t index) const;
  void printView(size_t index);
  void printFunction();
  void printSizes();
  void printCount(size_t index);
  void printCall();

  const ModelInfo &info;
  const ModelEntry &entry;
  CNames names;
  raw_ostream &os;
};

} // namespace

std::string EntryPrinter::spanOf(size_t index) const {
  const ModelBuffer &buffer = entry.buffers[index];
  std::string element = cTypeOf(buffer.dtype).str();
  if (StringRef(element).ends_with("_t"))
    element = "std::" + element;
  if (buffer.isInput())
    element = "const " + element;
  return isScalar(index) ? element : "std::span<" + element + ">";
}

SmallVector<size_t> EntryPrinter::dimsOf(size_t index) const {
  SmallVector<size_t> dims;
  for (auto [place, axis] : enumerate(entry.dims))
    if (is_contained(entry.buffers[index].axes, axis))
      dims.push_back(place);
  return dims;
}

void EntryPrinter::printView(size_t index) {
  const ModelBuffer &buffer = entry.buffers[index];
  if (isBare(index) || buffer.isCache())
    return;
  os << "\n/// " << (buffer.isInput() ? "In " : "Out ") << buffer.text;
  if (buffer.role == Role::Input && buffer.bound >= 0)
    os << ": ids below " << buffer.bound;
  os << "\nstruct " << typeOf(index) << " {\n  " << spanOf(index) << " data;\n";
  for (size_t dim : dimsOf(index))
    os << "  std::int64_t " << names.dims[dim] << ";\n";
  os << "};\n";
}

/// Each run-time size comes from the first buffer that has it, or the cache.
void EntryPrinter::printSizes() {
  std::vector<std::string> owner(entry.dims.size());
  for (size_t index = 0; index < entry.buffers.size(); ++index) {
    if (isBare(index) || entry.buffers[index].isCache())
      continue;
    for (size_t dim : dimsOf(index)) {
      const std::string &size = names.dims[dim];
      std::string mine = names.buffers[index] + "." + size;
      if (owner[dim].empty()) {
        owner[dim] = entry.buffers[index].name;
        os << "  const std::int64_t " << size << " = " << mine << ";\n";
        continue;
      }
      os << "  if (" << mine << " != " << size << ")\n"
         << "    return detail::axis_mismatch(\""
         << info.axes[entry.dims[dim]].name << "\", \"" << owner[dim] << "\", "
         << size << ", \"" << entry.buffers[index].name << "\", " << mine
         << ");\n";
    }
  }
  for (auto [dim, name] : enumerate(names.dims))
    if (owner[dim].empty() && !name.empty())
      os << "  const std::int64_t " << name << " = cache.size_" << name
         << "();\n";
}

void EntryPrinter::printCount(size_t index) {
  const ModelBuffer &buffer = entry.buffers[index];
  if (isScalar(index) || buffer.isCache())
    return;
  SmallVector<std::string> sizes;
  for (int64_t axis : buffer.axes) {
    auto dim = find(entry.dims, axis);
    sizes.push_back(dim != entry.dims.end()
                        ? names.dims[dim - entry.dims.begin()]
                        : std::to_string(info.axes[axis].size));
  }
  std::string span = names.buffers[index];
  if (!buffer.isCounts())
    span += ".data";
  os << "  if (std::int64_t count = detail::count({" << join(sizes, ", ")
     << "}); " << (buffer.isCounts() ? span + ".data() && " : "")
     << "count != static_cast<std::int64_t>(" << span << ".size()))\n"
     << "    return detail::count_mismatch(\"" << buffer.name << " "
     << buffer.text << "\", count, " << span << ".size());\n";
}

void EntryPrinter::printCall() {
  os << "  return detail::finished(" << info.name << "_" << entry.name
     << "(context";
  if (!info.params.empty())
    os << ", params.get()";
  if (entry.hasCache())
    os << ", cache.get()";
  for (const std::string &dim : names.dims)
    if (!dim.empty())
      os << ", " << dim;
  for (auto [index, buffer] : enumerate(entry.buffers)) {
    const std::string &name = names.buffers[index];
    if (buffer.isCache())
      continue;
    if (buffer.isSeed())
      os << ", " << name;
    else if (buffer.isCounts())
      os << ", " << name << ".data()";
    else if (isScalar(index))
      os << ", &" << name;
    else
      os << ", " << name << ".data.data()";
  }
  os << ",\n      workspace.data(), workspace.size()), context);\n";
}

void EntryPrinter::printFunction() {
  os << "\n/// Without a workspace the library allocates it for this call.\n";
  for (auto [index, buffer] : enumerate(entry.buffers))
    if (buffer.isCounts())
      os << "/// Without " << names.buffers[index] << ": every row has "
         << info.axes[buffer.dataAxis].name << " new positions.\n";
  os << "inline outcome " << entry.name << "(nax_context *context";
  if (!info.params.empty())
    os << ", const params &params";
  if (entry.hasCache())
    os << ", " << cacheName(entry) << " &cache";
  for (auto [index, buffer] : enumerate(entry.buffers)) {
    if (buffer.isCache())
      continue;
    os << ", ";
    if (buffer.isSeed())
      os << "std::int64_t ";
    else if (buffer.isCounts())
      os << "std::span<const std::int32_t> ";
    else if (isScalar(index))
      os << spanOf(index) << " &";
    else
      os << typeOf(index) << " ";
    os << names.buffers[index];
  }
  os << ",\n    std::span<std::byte> workspace = {}) {\n";
  printSizes();
  for (size_t index = 0; index < entry.buffers.size(); ++index)
    printCount(index);
  printCall();
  os << "}\n";
}

void EntryPrinter::print() {
  for (size_t index = 0; index < entry.buffers.size(); ++index)
    printView(index);
  printFunction();
}

void nax::printCppHeader(const ModelInfo &info, StringRef cHeader,
                         raw_ostream &os) {
  std::string guard = "NAX_MODEL_" + StringRef(info.name).upper() + "_HPP";
  os << "// Model " << info.name << ", compiled by naxc: its C++20 interface.\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#if __cplusplus <= 201703L\n"
     << "#error \"this header is C++20, -std=c++20; " << cHeader
     << " beside it is for earlier C++ and for C\"\n"
     << "#else\n\n"
     << "#include \"" << cHeader << "\"\n\n"
     << "#include <cstddef>\n#include <cstdint>\n#include <initializer_list>\n"
     << "#include <span>\n#include <string>\n#include <utility>\n\n"
     << "namespace " << info.name << " {\n"
     << preamble;
  if (!info.params.empty())
    printTemplate(paramsClass, info.name, os);
  for (const ModelEntry &entry : info.entries)
    if (entry.kind == EntryKind::Step)
      printCacheClass(info, entry, os);
  for (const ModelEntry &entry : info.entries)
    EntryPrinter(info, entry, os).print();
  os << "\n} // namespace " << info.name << "\n\n#endif\n\n#endif\n";
}
