//===- Driver.h - the compiler as a command -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_DRIVER_DRIVER_H
#define NAX_DRIVER_DRIVER_H

namespace nax {

/// naxc: 0 when all went well, 1 when not, 2 for a command line that makes no
/// sense.
int naxcMain(int argc, char **argv);

} // namespace nax

#endif // NAX_DRIVER_DRIVER_H
