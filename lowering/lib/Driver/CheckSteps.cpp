//===- CheckSteps.cpp - the checks of an entry's step ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The step is compared with its entry, which was compared with float64: all
// positions in one chunk, one by one, and in odd chunks. Then rows go on by
// different lengths, and bits must not depend on what is no business of a row:
// other rows, slots that nothing reads, the workspace, threads.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Steps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

//===----------------------------------------------------------------------===//
// What is called
//===----------------------------------------------------------------------===//

/// Chunks of these sizes, over and over, until no row has a position left.
static std::vector<Chunk> chunksOf(const Decoded &decoded,
                                   ArrayRef<int64_t> sizes) {
  std::vector<Chunk> chunks;
  int64_t done = 0;
  for (size_t i = 0; done < decoded.longest(); ++i) {
    Chunk chunk{sizes[i % sizes.size()], {}};
    chunk.size = std::min(chunk.size, decoded.longest() - done);
    for (int64_t length : decoded.lengths)
      chunk.counts.push_back(std::clamp<int64_t>(length - done, 0, chunk.size));
    done += chunk.size;
    chunks.push_back(std::move(chunk));
  }
  return chunks;
}

/// Each row goes on by a number of its own, which may be 0.
static std::vector<Chunk> raggedChunks(const Decoded &decoded, Random &random) {
  std::vector<Chunk> chunks;
  std::vector<int64_t> left = decoded.lengths;
  while (any_of(left, [](int64_t n) { return n > 0; })) {
    Chunk chunk{0, {}};
    for (int64_t &n : left) {
      int64_t count = std::min(n, random.integer(6));
      chunk.counts.push_back(count);
      chunk.size = std::max(chunk.size, count);
      n -= count;
    }
    // Now and then there is padding in every row.
    chunk.size += random.coin();
    chunks.push_back(std::move(chunk));
  }
  return chunks;
}

/// The same for one row, in arrays that are no longer than it needs; the others
/// wait.
static std::vector<Chunk> tightened(std::vector<Chunk> chunks, int64_t row) {
  for (Chunk &chunk : chunks) {
    chunk.size = chunk.counts[row];
    chunk.counts.assign(chunk.counts.size(), 0);
    chunk.counts[row] = chunk.size;
  }
  return chunks;
}

static std::vector<int64_t> oddSizes(int64_t ring) {
  if (ring == 0)
    return {3, 1, 5, 2, 7};
  return {3, std::max<int64_t>(1, ring - 1), 1, ring, 5, ring + 1, 2};
}

//===----------------------------------------------------------------------===//
// What came out
//===----------------------------------------------------------------------===//

/// The calls of the step and what the entry itself gives.
struct nax::driver::Outcome {
  Outcome(const Decoded &decoded) : decoded(decoded) {}

  /// The largest distance of a result from the whole sequence's.
  struct Apart {
    double most = 0, largest = 0;
    int64_t compared = 0;
    std::string where;
    double relative() const { return largest > 0 ? most / largest : most; }
  };
  void compareWithWhole(const StepRun &run, size_t result, Apart &apart) const;
  /// What the rows of `other` have other than in `run`; "": the same bits.
  std::string difference(const StepRun &run, const StepRun &other) const;

  const Decoded &decoded;
  /// The entry's calls, by how many positions of each row they had.
  std::map<int64_t, Arguments> wholes;
  std::vector<StepRun> runs;
};

/// The places of an entry's results among its buffers.
static SmallVector<size_t> resultsOf(const ModelEntry &entry) {
  SmallVector<size_t> results;
  for (auto [index, buffer] : enumerate(entry.buffers))
    if (!buffer.isInput() && !buffer.isCache())
      results.push_back(index);
  return results;
}

