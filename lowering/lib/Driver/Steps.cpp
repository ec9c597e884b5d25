//===- Steps.cpp - an entry's input, cut into calls of its step -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "Values.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstring>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

static Shared allocate(ArrayRef<int64_t> shape, DType dtype) {
  int64_t bytes = nax::sizeOf(dtype);
  for (int64_t size : shape)
    bytes *= size;
  Shared memory = SharedBytes::make(bytes);
  if (!memory)
    report_fatal_error("no memory is left", /*gen_crash_diag=*/false);
  return memory;
}

static const ModelBuffer *findRole(const ModelEntry &entry, Role role,
                                   int64_t dataAxis) {
  for (const ModelBuffer &buffer : entry.buffers)
    if (buffer.role == role && buffer.dataAxis == dataAxis)
      return &buffer;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

Decoded::Decoded(const ModelInfo &info, const ModelEntry &whole,
                 const ModelEntry &step, const Binding &binding,
                 Arguments source)
    : info(info), whole(whole), step(step), binding(binding),
      source(std::move(source)) {
  for (const ModelEntry &entry : info.entries)
    if (entry.kind == EntryKind::Begin && entry.of == whole.name)
      begin = &entry;
  int64_t rows = 1;
  for (const ModelBuffer &buffer : step.buffers) {
    if (!buffer.isCounts())
      continue;
    axis = buffer.dataAxis;
    for (int64_t row : buffer.axes) {
      rowAxes.push_back(row);
      rows *= binding.sizeOf(row);
    }
  }
  wholeAxis = axis;
  for (const ModelBuffer &buffer : whole.buffers)
    for (int64_t of : buffer.axes)
      if (info.axes[of].name == info.axes[axis].name)
        wholeAxis = of;
  const ModelBuffer *lengthsOf = findRole(whole, Role::Lengths, wholeAxis);
  const ModelBuffer *startsOf = findRole(whole, Role::Starts, wholeAxis);
  documents = findRole(whole, Role::Documents, wholeAxis);
  saysLengths = lengthsOf || startsOf;
  endsTogether = startsOf;
  auto valueOf = [&](const ModelBuffer &buffer, int64_t row) {
    return int64_t(valueAt(
        buffer.dtype,
        this->source.buffers[&buffer - whole.buffers.data()]->data(), row));
  };
  for (int64_t row = 0; row < rows; ++row) {
    int64_t first = startsOf ? valueOf(*startsOf, row) : 0;
    int64_t end =
        lengthsOf ? valueOf(*lengthsOf, row) : binding.sizeOf(wholeAxis);
    firsts.push_back(first);
    lengths.push_back(std::max<int64_t>(end - first, 0));
  }
}

int64_t Decoded::longest() const {
  return lengths.empty() ? 0
                         : *std::max_element(lengths.begin(), lengths.end());
}

bool Decoded::canBeShorter() const {
  return saysLengths || info.axes[wholeAxis].isRuntime();
}

int64_t Decoded::wholeSize(int64_t count) const {
  return info.axes[wholeAxis].isRuntime() ? count : binding.sizeOf(wholeAxis);
}

bool Decoded::canSplitRows() const {
  return rowCount() > 1 && all_of(rowAxes, [&](int64_t row) {
           return info.axes[row].isRuntime();
         });
}

int64_t Decoded::largestRing(const ModelInfo &info, const ModelEntry &step) {
  int64_t ring = 0;
  for (int64_t dim : step.dims)
    ring = std::max(ring, info.axes[dim].ring);
  return ring;
}

//===----------------------------------------------------------------------===//
// Shapes and places
//===----------------------------------------------------------------------===//

int64_t Decoded::extentOf(int64_t of, int64_t size, int64_t only) const {
  if (isSequence(of))
    return size;
  return only >= 0 && is_contained(rowAxes, of) ? 1 : binding.sizeOf(of);
}

SmallVector<int64_t, 4> Decoded::shapeOf(const ModelBuffer &buffer,
                                         int64_t size, int64_t only) const {
  SmallVector<int64_t, 4> shape;
  for (int64_t of : buffer.axes)
    shape.push_back(extentOf(of, size, only));
  return shape;
}

std::vector<int64_t> Decoded::dimsOf(const ModelEntry &entry, int64_t size,
                                     int64_t only) const {
  std::vector<int64_t> dims;
  for (int64_t dim : entry.dims)
    dims.push_back(info.axes[dim].isSlots() ? 0 : extentOf(dim, size, only));
  return dims;
}

/// The place of a row on each of its axes.
std::vector<int64_t> Decoded::splitRow(int64_t row) const {
  std::vector<int64_t> places(rowAxes.size());
  for (size_t i = rowAxes.size(); i-- > 0;) {
    places[i] = row % binding.sizeOf(rowAxes[i]);
    row /= binding.sizeOf(rowAxes[i]);
  }
  return places;
}

int64_t Decoded::rowOf(const ModelBuffer &buffer,
                       ArrayRef<int64_t> index) const {
  int64_t row = 0;
  for (int64_t of : rowAxes) {
    auto dim = find(buffer.axes, of);
    row = row * binding.sizeOf(of) +
          (dim == buffer.axes.end() ? 0 : index[dim - buffer.axes.begin()]);
  }
  return row;
}

int64_t Decoded::placeInWhole(int64_t row, int64_t position,
                              int64_t count) const {
  return endsTogether
             ? position + wholeSize(count) - std::min(count, lengths[row])
             : position;
}

void Decoded::eachElement(
    const ModelBuffer &buffer, int64_t size, int64_t only,
    function_ref<void(SmallVectorImpl<int64_t> &, int64_t, int64_t)> visit)
    const {
  SmallVector<int64_t, 4> shape = shapeOf(buffer, size, only);
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  if (count == 0)
    return;
  std::vector<int64_t> offsets = splitRow(std::max<int64_t>(only, 0));
  for (int64_t place = 0; place < count; ++place) {
    SmallVector<int64_t, 4> index(shape.size());
    int64_t rest = place, t = -1;
    for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
      index[dim] = rest % shape[dim];
    for (auto [dim, of] : enumerate(buffer.axes)) {
      if (isSequence(of))
        t = index[dim];
      auto row = find(rowAxes, of);
      if (only >= 0 && row != rowAxes.end())
        index[dim] = offsets[row - rowAxes.begin()];
    }
    visit(index, place, t);
  }
}

int64_t nax::driver::flatten(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t place = 0;
  for (auto [extent, at] : zip(shape, index))
    place = place * extent + at;
  return place;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Shared
Decoded::gather(const ModelBuffer &buffer, int64_t size, int64_t only,
                function_ref<int64_t(int64_t, int64_t)> positionAt) const {
  auto from = find_if(whole.buffers, [&](const ModelBuffer &candidate) {
    return candidate.isInput() && candidate.name == buffer.name;
  });
  Shared memory = allocate(shapeOf(buffer, size, only), buffer.dtype);
  if (from == whole.buffers.end())
    return memory;
  const Shared &data = source.buffers[from - whole.buffers.begin()];
  SmallVector<int64_t, 4> shape = shapeOf(*from, binding.sizeOf(wholeAxis));
  int64_t bytes = nax::sizeOf(buffer.dtype);
  eachElement(buffer, size, only, [&](auto &index, int64_t place, int64_t t) {
    int64_t row = rowOf(buffer, index);
    if (t >= 0) {
      int64_t position = positionAt(row, t);
      if (position < 0)
        return;
      auto sequence =
          find_if(buffer.axes, [&](int64_t of) { return isSequence(of); });
      index[sequence - buffer.axes.begin()] = firsts[row] + position;
    }
    memcpy(static_cast<char *>(memory->data()) + place * bytes,
           static_cast<const char *>(data->data()) +
               flatten(shape, index) * bytes,
           bytes);
  });
  return memory;
}

Arguments Decoded::wholeArguments(int64_t count) const {
  Arguments arguments;
  int64_t size = wholeSize(count);
  arguments.dims = dimsOf(whole, size, -1);
  for (const ModelBuffer &buffer : whole.buffers) {
    bool ofSequence = buffer.dataAxis == wholeAxis;
    bool lengthsOf = ofSequence && buffer.role == Role::Lengths;
    if (lengthsOf || (ofSequence && buffer.role == Role::Starts)) {
      Shared values = allocate(shapeOf(buffer, size), buffer.dtype);
      for (int64_t row = 0; row < rowCount(); ++row) {
        int64_t real = std::min(count, lengths[row]);
        setValue(buffer.dtype, values->data(), row,
                 double(lengthsOf ? real : size - real));
      }
      arguments.buffers.push_back(std::move(values));
      continue;
    }
    if (!buffer.isInput()) {
      arguments.buffers.push_back(
          allocate(shapeOf(buffer, size), buffer.dtype));
      continue;
    }
    arguments.buffers.push_back(
        gather(buffer, size, -1, [&](int64_t row, int64_t t) {
          int64_t position = t - placeInWhole(row, 0, count);
          return position < std::min(count, lengths[row]) ? position : -1;
        }));
  }
  return arguments;
}

Shared Decoded::stepBuffer(const ModelBuffer &buffer, const Chunk &chunk,
                           ArrayRef<int64_t> done, int64_t only) const {
  if (buffer.isCache())
    return nullptr;
  if (!buffer.isInput())
    return allocate(shapeOf(buffer, chunk.size, only), buffer.dtype);
  if (buffer.isCounts()) {
    if (all_of(chunk.counts, [&](int64_t n) { return n == chunk.size; }))
      return nullptr;
    Shared counts = allocate(shapeOf(buffer, chunk.size, only), buffer.dtype);
    for (int64_t row = 0, n = only < 0 ? rowCount() : 1; row < n; ++row)
      setValue(buffer.dtype, counts->data(), row,
               double(chunk.counts[only < 0 ? row : only]));
    return counts;
  }
  // Documents only rise, also behind the last new one.
  bool repeats = buffer.role == Role::Documents;
  return gather(buffer, chunk.size, only, [&](int64_t row, int64_t t) {
    int64_t end = done[row] + chunk.counts[row];
    if (done[row] + t < end)
      return done[row] + t;
    return repeats && end > 0 ? end - 1 : -1;
  });
}

/// In a packed row what was before the next position's document is done with.
int64_t Decoded::firstReadable(int64_t row, int64_t done) const {
  if (!documents || done >= lengths[row])
    return documents ? done : 0;
  const void *data = source.buffers[documents - whole.buffers.data()]->data();
  SmallVector<int64_t, 4> shape =
      shapeOf(*documents, binding.sizeOf(wholeAxis));
  std::vector<int64_t> places = splitRow(row);
  auto documentAt = [&](int64_t position) {
    SmallVector<int64_t, 4> index;
    for (int64_t of : documents->axes)
      index.push_back(isSequence(of)
                          ? position
                          : places[find(rowAxes, of) - rowAxes.begin()]);
    return valueAt(documents->dtype, data, flatten(shape, index));
  };
  int64_t first = done;
  while (first > 0 && documentAt(first - 1) == documentAt(done))
    --first;
  return first;
}

StepCall Decoded::makeCall(const Chunk &chunk, ArrayRef<int64_t> done,
                           int64_t only) const {
  StepCall call;
  call.size = chunk.size;
  call.arguments.dims = dimsOf(step, chunk.size, only);
  for (const ModelBuffer &buffer : step.buffers)
    call.arguments.buffers.push_back(stepBuffer(buffer, chunk, done, only));
  call.counts = chunk.counts;
  call.done = done.vec();
  for (int64_t row = 0; row < rowCount(); ++row)
    call.readable.push_back(firstReadable(row, done[row]));
  return call;
}

StepRun Decoded::makeRun(std::string name, ArrayRef<Chunk> chunks,
                         int64_t only) const {
  StepRun run;
  run.name = std::move(name);
  run.only = only;
  run.rows = only < 0 ? rowCount() : 1;
  run.capacity = longest();
  for (int64_t dim : info.cacheDims(step))
    run.sizes.push_back(extentOf(dim, run.capacity, only));
  if (begin) {
    run.begin.emplace();
    run.begin->dims = dimsOf(*begin, 0, only);
    for (const ModelBuffer &buffer : begin->buffers)
      run.begin->buffers.push_back(
          buffer.isCache()
              ? nullptr
              : gather(buffer, 0, only, [](int64_t, int64_t) { return -1; }));
  }
  std::vector<int64_t> done(rowCount());
  for (const Chunk &chunk : chunks) {
    run.calls.push_back(makeCall(chunk, done, only));
    for (auto [have, more] : zip(done, chunk.counts))
      have += more;
  }
  return run;
}
