//===- Installation.cpp - where nax's own files are -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Installation.h"

#include "Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace llvm;
using namespace nax::driver;

namespace path = llvm::sys::path;

static std::string under(StringRef base, const Twine &rest) {
  SmallString<256> result(base);
  path::append(result, rest);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

/// The first of the folders in which `file` is, or nothing.
static std::string folderWith(ArrayRef<std::string> folders, StringRef file) {
  for (const std::string &folder : folders)
    if (sys::fs::exists(under(folder, file)))
      return folder;
  return "";
}

Expected<Installation> Installation::find() {
  static int anchor;
  std::string self = sys::fs::getMainExecutable("naxc", &anchor);
  std::string prefix = under(self, "../..");
  if (const char *root = getenv("NAX_ROOT"); root && *root)
    prefix = root;
  std::string libraries[] = {under(prefix, "lib"), under(prefix, NAX_LIBDIR)};

  Installation found;
  found.headers = under(prefix, "include");
  if (!sys::fs::exists(under(found.headers, "nax/nax.h")))
    return wrong("nax/nax.h is not in " + found.headers +
                 "; NAX_ROOT says where nax is");
  for (auto [library, name] :
       {std::pair(&found.emitLibrary, "libnaxemit.a"),
        std::pair(&found.runtimeLibrary, "libnaxrt.a")}) {
    std::string folder = folderWith(libraries, name);
    if (folder.empty())
      return wrong(Twine(name) + " is not in " + libraries[0] +
                   "; NAX_ROOT says where nax is");
    *library = under(folder, name);
  }
  constexpr StringLiteral driver = "nvemu/libcuda.so.1";
  if (std::string folder = folderWith(libraries, driver); !folder.empty())
    found.emulatedDriver = under(folder, driver);
  return found;
}

std::string nax::driver::findCompiler(StringRef name) {
  if (name.contains('/') || sys::findProgramByName(name))
    return name.str();
  std::string debian = "/usr/lib/llvm-22/bin/";
  debian += name.substr(0, name.rfind("-22"));
  return sys::fs::can_execute(debian) ? debian : name.str();
}

std::string nax::driver::findCCompiler() {
  std::string clang = findCompiler("clang-22");
  return clang == "clang-22" && !sys::findProgramByName(clang) ? "cc" : clang;
}
