// The checker on shared memory: what orders two accesses and what does not, bytes and granules, bounds, what was
// never written; each finding with its words.
// REQUIRES: lowering
// RUN: %cxx -std=c++20 -Wall -Wextra -I %src/runtime/nvemu/include -I %src/runtime/nvemu/lib -I %S/Inputs %s \
// RUN:   %build/lib/libnvemu.a -pthread -o %t
// RUN: %t
#include "checker.h"

static void warps() {
  Launch writeRead;
  writeRead.write(5, 128);
  writeRead.read(37, 128);
  writeRead.expect("a write and a read in two warps",
                   "race: shared memory at 128 (4 bytes) is read here and was written by thread 5, with no barrier "
                   "between");
  Launch readWrite;
  readWrite.write(37, 128), readWrite.read(37, 128);
  readWrite.write(5, 128);
  readWrite.expect("a read and a write, the words say which is later",
                   "race: shared memory at 128 (4 bytes) is written here and was read by thread 37, with no barrier "
                   "between");
  Launch barrier;
  barrier.write(5, 128), barrier.barrier();
  for (ThreadId t : {0, 5, 37, 127})
    barrier.read(t, 128);
  barrier.barrier(), barrier.write(37, 128);
  barrier.expect("barriers before the reads and after them");
  Launch late;
  late.write(5, 0), late.barrier();
  for (ThreadId t = 0; t != 128; ++t)
    late.next = 10, late.read(t, 0);
  late.next = 20, late.write(3, 0);
  late.expect("a write after the reads of all, with no second barrier",
              "race: shared memory at 0 (4 bytes) is written here and was read by thread 96, with no barrier between");
  Launch passed;
  passed.write(5, 0), passed.pass(5, 70), passed.read(70, 0);
  passed.pass(70, 100), passed.write(100, 0);
  passed.expect("order goes on from thread to thread");
  Launch other;
  other.write(5, 0), other.write(6, 4), other.pass(5, 70), other.read(70, 0), other.read(70, 4);
  other.expect("a release by thread 5 says nothing of its neighbour",
               "race: shared memory at 4 (4 bytes) is read here and was written by thread 6, with no barrier between");
  Launch readers;
  readers.write(5, 0), readers.barrier(), readers.read(5, 0), readers.read(6, 0), readers.pass(5, 70);
  readers.write(70, 0);
  readers.expect(
      "nor of what its neighbour reads",
      "race: shared memory at 0 (4 bytes) is written here and was read by thread 6, with no barrier between");
  Launch afterwards;
  Clock clock;
  afterwards.blocks[0].release(5, clock);
  afterwards.write(5, 0), afterwards.blocks[0].acquire(70, clock), afterwards.read(70, 0);
  afterwards.expect("what comes after a release is not released",
                    "race: shared memory at 0 (4 bytes) is read here and was written by thread 5, with no barrier "
                    "between");
  Launch copied;
  Clock first;
  copied.write(5, 0), copied.blocks[0].release(5, first);
  Clock then = first;
  copied.write(5, 4), copied.blocks[0].release(5, first);
  copied.blocks[0].acquire(70, then), copied.read(70, 0), copied.read(70, 4);
  copied.expect("a copy of a clock stays what it was",
                "race: shared memory at 4 (4 bytes) is read here and was written by thread 5, with no barrier between");
}

