//===- Headers.h - the C and C++ headers of a compiled model --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_EMIT_HEADERS_H
#define NAX_EMIT_HEADERS_H

#include "nax/Emit/ModelInfo.h"

#include "llvm/Support/raw_ostream.h"

namespace nax {

/// C99 and C++, includes nothing but <stddef.h> and <stdint.h>. `cuda`: the
/// model's form for GPUs; null where it has none.
void printCHeader(const ModelInfo &info, const ModelInfo *cuda,
                  llvm::raw_ostream &os);
/// The part about the form for GPUs, which printCHeader puts in its place.
void printCudaPart(const ModelInfo &info, llvm::raw_ostream &os);
/// nax/cuda.h, which comes before it.
llvm::StringRef cudaHeader();
/// What a caller has to know about an argument: "in   i32 [B,T], each in ...".
std::string describeArgument(const ModelInfo &info, const ModelBuffer &buffer);

/// C++20: spans with named sizes over the C header, which it includes as
/// `cHeader`.
void printCppHeader(const ModelInfo &info, llvm::StringRef cHeader,
                    llvm::raw_ostream &os);

/// What the arguments of one entry are called in C: as in the model, unless
/// the word is taken.
struct CNames {
  CNames(const ModelInfo &info, const ModelEntry &entry);
  std::vector<std::string> dims;    ///< of entry.dims; empty: slots
  std::vector<std::string> buffers; ///< of entry.buffers; empty: caches
};

/// "(nax_context *context, ..., size_t bytes)": of the entry's C function.
std::string cParameters(const ModelInfo &info, const ModelEntry &entry);
/// "(int64_t B, int64_t T)": of its workspace function.
std::string cSizes(const ModelInfo &info, const ModelEntry &entry);

/// Of a step: what its cache is called, "forward_cache".
std::string cacheName(const ModelEntry &entry, bool cuda = false);
/// "(nax_context *context, int64_t B, int64_t T, lm_forward_cache **out)".
std::string cCreateParameters(const ModelInfo &info, const ModelEntry &step,
                              bool cuda = false);
/// The type and the functions of a step's cache.
void printCacheFunctions(const ModelInfo &info, const ModelEntry &step,
                         llvm::raw_ostream &os, bool cuda = false);
/// The C++ class over them, with `create` and the sizes it was given.
void printCacheClass(const ModelInfo &info, const ModelEntry &step,
                     llvm::raw_ostream &os);

/// An error if a name that becomes part of a C symbol can't be one; `cuda`:
/// also in the form for GPUs.
mlir::LogicalResult verifyCSymbols(const ModelInfo &info, mlir::ModuleOp module,
                                   bool cuda = false);

} // namespace nax

#endif // NAX_EMIT_HEADERS_H
