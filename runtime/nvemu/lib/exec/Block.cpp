//===- Block.cpp - which thread of a block runs next ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Threads run in rounds: all that are ready when a round begins run, in their order
// or in one drawn from the seed. Who becomes ready meanwhile is in the next round if
// there is a seed; without one, who is woken runs next, so that a warp stays in the
// caches as long as it finds something to do, and who yields is in the next round. A
// thread that waits switches straight to the next one; the scheduler's own stack comes
// in only where nobody is left.
//
//===----------------------------------------------------------------------===//

#include "Block.h"

#include "Launch.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace nvemu {

namespace {

/// Rounds after which a thread no longer waits for others to converge with it.
constexpr uint64_t mostConvergingRounds = 32;

/// SplitMix64: the state of the next number is a counter, so any seed will do.
uint64_t draw(uint64_t &state) {
  uint64_t value = state += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

void runThread(void *argument) {
  Thread &thread = *static_cast<Thread *>(argument);
  LaunchState &launch = thread.block->launch;
  launch.kernel.code(&thread, launch.parameters.data());
  thread.block->exit(thread);
}

} // namespace

Block::Block(LaunchState &launch, size_t worker) : launch(launch), worker(worker), sharedBytes(launch.sharedBytes) {
  constexpr size_t alignment = 1024; // what wide copies and descriptors want
  sharedMemory.reset(new uint8_t[sharedBytes + alignment]);
  const auto start = reinterpret_cast<uintptr_t>(sharedMemory.get());
  shared = sharedMemory.get() + (alignment - start % alignment) % alignment;
  const Dim3 size = launch.blockSize;
  threads.resize(size_t(size.x) * size.y * size.z);
  warps.resize((threads.size() + warpSize - 1) / warpSize);
}

Block::~Block() = default;

void Block::begin(size_t blockNumber) {
  const Dim3 grid = launch.grid, size = launch.blockSize;
  number = blockNumber;
  index = {unsigned(number % grid.x), unsigned(number / grid.x % grid.y), unsigned(number / grid.x / grid.y)};
  std::memset(shared, 0xFF, sharedBytes);
  checker.emplace(launch.findings, launch.global, index, number, size, sharedBytes, launch.options.checks);
  for (Barrier &barrier : barriers)
    barrier = Barrier();
  mbarriers.reset();
  hasLost = stopped = false;
  time = rounds = steps = spent = changes = 0;
  window = Window();
  openWindow();
  launch.standstill[worker] = 0;
  randomState = launch.options.seed + 0x632be59bd9b4e019 * number;
  round.clear();
  woken.clear();
  converging.clear();

  for (Warp &warp : warps) {
    warp = Warp();
    warp.block = this;
    warp.number = unsigned(&warp - warps.data());
    warp.threads = &threads[size_t(warp.number) * warpSize];
  }
  for (Thread &thread : threads) {
    std::vector<uint8_t> local = std::move(thread.local); // keeps its memory
    thread = Thread();
    thread.local = std::move(local);
    thread.block = this;
    thread.number = unsigned(&thread - threads.data());
    thread.warp = &warps[thread.number / warpSize];
    thread.lane = thread.number % warpSize;
    thread.index = {thread.number % size.x, thread.number / size.x % size.y, thread.number / size.x / size.y};
    thread.warp->members |= 1u << thread.lane;
    thread.warp->live = thread.warp->members;
    thread.loopsLeft = loopTurns();
    thread.fiber = &fibers[thread.number];
    thread.fiber->start(runThread, &thread);
    woken.push_back(&thread);
  }
}

bool Block::run(size_t blockNumber) {
  if (!fibers.reserve(threads.size())) {
    launch.findings.add(Kind::Limit, ~0u,
                        "the host has no memory for the stacks of " + std::to_string(threads.size()) +
                            " threads: fewer host threads need fewer of them",
                        index, {0, 0, 0}, false);
    return false;
  }
  begin(blockNumber);
  while (Thread *thread = pick())
    scheduler.switchTo(*thread->fiber);
  const bool finished = std::all_of(threads.begin(), threads.end(),
                                    [](const Thread &thread) { return thread.state == Thread::State::Ended; });
  if (!finished && !hasLost && !stopped)
    reportDeadlock();
  return finished;
}

Thread *Block::pick() {
  if (stopped || (round.empty() && !newRound()))
    return nullptr;
  Thread *thread = round.back();
  round.pop_back();
  return thread;
}

bool Block::mustStop() {
  if (launch.stop.load(std::memory_order_relaxed) || launch.findings.full())
    launch.stop = stopped = true;
  return stopped;
}

bool Block::newRound() {
  if (mustStop())
    return false;
  ++rounds;
  if (!converging.empty())
    releaseConverged();
  if (woken.empty())
    return false;
  round.swap(woken);
  if (launch.options.seed)
    for (size_t left = round.size(); left > 1; --left)
      std::swap(round[left - 1], round[draw(randomState) % left]);
  else
    std::reverse(round.begin(), round.end()); // it is taken from its end
  return true;
}

/// Backward branches of a thread until it lets the others run.
uint32_t Block::loopTurns() {
  return launch.options.seed ? 1 + uint32_t(draw(randomState) % mostLoopTurns) : mostLoopTurns;
}

/// `thread` is where it was left when this returns, and that may be never.
void Block::leave(Thread &thread) {
  ++time;
  thread.leftAt = steps;
  const uint64_t most = launch.options.maxSteps;
  ++steps;
  if (++spent > most && most && !stopped) {
    report(Kind::Limit, thread,
           "the block has not come to its end after " + std::to_string(most) +
               " steps, which are switches between its threads and turns of their loops");
    stopped = true;
  }
  constexpr uint64_t oftenEnough = 64;
  Thread *next = steps % oftenEnough == 0 && mustStop() ? nullptr : pick();
  if (next == &thread)
    return;
  thread.fiber->switchTo(next ? *next->fiber : scheduler);
}

void Block::wait(Thread &thread, WaitQueue &queue) {
  thread.state = Thread::State::Waiting;
  thread.waitsIn = &queue;
  thread.nextWaiting = nullptr;
  (queue.last ? queue.last->nextWaiting : queue.first) = &thread;
  queue.last = &thread;
  leave(thread);
}

void Block::wake(WaitQueue &queue) {
  std::vector<Thread *> &ready = launch.options.seed ? woken : round;
  const auto before = static_cast<ptrdiff_t>(ready.size());
  for (Thread *thread = queue.first; thread; thread = thread->nextWaiting) {
    thread->state = Thread::State::Ready;
    thread->waitsIn = nullptr;
    ready.push_back(thread);
  }
  if (!launch.options.seed)
    std::reverse(ready.begin() + before, ready.end());
  queue = WaitQueue();
}

void Block::yield(Thread &thread) {
  woken.push_back(&thread);
  leave(thread);
}

void Block::waitForConvergence(Thread &thread) {
  if (converging.empty())
    convergingSince = rounds;
  thread.state = Thread::State::Waiting;
  converging.push_back(&thread);
  leave(thread);
}

/// Releases, warp by warp and site by site, the threads whose warp has no thread
/// left that is ready.
void Block::releaseConverged() {
  uint32_t busy = 0; // warps
  if (rounds - convergingSince < mostConvergingRounds)
    for (const Thread *thread : woken)
      busy |= 1u << thread->warp->number;
  std::vector<Thread *> waiting = std::move(converging);
  converging.clear();
  for (Thread *thread : waiting) {
    if (busy >> thread->warp->number & 1) {
      converging.push_back(thread);
      continue;
    }
    thread->converged = 0;
    for (const Thread *other : waiting)
      if (other->warp == thread->warp && other->site == thread->site)
        thread->converged |= 1u << other->lane;
    thread->state = Thread::State::Ready;
    woken.push_back(thread);
  }
}

void Block::exit(Thread &thread) {
  thread.state = Thread::State::Ended;
  changed();
  thread.warp->live &= ~(1u << thread.lane);
  gathersWithout(thread);
  barriersWithout(thread);
  leave(thread);
  abort(); // nobody makes an ended thread ready
}

void Block::giveUp(Thread &thread) {
  thread.state = Thread::State::Lost;
  changed();
  hasLost = true;
  leave(thread);
  abort();
}

void Block::report(Kind kind, const Thread &thread, std::string message, uint32_t otherSite) {
  if (checker->report(kind, thread.site, std::move(message), thread.number, otherSite))
    launch.stop = stopped = true;
}

void Block::fail(Kind kind, Thread &thread, std::string message, uint32_t otherSite) {
  // Moved from: nothing of it is left on the stack that is given up.
  report(kind, thread, std::move(message), otherSite);
  giveUp(thread);
}

uint32_t Block::numberOf(const SiteInfo &site) const { return static_cast<uint32_t>(&site - launch.sites.data()); }

} // namespace nvemu
