// The checker on global memory: bounds to the byte, bytes that nobody wrote, threads of a block, blocks with and
// without a release and an acquire, read-only loads; and the memory itself.
// REQUIRES: lowering
// RUN: %cxx -std=c++20 -Wall -Wextra -I %src/runtime/nvemu/include -I %src/runtime/nvemu/lib -I %S/Inputs %s \
// RUN:   %build/lib/libnvemu.a -pthread -o %t
// RUN: %t
#include "checker.h"

#include <thread>

static void memory() {
  for (size_t bytes : {1, 255, 256, 1000, 4096, 100000}) {
    Buffer buffer(bytes, true);
    CHECK(reinterpret_cast<uint64_t>(buffer.data) % 256 == 0);
    CHECK(static_cast<unsigned char>(buffer.data[bytes - 1]) == 0xff);
    CHECK(isAllocated(buffer.data, bytes) && isAllocated(buffer + bytes - 1, 1));
    CHECK(!isAllocated(buffer.data, bytes + 1) && !isAllocated(buffer + bytes, 1) && !isAllocated(buffer + -1, 1));
  }
  void *none = allocate(0);
  CHECK(none && !isAllocated(none, 1) && release(none) && !release(none));
  CHECK(!allocate(~size_t(0)) && !release(nullptr));
  Buffer stays(64);
  CHECK(!release(stays + 4) && isAllocated(stays.data, 64));
}

static void bounds() {
  Launch launch;
  Buffer buffer(100);
  CHECK(launch.readGlobal(0, 0, buffer + 96));
  CHECK(!launch.readGlobal(0, 0, buffer + 96, 8));
  CHECK(!launch.writeGlobal(0, 0, buffer + 100));
  CHECK(!launch.readGlobal(0, 0, buffer + -4));
  CHECK(!launch.readGlobal(0, 0, buffer + 2));
  CHECK(!launch.readGlobal(0, 0, nullptr));
  CHECK(!launch.readGlobal(0, 0, reinterpret_cast<void *>(uint64_t(1) << 60)));
  CHECK(!launch.readGlobal(0, 0, reinterpret_cast<void *>(~uint64_t(3))));
  CHECK(launch.readGlobal(0, 0, buffer + 99, 1) && !launch.readGlobal(0, 0, buffer + 100, 1));
  launch.expect("bounds",
                "out of bounds: reads 8 bytes of global memory at offset 96 of a buffer of 100 bytes: the last 4 of "
                "them are past the end\n"
                "out of bounds: writes 4 bytes of global memory at offset 100 of a buffer of 100 bytes: all of them "
                "are past the end\n"
                "out of bounds: reads 4 bytes of global memory 4 bytes before the start of a buffer of 100 bytes\n"
                "misaligned: reads 4 bytes of global memory at offset 2 of a buffer of 100 bytes, which has to be a "
                "multiple of 4\n"
                "out of bounds: reads 4 bytes of global memory at 0, a null pointer or close to one\n"
                "out of bounds: reads 4 bytes of global memory at an address that is in no buffer\n"
                "out of bounds: reads 4 bytes of global memory at an address that is in no buffer\n"
                "out of bounds: reads 1 byte of global memory at offset 100 of a buffer of 100 bytes: all of them are "
                "past the end");
  Launch off(32, 0, 1, false);
  Buffer large(5000, true);
  CHECK(off.readGlobal(0, 0, large + 4096) && off.writeGlobal(0, 1, large + 4096) &&
        off.readGlobal(0, 0, large + 4996));
  CHECK(!off.readGlobal(0, 0, large + 5000));
  off.expect("without checks bounds are checked alone", "out of bounds: reads 4 bytes of global memory at offset 5000 "
                                                        "of a buffer of 5000 bytes: all of them are past the end");
}

