//===- Compile.cpp - naxc MODEL.cpp -o MODEL.o ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "nax/Emit/Headers.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

/// What --emit asks for; an object if it asks for nothing.
static bool emitOne(Session &session, std::string &out) {
  Compilation &compilation = session.compilation;
  FileKind kind = FileKind::Object;
  switch (session.options.emit) {
  case Emit::Stage:
    if (!compilation.lowerTo(session.options.emitStage))
      return false;
    out = compilation.print();
    return true;
  case Emit::GpuStage:
    if (!compilation.lowerGpuTo(session.options.emitStage))
      return false;
    out = compilation.printGpu();
    return true;
  case Emit::Ptx:
    if (!compilation.lowerGpuTo("gpu-kernels"))
      return false;
    out = compilation.ptx();
    return true;
  case Emit::LlvmIr:
    kind = FileKind::LLVMIR;
    break;
  case Emit::Asm:
    kind = FileKind::Assembly;
    break;
  case Emit::Obj:
  case Emit::Model:
    break;
  }
  return compilation.lowerTo("llvm") && compilation.emit(kind, out);
}

static int writeOut(StringRef text) {
  outs() << text;
  outs().flush();
  if (!outs().has_error())
    return 0;
  std::error_code error = outs().error();
  outs().clear_error();
  return complain("cannot write to standard output: " + error.message());
}

/// Whether a header of this name is there that somebody else wrote.
static bool isForeign(StringRef path) {
  if (!sys::fs::is_regular_file(path))
    return false;
  auto there = MemoryBuffer::getFile(path);
  return there && !(*there)->getBuffer().empty() &&
         !(*there)->getBuffer().split('\n').first.contains("compiled by naxc");
}

/// One text or file: --emit.
static int emitCommand(Session &session) {
  const Options &options = session.options;
  bool toOutput = options.output.empty() || options.output == "-";
  bool toTerminal =
      toOutput && options.emit == Emit::Obj && isatty(STDOUT_FILENO);
  if (toTerminal)
    return complain("an object is no text for a terminal; -o names a file");
  std::string out;
  if (!emitOne(session, out))
    return 1;
  if (toOutput)
    return writeOut(out);
  Outputs outputs;
  outputs.add(options.output, std::move(out));
  if (Error error = outputs.commit())
    return complain(std::move(error));
  return 0;
}

static std::string withExtension(StringRef path, StringRef extension) {
  SmallString<128> result(path);
  sys::path::replace_extension(result, extension);
  return result.str().str();
}

/// MODEL.o, MODEL.h and MODEL.hpp.
static int modelCommand(Session &session) {
  const Options &options = session.options;
  std::string object =
      options.output.empty()
          ? withExtension(sys::path::filename(options.inputs[0]), "o")
          : options.output;
  std::string header = withExtension(object, "h");
  std::string cppHeader = withExtension(object, "hpp");
  if (object == header || object == cppHeader)
    return complain("-o names the object; its headers are called after it");
  for (StringRef path : {object, header, cppHeader})
    if (Error error = refuseRead(options, "-o", path))
      return complain(std::move(error));
  if (sys::fs::exists(object) && !sys::fs::is_regular_file(object))
    return complain("cannot write " + object +
                    ": it is no plain file, and headers would stand beside it");
  for (StringRef path : {header, cppHeader})
    if (isForeign(path))
      return complain(path + " is there and was not written by naxc; -o gives "
                             "object and headers another name");

  std::string code, c, cpp;
  if (!emitOne(session, code))
    return 1;
  const ModelInfo &info = session.compilation.info();
  {
    Timing::Scope scope(session.timing, "headers");
    raw_string_ostream cStream(c), cppStream(cpp);
    printCHeader(info, session.compilation.gpuInfo(), cStream);
    printCppHeader(info, sys::path::filename(header), cppStream);
  }
  Timing::Scope scope(session.timing, "writing");
  Outputs outputs;
  outputs.add(header, std::move(c));
  outputs.add(cppHeader, std::move(cpp));
  outputs.add(object, std::move(code));
  if (Error error = outputs.commit())
    return complain(std::move(error));
  return 0;
}

int nax::driver::compileCommand(Session &session) {
  if (!session.load())
    return 1;
  return session.options.emit == Emit::Model ? modelCommand(session)
                                             : emitCommand(session);
}
