// The checker on asynchronous copies: the bytes that they fill and those that they read, until somebody waits.
// REQUIRES: lowering
// RUN: %cxx -std=c++20 -Wall -Wextra -I %src/runtime/nvemu/include -I %src/runtime/nvemu/lib -I %S/Inputs %s \
// RUN:   %build/lib/libnvemu.a -pthread -o %t
// RUN: %t
#include "checker.h"

struct Copies : Launch {
  Buffer source{4096};
  uint64_t number = 0;
  bool start(ThreadId thread, uint64_t offset, uint32_t bytes = 16, uint64_t from = 0, uint32_t read = 16) {
    return blocks[0].copyStart({thread, next++, bytes, accessWrite}, offset, bytes, number,
                               reinterpret_cast<uint64_t>(source + from), read);
  }
};

static std::string inFlight(const char *place, const char *what, const char *how) {
  return std::string("in flight: ") + place + " is " + what + " here, while an asynchronous copy " + how +
         " is under way, before wait_group or a wait on its mbarrier";
}

static void filled() {
  Copies early;
  early.start(3, 64), early.read(3, 72);
  early.expect("read by the thread that copies, too early",
               inFlight("shared memory at 72 (4 bytes)", "read", "into it that the same thread started"));
  early.next = 5, early.write(40, 76, 2), early.next = 6, early.read(40, 80);
  early.expect("written by another one; beside it nothing is in flight",
               inFlight("shared memory at 76 (2 bytes)", "written", "into it that thread 3 started") +
                   "\nuninitialized: shared memory at 80 (4 bytes) is read here, and some of it was never written");
  Copies waited;
  waited.start(3, 64), waited.blocks[0].copyDone(waited.number, 3), waited.read(3, 64);
  waited.expect("after its own wait");
  waited.next = 5, waited.read(40, 64);
  waited.expect("by another thread with no barrier", "race: shared memory at 64 (4 bytes) is read here and was written "
                                                     "by thread 3, with no barrier between");
  waited.barrier(), waited.read(40, 68);
  waited.expect("and with one");
  Copies before;
  before.write(40, 64), before.barrier(), before.read(40, 64);
  before.start(3, 64);
  before.expect("a copy into bytes that are read still",
                "race: shared memory at 64 (16 bytes) is written here and was read by thread 40, with no barrier "
                "between");
  Copies twice;
  twice.start(3, 64), twice.start(4, 64);
  twice.expect("two copies at once",
               inFlight("shared memory at 64 (16 bytes)", "written", "into it that thread 3 started"));
  twice.blocks[0].copyDone(0, 3), twice.read(3, 64);
  twice.expect("of which one is over",
               inFlight("shared memory at 64 (4 bytes)", "read", "into it that thread 4 started"));
}

static void read() {
  Copies source;
  source.start(3, 64, 16, 128), source.writeGlobal(0, 3, source.source + 132);
  source.expect("the source is written while it is read",
                inFlight("global memory at offset 132 of a buffer of 4096 bytes (4 bytes)", "written",
                         "from it that the same thread started"));
  Copies after;
  after.start(3, 64, 16, 128), after.blocks[0].copyDone(after.number, 3), after.writeGlobal(0, 3, after.source + 132);
  after.expect("and after the wait");
  after.start(3, 80, 16, 256), after.blocks[0].copyDone(after.number, 3), after.next = 7;
  after.writeGlobal(0, 40, after.source + 256);
  after.expect("by another thread, which would need a barrier",
               "race: global memory at offset 256 of a buffer of 4096 bytes (4 bytes) is written here and was read by "
               "thread 3, with no barrier between");
  Copies shared;
  shared.start(3, 64, 16, 128), shared.start(4, 96, 16, 128), shared.readGlobal(0, 90, shared.source + 128);
  uint64_t second = shared.number;
  shared.blocks[0].copyDone(0, 3);
  shared.barrier();
  shared.writeGlobal(0, 3, shared.source + 128);
  shared.blocks[0].copyDone(second, 4);
  shared.expect("two copies of one source, of which one is over",
                inFlight("global memory at offset 128 of a buffer of 4096 bytes (4 bytes)", "written",
                         "from it that thread 4 started"));
  Copies part;
  CHECK(part.start(0, 0, 16, 4080 + 8 - 8, 16) && part.start(0, 16, 16, 4080, 3) && part.start(0, 32, 16, 0, 0));
  part.expect("fewer bytes of the source than are filled");
  CHECK(!part.start(0, 64, 32, 4080, 32) && !part.start(0, 4088, 16) && !part.start(0, 8, 16) &&
        !part.start(0, 64, 16, 4));
  part.expect("bounds and alignment on both sides",
              "out of bounds: reads 32 bytes of global memory at offset 4080 of a buffer of 4096 bytes: the last 16 of "
              "them are past the end\n"
              "out of bounds: writes 16 bytes at 4088 of shared memory, of which the block has 4096 bytes: the last 8 "
              "of them are past the end\n"
              "misaligned: writes 16 bytes at 8 of shared memory, which has to be a multiple of 16\n"
              "misaligned: reads 16 bytes of global memory at offset 4 of a buffer of 4096 bytes, which has to be a "
              "multiple of 16");
}

static void mbarriers() {
  Copies launch;
  Clock first, second;
  launch.start(0, 0, 1024, 0, 1024);
  uint64_t one = launch.number;
  launch.start(0, 1024, 1024, 1024, 1024);
  uint64_t two = launch.number;
  launch.blocks[0].copyDone(one, first), launch.blocks[0].copyDone(two, second);
  launch.blocks[0].acquire(50, first), launch.read(50, 1020);
  launch.expect("who acquires the mbarrier sees it");
  launch.next = 10, launch.read(50, 1024);
  launch.expect("of that one alone", "race: shared memory at 1024 (4 bytes) is read here and was written by an "
                                     "asynchronous copy, with no wait on its mbarrier between");
  launch.blocks[0].acquire(50, second), launch.read(50, 1028), launch.pass(50, 100), launch.read(100, 1032);
  launch.expect("and passes it on");
  launch.blocks[0].acquire(0, first), launch.start(0, 0, 1024, 0, 1024);
  launch.expect("refilled while it is read still",
                "race: shared memory at 1020 (4 bytes) is written here and was read by thread 50, with no barrier "
                "between");
  launch.start(0, 2048), one = launch.number, launch.start(0, 2064), two = launch.number;
  launch.blocks[0].copyDone(one, first), launch.blocks[0].copyDone(two, second), launch.blocks[0].acquire(80, second);
  launch.next = 30, launch.read(80, 2064), launch.read(80, 2048);
  launch.expect("nor does the later mbarrier tell of the earlier one",
                "race: shared memory at 2048 (4 bytes) is read here and was written by an asynchronous copy, with no "
                "wait on its mbarrier between");
  launch.start(0, 0, 1024, 0, 1024), launch.findings.take();
  first.clear(), launch.blocks[0].copyDone(launch.number, first), launch.next = 20, launch.read(50, 0);
  launch.expect("a new phase is a new wait", "race: shared memory at 0 (4 bytes) is read here and was written by an "
                                             "asynchronous copy, with no wait on its mbarrier between");
}

int main() {
  filled(), read(), mbarriers();
  return failures != 0;
}
