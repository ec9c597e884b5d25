//===- Binding.cpp - files as the arguments of an entry -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Binding.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

Expected<const ModelEntry *> nax::driver::chooseEntry(const ModelInfo &info,
                                                      StringRef name) {
  std::vector<std::string> names;
  const ModelEntry *only = nullptr;
  for (const ModelEntry &entry : info.entries) {
    if (entry.hasCache())
      continue;
    names.push_back(entry.name);
    only = &entry;
  }
  std::string all = join(names, ", ");
  if (name.empty() && names.size() != 1)
    return wrong("model " + info.name + " has the entries " + all +
                 "; --entry names one");
  if (name.empty())
    return only;
  const ModelEntry *entry = info.findEntry(name);
  if (!entry)
    return wrong("model " + info.name + " has no entry " + name + ", only " +
                 all);
  if (entry->hasCache())
    return wrong("entry " + name + " works on a cache, which no file is; it " +
                 "was derived from " + entry->of + ", and naxc check --entry " +
                 entry->of + " compares the two");
  return entry;
}

int64_t Binding::sizeOf(int64_t axis) const {
  const ModelAxis &known = info.axes[axis];
  return known.isRuntime() ? sizes.at(axis).size : known.size;
}

SmallVector<int64_t, 4> Binding::shapeOf(const ModelBuffer &buffer) const {
  SmallVector<int64_t, 4> shape;
  for (int64_t axis : buffer.axes)
    shape.push_back(sizeOf(axis));
  return shape;
}

int64_t Binding::countOf(const ModelBuffer &buffer) const {
  int64_t count = 1;
  for (int64_t size : shapeOf(buffer))
    count *= size;
  return count;
}

Error Binding::learn(int64_t axis, int64_t size, StringRef source) {
  const ModelAxis &known = info.axes[axis];
  if (!known.isRuntime()) {
    if (known.size == size)
      return Error::success();
    return wrong("axis " + known.name + ": " + source + " has " + Twine(size) +
                 ", the model " + Twine(known.size));
  }
  auto [it, isNew] = sizes.try_emplace(axis, Known{size, source.str()});
  if (isNew || it->second.size == size)
    return Error::success();
  return wrong("axis " + known.name + ": " + it->second.source + " has " +
               Twine(it->second.size) + ", " + source + " has " + Twine(size));
}

bool Binding::takesSize(StringRef axis) const {
  return any_of(entry.dims,
                [&](int64_t dim) { return info.axes[dim].name == axis; });
}

Error Binding::setSize(StringRef axis, int64_t size) {
  for (int64_t dim : entry.dims)
    if (info.axes[dim].name == axis)
      return learn(dim, size, "--size");
  return wrong("entry " + entry.name + " has no axis " + axis +
               " whose size is known only when it is called");
}

/// "int32 [B,T]"
static std::string describe(const ModelBuffer &buffer) {
  return buffer.dtype == DType::BF16
             ? "bf16 " + buffer.text + " (as uint16)"
             : describeDescr(descrOf(buffer.dtype)) + " " + buffer.text;
}

Error Binding::checkType(const ModelBuffer &buffer, const NpyArray &array,
                         StringRef path) const {
  StringRef wanted = descrOf(buffer.dtype);
  // One byte has no order, and older numpy writes '<' or '|' for it alike.
  if (StringRef(array.descr).drop_front() != wanted.drop_front())
    return wrong(path + ": holds " + describeDescr(array.descr) + ", but " +
                 buffer.name + " is " + describe(buffer) +
                 "; save it with .astype('" + describeDescr(wanted) + "')");
  if (array.shape.size() != buffer.axes.size())
    return wrong(path + ": has " + Twine(array.shape.size()) + " axes, but " +
                 buffer.name + " is " + describe(buffer));
  return Error::success();
}

Error Binding::readInput(size_t index, StringRef path) {
  const ModelBuffer &buffer = entry.buffers[index];
  int64_t seed = 0;
  if (buffer.isSeed() && !path.getAsInteger(10, seed)) {
    NpyArray array;
    array.bytes.assign(reinterpret_cast<const char *>(&seed), sizeof seed);
    given[index] = std::move(array);
    return Error::success();
  }
  Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  Expected<NpyArray> array = parseNpy(path, *text);
  if (!array)
    return array.takeError();
  if (Error error = checkType(buffer, *array, path))
    return error;
  for (auto [axis, size] : zip(buffer.axes, array->shape))
    if (Error error = learn(axis, size, buffer.name))
      return error;
  given[index] = std::move(*array);
  return Error::success();
}

Error Binding::readInputs(const Options::Files &files) {
  for (const auto &[name, path] : files) {
    const ModelBuffer *found = nullptr;
    for (const ModelBuffer &buffer : entry.buffers)
      if (buffer.name == name && buffer.isInput())
        found = &buffer;
    if (!found)
      return wrong("entry " + entry.name + " has no input " + name);
    if (Error error = readInput(found - entry.buffers.data(), path))
      return error;
  }
  return Error::success();
}

Error Binding::requireAllInputs() const {
  std::vector<std::string> missing;
  for (auto [index, buffer] : enumerate(entry.buffers))
    if (buffer.isInput() && !isGiven(index))
      missing.push_back(buffer.name + " (" + describe(buffer) + ")");
  if (missing.empty())
    return Error::success();
  return wrong("entry " + entry.name + " also needs " + join(missing, ", ") +
               ": --in NAME=FILE.npy");
}

/// Bytes of an array of this shape; nothing if no machine has so many.
static std::optional<int64_t> bytesOf(ArrayRef<int64_t> shape, DType dtype) {
  int64_t bytes = nax::sizeOf(dtype);
  for (int64_t size : shape)
    if (__builtin_mul_overflow(bytes, size, &bytes))
      return std::nullopt;
  return bytes;
}

Expected<Arguments> Binding::allocate() const {
  Arguments arguments;
  for (int64_t dim : entry.dims)
    arguments.dims.push_back(sizeOf(dim));
  for (auto [index, buffer] : enumerate(entry.buffers)) {
    std::optional<int64_t> needed = bytesOf(shapeOf(buffer), buffer.dtype);
    Shared bytes = needed ? SharedBytes::make(*needed) : nullptr;
    if (!bytes)
      return wrong("no memory for " + buffer.name + " " + buffer.text +
                   " with " + describeSizes());
    auto file = given.find(index);
    if (file != given.end())
      memcpy(bytes->data(), file->second.bytes.data(),
             file->second.bytes.size());
    arguments.buffers.push_back(std::move(bytes));
  }
  return arguments;
}

std::string Binding::describeSizes() const {
  std::vector<std::string> texts;
  for (int64_t dim : entry.dims)
    texts.push_back(info.axes[dim].name + "=" + std::to_string(sizeOf(dim)));
  return join(texts, " ");
}
