// SPDX-License-Identifier: Apache-2.0
// Runs the kernels of a list on a GPU and compares what they print with what nvemu printed:
//
//   opcodes LIST EXPECTED OUT      a line of LIST: NAME and the words of an nvemu command line, with tabs between
//
// EXPECTED/NAME is what nvemu printed, OUT/NAME becomes what the GPU gives, OUT/messages has what went wrong. Each kernel that fails or hangs takes its
// process with it, since a CUDA context does not survive that; the next one begins with the kernel behind it.
#include "CommandLine.h"
#include "Run.h"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace nvemu::tool;

namespace {

constexpr int patience = 20000; // milliseconds that one kernel may take, its compilation with it

struct Case {
  std::string name;
  std::vector<std::string> words; // without the program's
};

std::vector<std::string> split(const std::string &line, char by) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, by);)
    parts.push_back(part);
  return parts;
}

std::string read(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Runs cases from `first` on and writes a byte into `done` after each; ends at the first that fails.
[[noreturn]] void runFrom(const std::vector<Case> &cases, size_t first, const std::string &out, int done) {
  for (size_t at = first; at < cases.size(); ++at) {
    std::vector<const char *> words = {"nvemu"};
    for (const std::string &word : cases[at].words)
      words.push_back(word.c_str());
    CommandLine line;
    std::string error;
    if (!std::freopen((out + "/" + cases[at].name).c_str(), "w", stdout) ||
        !parseCommandLine(int(words.size()), words.data(), line, error))
      _exit(3);
    std::fprintf(stderr, "%s: ", cases[at].name.c_str());
    int status = run(line, error);
    if (status == 2)
      std::fprintf(stderr, "%s\n", error.c_str());
    std::fflush(stdout);
    if (status || write(done, "", 1) != 1)
      _exit(1);
  }
  _exit(0);
}

/// How many cases went well before one that did not, or all.
size_t runSome(const std::vector<Case> &cases, size_t first, const std::string &out) {
  int ends[2];
  if (pipe(ends))
    return 0;
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    if (!std::freopen((out + "/messages").c_str(), "a", stderr))
      _exit(3);
    std::setvbuf(stderr, nullptr, _IONBF, 0);
    runFrom(cases, first, out, ends[1]);
  }
  close(ends[1]);
  size_t fine = 0;
  pollfd waiting = {ends[0], POLLIN, 0};
  char byte;
  while (poll(&waiting, 1, patience) > 0 && ::read(ends[0], &byte, 1) == 1)
    ++fine;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ends[0]);
  return fine;
}

/// What is said of a kernel that did not come to its end: a GPU may be too old for its PTX.
std::string failure(const Case &failed) {
  const std::string target = ".target ";
  for (const std::string &word : failed.words) {
    const std::string text = word.size() > 4 && word.substr(word.size() - 4) == ".ptx" ? read(word) : "";
    const size_t at = text.find(target);
    if (at == std::string::npos)
      continue;
    const size_t from = at + target.size();
    return "fails or hangs, and needs " + text.substr(from, text.find_first_of(" ,\n", from) - from) +
           " or later; opcodes/messages says how";
  }
  return "fails or hangs; opcodes/messages says how";
}

/// Where two outputs differ first, as "arg2[17]: 0x3f800001, nvemu 0x3f800000; 3 of 128 differ".
std::string difference(const std::string &got, const std::string &expected) {
  std::vector<std::string> lines = split(got, '\n'), wanted = split(expected, '\n');
  if (lines.size() != wanted.size())
    return "prints " + std::to_string(lines.size()) + " lines, nvemu " + std::to_string(wanted.size());
  std::string first;
  size_t differ = 0, all = 0;
  for (size_t l = 0; l < lines.size(); ++l) {
    std::vector<std::string> numbers = split(lines[l], ' '), others = split(wanted[l], ' ');
    numbers.resize(others.size());
    for (size_t i = 1; i < others.size(); ++i) { // the first word is "arg2:"
      ++all;
      if (numbers[i] == others[i])
        continue;
      if (!differ++)
        first = others[0].substr(0, others[0].size() - 1) + "[" + std::to_string(i - 1) + "]: " + numbers[i] +
                ", nvemu " + others[i];
    }
  }
  return first + "; " + std::to_string(differ) + " of " + std::to_string(all) + " differ";
}

} // namespace

int main(int count, char **words) {
  if (count != 4) {
    std::fprintf(stderr, "usage: opcodes LIST EXPECTED OUT\n");
    return 2;
  }
  std::vector<Case> cases;
  for (const std::string &line : split(read(words[1]), '\n')) {
    std::vector<std::string> parts = split(line, '\t');
    if (parts.size() > 1)
      cases.push_back({parts[0], {parts.begin() + 1, parts.end()}});
  }
  std::string expected = words[2], out = words[3];
  std::vector<bool> failed(cases.size());
  for (size_t at = 0; at < cases.size(); ++at) {
    at += runSome(cases, at, out);
    if (at < cases.size())
      failed[at] = true;
  }
  size_t same = 0;
  for (size_t at = 0; at < cases.size(); ++at) {
    const std::string &name = cases[at].name;
    std::string got = read(out + "/" + name), wanted = read(expected + "/" + name);
    same += !failed[at] && got == wanted;
    if (failed[at] || got != wanted)
      std::printf("opcodes\t%s\tdifference\t%s\t\t\n", name.c_str(),
                  (failed[at] ? failure(cases[at]) : difference(got, wanted)).c_str());
  }
  std::printf("opcodes\tall\tthe same as nvemu\t%zu of %zu\t\t\n", same, cases.size());
  return cases.empty() ? 1 : 0;
}