void Outcome::compareWithWhole(const StepRun &run, size_t result,
                               Apart &apart) const {
  size_t here = resultsOf(decoded.step)[result];
  size_t there = resultsOf(decoded.whole)[result];
  const ModelBuffer &mine = decoded.step.buffers[here];
  const ModelBuffer &theirs = decoded.whole.buffers[there];
  for (const StepCall &call : run.calls) {
    const void *data = call.arguments.buffers[here]->data();
    decoded.eachElement(
        mine, call.size, run.only, [&](auto &index, int64_t place, int64_t t) {
          int64_t row = decoded.rowOf(mine, index);
          if (!Decoded::isReal(call, row, t))
            return;
          // Without an axis of positions it is about all that there were so
          // far.
          int64_t count =
              t < 0 ? call.done[row] + call.counts[row] : decoded.longest();
          auto whole = wholes.find(count);
          if (whole == wholes.end())
            return;
          if (t >= 0)
            index[find(mine.axes, decoded.axis) - mine.axes.begin()] =
                decoded.placeInWhole(row, call.done[row] + t, count);
          double got = valueAt(mine.dtype, data, place);
          double want =
              valueAt(theirs.dtype, whole->second.buffers[there]->data(),
                      flatten(decoded.shapeOf(theirs, decoded.wholeSize(count)),
                              index));
          bool same = got == want || (std::isnan(got) && std::isnan(want));
          double between = same ? 0 : std::abs(got - want);
          if (!std::isfinite(between))
            between = std::numeric_limits<double>::infinity();
          if (std::isfinite(want))
            apart.largest = std::max(apart.largest, std::abs(want));
          ++apart.compared;
          if (between <= apart.most)
            return;
          apart.most = between;
          apart.where = mine.name + " at " + formatIndex(index) + " is " +
                        formatNumber(mine.dtype, got) + " in " + run.name +
                        ", " + formatNumber(theirs.dtype, want) +
                        " in the whole sequence";
        });
  }
}

std::string Outcome::difference(const StepRun &run,
                                const StepRun &other) const {
  std::string found;
  for (auto [place, calls] : enumerate(zip(run.calls, other.calls))) {
    const auto &[one, two] = calls;
    for (size_t result : resultsOf(decoded.step)) {
      const ModelBuffer &buffer = decoded.step.buffers[result];
      SmallVector<int64_t, 4> shape = decoded.shapeOf(buffer, one.size);
      int64_t bytes = nax::sizeOf(buffer.dtype);
      auto *mine =
          static_cast<const char *>(one.arguments.buffers[result]->data());
      auto *theirs =
          static_cast<const char *>(two.arguments.buffers[result]->data());
      decoded.eachElement(
          buffer, two.size, other.only,
          [&](auto &index, int64_t at, int64_t t) {
            if (!found.empty() ||
                !Decoded::isReal(two, decoded.rowOf(buffer, index), t) ||
                memcmp(mine + flatten(shape, index) * bytes,
                       theirs + at * bytes, bytes) == 0)
              return;
            found = buffer.name + formatIndex(index) + " of call " +
                    std::to_string(place) + " differs";
          });
    }
  }
  return found;
}

//===----------------------------------------------------------------------===//
// One entry
//===----------------------------------------------------------------------===//

/// Past every ring, and back to its first slots; --size goes round larger ones.
static int64_t defaultLength(const ModelInfo &info, const ModelEntry &step,
                             int64_t axis) {
  int64_t length = 8;
  for (int64_t dim : step.dims)
    if (int64_t ring = info.axes[dim].ring; ring <= 256)
      length = std::max(length, 2 * ring + 3);
  int64_t limit = info.axes[axis].limit;
  return limit < 0 ? length : std::min(length, limit);
}

/// The entry itself, of all positions and, for results of the last one, of
/// some beginnings.
static void addWholes(Outcome &outcome) {
  const Decoded &decoded = outcome.decoded;
  int64_t longest = decoded.longest();
  std::vector<int64_t> counts = {longest};
  for (size_t result : resultsOf(decoded.step))
    if (decoded.canBeShorter() &&
        !is_contained(decoded.step.buffers[result].axes, decoded.axis))
      for (int64_t count = 1; count < longest; count += 1 + longest / 12)
        counts.push_back(count);
  for (int64_t count : counts)
    outcome.wholes.try_emplace(count, decoded.wholeArguments(count));
}

