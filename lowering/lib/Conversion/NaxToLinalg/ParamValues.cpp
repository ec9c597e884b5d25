//===- ParamValues.cpp - one value for each parameter ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Each use of a parameter may have a slot of its own. Rounded by blocks along
// two axes, or rounded for a product and not for a sum, it would have two
// values in one call: such a parameter stays as the model declares it.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace nax {

namespace {

/// What the functions of a module have of one parameter.
struct Uses {
  Location loc;
  bool isContracted = false;
  SmallVector<Layout> layouts = {};
};

} // namespace

/// Whether both lead to the same numbers, wherever they are.
static bool haveSameNumbers(const Layout &a, const Layout &b) {
  auto type = [](const Layout &layout) -> nax_stored {
    return layout.stored == NAX_STORED_BF16_PAIRS ? NAX_STORED_BF16
                                                  : layout.stored;
  };
  return type(a) == type(b) &&
         (!WeightFormat::isQuantised(a.stored) || a.k == b.k);
}

static bool isContracted(const ModuleState &state, Value param) {
  return llvm::any_of(param.getUses(), [&](OpOperand &use) {
    auto call = dyn_cast<func::CallOp>(use.getOwner());
    if (!call)
      return isa<DotOp, UnembedOp, ScoresOp>(use.getOwner());
    func::FuncOp callee = state.sources.lookup(call.getCallee());
    return isContracted(state, callee.getArgument(use.getOperandNumber()));
  });
}

static void note(Location loc, ArrayRef<StringRef> names, StringRef why) {
  Diagnostic diagnostic(loc, DiagnosticSeverity::Note);
  diagnostic << names.front();
  if (names.size() > 1)
    diagnostic << " and " << names.size() - 1 << " more";
  diagnostic << (names.size() > 1 ? " are" : " is")
             << " stored as declared: " << why;
  loc.getContext()->getDiagEngine().emit(std::move(diagnostic));
}

DictionaryAttr keepOneValue(ModuleState &state) {
  llvm::MapVector<StringRef, Uses> params;
  state.module.walk([&](ParamOp op) {
    bool isWished =
        op.getType().getElementType().isF32() &&
        (!state.weightsByName || state.weightsByName.get(op.getName()));
    if (!isWished)
      return;
    auto [found, isNew] = params.try_emplace(op.getName(), Uses{op.getLoc()});
    found->second.isContracted |= isContracted(state, op);
    found->second.layouts.append(state.layoutsOf(op));
  });
  SmallVector<StringRef> several, unlike;
  NamedAttrList types;
  for (auto &[name, uses] : params) {
    auto isOther = [&, &first = uses](const Layout &layout) {
      return !haveSameNumbers(first.layouts.front(), layout);
    };
    bool hasPlainOnly = llvm::all_of(uses.layouts, [](const Layout &layout) {
      return layout.nr == 0 && layout.stored == NAX_STORED_AS_DECLARED;
    });
    if (hasPlainOnly && uses.isContracted)
      unlike.push_back(name);
    if (llvm::any_of(uses.layouts, isOther)) {
      several.push_back(name);
      continue;
    }
    Attribute type =
        state.weightsByName
            ? state.weightsByName.get(name)
            : StringAttr::get(state.module.getContext(), state.weights->name);
    types.set(name, type);
  }
  if (!unlike.empty())
    note(params.find(unlike.front())->second.loc, unlike,
         "a batch of matrices is not stored in fewer bits");
  if (several.empty())
    return {};
  note(params.find(several.front())->second.loc, several,
       "two uses would round the same number differently");
  return types.getDictionary(state.module.getContext());
}

} // namespace nax
