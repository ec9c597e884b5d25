//===- CacheHeader.cpp - the cache of a step in the headers ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// A type of its own for each step, so that the compiler of a program tells
// apart the caches of two models; the functions are the runtime's (nax/cache.h)
// under the model's name.
//
//===----------------------------------------------------------------------===//

#include "nax/Emit/Headers.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace nax;

/// %0 is the cache, "lm_forward_cache", %1 the entry, %2 the step, %3 the
/// parameters of create, %4 T.
static constexpr StringLiteral cacheFunctions =
    R"(/* The cache of %1: what %2 keeps of the positions it has seen, a number of its own for each row.
   One thread at a time may use it, in any context. A call that fails has changed nothing of it. */
typedef struct %0 %0;

/* Without positions, and with room for %4 of them in each row. */
NAX_NODISCARD nax_status %0_create%3;
/* NULL is allowed. */
void %0_destroy(%0 *cache);
int64_t %0_rows(const %0 *cache);
int64_t %0_capacity(const %0 *cache);
size_t %0_bytes(const %0 *cache);
/* How many positions the row has; -1: there is no such row. */
int64_t %0_length(const %0 *cache, int64_t row);
/* The row has no positions any more. */
NAX_NODISCARD nax_status %0_reset(nax_context *context, %0 *cache, int64_t row);
/* Takes back the row's last positions, so that it has `length` of them. Where a window made the cache a ring, and more
   positions went through it than it has slots, only the last one can be taken back, or all. */
NAX_NODISCARD nax_status %0_truncate(nax_context *context, %0 *cache, int64_t row, int64_t length);
/* Row to_row of `to` becomes what row from_row of `from` is. They may be one cache; capacities may differ. */
NAX_NODISCARD nax_status %0_copy(nax_context *context, %0 *to, int64_t to_row, const %0 *from, int64_t from_row);
/* The row as a file, for this model with these parameters: written and read whole or not at all. */
NAX_NODISCARD nax_status %0_save(nax_context *context, const %0 *cache, int64_t row, const char *path);
NAX_NODISCARD nax_status %0_restore(nax_context *context, %0 *cache, int64_t row, const char *path);

)";

/// `text` with each %N replaced by values[N].
static void printFilled(StringRef text, ArrayRef<std::string> values,
                        raw_ostream &os) {
  while (!text.empty()) {
    auto [before, after] = text.split('%');
    os << before;
    if (after.empty())
      return;
    os << values[after.front() - '0'];
    text = after.drop_front();
  }
}

/// The axis whose positions a cache has room for.
static int64_t capacityAxis(const ModelEntry &step) {
  return find_if(step.buffers, std::mem_fn(&ModelBuffer::isCounts))->dataAxis;
}

void nax::printCacheFunctions(const ModelInfo &info, const ModelEntry &step,
                              raw_ostream &os, bool cuda) {
  printFilled(cacheFunctions,
              {info.name + "_" + cacheName(step, cuda), step.of,
               step.name + (cuda ? "_cuda" : ""),
               cCreateParameters(info, step, cuda),
               info.axes[capacityAxis(step)].name},
              os);
}

/// %0 and %1 as above, %2 the class, %3 the sizes as parameters, %4 as
/// arguments, %5 their members.
static constexpr StringLiteral cacheClass = R"(
/// What the step of %1 keeps of the positions it has seen. Movable; destroyed with the last owner.
class %2 {
public:
  %2() = default;
  %2(%2 &&other) noexcept { swap(other); }
  %2 &operator=(%2 &&other) noexcept {
    swap(other);
    return *this;
  }
  ~%2() { %0_destroy(handle_); }

  /// Without positions. One that was there before is destroyed.
  outcome create(nax_context *context, %3) {
    %2 cache;
    outcome done = detail::finished(%0_create(context, %4, &cache.handle_), context);
    if (done) {
%5      swap(cache);
    }
    return done;
  }
  std::int64_t rows() const { return %0_rows(handle_); }
  std::int64_t capacity() const { return %0_capacity(handle_); }
  std::size_t bytes() const { return %0_bytes(handle_); }
  /// Positions of the row; -1: there is no such row.
  std::int64_t length(std::int64_t row) const { return %0_length(handle_, row); }
  outcome reset(nax_context *context, std::int64_t row) {
    return detail::finished(%0_reset(context, handle_, row), context);
  }
  outcome truncate(nax_context *context, std::int64_t row, std::int64_t length) {
    return detail::finished(%0_truncate(context, handle_, row, length), context);
  }
  /// The row becomes what row from_row of `from` is, which may be this cache.
  outcome copy(nax_context *context, std::int64_t row, const %2 &from, std::int64_t from_row) {
    return detail::finished(%0_copy(context, handle_, row, from.handle_, from_row), context);
  }
  outcome save(nax_context *context, std::int64_t row, const char *path) const {
    return detail::finished(%0_save(context, handle_, row, path), context);
  }
  outcome restore(nax_context *context, std::int64_t row, const char *path) {
    return detail::finished(%0_restore(context, handle_, row, path), context);
  }
  %0 *get() const { return handle_; }
)";

void nax::printCacheClass(const ModelInfo &info, const ModelEntry &step,
                          raw_ostream &os) {
  CNames names(info, step);
  std::string parameters, arguments, stores, getters, members, swaps;
  for (int64_t axis : info.cacheDims(step)) {
    const std::string &name =
        names.dims[find(step.dims, axis) - step.dims.begin()];
    StringRef separator = parameters.empty() ? "" : ", ";
    parameters += (separator + "std::int64_t " + name).str();
    arguments += (separator + name).str();
    if (axis == capacityAxis(step))
      continue; // a call has its own
    stores += "      cache.size_" + name + "_ = " + name + ";\n";
    getters += "  std::int64_t size_" + name + "() const { return size_" +
               name + "_; }\n";
    members += "  std::int64_t size_" + name + "_ = 0;\n";
    swaps += "    std::swap(size_" + name + "_, other.size_" + name + "_);\n";
  }
  printFilled(cacheClass,
              {info.name + "_" + cacheName(step), step.of, cacheName(step),
               parameters, arguments, stores},
              os);
  os << getters << "\nprivate:\n"
     << "  void swap(" << cacheName(step) << " &other) noexcept {\n"
     << "    std::swap(handle_, other.handle_);\n"
     << swaps << "  }\n\n  " << info.name << "_" << cacheName(step)
     << " *handle_ = nullptr;\n"
     << members << "};\n";
}
