//===- NaxKinds.cpp - what the numbers of a tensor are --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "nax/Dialect/Nax/IR/Nax.h"

using namespace mlir;
using namespace nax;

static constexpr std::pair<StringLiteral, ScoreState> stateNames[] = {
    {"capped", Capped},
    {"biased", Biased},
    {"masked", Masked},
    {"causally", Causally}};

KindAttr KindAttr::getRotated(AxisAttr positions, AxisAttr features,
                              RopeAttr rope) {
  return get(rope.getContext(), Is::rotated, positions, features, 0, rope);
}

KindAttr KindAttr::getScores(AxisAttr query, AxisAttr key, uint32_t states) {
  return get(key.getContext(), Is::scores, query, key, states, RopeAttr());
}

KindAttr KindAttr::getMask(AxisAttr query, AxisAttr key) {
  return get(key.getContext(), Is::mask, query, key, 0, RopeAttr());
}

LogicalResult KindAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               Is is, AxisAttr a, AxisAttr b, uint32_t states,
                               RopeAttr rope) {
  StringRef word = stringifyIs(is);
  bool two = is == Is::rotated || is == Is::scores || is == Is::mask;
  if (two ? !b : !!b)
    return emitError() << "expects " << word << " to have "
                       << (two ? "two axes" : "one axis");
  if (!a && is != Is::mask)
    return emitError() << "expects " << word << " to have an axis";
  if ((is == Is::rotated) != !!rope)
    return emitError() << "expects " << word
                       << (rope ? " to have no rope" : " to have a rope");
  if (states && is != Is::scores)
    return emitError() << "expects only scores to have states, but got "
                       << word;
  if ((states & Causally) && !(states & Masked))
    return emitError() << "expects causally masked scores to be masked";
  if (states & ~uint32_t(Capped | Biased | Masked | Causally))
    return emitError() << "expects the states of scores to be known, but got "
                       << states;

  if ((is == Is::scores || is == Is::mask) && !b.isRead())
    return emitError() << "expects " << word
                       << " to be about an axis being read, but got "
                       << b.getLabel();
  if ((is == Is::scores || is == Is::losses || (is == Is::mask && a)) &&
      !a.isSequence())
    return emitError() << "expects " << word << " to stand on a sequence, but "
                       << a.getLabel() << " is none";
  if (is == Is::rotated && !a.isSequence() && !a.isRead())
    return emitError() << "expects " << word
                       << " by the positions of a sequence, but "
                       << a.getLabel() << " is none";
  return success();
}

/// Parses what follows `word`: `<` axes, rope or states `>`.
FailureOr<KindAttr> KindAttr::parseBare(AsmParser &parser, StringRef word) {
  SMLoc loc = parser.getCurrentLocation();
  std::optional<Is> is = symbolizeIs(word);
  if (!is) {
    parser.emitError(loc, "expects a kind of tensor (ids, rotated, scores, "
                          "weights, logits, mask, losses), but got ")
        << word;
    return failure();
  }

  AxisAttr a, b;
  RopeAttr rope;
  uint32_t states = 0;
  bool every = false;
  if (parser.parseLess())
    return failure();
  if (*is == Is::mask)
    every = succeeded(parser.parseOptionalKeyword("every"));
  if (!every && parser.parseAttribute(a))
    return failure();
  if (*is == Is::rotated || *is == Is::scores || *is == Is::mask)
    if (parser.parseComma() || parser.parseAttribute(b))
      return failure();
  if (*is == Is::rotated)
    if (parser.parseComma() || parser.parseAttribute(rope))
      return failure();
  while (*is == Is::scores && succeeded(parser.parseOptionalComma())) {
    SMLoc stateLoc = parser.getCurrentLocation();
    StringRef state;
    if (parser.parseKeyword(&state))
      return failure();
    const auto *entry = llvm::find_if(
        stateNames, [&](const auto &entry) { return entry.first == state; });
    if (entry == std::end(stateNames)) {
      parser.emitError(stateLoc,
                       "expects capped, biased, masked or causally, but got ")
          << state;
      return failure();
    }
    // A causal mask is a mask.
    states |= entry->second | (entry->second == Causally ? Masked : 0);
  }
  if (parser.parseGreater())
    return failure();
  KindAttr kind = getChecked([&] { return parser.emitError(loc); },
                             parser.getContext(), *is, a, b, states, rope);
  if (!kind)
    return failure();
  return kind;
}

void KindAttr::printBare(AsmPrinter &printer) const {
  printer << stringifyIs(getIs()) << '<';
  if (getA())
    printer << getA();
  else
    printer << "every";
  if (getB())
    printer << ", " << getB();
  if (getRope())
    printer << ", " << getRope();
  for (auto [name, state] : stateNames)
    if (hasState(state))
      printer << ", " << name;
  printer << '>';
}

Attribute KindAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  if (parser.parseLess() || parser.parseKeyword(&word))
    return {};
  FailureOr<KindAttr> kind = parseBare(parser, word);
  if (failed(kind) || parser.parseGreater())
    return {};
  return *kind;
}

void KindAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printBare(printer);
  printer << '>';
}
