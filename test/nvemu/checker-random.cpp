// Long random programs of a launch of two blocks: the checker must report a race exactly where a list of all accesses
// and full vector clocks say that there is one, and nothing before. Loads and stores of 1 to 16 bytes, atomics and
// relaxed ones of both scopes, barriers, bar.warp.sync, clocks, release and acquire at locations, fences.
// REQUIRES: lowering
// RUN: %cxx -O1 -std=c++20 -Wall -Wextra -I %src/runtime/nvemu/include -I %src/runtime/nvemu/lib -I %S/Inputs %s \
// RUN:   %build/lib/libnvemu.a -pthread -o %t
// RUN: %t | FileCheck %s
#include "checker.h"

#include <map>
#include <random>

static constexpr unsigned blockCount = 2, threadCount = 70, everyone = blockCount * threadCount, dataBytes = 32;

/// Of each thread of the launch, by its number in it.
using Vector = std::vector<uint32_t>;

static void join(Vector &to, const Vector &from) {
  for (size_t i = 0; i != from.size(); ++i)
    to[i] = std::max(to[i], from[i]);
}

struct Past {
  unsigned thread;
  uint32_t time;
  uint32_t flags;
  bool atomic;
};

/// What the checker does, by the definition and slowly.
struct Oracle {
  struct Thread {
    Vector knows = Vector(everyone), fencedBlock = Vector(everyone), fencedGpu = Vector(everyone),
           pendingBlock = Vector(everyone), pendingGpu = Vector(everyone);
    uint32_t blockFence = 0, gpuFence = 0; // the own time at the last one
  };
  struct Released {
    Vector all = Vector(everyone), fenced = Vector(everyone);
  };
  struct Location {
    Vector wide = Vector(everyone), narrow[blockCount] = {Vector(everyone), Vector(everyone)};
  };
  std::vector<Thread> threads = std::vector<Thread>(everyone);
  std::vector<std::vector<Past>> bytes = std::vector<std::vector<Past>>((blockCount + 1) * dataBytes);
  Released clocks[4];
  Location locations[3];
  std::map<unsigned, Location> strong; // of data, by the first byte

  static bool isStrong(const Past &p) { return p.atomic || (p.flags & accessVolatile); }
  static bool conflict(const Past &a, const Past &b) {
    if (!((a.flags | b.flags) & accessWrite))
      return false;
    bool inScope = a.thread / threadCount == b.thread / threadCount || (a.flags & b.flags & accessScopeGpu);
    return !(isStrong(a) && isStrong(b) && inScope);
  }
  bool races(const Past &now, unsigned first, unsigned count) const {
    for (unsigned i = first; i != first + count; ++i)
      for (const Past &p : bytes[i])
        if (p.time > threads[now.thread].knows[p.thread] && p.thread != now.thread && conflict(p, now))
          return true;
    return false;
  }
  void access(Past now, unsigned first, unsigned count) {
    Thread &thread = threads[now.thread];
    now.time = ++thread.knows[now.thread];
    // Whoever learns of a fence is taken to have seen the strong writes after it, too.
    if (uint32_t fence = thread.gpuFence ? thread.gpuFence : thread.blockFence;
        fence && isStrong(now) && (now.flags & accessWrite))
      now.time = fence;
    for (unsigned i = first; i != first + count; ++i)
      bytes[i].push_back(now);
  }
  void release(unsigned t, Released &clock) {
    join(clock.all, threads[t].knows), join(clock.fenced, threads[t].fencedGpu);
    ++threads[t].knows[t];
  }
  void acquire(unsigned t, const Released &clock) {
    join(threads[t].knows, clock.all), join(threads[t].fencedGpu, clock.fenced);
  }
  /// Of a vector what it says of the block of `t`.
  static Vector ownPart(unsigned t, Vector v) {
    for (unsigned i = 0; i != everyone; ++i)
      if (i / threadCount != t / threadCount)
        v[i] = 0;
    return v;
  }
  void fence(unsigned t, bool gpu) {
    Thread &thread = threads[t];
    join(thread.knows, thread.pendingBlock);
    join(thread.knows, gpu ? thread.pendingGpu : ownPart(t, thread.pendingGpu));
    join(thread.fencedBlock, thread.knows);
    thread.blockFence = thread.knows[t];
    if (gpu)
      join(thread.fencedGpu, thread.knows), thread.gpuFence = thread.knows[t];
    ++thread.knows[t];
  }
  void store(unsigned t, Location &at, bool gpu, bool releases) {
    Thread &thread = threads[t];
    join(at.narrow[t / threadCount], releases ? thread.knows : thread.fencedBlock);
    if (gpu)
      join(at.wide, releases ? thread.knows : thread.fencedGpu);
    ++thread.knows[t];
  }
  void load(unsigned t, const Location &at, bool gpu, bool acquires) {
    Thread &thread = threads[t];
    const Vector wide = gpu ? at.wide : ownPart(t, at.wide);
    join(acquires ? thread.knows : thread.pendingBlock, at.narrow[t / threadCount]);
    if (acquires || gpu)
      join(acquires ? thread.knows : thread.pendingGpu, wide);
  }
};

struct Program {
  std::mt19937 random;
  Buffer data{dataBytes}, flags{1024};
  Launch launch{threadCount, dataBytes, blockCount};
  Oracle oracle;
  Clock clocks[4];
  unsigned barriers = 0, accesses = 0;
  bool over = false, wrong = false;