static void lanes() {
  const char *message = "race: shared memory at 0 (4 bytes) is read here and was written by thread 5 of the same warp, "
                        "with no barrier and no bar.warp.sync between";
  Launch none;
  none.write(5, 0), none.read(6, 0);
  none.expect("lanes of a warp are not in step", message);
  Launch synced;
  synced.write(5, 0), synced.blocks[0].syncWarp(0, 0x60), synced.read(6, 0);
  synced.expect("bar.warp.sync of both");
  Launch without;
  without.write(5, 0), without.blocks[0].syncWarp(0, 0x41), without.read(6, 0);
  without.expect("bar.warp.sync without the one that wrote", message);
  Launch twice;
  twice.write(5, 0), twice.blocks[0].syncWarp(0, ~0u), twice.write(37, 4), twice.blocks[0].syncWarp(1, ~0u);
  twice.pass(6, 40), twice.read(50, 0);
  twice.expect("what a lane learns its warp does not know yet",
               "race: shared memory at 0 (4 bytes) is read here and was written by thread 5, with no barrier between");
  Launch alone;
  alone.write(5, 0), alone.read(5, 0), alone.write(5, 0);
  alone.expect("a thread is in step with itself");
  Launch few(20);
  few.write(5, 0), few.barrier(20), few.write(19, 0), few.blocks[0].syncWarp(0, ~0u), few.read(3, 0);
  few.expect("a warp that is not full");
}

static void granules() {
  Launch bf16;
  for (ThreadId t = 0; t != 128; ++t)
    bf16.next = 0, bf16.write(t, 2 * t, 2);
  bf16.barrier();
  for (ThreadId t = 0; t != 16; ++t)
    bf16.next = 1, bf16.read(t, 16 * t, 16);
  for (ThreadId t = 0; t != 128; ++t)
    bf16.next = 2, bf16.write(t, 256 + t, 1);
  bf16.barrier();
  for (ThreadId t = 0; t != 128; ++t)
    bf16.next = 3, bf16.write((t * 7) % 128, 256 + t, 1);
  bf16.expect("neighbours in a word have nothing to do with each other");
  Launch cut;
  cut.write(5, 64, 16), cut.read(5, 64, 16), cut.write(5, 72, 1), cut.barrier();
  cut.read(80, 64, 8), cut.write(5, 73, 1), cut.write(5, 66, 1);
  cut.expect("a granule that is cut keeps its history in each part",
             "race: shared memory at 66 (1 byte) is written here and was read by thread 80, with no barrier between");
  Launch inside;
  inside.write(40, 31, 1), inside.read(5, 16, 16);
  inside.expect(
      "the first byte that races, within a wide access",
      "race: shared memory at 31 (1 byte) is read here and was written by thread 40, with no barrier between\n"
      "uninitialized: shared memory at 16 (16 bytes) is read here, and some of it was never written");
}

static void boundsAndBits() {
  Launch bounds(32, 100);
  CHECK(bounds.write(0, 96, 4));
  CHECK(!bounds.write(0, 100, 4));
  CHECK(!bounds.read(0, 96, 8));
  CHECK(!bounds.read(0, ~uint64_t(3), 4));
  CHECK(!bounds.read(0, 90, 4));
  CHECK(bounds.write(0, 99, 1));
  bounds.expect("bounds to the byte",
                "out of bounds: writes 4 bytes at 100 of shared memory, of which the block has 100 bytes: all of them "
                "are past the end\n"
                "out of bounds: reads 8 bytes at 96 of shared memory, of which the block has 100 bytes: the last 4 of "
                "them are past the end\n"
                "out of bounds: reads 4 bytes at 18446744073709551612 of shared memory, of which the block has 100 "
                "bytes: all of them are past the end\n"
                "misaligned: reads 4 bytes at 90 of shared memory, which has to be a multiple of 4");
  Launch fresh;
  fresh.write(0, 0, 2), fresh.read(0, 0, 4), fresh.read(0, 0, 2), fresh.atomic(0, 8);
  fresh.expect("a read of more than was written, an atomic on nothing",
               "uninitialized: shared memory at 0 (4 bytes) is read here, and some of it was never written\n"
               "uninitialized: shared memory at 8 (4 bytes) is read here, and some of it was never written");
  Launch off(32, 100, 1, false);
  off.write(0, 0), off.read(31, 0), off.read(0, 50, 2);
  CHECK(!off.read(0, 100));
  off.expect("without checks bounds are checked alone",
             "out of bounds: reads 4 bytes at 100 of shared memory, of which the block has 100 bytes: all of them are "
             "past the end");
}

