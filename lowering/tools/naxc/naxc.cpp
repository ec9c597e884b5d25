//===- naxc.cpp - the compiler --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Driver/Driver.h"

int main(int argc, char **argv) { return nax::naxcMain(argc, argv); }
