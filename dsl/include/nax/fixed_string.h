// SPDX-License-Identifier: Apache-2.0
// A text that can be a template argument: the name of an axis.
#pragma once
#pragma GCC system_header
#include <cstddef>
#include <string_view>

namespace nax {

template <std::size_t N>
struct FixedString {
  char chars[N]{};
  constexpr FixedString(char const (&text)[N]) {
    for (std::size_t i = 0; i < N; ++i) chars[i] = text[i];
  }
  constexpr std::string_view view() const { return {chars, N - 1}; }
};

} // namespace nax
