// SPDX-License-Identifier: Apache-2.0
// What no type of scores, weights or numbers says: what they were made of. The pass nax-check-attention asks these, of
// models in C++ too.
#pragma once
#include "nax/rules/common.h"

namespace nax::rule {

// Rule 16. What scores are multiplied by; no number if D has no fixed size and none was said.
constexpr Text scale_of(Ax d, double s) {
  if (s != s)
    return say(16, "scores<", d, ">: ", d, " has no fixed size to scale by; say the scale: scores<", d,
               ">(q, k, Scale{s})");
  if (s - s != 0) return say(16, "scores<", d, ">: the scale is not a finite number");
  if (s == 0) return say(16, "scores<", d, ">: a scale of 0 leaves nothing; leave the Scale out for 1/sqrt(", d, ")");
  return {};
}
// Rule 16. scores<D>(q, k, 0.1)
constexpr Text bare_scale(Ax d) {
  return say(16, "scores<", d, ">: a bare number is not a scale; write scores<", d,
             ">(q, k, Scale{s}); without one it is 1/sqrt(", d, ")");
}
// Rule 18. x * -INFINITY
constexpr Text infinite(string_view sign) {
  return say(18, "operator", sign, ": no number is -infinity; what may not be read is hidden by mask(scores, m)");
}
// Rule 16. `side` was multiplied by 1/sqrt(by), and scores do so by 1/sqrt(d) themselves.
constexpr Text scaled_before(Ax d, string_view side, Ax by) {
  return say(16, "scores<", d, ">: the ", side, " multiplied by 1/sqrt(", by, ") before, and scores<", d,
             "> multiplies by 1/sqrt(", d, ") itself; leave the first out, or write scores<", d, ">(q, k, Scale{1})");
}
// Rule 16. The scale is 1/sqrt(n), n the size of `width`, while only d is summed.
constexpr Text scaled_by_width(Ax d, Ax width, std::int64_t n) {
  return say(16, "scores<", d, ">: the scale is 1/sqrt(", n, "), by the size of ", width, ", but what is summed is ", d,
             " (", d->size, "): leave the Scale out for 1/sqrt(", d, ")");
}
// Rule 16. The scale is sqrt(n), n the size of `width`: others divide by it.
constexpr Text scaled_by_inverse(Ax d, Ax width, std::int64_t n) {
  return say(16, "scores<", d, ">: the scale is sqrt(", n, "), by the size of ", width,
             ", but a scale multiplies: leave the Scale out for 1/sqrt(", d, ")");
}
// Rule 16. Plain numbers that are a match of two sequences.
constexpr Text unscaled(Ax a, Ten x, Ten q, Ten k, Ax d) {
  return say(16, "softmax<", a, ">: ", x, " is a match of ", q, " and ", k, " without its scale; write scores<", d,
             ">(q, k), where ", ReadOf{base(a)}, " is what is read");
}
// Rule 13. The numbers are weights over a already.
constexpr Text softened_before(Ax a, Ten x) {
  return say(13, "softmax<", a, ">: ", x, " comes from weights over ", a, ", by .values(); drop the second softmax");
}
// Rule 18. A large number where something is true or false.
constexpr Text bias_of_booleans(Ten b, Ten m) {
  bool truth = m.number == "boolean";
  return say(18, "bias: ", b, " is ", m, truth ? "" : " of ", truth ? "" : m.number,
             " made large, a mask in disguise; write mask(scores, ",
             truth ? "allowed_where_true(m))" : "allowed_where_true(to<boolean>(m)))");
}

} // namespace nax::rule