/// Three that must come near the whole sequence, then one of which all bits are
/// looked at, and its likes.
static void addRuns(Outcome &outcome, Random &random) {
  const Decoded &decoded = outcome.decoded;
  int64_t ring = Decoded::largestRing(decoded.info, decoded.step);
  auto add = [&](const char *name, ArrayRef<Chunk> chunks, int64_t only = -1) {
    outcome.runs.push_back(decoded.makeRun(name, chunks, only));
    return &outcome.runs.back();
  };
  add("one chunk",
      chunksOf(decoded, {std::max<int64_t>(1, decoded.longest())}));
  add("single steps", chunksOf(decoded, {1}));
  add("odd chunks", chunksOf(decoded, oddSizes(ring)));
  std::vector<Chunk> ragged = raggedChunks(decoded, random);
  add("rows of their own", ragged);
  add("NaN where no query reads", ragged)->poison = true;
  add("again, exact workspace", ragged)->ownWorkspace = true;
  add("with 2 threads", ragged)->threads = 2;
  add("with 3 threads", ragged)->threads = 3;
  bool alone = decoded.canSplitRows();
  for (int64_t row = 0; decoded.rowCount() > 1 && row < decoded.rowCount();
       ++row)
    add(alone ? "a row alone and in the batch" : "a row while the others wait",
        tightened(ragged, row), alone ? row : -1);
}

static constexpr size_t nearRuns = 4; ///< the first of them
static constexpr size_t likeRun = 3;  ///< what the others are like

/// Runs of one name are one line.
static void reportBits(const Outcome &outcome, Report &report) {
  const std::vector<StepRun> &runs = outcome.runs;
  for (size_t i = nearRuns; i < runs.size();) {
    std::string different;
    size_t first = i;
    for (; i < runs.size() && runs[i].name == runs[first].name; ++i)
      if (different.empty())
        different = outcome.difference(runs[likeRun], runs[i]);
    report.add(runs[first].name,
               different.empty() ? "the same bits" : different,
               different.empty());
  }
}

void Checker::reportSteps(const Outcome &outcome, Report &report) {
  const Decoded &decoded = outcome.decoded;
  auto func = model->lookupSymbol<mlir::func::FuncOp>(decoded.whole.name);
  auto values = func.getBody().front().getTerminator()->getOperands();
  for (auto [index, place] : enumerate(resultsOf(decoded.step))) {
    const ModelBuffer &buffer = decoded.step.buffers[place];
    Outcome::Apart apart;
    for (size_t run = 0; run < nearRuns; ++run)
      outcome.compareWithWhole(outcome.runs[run], index, apart);
    double bar = isInteger(buffer.dtype) ? 0 : barOf(values[index]);
    bool isEmpty = decoded.longest() == 0 ||
                   is_contained(decoded.shapeOf(buffer, decoded.longest()), 0);
    bool good = apart.relative() <= bar && (apart.compared > 0 || isEmpty);
    report.add(buffer.name + " " + buffer.text +
                   " in one chunk, steps, odd chunks",
               formatError(apart.relative()) + " of the largest, " +
                   formatNumber(DType::F64, apart.largest),
               good);
    if (!good)
      report.explain(apart.compared ? apart.where
                                    : "there was nothing to compare");
  }
  reportBits(outcome, report);
}

Expected<bool> Checker::checkSteps(const ModelEntry &whole) {
  auto step = find_if(info.entries, [&](const ModelEntry &entry) {
    return entry.kind == EntryKind::Step && entry.of == whole.name;
  });
  if (step == info.entries.end())
    return true;
  auto counts = find_if(step->buffers, [](const ModelBuffer &buffer) {
    return buffer.isCounts();
  });
  Binding binding(info, whole);
  if (Error error = bindSizes(whole, binding))
    return std::move(error);
  binding.setDefault(counts->dataAxis,
                     defaultLength(info, *step, counts->dataAxis));
  for (int64_t row : counts->axes)
    if (info.axes[row].isRuntime())
      binding.setDefault(row, 3);
  setDefaultSizes(info, whole, *model, binding);
  Expected<Arguments> arguments = binding.allocate();
  if (!arguments)
    return arguments.takeError();
  drawInputs(info, whole, binding, random, *arguments);

  Decoded decoded(info, whole, *step, binding, std::move(*arguments));
  Outcome outcome(decoded);
  addWholes(outcome);
  addRuns(outcome, random);
  {
    Timing::Scope scope(session.timing, "running");
    if (Error error = inChild(library, [&](Callee &callee) {
          return giveParams(callee) &&
                 all_of(outcome.wholes,
                        [&](const auto &call) {
                          return callee.call(whole, call.second, 1);
                        }) &&
                 all_of(outcome.runs, [&](const StepRun &run) {
                   return callee.run(decoded, run);
                 });
        }))
      return std::move(error);
  }
  Report report;
  reportSteps(outcome, report);
  printHead(*step, binding);
  report.print(outs());
  return report.good();
}