  explicit Program(unsigned seed) : random(seed) {
    // Shared memory is initialised by strong stores, which race with nothing that is strong.
    for (unsigned b = 0; b != blockCount; ++b)
      for (unsigned i = 0; i != dataBytes; i += 16)
        launch.blocks[b].shared({0, 0, 16, accessWrite}, i),
            oracle.access({b * threadCount, 0, accessWrite, false}, b * dataBytes + i, 16);
    for (unsigned b = 0; b != blockCount; ++b)
      barrier(b);
  }
  unsigned pick(unsigned count) { return random() % count; }

  void barrier(unsigned b) {
    launch.barrier(threadCount, b);
    Oracle::Released clock;
    for (unsigned t = 0; t != threadCount; ++t)
      oracle.release(b * threadCount + t, clock);
    for (unsigned t = 0; t != threadCount; ++t)
      oracle.acquire(b * threadCount + t, clock);
  }
  void syncWarp(unsigned b, unsigned warp) {
    uint32_t mask = pick(3) ? ~0u : random();
    launch.blocks[b].syncWarp(warp, mask);
    Oracle::Released clock;
    for (int twice = 0; twice != 2; ++twice)
      for (unsigned lane = 0; lane != 32; ++lane) {
        unsigned t = 32 * warp + lane;
        if (t >= threadCount || !(mask >> lane & 1))
          continue;
        Vector fenced = clock.fenced;
        twice ? oracle.acquire(b * threadCount + t, clock) : oracle.release(b * threadCount + t, clock);
        clock.fenced = Vector(everyone); // a fence is carried on by barriers alone
      }
  }
  void access(unsigned b, unsigned t) {
    unsigned size = 1u << pick(5);
    unsigned at = pick(dataBytes / size) * size;
    uint32_t flags = pick(3) ? 0 : accessWrite;
    bool atomic = pick(6) == 0;
    if (atomic || pick(3) == 0)
      flags |= accessVolatile | (pick(2) ? accessScopeGpu : 0) | (atomic ? accessWrite : 0);
    bool shared = pick(2);
    unsigned first = (shared ? b : blockCount) * dataBytes + at;
    Past now{b * threadCount + t, 0, flags, atomic};
    bool races = oracle.races(now, first, size);
    if (races && pick(200))
      return; // few programs end early
    ++accesses;
    BlockChecker::Access access{t, 1, size, flags, atomic};
    if (shared)
      launch.blocks[b].shared(access, at);
    else
      launch.blocks[b].global(access, reinterpret_cast<uint64_t>(data + at));
    // Strong accesses of data order by way of where they are, too.
    if (Oracle::isStrong(now)) {
      bool gpu = flags & accessScopeGpu;
      if (atomic || !(flags & accessWrite))
        oracle.load(now.thread, oracle.strong[first], gpu, false);
      if (flags & accessWrite)
        oracle.store(now.thread, oracle.strong[first], gpu && !shared, false);
    }
    oracle.access(now, first, size);
    bool found = !launch.findings.take().empty();
    over = races || found;
    wrong = races != found;
    if (wrong)
      std::printf("%s: thread %u,%u, %u bytes at %u, flags %x, %s\n", races ? "missed" : "invented", b, t, size, at,
                  flags, shared ? "shared" : "global");
  }
  void atLocation(unsigned b, unsigned t) {
    unsigned which = pick(3);
    bool gpu = pick(2), store = pick(2), strong = pick(2);
    uint32_t flags = accessVolatile | (gpu ? accessScopeGpu : 0);
    if (store)
      launch.writeGlobal(b, t, flags_(which), 4, flags | (strong ? accessRelease : 0));
    else
      launch.readGlobal(b, t, flags_(which), 4, flags | (strong ? accessAcquire : 0));
    launch.next = 0, launch.findings.take(); // flags of both scopes race, which is not the point
    unsigned who = b * threadCount + t;
    store ? oracle.store(who, oracle.locations[which], gpu, strong)
          : oracle.load(who, oracle.locations[which], gpu, strong);
  }
  const void *flags_(unsigned which) { return flags + 256 * int(which); }

  void step() {
    unsigned b = pick(blockCount), t = pick(3) ? pick(4) * 17 + pick(2) : pick(threadCount), what = pick(100),
             c = pick(4);
    unsigned who = b * threadCount + t;
    if (what < 75) {
      access(b, t);
    } else if (what < 77) {
      barrier(b), ++barriers;
    } else if (what < 80) {
      syncWarp(b, pick(3));
    } else if (what < 88) {
      atLocation(b, t);
    } else if (what < 92) {
      bool gpu = pick(2);
      launch.blocks[b].fence(t, gpu), oracle.fence(who, gpu);
    } else if (c / 2 == b && what < 96) { // clocks are of one block
      launch.blocks[b].release(t, clocks[c]), oracle.release(who, oracle.clocks[c]);
    } else if (c / 2 == b) {
      launch.blocks[b].acquire(t, clocks[c]), oracle.acquire(who, oracle.clocks[c]);
    }
  }
};

int main() {
  unsigned wrong = 0, races = 0, accesses = 0;
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    Program program(seed);
    for (unsigned i = 0; i != 2000 && !program.over; ++i)
      program.step();
    wrong += program.wrong, races += program.over, accesses += program.accesses;
    if (program.wrong)
      std::printf("  in program %u\n", seed);
  }
  // CHECK: {{^}}0 of 1000 programs wrong
  std::printf("%u of 1000 programs wrong\n", wrong);
  // They are long, and most of them come to a race.
  // CHECK-NEXT: enough
  std::printf("%s: %u accesses, %u races\n", accesses > 100000 && races > 500 ? "enough" : "too few", accesses, races);
  return wrong != 0;
}
