//===- AttentionSpec.cpp - an attention kernel in one form ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "AttentionSpec.h"

using namespace mlir;
using namespace nax;

unsigned nax::positionOf(AffineMap map, unsigned dim) {
  return *map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
}
static int64_t staticSize(Value memref, AffineMap map, unsigned dim) {
  return cast<MemRefType>(memref.getType()).getDimSize(positionOf(map, dim));
}

template <typename Op>
static AttentionSpec commonSpec(Op op) {
  AttentionSpec spec;
  spec.queryMap = op.getQMap();
  spec.keyMap = op.getKMap();
  spec.outMap = op.getOutMap();
  for (Attribute map : op.getExtraMaps())
    spec.extraMaps.push_back(cast<AffineMapAttr>(map).getValue());
  for (Value extra : op.getExtras())
    spec.extraElements.push_back(
        cast<MemRefType>(extra.getType()).getElementType());
  spec.extraCaches.assign(spec.extraMaps.size(), -1);
  spec.numBatch = op.getNumBatch();
  spec.scale = op.getScale().convertToDouble();
  if (op.getCap())
    spec.cap = op.getCap()->convertToDouble();
  if (op.getBias())
    spec.bias = *op.getBias();
  if (op.getAlibi())
    spec.alibi = *op.getAlibi();
  spec.causal = op.getCausal();
  spec.mask = op.getMaskAttr();
  spec.components = staticSize(op.getQ(), spec.queryMap, spec.numBatch + 2);
  return spec;
}

/// Which of the batch dimensions are of a group follows from what tells one
/// query's keys from another's.
static void splitBatch(AttentionSpec &spec, Value out) {
  SmallVector<AffineMap> keys{spec.keyMap, spec.valueMap, spec.spanMap};
  for (int64_t extra : spec.extrasOf({"less_than", "not_before", "same"}))
    keys.push_back(spec.extraMaps[extra]);
  for (unsigned dim = 0; dim < spec.numBatch; ++dim) {
    int64_t size = staticSize(out, spec.outMap, dim);
    if (ShapedType::isDynamic(size) || size == 0 ||
        llvm::any_of(keys, [&](AffineMap map) {
          return map && map.isFunctionOfDim(dim);
        })) {
      spec.headDims.push_back(dim);
      spec.headSizes.push_back(size);
    } else {
      spec.groupDims.push_back(dim);
      spec.groupSizes.push_back(size);
    }
  }
}

AttentionSpec AttentionSpec::get(kernel::AttentionOp op) {
  AttentionSpec spec = commonSpec(op);
  spec.valueMap = op.getVMap();
  spec.valueComponents =
      staticSize(op.getV(), spec.valueMap, spec.numBatch + 3);
  if (op.getSpanMap()) {
    spec.spanMap = *op.getSpanMap();
    if (std::optional<ArrayRef<int64_t>> caches = op.getExtraCaches())
      llvm::copy(*caches, spec.extraCaches.begin());
  }
  if (op.getRopeMap()) {
    spec.ropeMap = *op.getRopeMap();
    spec.pairs = cast<MemRefType>(op.getCosines().getType()).getShape().back();
    spec.isInterleaved =
        symbolizePairing(*op.getPairing()) == Pairing::interleaved;
  }
  splitBatch(spec, op.getOut());
  return spec;
}

AttentionSpec AttentionSpec::get(kernel::AttentionWeightsOp op) {
  AttentionSpec spec = commonSpec(op);
  splitBatch(spec, op.getOut());
  return spec;
}

int64_t AttentionSpec::groupSize() const {
  int64_t product = 1;
  for (int64_t size : groupSizes)
    product *= size;
  return product;
}

//===----------------------------------------------------------------------===//
// The mask as a tree
//===----------------------------------------------------------------------===//

StringRef nax::nameOf(Attribute tree) {
  return cast<StringAttr>(cast<ArrayAttr>(tree)[0]).getValue();
}
int64_t nax::numberOf(Attribute tree) {
  return cast<IntegerAttr>(cast<ArrayAttr>(tree)[1]).getInt();
}

static void collectExtras(Attribute tree, ArrayRef<StringRef> names,
                          SmallVectorImpl<int64_t> &found) {
  StringRef name = nameOf(tree);
  if (name == "and" || name == "or" || name == "not") {
    for (Attribute child : cast<ArrayAttr>(tree).getValue().drop_front())
      collectExtras(child, names, found);
  } else if (llvm::is_contained(names, name) &&
             !llvm::is_contained(found, numberOf(tree))) {
    found.push_back(numberOf(tree));
  }
}

SmallVector<int64_t> AttentionSpec::extrasOf(ArrayRef<StringRef> names) const {
  SmallVector<int64_t> found;
  if (mask)
    collectExtras(mask, names, found);
  return found;
}

unsigned AttentionSpec::keyDim(int64_t extra) const {
  bool isDocument = llvm::is_contained(extrasOf({"same"}), extra);
  return isDocument ? numBatch : numBatch + 1;
}

SmallVector<int64_t> AttentionSpec::keyExtras() const {
  SmallVector<int64_t> found = extrasOf({"same", "true", "false"});
  if (bias)
    found.push_back(*bias);
  llvm::erase_if(found, [&](int64_t extra) {
    return !extraMaps[extra].isFunctionOfDim(keyDim(extra));
  });
  return found;
}

static bool isExact(Attribute tree) {
  StringRef name = nameOf(tree);
  if (name == "and")
    return isExact(cast<ArrayAttr>(tree)[1]) &&
           isExact(cast<ArrayAttr>(tree)[2]);
  return name == "window" || name == "prefix" || name == "less_than" ||
         name == "not_before";
}

bool AttentionSpec::boundsAreExact() const { return !mask || isExact(mask); }
