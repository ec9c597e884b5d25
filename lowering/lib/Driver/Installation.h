//===- Installation.h - where nax's own files are -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_INSTALLATION_H
#define NAX_LIB_DRIVER_INSTALLATION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace nax::driver {

/// What naxc needs beside itself. Found from naxc's own place, PREFIX/bin/naxc,
/// be it a build folder or an installation; NAX_ROOT in the environment names
/// another PREFIX.
struct Installation {
  std::string headers;        ///< the folder that has nax/nax.h
  std::string emitLibrary;    ///< libnaxemit.a, the generator's main
  std::string runtimeLibrary; ///< libnaxrt.a
  std::string emulatedDriver; ///< nvemu/libcuda.so.1; empty: not installed

  static llvm::Expected<Installation> find();
};

/// clang-22 from PATH or from Debian's folder, else cc.
std::string findCCompiler();
/// `name`, or where Debian keeps it if PATH lacks it.
std::string findCompiler(llvm::StringRef name);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_INSTALLATION_H
