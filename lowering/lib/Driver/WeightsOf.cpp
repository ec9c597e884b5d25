//===- WeightsOf.cpp - --weights-of: types out of a file ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// The runtime knows how parameters are found in a file; it is given as much of
// the model's description as that takes.
//
//===----------------------------------------------------------------------===//

#include "WeightsOf.h"

#include "Files.h"

#include "nax/Conversion/WeightFormat.h"

#include "mlir/IR/Builders.h"

using namespace llvm;
using namespace nax;
using namespace nax::driver;

namespace {

/// A nax_model_desc without code. It points into `info`.
struct Description {
  explicit Description(const ModelInfo &info) {
    for (const ModelAxis &axis : info.axes)
      axes.push_back({axis.name.c_str(), axis.size, axis.limit,
                      axis.limitReason.c_str(), axis.slotsOf, axis.ring});
    for (const ModelTensor &param : info.params)
      params.push_back({param.name.c_str(), int64_t(param.dtype),
                        int64_t(param.axes.size()), param.axes.data(),
                        param.text.c_str()});
    for (const ModelName &name : info.names)
      names.push_back({name.table.c_str(), name.param.c_str(),
                       name.file.c_str(), name.axes.c_str(),
                       name.pairing.c_str()});
    model.abi = NAX_ABI_VERSION;
    model.name = info.name.c_str();
    model.axis_count = axes.size();
    model.axes = axes.data();
    model.param_count = params.size();
    model.params = params.data();
    model.name_count = names.size();
    model.names = names.data();
  }

  std::vector<nax_axis_desc> axes;
  std::vector<nax_param_desc> params;
  std::vector<nax_name_desc> names;
  nax_model_desc model = {};
};

} // namespace

Expected<mlir::DictionaryAttr>
nax::driver::weightsOf(const ModelInfo &info, StringRef path,
                       mlir::MLIRContext *mlirContext) {
  Description description(info);
  std::vector<int64_t> stored(info.params.size());
  nax_options options = {};
  options.threads = 1;
  nax_context *context = nullptr;
  nax_status status = nax_context_create(&options, &context);
  if (status == NAX_OK && !stored.empty())
    status = naxrt_params_stored(context, &description.model,
                                 path.str().c_str(), stored.data());
  Error error = status == NAX_OK
                    ? Error::success()
                    : wrong("--weights-of: " + Twine(nax_last_error(context)));
  nax_context_destroy(context);
  if (error)
    return std::move(error);
  mlir::NamedAttrList types;
  for (auto [param, number] : zip(info.params, stored))
    if (std::optional<WeightFormat> format =
            WeightFormat::get(static_cast<nax_stored>(number)))
      types.set(param.name, mlir::StringAttr::get(mlirContext, format->name));
  return types.getDictionary(mlirContext);
}
