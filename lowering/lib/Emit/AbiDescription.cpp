//===- AbiDescription.cpp - a model's description as constants ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "AbiEmitter.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace llvm;

namespace nax {

Constant *AbiEmitter::text(StringRef s) {
  Constant *data = ConstantDataArray::getString(context, s);
  auto *global =
      new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, data, "text");
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

Constant *AbiEmitter::array(ArrayRef<Constant *> elements) {
  if (elements.empty())
    return null();
  auto *type = ArrayType::get(elements.front()->getType(), elements.size());
  return new GlobalVariable(module, type, /*isConstant=*/true,
                            GlobalValue::PrivateLinkage,
                            ConstantArray::get(type, elements), "table");
}

Constant *AbiEmitter::numbers(ArrayRef<int64_t> values) {
  SmallVector<Constant *> elements;
  for (int64_t v : values)
    elements.push_back(number(v));
  return array(elements);
}

Constant *AbiEmitter::buffer(const ModelBuffer &buffer) {
  return record({text(buffer.name), number(int64_t(buffer.dtype)),
                 number(buffer.axes.size()), numbers(buffer.axes),
                 text(buffer.text), number(int64_t(buffer.role)),
                 number(buffer.bound), textOrNull(buffer.boundName),
                 number(buffer.dataAxis), number(buffer.cache)});
}

Constant *AbiEmitter::entry(const ModelEntry &entry) {
  SmallVector<Constant *> buffers;
  for (const ModelBuffer &b : entry.buffers)
    buffers.push_back(buffer(b));
  return record({text(entry.name), number(int64_t(entry.kind)),
                 textOrNull(entry.of), number(entry.step),
                 number(entry.dims.size()), numbers(entry.dims),
                 number(buffers.size()), array(buffers)});
}

Constant *AbiEmitter::slot(mlir::DictionaryAttr slot) {
  auto integer = [&](StringRef key) {
    return number(mlir::cast<mlir::IntegerAttr>(slot.get(key)).getInt());
  };
  auto list = [&](StringRef key) {
    return mlir::cast<mlir::DenseI64ArrayAttr>(slot.get(key)).asArrayRef();
  };
  StringRef param = mlir::cast<mlir::StringAttr>(slot.get("param")).getValue();
  auto given = slot.getAs<mlir::IntegerAttr>("stored");
  int64_t stored = given ? given.getInt() : 0; // as declared
  return record({number(info.findParam(param)), integer("offset"),
                 integer("nr"), number(stored), number(list("n").size()),
                 numbers(list("n")), number(list("k").size()),
                 numbers(list("k"))});
}

Constant *AbiEmitter::level(const LevelAbi &level) {
  SmallVector<Constant *> slots, code;
  for (auto attr : level.slots.getAsRange<mlir::DictionaryAttr>())
    slots.push_back(slot(attr));
  for (const ModelEntry &entry : info.entries)
    code.push_back(
        record({workspaceOf(entry, level.name), bodyOf(entry, level.name)}));
  return record({number(level.number), number(slots.size()), array(slots),
                 number(level.blockBytes), array(code)});
}

/// What naxrt_cuda_desc has behind the model.
void AbiEmitter::describeKernels(SmallVectorImpl<Constant *> &fields) {
  SmallVector<Constant *> images, kernels;
  auto words = [](mlir::DictionaryAttr from, StringRef key) {
    return mlir::cast<mlir::StringAttr>(from.get(key)).getValue();
  };
  auto integer = [&](mlir::DictionaryAttr from, StringRef key) {
    return number(mlir::cast<mlir::IntegerAttr>(from.get(key)).getInt());
  };
  for (mlir::Attribute attr : cuda->images) {
    auto image = mlir::cast<mlir::DictionaryAttr>(attr);
    images.push_back(
        record({text(words(image, "target")), text(words(image, "ptx")),
                integer(image, "least"), integer(image, "most")}));
  }
  for (mlir::Attribute attr : cuda->kernels) {
    auto kernel = mlir::cast<mlir::DictionaryAttr>(attr);
    Constant *name = text(words(kernel, "name"));
    kernels.push_back(record(
        {name, number(1),
         array({record({number(0), name, integer(kernel, "shared")})})}));
  }
  fields.append({number(images.size()), array(images), number(kernels.size()),
                 array(kernels)});
}

} // namespace nax
