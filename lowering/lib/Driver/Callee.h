//===- Callee.h - the emitted object, called in a child process -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// `naxc run` and `naxc check` execute a model in one way only: the object is
// linked with libnaxrt and a few lines of C written against the model's own
// header into a shared object, which a forked child loads and calls. A model
// that crashes ends the child; what it computed comes back in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_CALLEE_H
#define NAX_LIB_DRIVER_CALLEE_H

#include "Process.h"
#include "Session.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nax::driver {

/// Bytes that this process and its children see alike.
class SharedBytes {
public:
  /// Zeros, or null if there is no memory.
  static std::shared_ptr<SharedBytes> make(int64_t bytes);
  ~SharedBytes();
  SharedBytes(const SharedBytes &) = delete;

  void *data() const { return memory; }
  size_t size() const { return bytes; }
  llvm::StringRef text() const {
    return {static_cast<const char *>(memory), bytes};
  }

private:
  SharedBytes(void *memory, size_t bytes) : memory(memory), bytes(bytes) {}

  void *memory;
  size_t bytes;
};

using Shared = std::shared_ptr<SharedBytes>;

/// The arguments of one call, in the order of the entry's buffers. A null one
/// is not given.
struct Arguments {
  std::vector<int64_t> dims;
  std::vector<Shared> buffers;
};

class Decoded;
struct StepCall;
struct StepRun;

/// The model as the child sees it. Functions return false once something
/// failed; the first failure's words are kept.
class Callee {
public:
  Callee(void *library, char *words, size_t room)
      : library(library), words(words), room(room) {}

  bool openParams(const std::string &path);
  /// Writes the parameters of one file as a packed one.
  bool packParams(const std::string &path, const std::string &out);
  /// One pointer for each parameter, row-major in its dtype.
  bool takeParams(llvm::ArrayRef<const void *> values);
  bool readParam(size_t index, double *out);
  /// Calls an entry in a context of its own. `ownWorkspace`: hand over exactly
  /// the workspace that the model asks for, in place of none.
  bool call(const ModelEntry &entry, const Arguments &arguments,
            int64_t threads, bool ownWorkspace = false);
  /// All calls of a step, in a cache of their own.
  bool run(const Decoded &decoded, const StepRun &run);

private:
  struct Context;
  struct Cache;
  bool callIn(Context &context, void *cache, const ModelEntry &entry,
              const Arguments &arguments, bool ownWorkspace);
  static void poison(Cache &cache, const Decoded &decoded, const StepRun &run,
                     const StepCall &call);
  bool checkLengths(Cache &cache, const Decoded &decoded, const StepRun &run,
                    const StepCall &call);
  template <typename Function>
  Function *find(llvm::StringRef name);
  bool check(int status, Context &context, const llvm::Twine &doing);
  bool fail(const llvm::Twine &what);

  void *library;
  char *words;
  size_t room;
  void *params = nullptr;
};

struct LinkedModel;
/// Compiles the model and links the shared object; says why on stderr when it
/// gives nothing.
std::optional<LinkedModel> linkModel(Session &session);

/// The C text that `linkModel` compiles beside the object.
std::string shimText(const ModelInfo &info, llvm::StringRef header);
/// The same for calls on a GPU.
std::string gpuShimText(const ModelInfo &info, llvm::StringRef header);

/// What linkModel made, and what has to be loaded before it: the CUDA driver
/// that is nvemu, or nothing.
struct LinkedModel {
  std::string library, driver;
};

/// Loads the shared object in a child and runs `work` there. An error says
/// what failed, or how the child ended.
llvm::Error inChild(const LinkedModel &model,
                    llvm::function_ref<bool(Callee &)> work);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_CALLEE_H