static void initialised() {
  Buffer buffer(2048, true);
  markInitialized(buffer + 64, 6);
  Launch first;
  first.readGlobal(0, 0, buffer + 64), first.readGlobal(0, 0, buffer + 68), first.writeGlobal(0, 0, buffer + 1024, 16);
  first.readGlobal(0, 0, buffer + 1036);
  first.expect("of four bytes two are initialised", "uninitialized: global memory at offset 68 of a buffer of 2048 "
                                                    "bytes (4 bytes) is read here, and some of it was never written");
  Launch second;
  second.readGlobal(0, 7, buffer + 1024, 16), second.readGlobal(0, 7, buffer + 1040);
  second.expect("what one launch wrote the next may read",
                "uninitialized: global memory at offset 1040 of a buffer of 2048 bytes (4 bytes) is read here, and "
                "some of it was never written");
}

static void threads() {
  Buffer buffer(4096);
  Launch launch;
  for (ThreadId t = 0; t != 128; ++t)
    launch.next = 0, launch.writeGlobal(0, t, buffer + 2 * t, 2);
  launch.barrier(), launch.readGlobal(0, 3, buffer.data, 16);
  launch.expect("neighbours in a word, then a barrier");
  launch.next = 4, launch.writeGlobal(0, 90, buffer + 8);
  launch.expect("no second barrier", "race: global memory at offset 8 of a buffer of 4096 bytes (4 bytes) is written "
                                     "here and was read by thread 3, with no barrier between");
  Buffer large(1 << 20);
  Launch apart;
  for (unsigned i = 0; i != 8; ++i)
    apart.writeGlobal(0, 16 * i, large + (i << 17));
  apart.expect("pages far from each other");
  Launch next;
  next.readGlobal(0, 77, buffer + 8);
  next.expect("launches follow each other");
}

static void blocks() {
  const char *race = "race: global memory at offset 0 of a buffer of 4096 bytes (4 bytes) is read here and was written "
                     "by thread 3 of block 0,0,0, with no release and acquire of gpu scope between";
  Buffer data(4096), flag(4);
  Launch none(128, 0, 2);
  none.writeGlobal(0, 3, data.data), none.readGlobal(1, 3, data.data), none.writeGlobal(1, 3, data + 4);
  none.expect("nothing orders blocks", race);
  Launch readWrite(128, 0, 2);
  readWrite.readGlobal(0, 3, data.data), readWrite.writeGlobal(1, 90, data.data);
  readWrite.expect("a read and a write", "race: global memory at offset 0 of a buffer of 4096 bytes (4 bytes) is "
                                         "written here and was read by thread 3 of block 0,0,0, with no release and "
                                         "acquire of gpu scope between");
  // Write, fence, atomic | atomic, fence, read: with all of it, and without one part.
  for (int missing = 0; missing != 5; ++missing) {
    Launch launch(128, 0, 2);
    launch.writeGlobal(0, 3, data.data);
    if (missing != 1)
      launch.blocks[0].fence(3, missing != 2);
    launch.atomicGlobal(0, 3, flag.data), launch.atomicGlobal(1, 3, flag.data);
    if (missing != 3)
      launch.blocks[1].fence(3, missing != 4);
    launch.readGlobal(1, 3, data.data);
    launch.expect("fences with atomics", missing ? race : "");
  }
  const uint32_t gpu = accessVolatile | accessScopeGpu;
  for (int missing = 0; missing != 4; ++missing) {
    Launch launch(128, 0, 2);
    launch.writeGlobal(0, 3, data.data);
    launch.barrier(128, 0);
    launch.writeGlobal(0, 0, flag.data, 4, gpu | (missing == 1 ? 0 : accessRelease));
    launch.readGlobal(1, 0, flag.data, 4, gpu | (missing == 2 ? 0 : accessAcquire));
    if (missing != 3)
      launch.barrier(128, 1);
    launch.readGlobal(1, 77, data.data);
    launch.expect("barrier, st.release, ld.acquire, barrier", missing ? race : "");
  }
  Launch idiom(128, 0, 2);
  idiom.writeGlobal(0, 3, data.data);
  for (ThreadId t = 0; t != 128; ++t)
    idiom.blocks[0].fence(t, true);
  idiom.barrier(128, 0), idiom.atomicGlobal(0, 0, flag.data), idiom.atomicGlobal(1, 0, flag.data);
  idiom.blocks[1].fence(0, true), idiom.barrier(128, 1), idiom.readGlobal(1, 50, data.data);
  idiom.writeGlobal(1, 50, flag.data);
  idiom.expect("all fence, then a barrier, then one counts; the last block resets the counter");
  Launch third(128, 0, 3);
  Buffer flags(64);
  third.writeGlobal(0, 3, data.data), third.writeGlobal(0, 3, flags.data, 4, gpu | accessRelease);
  third.readGlobal(1, 5, flags.data, 4, gpu | accessAcquire),
      third.writeGlobal(1, 5, flags + 32, 4, gpu | accessRelease);
  third.readGlobal(2, 7, flags + 32, 4, gpu | accessAcquire), third.readGlobal(2, 7, data.data);
  third.expect("order goes on from block to block");
  Launch scope(128, 0, 2);
  scope.atomicGlobal(0, 0, flag.data, 0), scope.atomicGlobal(0, 9, flag.data), scope.atomicGlobal(1, 0, flag.data);
  scope.expect("an atomic with the scope of its block, and one of another block",
               "race: global memory at offset 0 of a buffer of 4 bytes (4 bytes) is updated by an atomic here and was "
               "written by an atomic or a strong store by thread 0 of block 0,0,0: the scope of one of them is the "
               "block alone");
}

