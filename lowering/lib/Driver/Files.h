//===- Files.h - temporary folders and outputs that appear all or none ----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_FILES_H
#define NAX_LIB_DRIVER_FILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace nax::driver {

/// A folder that is gone when naxc is, signals included.
class TempDir {
public:
  TempDir() = default;
  TempDir(const TempDir &) = delete;
  TempDir &operator=(const TempDir &) = delete;
  ~TempDir();

  /// Makes the folder on first use.
  llvm::Error create();
  /// The path of a file in it.
  std::string file(llvm::StringRef name) const {
    return path + "/" + name.str();
  }

private:
  std::string path;
};

/// On SIGINT, SIGTERM and SIGHUP: kill the running child's group, remove the
/// temporary folder, end. A file that grows too large is an error of `write`.
void installSignalHandlers();

/// Files that are written beside their place and then renamed into it, either
/// all or none of them. What stood there before survives a failure.
class Outputs {
public:
  void add(std::string path, std::string contents) {
    File &file = files.emplace_back();
    file.path = std::move(path);
    file.contents = std::move(contents);
  }
  llvm::Error commit();

private:
  struct File {
    std::string path, contents;
    std::string written;  ///< not yet renamed into place
    std::string previous; ///< a second name of what stood there
    bool isNew = false;   ///< nothing stood there
  };
  llvm::Error writeBeside(File &file);
  llvm::Error moveIntoPlace();
  void removeLeftovers();

  std::vector<File> files;
};

llvm::Expected<std::string> readFile(llvm::StringRef path);
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef contents);
/// A folder and those above it, with every permission that the umask leaves.
llvm::Error makeFolders(const llvm::Twine &path);

/// An error without a code: `naxc: error: ` and these words.
llvm::Error wrong(const llvm::Twine &words);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_FILES_H
