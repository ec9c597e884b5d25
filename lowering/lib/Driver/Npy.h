//===- Npy.h - numpy's array files ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef NAX_LIB_DRIVER_NPY_H
#define NAX_LIB_DRIVER_NPY_H

#include "nax/Emit/ModelInfo.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace nax::driver {

/// A little-endian, row-major array as a file has it.
struct NpyArray {
  std::string descr; ///< "<f4", "<i4", "|b1", ...
  llvm::SmallVector<int64_t, 4> shape;
  std::string bytes;

  int64_t count() const;
};

/// Reads versions 1 to 3. Fortran order and big-endian numbers are refused,
/// since what the model sees has to be the file's bytes as they are.
llvm::Expected<NpyArray> parseNpy(llvm::StringRef path, llvm::StringRef text);

/// A file with these bytes.
std::string formatNpy(llvm::StringRef descr, llvm::ArrayRef<int64_t> shape,
                      llvm::StringRef bytes);

/// How numpy names the elements of a buffer; bf16, which it lacks, as "<u2".
llvm::StringRef descrOf(DType dtype);
/// "int32": what a person writes in numpy.
std::string describeDescr(llvm::StringRef descr);

} // namespace nax::driver

#endif // NAX_LIB_DRIVER_NPY_H