static void strong() {
  Launch atomics;
  atomics.write(0, 0), atomics.barrier();
  for (ThreadId t = 0; t != 128; ++t)
    atomics.next = 1, atomics.atomic(t, 0);
  atomics.next = 2, atomics.read(3, 0, 4, accessVolatile), atomics.write(9, 0, 4, accessVolatile);
  atomics.expect("atomics and volatile accesses among themselves");
  atomics.next = 5, atomics.read(3, 0);
  atomics.expect("a plain read among atomics",
                 "race: shared memory at 0 (4 bytes) is read here and was written by an atomic or a strong store by "
                 "thread 0 of the same warp, with no barrier and no bar.warp.sync between");
  Launch first;
  first.write(0, 0), first.barrier(), first.atomic(40, 0), first.atomic(3, 0), first.pass(3, 5), first.read(5, 0);
  first.expect("an atomic is not forgotten when another one follows",
               "race: shared memory at 0 (4 bytes) is read here and was written by an atomic or a strong store by "
               "thread 40, with no barrier between");
  Launch flag;
  flag.write(0, 64), flag.write(0, 0, 4, accessVolatile | accessRelease);
  flag.read(70, 0, 4, accessVolatile | accessAcquire), flag.read(70, 64), flag.write(70, 0);
  flag.expect("st.release and ld.acquire order, and the flag may be set anew");
  Launch relaxed;
  relaxed.write(0, 64), relaxed.write(0, 0, 4, accessVolatile), relaxed.read(70, 0, 4, accessVolatile);
  relaxed.read(70, 64);
  relaxed.expect("relaxed accesses order nothing",
                 "race: shared memory at 64 (4 bytes) is read here and was written by thread 0, with no barrier "
                 "between");
  Launch fences;
  fences.write(0, 64), fences.blocks[0].fence(0, false), fences.write(0, 0, 4, accessVolatile);
  fences.read(70, 0, 4, accessVolatile), fences.blocks[0].fence(70, false), fences.read(70, 64);
  fences.expect("unless there is a fence on each side");
  Launch late;
  late.blocks[0].fence(0, false), late.write(0, 64), late.write(0, 0, 4, accessVolatile);
  late.read(70, 0, 4, accessVolatile), late.blocks[0].fence(70, false), late.read(70, 64);
  late.expect("what comes after the fence is not released",
              "race: shared memory at 64 (4 bytes) is read here and was written by thread 0, with no barrier between");
  Launch lane;
  lane.write(0, 0), lane.barrier(), lane.atomic(40, 0), lane.pass(40, 3), lane.pass(41, 4);
  lane.read(3, 0), lane.read(4, 0);
  lane.expect(
      "a lane that knows of the atomic, and one beside it that does not",
      "race: shared memory at 0 (4 bytes) is read here and was written by an atomic or a strong store by thread "
      "40, with no barrier between");
}

static void counted() {
  Launch many;
  for (ThreadId t = 0; t != 128; ++t)
    many.next = 0, many.write(t, 0);
  std::vector<Finding> found = many.findings.take();
  CHECK(found.size() == 1 && found[0].count == 127 && found[0].thread.x == 1 && found[0].other.line == 1);
  CHECK(describe(found[0]) == "race: shared memory at 0 (4 bytes) is written here and was written by thread 0 of the "
                              "same warp, with no barrier and no bar.warp.sync between (kernel k, block 0,0,0, thread "
                              "1,0,0), 127 times\n  at line 1: line1;\n  and line 1: line1;");
  for (uint32_t site = 0; site != 15; ++site)
    CHECK(!many.blocks[0].report(Kind::Trap, site, "trapped", 0));
  CHECK(many.blocks[0].report(Kind::Trap, 15, "trapped", 0) && many.findings.full());
  CHECK(many.blocks[0].reportBlock(Kind::Deadlock, 16, "stuck"));
  CHECK(many.findings.take().size() == 16);
}

int main() {
  warps(), lanes(), granules(), boundsAndBits(), strong(), counted();
  return failures != 0;
}
