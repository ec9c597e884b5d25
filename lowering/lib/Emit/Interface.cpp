//===- Interface.cpp - a ModelInfo as an attribute of its module ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Each struct becomes a dictionary with the names of its fields. Writing and
// reading go through one function per struct, `fields`, which names them once.
//
//===----------------------------------------------------------------------===//

#include "Interface.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace nax;

namespace {

/// Makes a dictionary out of the fields it is shown.
class Writer {
public:
  explicit Writer(MLIRContext *context) : builder(context) {}

  void operator()(StringRef key, const std::string &text) {
    add(key, builder.getStringAttr(text));
  }
  void operator()(StringRef key, int64_t number) {
    add(key, builder.getI64IntegerAttr(number));
  }
  void operator()(StringRef key, bool truth) {
    add(key, builder.getBoolAttr(truth));
  }
  void operator()(StringRef key, DType dtype) {
    (*this)(key, static_cast<int64_t>(dtype));
  }
  void operator()(StringRef key, Role role) {
    (*this)(key, static_cast<int64_t>(role));
  }
  void operator()(StringRef key, EntryKind kind) {
    (*this)(key, static_cast<int64_t>(kind));
  }
  void operator()(StringRef key, const SmallVector<int64_t, 4> &numbers) {
    add(key, builder.getDenseI64ArrayAttr(numbers));
  }
  template <typename Struct>
  void operator()(StringRef key, const std::vector<Struct> &structs) {
    SmallVector<Attribute> attributes;
    for (const Struct &each : structs) {
      Writer writer(builder.getContext());
      fields(writer, const_cast<Struct &>(each));
      attributes.push_back(writer.dictionary());
    }
    add(key, builder.getArrayAttr(attributes));
  }

  DictionaryAttr dictionary() { return builder.getDictionaryAttr(entries); }

private:
  void add(StringRef key, Attribute value) {
    entries.push_back(builder.getNamedAttr(key, value));
  }

  Builder builder;
  SmallVector<NamedAttribute> entries;
};

/// Fills the fields it is shown from a dictionary; remembers what was missing.
class Reader {
public:
  explicit Reader(Attribute attribute)
      : dictionary(dyn_cast_or_null<DictionaryAttr>(attribute)) {}

  void operator()(StringRef key, std::string &text) {
    if (auto value = find<StringAttr>(key))
      text = value.str();
  }
  void operator()(StringRef key, int64_t &number) {
    if (auto value = find<IntegerAttr>(key))
      number = value.getInt();
  }
  void operator()(StringRef key, bool &truth) {
    if (auto value = find<BoolAttr>(key))
      truth = value.getValue();
  }
  void operator()(StringRef key, DType &dtype) {
    int64_t number = 0;
    (*this)(key, number);
    dtype = static_cast<DType>(number);
  }
  void operator()(StringRef key, Role &role) {
    int64_t number = 0;
    (*this)(key, number);
    role = static_cast<Role>(number);
  }
  void operator()(StringRef key, EntryKind &kind) {
    int64_t number = 0;
    (*this)(key, number);
    kind = static_cast<EntryKind>(number);
  }
  void operator()(StringRef key, SmallVector<int64_t, 4> &numbers) {
    if (auto value = find<DenseI64ArrayAttr>(key))
      llvm::append_range(numbers, value.asArrayRef());
  }
  template <typename Struct>
  void operator()(StringRef key, std::vector<Struct> &structs) {
    auto array = find<ArrayAttr>(key);
    if (!array)
      return;
    for (Attribute attribute : array) {
      Reader reader(attribute);
      fields(reader, structs.emplace_back());
      complete &= reader.complete;
    }
  }

  bool complete = true;

private:
  template <typename Attr>
  Attr find(StringRef key) {
    Attr value = dictionary ? dictionary.getAs<Attr>(key) : Attr();
    complete &= bool(value);
    return value;
  }

  DictionaryAttr dictionary;
};

template <typename Visitor>
void fields(Visitor &visit, ModelAxis &axis) {
  visit("name", axis.name);
  visit("size", axis.size);
  visit("limit", axis.limit);
  visit("limit_reason", axis.limitReason);
  visit("causal", axis.causal);
  visit("slots_of", axis.slotsOf);
  visit("ring", axis.ring);
}

template <typename Visitor>
void fields(Visitor &visit, ModelTensor &tensor) {
  visit("name", tensor.name);
  visit("dtype", tensor.dtype);
  visit("axes", tensor.axes);
  visit("text", tensor.text);
}

template <typename Visitor>
void fields(Visitor &visit, ModelBuffer &buffer) {
  fields(visit, static_cast<ModelTensor &>(buffer));
  visit("role", buffer.role);
  visit("bound", buffer.bound);
  visit("bound_name", buffer.boundName);
  visit("data_axis", buffer.dataAxis);
  visit("cache", buffer.cache);
}

template <typename Visitor>
void fields(Visitor &visit, ModelName &name) {
  visit("table", name.table);
  visit("param", name.param);
  visit("file", name.file);
  visit("axes", name.axes);
  visit("pairing", name.pairing);
}

template <typename Visitor>
void fields(Visitor &visit, ModelEntry &entry) {
  visit("name", entry.name);
  visit("kind", entry.kind);
  visit("of", entry.of);
  visit("step", entry.step);
  visit("dims", entry.dims);
  visit("buffers", entry.buffers);
}

template <typename Visitor>
void fields(Visitor &visit, ModelInfo &info) {
  visit("name", info.name);
  visit("axes", info.axes);
  visit("params", info.params);
  visit("names", info.names);
  visit("entries", info.entries);
}

} // namespace

void ModelInfo::attach(ModuleOp module) const {
  Writer writer(module.getContext());
  fields(writer, const_cast<ModelInfo &>(*this));
  module->setAttr(interfaceAttrName, writer.dictionary());
}

FailureOr<ModelInfo> nax::interfaceOf(ModuleOp module) {
  Reader reader(module->getAttr(interfaceAttrName));
  ModelInfo info;
  fields(reader, info);
  if (!reader.complete)
    return module.emitError("expects ")
           << interfaceAttrName << " as naxc writes it";
  return info;
}
