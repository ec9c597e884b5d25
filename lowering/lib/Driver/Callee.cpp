//===- Callee.cpp - the emitted object, called in a child process ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Callee.h"

#include "Steps.h"

#include "nax/Emit/Headers.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace nax;
using namespace nax::driver;

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

Shared SharedBytes::make(int64_t bytes) {
  // An empty array still needs an address that is not null.
  void *memory =
      mmap(nullptr, std::max<size_t>(bytes, 1), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr
                              : Shared(new SharedBytes(memory, bytes));
}

SharedBytes::~SharedBytes() { munmap(memory, std::max<size_t>(bytes, 1)); }

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

bool Callee::fail(const Twine &what) {
  // What comes after the first failure may only follow from it.
  if (!*words)
    strncpy(words, what.str().c_str(), room - 1);
  return false;
}

template <typename Function>
Function *Callee::find(StringRef name) {
  void *symbol = dlsym(library, name.str().c_str());
  if (!symbol)
    fail("the model has no " + name);
  return reinterpret_cast<Function *>(symbol);
}

/// A context of the runtime, ended with its owner.
struct Callee::Context {
  Context(Callee &callee, int64_t threads) : callee(callee) {
    auto *create = callee.find<int(int64_t, void **)>("naxc_context_create");
    if (create && create(threads, &handle) != 0)
      callee.fail(error());
  }
  ~Context() {
    if (handle)
      callee.find<void(void *)>("naxc_context_destroy")(handle);
  }
  std::string error() {
    return callee.find<const char *(void *)>("naxc_last_error")(handle);
  }

  Callee &callee;
  void *handle = nullptr;
};

bool Callee::check(int status, Context &context, const Twine &doing) {
  return status == 0 ? true : fail(doing + context.error());
}

bool Callee::openParams(const std::string &path) {
  Context context(*this, 0);
  auto *open = find<int(void *, const char *, void **)>("naxc_params_open");
  if (!context.handle || !open)
    return false;
  if (open(context.handle, path.c_str(), &params) == 0)
    return true;
  // What is wrong with the file itself names it, what is with one parameter
  // not.
  std::string error = context.error();
  bool isNamed = StringRef(error).contains(path);
  return fail(isNamed ? error : path + ": " + error);
}

bool Callee::packParams(const std::string &path, const std::string &out) {
  // What was quantised twice, say.
  if (auto *warns = find<void()>("naxc_context_warns"))
    warns();
  Context context(*this, 0);
  auto *pack =
      find<int(void *, const char *, const char *)>("naxc_params_pack");
  return context.handle && pack &&
         check(pack(context.handle, path.c_str(), out.c_str()), context, "");
}

bool Callee::takeParams(ArrayRef<const void *> values) {
  if (values.empty())
    return true;
  Context context(*this, 0);
  auto *take =
      find<int(void *, const void *const *, void **)>("naxc_params_take");
  return context.handle && take &&
         check(take(context.handle, values.data(), &params), context,
               "parameters: ");
}

bool Callee::readParam(size_t index, double *out) {
  Context context(*this, 0);
  auto *read =
      find<int(void *, const void *, int64_t, double *)>("naxc_params_read");
  return context.handle && read &&
         check(read(context.handle, params, index, out), context, "");
}

bool Callee::call(const ModelEntry &entry, const Arguments &arguments,
                  int64_t threads, bool ownWorkspace) {
  Context context(*this, threads);
  return callIn(context, /*cache=*/nullptr, entry, arguments, ownWorkspace);
}

bool Callee::callIn(Context &context, void *cache, const ModelEntry &entry,
                    const Arguments &arguments, bool ownWorkspace) {
  using Call = int(void *, const void *, void *, const int64_t *, void *const *,
                   void *, size_t);
  auto *call = find<Call>("naxc_call_" + entry.name);
  if (!context.handle || !call)
    return false;
  std::vector<void *> buffers;
  for (const Shared &buffer : arguments.buffers)
    buffers.push_back(buffer ? buffer->data() : nullptr);
  void *workspace = nullptr;
  size_t bytes = 0;
  if (ownWorkspace) {
    auto *sizeOf =
        find<size_t(const int64_t *)>("naxc_workspace_" + entry.name);
    bytes = sizeOf ? sizeOf(arguments.dims.data()) : 0;
    if (bytes && posix_memalign(&workspace, 64, bytes) != 0)
      return fail("no memory for a workspace of " + Twine(bytes) + " bytes");
    // What nothing was written to is NaN.
    if (bytes)
      memset(workspace, 0xff, bytes);
  }
  int status = call(context.handle, params, cache, arguments.dims.data(),
                    buffers.data(), workspace, bytes);
  free(workspace);
  return check(status, context, entry.name + ": ");
}

//===----------------------------------------------------------------------===//
// Steps, in the child
//===----------------------------------------------------------------------===//

/// The cache of a run, destroyed with its owner.
struct Callee::Cache {
  Cache(Callee &callee, Context &context, const Decoded &decoded,
        const StepRun &run)
      : callee(callee), of(decoded.whole.name) {
    auto *create = callee.find<int(void *, const int64_t *, void **)>(
        "naxc_cache_create_" + of);
    if (create)
      callee.check(create(context.handle, run.sizes.data(), &handle), context,
                   "a cache of " + of + ": ");
  }
  ~Cache() {
    if (handle)
      callee.find<void(void *)>("naxc_cache_destroy_" + of)(handle);
  }
  int64_t length(int64_t row) {
    return callee.find<int64_t(void *, int64_t)>("naxc_cache_length_" +
                                                 of)(handle, row);
  }
  char *buffer(int64_t index, size_t &bytes) {
    return static_cast<char *>(callee.find<void *(void *, int64_t, size_t *)>(
        "naxc_cache_buffer_" + of)(handle, index, &bytes));
  }

  void fill(char *at, int byte, size_t bytes) {
    callee.find<void(void *, int, size_t)>("naxc_cache_fill_" + of)(at, byte,
                                                                    bytes);
  }

  Callee &callee;
  std::string of;
  void *handle = nullptr;
};

/// Fills the slots whose positions neither this call nor a later one reads with
/// bytes of ones: NaN, or a number that no document has.
void Callee::poison(Cache &cache, const Decoded &decoded, const StepRun &run,
                    const StepCall &call) {
  for (const ModelBuffer &buffer : decoded.step.buffers) {
    int64_t ring = -1;
    for (int64_t axis : buffer.axes)
      if (decoded.info.axes[axis].isSlots())
        ring = decoded.info.axes[axis].ring;
    if (!buffer.isCache() || ring < 0 || !run.rows || !run.capacity)
      continue;
    bool ofDocuments = any_of(decoded.step.buffers, [&](const auto &other) {
      return other.role == Role::Documents && other.cache == buffer.cache;
    });
    size_t bytes = 0;
    char *data = cache.buffer(buffer.cache, bytes);
    int64_t slots = ring ? std::min(ring, run.capacity) : run.capacity;
    int64_t slotBytes = int64_t(bytes) / (run.rows * slots);
    for (int64_t row = 0; row < run.rows; ++row) {
      int64_t of = run.only < 0 ? row : run.only;
      int64_t end = call.done[of];
      int64_t from = ofDocuments ? 0 : call.readable[of];
      if (ring)
        from = std::max(from, end - (ring - 1));
      std::vector<bool> kept(slots);
      for (int64_t position = from; position < end; ++position)
        kept[position % slots] = true;
      for (int64_t slot = 0; slot < slots; ++slot)
        if (!kept[slot])
          cache.fill(data + (row * slots + slot) * slotBytes, 0xff, slotBytes);
    }
  }
}

bool Callee::checkLengths(Cache &cache, const Decoded &decoded,
                          const StepRun &run, const StepCall &call) {
  for (int64_t row = 0; row < run.rows; ++row) {
    int64_t of = run.only < 0 ? row : run.only;
    int64_t want = call.done[of] + call.counts[of];
    if (int64_t length = cache.length(row); length != want)
      return fail(decoded.step.name + ": row " + Twine(of) + " has " +
                  Twine(length) + " positions in place of " + Twine(want));
  }
  return true;
}

bool Callee::run(const Decoded &decoded, const StepRun &run) {
  Context context(*this, run.threads);
  if (!context.handle)
    return false;
  Cache cache(*this, context, decoded, run);
  if (!cache.handle ||
      (run.begin && !callIn(context, cache.handle, *decoded.begin, *run.begin,
                            run.ownWorkspace)))
    return false;
  for (const StepCall &call : run.calls) {
    if (run.poison)
      poison(cache, decoded, run, call);
    if (!callIn(context, cache.handle, decoded.step, call.arguments,
                run.ownWorkspace) ||
        !checkLengths(cache, decoded, run, call))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// In naxc
//===----------------------------------------------------------------------===//

std::optional<LinkedModel> nax::driver::linkModel(Session &session) {
  using Failure = std::optional<LinkedModel>;
  std::string object;
  if (!session.compilation.lowerTo("llvm") ||
      !session.compilation.emit(FileKind::Object, object))
    return Failure();
  if (session.installation.runtimeLibrary.empty()) {
    Expected<Installation> found = Installation::find();
    if (!found)
      return complain(found.takeError()), Failure();
    session.installation = std::move(*found);
  }
  if (Error error = session.folder.create())
    return complain(std::move(error)), Failure();
  Timing::Scope scope(session.timing, "linking");
  const ModelInfo &info = session.compilation.info();
  std::string header;
  raw_string_ostream os(header);
  const ModelInfo *gpu = session.compilation.gpuInfo();
  bool onGpu = session.options.device != Device::Cpu;
  printCHeader(info, gpu, os);
  const std::pair<std::string, std::string> files[] = {
      {session.folder.file("callee.o"), object},
      {session.folder.file("callee.h"), header},
      {session.folder.file("shim.c"),
       onGpu ? gpuShimText(*gpu, "callee.h") : shimText(info, "callee.h")}};
  for (const auto &[path, contents] : files)
    if (Error error = writeFile(path, contents))
      return complain(std::move(error)), Failure();

  std::string library = session.folder.file("callee.so");
  std::vector<std::string> argv = {findCCompiler(),
                                   "-std=c99",
                                   "-shared",
                                   "-fPIC",
                                   "-Werror=incompatible-pointer-types",
                                   files[2].first,
                                   files[0].first,
                                   session.installation.runtimeLibrary,
                                   "-o",
                                   library,
                                   "-lm",
                                   "-pthread"};
  if (session.options.verbose)
    errs() << shellCommand(argv) << "\n";
  Limits limits = {/*seconds=*/600, /*bytes=*/0};
  ProcessResult result = runProcess(argv, limits, /*merged=*/true);
  if (!result.ending.ok()) {
    complain("linking the model " + result.ending.describe(limits) + "\n" +
             result.err);
    return std::nullopt;
  }
  LinkedModel model{library, ""};
  if (session.options.device == Device::Emulated) {
    model.driver = session.installation.emulatedDriver;
    if (model.driver.empty())
      return complain("the emulated GPU, nvemu/libcuda.so.1, is not beside " +
                      session.installation.runtimeLibrary),
             Failure();
  }
  return model;
}

Error nax::driver::inChild(const LinkedModel &model,
                           function_ref<bool(Callee &)> work) {
  constexpr size_t room = 1 << 14;
  Shared words = SharedBytes::make(room);
  if (!words)
    return wrong("no memory is left");
  char *text = static_cast<char *>(words->data());
  outs().flush();
  errs().flush();
  pid_t child = fork();
  if (child < 0)
    return wrong(Twine("cannot start a process: ") + strerror(errno));
  if (child == 0) {
    becomeGroupLeader();
    // The runtime asks for libcuda.so.1, and gets what has that name already.
    bool loaded = model.driver.empty() ||
                  dlopen(model.driver.c_str(), RTLD_NOW | RTLD_LOCAL);
    void *handle =
        loaded ? dlopen(model.library.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (!handle) {
      strncpy(text, dlerror(), room - 1);
      _exit(1);
    }
    Callee callee(handle, text, room);
    _exit(work(callee) ? 0 : 1);
  }
  setCurrentGroup(child);
  Ending ending = waitForGroup(child, {});
  if (ending.ok())
    return Error::success();
  if (ending.kind == Ending::Exited && text[0])
    return wrong(text);
  return wrong("the model " + ending.describe({}));
}
