//===- Frontend.h - from C++ files to a module of the nax dialect ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_FRONTEND_H
#define NAX_LIB_DRIVER_FRONTEND_H

#include "Files.h"
#include "Installation.h"
#include "Options.h"
#include "Timing.h"

#include <optional>

namespace nax::driver {

/// Compiles the model's files with the host compiler into a program, runs it,
/// and returns the module that it wrote as text. What went wrong is on stderr
/// already when there is none.
std::optional<std::string> traceModel(const Options &options,
                                      const Installation &installation,
                                      TempDir &folder, Timing &timing);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_FRONTEND_H
