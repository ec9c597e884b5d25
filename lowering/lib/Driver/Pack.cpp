//===- Pack.cpp - naxc pack: parameters as a level has them in memory -----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The model is compiled as for `naxc run`, for the level that would run here,
// and the runtime writes the file: it alone knows the form.
//
//===----------------------------------------------------------------------===//

#include "Callee.h"
#include "Files.h"

using namespace llvm;
using namespace nax;
using namespace nax::driver;

static Error pack(Session &session) {
  const Options &options = session.options;
  if (!session.compilation.derive())
    return make_error<SaidAlready>();
  const ModelInfo &info = session.compilation.info();
  if (info.params.empty())
    return wrong("model " + info.name + " has no parameters to pack");
  if (Error error = refuseRead(options, "-o", options.output, info.params))
    return error;
  std::optional<LinkedModel> linked = linkModel(session);
  if (!linked)
    return make_error<SaidAlready>();
  Timing::Scope scope(session.timing, "packing");
  return inChild(*linked, [&](Callee &callee) {
    return callee.packParams(options.params, options.output);
  });
}

int nax::driver::packCommand(Session &session) {
  if (!session.load())
    return 1;
  Error error = pack(session);
  return error ? complain(std::move(error)) : 0;
}
