//===- Process.cpp - run a program under limits and keep what it says -----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// LLVM's ExecuteAndWait neither captures through pipes nor kills what a child
// started itself; a generator that loops has to be gone with all of its kind.
//
//===----------------------------------------------------------------------===//

#include "Process.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace nax::driver;
using Clock = std::chrono::steady_clock;

/// A program that prints without end may fill a pipe, but not our memory.
static constexpr size_t maxCaptured = 4 << 20;

static volatile sig_atomic_t currentGroup = 0;

void nax::driver::setCurrentGroup(pid_t group) { currentGroup = group; }

/// Called from signal handlers, so async-signal-safe.
extern "C" void nax_driver_kill_current_group() {
  if (currentGroup)
    kill(-currentGroup, SIGKILL);
}

std::string Ending::describe(const Limits &limits) const {
  switch (kind) {
  case Exited:
    return "ended with status " + std::to_string(code);
  case Signalled:
    return "was killed by signal " + std::to_string(code) + " (" +
           strsignal(code) + ")";
  case TimedOut:
    return "did not end within " + std::to_string(limits.seconds) + " s";
  case NotStarted:
    return std::string("could not be started: ") + strerror(code);
  }
  return "";
}

std::string nax::driver::shellCommand(llvm::ArrayRef<std::string> argv) {
  std::string line;
  for (const std::string &word : argv) {
    if (!line.empty())
      line += ' ';
    bool plain =
        !word.empty() &&
        word.find_first_of(" \t\n'\"\\$`*?[]{}()<>|&;#~!") == std::string::npos;
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (char c : word)
      line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

void nax::driver::becomeGroupLeader() {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // What naxc does on a signal is for naxc alone.
  for (int number = 1; number < NSIG; ++number)
    signal(number, SIG_DFL);
}

static void limitMemory(int64_t bytes) {
  if (bytes <= 0)
    return;
  struct rlimit limit = {static_cast<rlim_t>(bytes),
                         static_cast<rlim_t>(bytes)};
  setrlimit(RLIMIT_AS, &limit);
}

static Ending endingOf(int status) {
  if (WIFSIGNALED(status))
    return {Ending::Signalled, WTERMSIG(status)};
  return {Ending::Exited, WEXITSTATUS(status)};
}

/// Reaps `child`; what is left of its group is killed.
static Ending reap(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  kill(-child, SIGKILL);
  setCurrentGroup(0);
  return endingOf(status);
}

static int millisecondsLeft(Clock::time_point start, const Limits &limits) {
  if (!limits.seconds)
    return -1;
  auto end = start + std::chrono::seconds(limits.seconds);
  auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  return left.count() < 0 ? 0 : static_cast<int>(left.count());
}

Ending nax::driver::waitForGroup(pid_t child, const Limits &limits) {
  Clock::time_point start = Clock::now();
  while (true) {
    int status = 0;
    pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child) {
      kill(-child, SIGKILL);
      setCurrentGroup(0);
      return endingOf(status);
    }
    if (millisecondsLeft(start, limits) == 0) {
      kill(-child, SIGKILL);
      reap(child);
      return {Ending::TimedOut, 0};
    }
    usleep(2000);
  }
}

namespace {
/// One captured stream.
struct Stream {
  int fd;
  std::string *text;
};
} // namespace

static bool hasEnded(pid_t child) {
  siginfo_t info = {};
  return waitid(P_PID, child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == child;
}

/// Reads all streams until their writers, or at least `child`, are gone; false
/// when time is up.
static bool drain(pid_t child, std::vector<Stream> streams,
                  Clock::time_point start, const Limits &limits) {
  char chunk[1 << 16];
  while (!streams.empty()) {
    std::vector<struct pollfd> polled;
    for (const Stream &stream : streams)
      polled.push_back({stream.fd, POLLIN, 0});
    // What the child left behind may hold a pipe open, hence the short waits.
    int left = millisecondsLeft(start, limits);
    int ready = poll(polled.data(), polled.size(),
                     left < 0 ? 100 : std::min(left, 100));
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready == 0) {
      if (left == 0 || hasEnded(child))
        return left != 0;
      continue;
    }
    for (size_t i = streams.size(); i-- > 0;) {
      if (!polled[i].revents)
        continue;
      ssize_t got = read(streams[i].fd, chunk, sizeof chunk);
      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        streams.erase(streams.begin() + i);
      else if (streams[i].text->size() < maxCaptured)
        streams[i].text->append(chunk, got);
    }
  }
  return true;
}

/// The child's half: never returns.
[[noreturn]] static void become(const std::vector<char *> &words, int out,
                                int err, int report, const Limits &limits) {
  becomeGroupLeader();
  int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(out, 1);
  dup2(err, 2);
  limitMemory(limits.bytes);
  execvp(words[0], words.data());
  int why = errno;
  ssize_t told = write(report, &why, sizeof why);
  _exit(told == sizeof why ? 127 : 126);
}

ProcessResult nax::driver::runProcess(llvm::ArrayRef<std::string> argv,
                                      Limits limits, bool merged) {
  ProcessResult result;
  std::vector<char *> words;
  for (const std::string &word : argv)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);

  // The third pipe closes itself when exec works and tells errno when not.
  int out[2] = {-1, -1}, err[2] = {-1, -1}, report[2] = {-1, -1};
  if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) ||
      pipe2(report, O_CLOEXEC)) {
    result.ending = {Ending::NotStarted, errno};
    return result;
  }
  Clock::time_point start = Clock::now();
  pid_t child = fork();
  if (child == 0)
    become(words, merged ? err[1] : out[1], err[1], report[1], limits);
  close(out[1]);
  close(err[1]);
  close(report[1]);
  if (child < 0) {
    result.ending = {Ending::NotStarted, errno};
  } else {
    setpgid(child, child);
    setCurrentGroup(child);
    int why = 0;
    bool started = read(report[0], &why, sizeof why) != sizeof why;
    bool inTime = drain(child, {{out[0], &result.out}, {err[0], &result.err}},
                        start, limits);
    if (!inTime)
      kill(-child, SIGKILL);
    result.ending = reap(child);
    if (!inTime)
      result.ending = {Ending::TimedOut, 0};
    if (!started)
      result.ending = {Ending::NotStarted, why};
  }
  close(out[0]);
  close(err[0]);
  close(report[0]);
  return result;
}