static void readOnly() {
  Buffer data(64);
  Launch launch(128, 0, 2);
  launch.readGlobal(0, 3, data.data, 4, accessReadOnly), launch.barrier(128, 0), launch.writeGlobal(0, 3, data + 4);
  launch.expect("beside it");
  launch.next = 4, launch.writeGlobal(0, 3, data.data);
  launch.expect("a write even in order",
                "race: global memory at offset 0 of a buffer of 64 bytes (4 bytes) is written here and was read as "
                "read-only (ld.global.nc) by the same thread: nobody may write what ld.global.nc reads during the "
                "launch");
  launch.next = 6, launch.writeGlobal(0, 3, data.data);
  CHECK(launch.findings.take().size() == 1);
  launch.next = 5, launch.readGlobal(0, 3, data + 4, 4, accessReadOnly);
  launch.expect("and a read after a write",
                "race: global memory at offset 4 of a buffer of 64 bytes (4 bytes) is read here and was written by the "
                "same thread: nobody may write what ld.global.nc reads during the launch");
}

/// Blocks on two host threads: each finds the other's writes, whatever comes first.
static void hostThreads() {
  Buffer data(65536), flag(4);
  Launch launch(32, 0, 2, true, true);
  auto run = [&](unsigned block) {
    for (unsigned i = 0; i != 4096; ++i)
      launch.blocks[block].global({i % 32, 2, 4, accessWrite}, reinterpret_cast<uint64_t>(data + (8 * i + 4 * block)));
    launch.blocks[block].global({0, 3, 4, accessWrite}, reinterpret_cast<uint64_t>(data + 32768));
  };
  std::thread other(run, 1);
  run(0), other.join();
  std::vector<Finding> found = launch.findings.take();
  CHECK(found.size() == 1 && found[0].kind == Kind::Race && found[0].site.line == 4);
}

/// With several host threads a load may see what was stored between its check and itself.
static void loadsThatAreLate() {
  const uint32_t gpu = accessVolatile | accessScopeGpu;
  for (bool concurrent : {false, true}) {
    Buffer data(64), flag(4);
    Launch launch(32, 0, 2, true, concurrent);
    launch.writeGlobal(0, 3, data.data);
    launch.readGlobal(1, 3, flag.data, 4, gpu | accessAcquire);
    launch.writeGlobal(0, 3, flag.data, 4, gpu | accessRelease);
    launch.readGlobal(1, 3, data.data);
    CHECK(launch.findings.take().size() == (concurrent ? 0 : 1));
  }
}

int main() {
  loadsThatAreLate();
  memory(), bounds(), initialised(), threads(), blocks(), readOnly(), hostThreads();
  return failures != 0;
}
