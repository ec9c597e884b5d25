//===- CommandLine.cpp - what `nvemu` is asked to do ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include <charconv>

using namespace nvemu;
using namespace nvemu::tool;

const char *const nvemu::tool::usage =
    R"(nvemu runs a kernel of a PTX file on the CPU and says what is wrong with it.

    nvemu FILE.ptx [OPTION...] ARG...     run a kernel
    nvemu --list FILE.ptx                 its kernels

  --kernel NAME         which; not needed where there is one
  --grid X[,Y[,Z]]      blocks, 1 without
  --block X[,Y[,Z]]     threads of a block, 1 without
  --shared BYTES        dynamic shared memory
  --print N[=hex]       print the buffer that is argument N (from 0) afterwards
  --out N=FILE.npy      write it
  --no-checks           numbers only, in about half the time
  --seed N              run threads in an order drawn from N; 0: in their own
  --host-threads N      blocks that run at once
  --max-steps N         give up after N switches between threads of a block and turns
                        of their loops
  --max-findings N      stop after N findings
  --data-seed N         of random buffers

An ARG for each parameter, in order, of a type b8 to b64, u8 to u64, i8 to i64, f16,
bf16, f32, f64:
  i32:5  f32:1.5  i32:1,2,3       a number; a structure of numbers
  f32[128]:VALUES                 a buffer: zero, iota (0, 1, 2, ...), uninit, random
                                  (floats in [-1, 1), bits of integers), 1,2,3
                                  (repeated to the end), @file.npy

Exit status: 0 clean, 1 with findings, 2 what was asked cannot be done.
)";

namespace {

bool parseUnsigned(std::string_view text, uint64_t most, uint64_t &value) {
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && value <= most;
}

bool parseDim(std::string_view text, Dim3 &dim) {
  unsigned *const parts[] = {&dim.x, &dim.y, &dim.z};
  for (unsigned *part : parts) {
    size_t comma = text.find(',');
    uint64_t value = 0;
    if (!parseUnsigned(text.substr(0, comma), 0x7fffffff, value) || !value)
      return false;
    *part = unsigned(value);
    if (comma == text.npos)
      return true;
    text.remove_prefix(comma + 1);
  }
  return false;
}

bool parsePrint(std::string_view text, CommandLine &line) {
  uint64_t argument = 0;
  size_t equals = text.find('=');
  bool hex = equals != text.npos;
  if ((hex && text.substr(equals) != "=hex") || !parseUnsigned(text.substr(0, equals), 1000, argument))
    return false;
  line.prints.push_back({argument, hex});
  return true;
}

bool parseOut(std::string_view text, CommandLine &line) {
  uint64_t argument = 0;
  size_t equals = text.find('=');
  if (equals == text.npos || equals + 1 == text.size() || !parseUnsigned(text.substr(0, equals), 1000, argument))
    return false;
  line.outs.push_back({argument, std::string(text.substr(equals + 1))});
  return true;
}

/// An option that takes a word: what it wants to see, and how to read it.
struct Valued {
  std::string_view name, wants;
  bool (*read)(std::string_view, CommandLine &);
};

bool readMaxFindings(std::string_view text, CommandLine &line) {
  uint64_t value = 0;
  bool fine = parseUnsigned(text, 1 << 20, value) && value;
  line.options.maxFindings = unsigned(value);
  return fine;
}

bool readHostThreads(std::string_view text, CommandLine &line) {
  uint64_t value = 0;
  bool fine = parseUnsigned(text, 1024, value) && value;
  line.options.hostThreads = unsigned(value);
  return fine;
}

bool readShared(std::string_view text, CommandLine &line) {
  uint64_t value = 0;
  bool fine = parseUnsigned(text, 0x7fffffff, value);
  line.shared = value;
  return fine;
}

constexpr Valued valued[] = {
    {"--kernel", "a kernel's name",
     [](std::string_view text, CommandLine &line) { return !(line.kernel = text).empty(); }},
    {"--grid", "one to three numbers of blocks, as 4,2",
     [](std::string_view text, CommandLine &line) { return parseDim(text, line.grid); }},
    {"--block", "one to three numbers of threads, as 32,4",
     [](std::string_view text, CommandLine &line) { return parseDim(text, line.block); }},
    {"--shared", "a number of bytes", readShared},
    {"--print", "an argument's number, and =hex where bits are wanted", parsePrint},
    {"--out", "an argument's number and a file, as 0=x.npy", parseOut},
    {"--seed", "a number",
     [](std::string_view text, CommandLine &line) { return parseUnsigned(text, ~0ull, line.options.seed); }},
    {"--data-seed", "a number",
     [](std::string_view text, CommandLine &line) { return parseUnsigned(text, ~0ull, line.dataSeed); }},
    {"--host-threads", "a number from 1 to 1024", readHostThreads},
    {"--max-steps", "a number",
     [](std::string_view text, CommandLine &line) { return parseUnsigned(text, ~0ull, line.options.maxSteps); }},
    {"--max-findings", "a number from 1", readMaxFindings},
};

} // namespace

bool nvemu::tool::parseCommandLine(int count, const char *const *words, CommandLine &line, std::string &error) {
  for (int at = 1; at < count; ++at) {
    std::string_view word = words[at];
    const Valued *option = nullptr;
    for (const Valued &each : valued)
      if (each.name == word)
        option = &each;
    if (option) {
      if (++at == count || !option->read(words[at], line)) {
        error = std::string(word) + " takes " + std::string(option->wants) +
                (at == count ? "" : ", but got '" + std::string(words[at]) + "'");
        return false;
      }
    } else if (word == "--list" || word == "--help" || word == "--no-checks") {
      line.list |= word == "--list";
      line.help |= word == "--help";
      line.options.checks &= word != "--no-checks";
    } else if (word.starts_with("-")) {
      error = "there is no option '" + std::string(word) + "'; nvemu --help lists them";
      return false;
    } else if (line.file.empty()) {
      line.file = word;
    } else {
      line.arguments.emplace_back(word);
    }
  }
  if (line.help || !line.file.empty())
    return true;
  error = "a PTX file is missing; nvemu --help says how to call it";
  return false;
}
