//===- Files.cpp - temporary folders and outputs that appear all or none --===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace nax::driver;

extern "C" void nax_driver_kill_current_group();

Error nax::driver::wrong(const Twine &words) {
  return createStringError(inconvertibleErrorCode(), words);
}

static Error failedOn(StringRef doing, StringRef path) {
  return wrong("cannot " + doing + " " + path + ": " + strerror(errno));
}

//===----------------------------------------------------------------------===//
// The temporary folder
//===----------------------------------------------------------------------===//

/// The one folder there is, where a signal handler finds it.
static char liveFolder[4096];

/// Removes the folder and the files in it; no folder is nested. Called from a
/// signal handler too: readdir allocates only in opendir, which is a risk we
/// take as the process ends either way.
static void removeLiveFolder() {
  if (!liveFolder[0])
    return;
  if (DIR *dir = opendir(liveFolder)) {
    while (dirent *entry = readdir(dir))
      unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
  }
  rmdir(liveFolder);
  liveFolder[0] = 0;
}

Error TempDir::create() {
  if (!path.empty())
    return Error::success();
  const char *base = getenv("TMPDIR");
  std::string name =
      std::string(base && *base ? base : "/tmp") + "/naxc-XXXXXX";
  if (name.size() >= sizeof liveFolder)
    return wrong("TMPDIR is too long a path");
  if (!mkdtemp(name.data()))
    return failedOn("make a temporary folder", name);
  // LLVM ends the process by itself on a fatal error.
  atexit(removeLiveFolder);
  path = name;
  memcpy(liveFolder, name.c_str(), name.size() + 1);
  return Error::success();
}

TempDir::~TempDir() { removeLiveFolder(); }

static void onSignal(int number) {
  nax_driver_kill_current_group();
  removeLiveFolder();
  signal(number, SIG_DFL);
  raise(number);
}

/// A bug of ours, or of LLVM.
[[maybe_unused]] static void onCrash(int number) {
  static const char words[] =
      "naxc: error: naxc itself crashed, which is a bug; --dump-stages=DIR "
      "shows how far it came\n";
  ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
  (void)written;
  onSignal(number);
}

void nax::driver::installSignalHandlers() {
  for (int number : {SIGINT, SIGTERM, SIGHUP})
    signal(number, onSignal);
#if !__has_feature(address_sanitizer)
  for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    signal(number, onCrash);
#endif
  // Writing past a limit, or to a reader that left, is an error with words.
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
}

//===----------------------------------------------------------------------===//
// Whole files
//===----------------------------------------------------------------------===//

Expected<std::string> nax::driver::readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(path, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return wrong("cannot read " + path + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

static bool writeAll(int fd, StringRef contents) {
  while (!contents.empty()) {
    ssize_t done = write(fd, contents.data(), contents.size());
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return false;
    contents = contents.drop_front(done);
  }
  return true;
}

Error nax::driver::writeFile(StringRef path, StringRef contents) {
  std::string name = path.str();
  int fd = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    return failedOn("write", path);
  bool written = writeAll(fd, contents);
  int why = errno;
  bool closed = close(fd) == 0;
  if (!written)
    errno = why;
  return written && closed ? Error::success() : failedOn("write", path);
}

Error nax::driver::makeFolders(const Twine &path) {
  std::error_code error = sys::fs::create_directories(
      path, /*IgnoreExisting=*/true, sys::fs::all_all);
  return error ? wrong("cannot make folder " + path + ": " + error.message())
               : Error::success();
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

Error Outputs::writeBeside(File &file) {
  struct stat existing;
  bool exists = stat(file.path.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode))
    return wrong("cannot write " + file.path + ": it is a folder");
  // A device or a pipe has no place beside it.
  if (exists && !S_ISREG(existing.st_mode))
    return writeFile(file.path, file.contents);
  size_t slash = file.path.rfind('/');
  size_t base = slash == std::string::npos ? 0 : slash + 1;
  std::string name =
      file.path.substr(0, base) + "." + file.path.substr(base) + ".XXXXXX";
  int fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0)
    return failedOn("write", file.path);
  file.written = name;
  mode_t mask = umask(0);
  umask(mask);
  bool good = writeAll(fd, file.contents) && fchmod(fd, 0666 & ~mask) == 0;
  int why = errno;
  if (close(fd) != 0 && good)
    return failedOn("write", file.path);
  errno = why;
  return good ? Error::success() : failedOn("write", file.path);
}

/// A second name keeps what a file replaces until all are in place.
Error Outputs::moveIntoPlace() {
  for (size_t i = 0; i < files.size(); ++i) {
    File &file = files[i];
    if (file.written.empty())
      continue;
    std::string previous = file.written + "~";
    if (link(file.path.c_str(), previous.c_str()) == 0)
      file.previous = previous;
    else
      file.isNew = errno == ENOENT;
    if (rename(file.written.c_str(), file.path.c_str()) == 0) {
      file.written.clear();
      continue;
    }
    Error error = failedOn("write", file.path);
    while (i-- > 0) {
      if (!files[i].previous.empty())
        rename(files[i].previous.c_str(), files[i].path.c_str());
      else if (files[i].isNew)
        unlink(files[i].path.c_str());
    }
    return error;
  }
  return Error::success();
}

void Outputs::removeLeftovers() {
  for (File &file : files) {
    if (!file.written.empty())
      unlink(file.written.c_str());
    if (!file.previous.empty())
      unlink(file.previous.c_str());
  }
}

Error Outputs::commit() {
  for (File &file : files) {
    if (Error error = writeBeside(file)) {
      removeLeftovers();
      return error;
    }
  }
  Error error = moveIntoPlace();
  removeLeftovers();
  return error;
}
