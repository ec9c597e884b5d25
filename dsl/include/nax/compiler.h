// SPDX-License-Identifier: Apache-2.0
// Where a compiler is too old for the language it says so and stops, since what follows would be pages.
#pragma once
#pragma GCC system_header

#if defined(__clang__) ? __clang_major__ < 17 : __GNUC__ < 12
#define NAX_TOO_OLD
#elif __cplusplus < 202002L || !__has_include(<source_location>)
#define NAX_TOO_OLD
#endif
#ifdef NAX_TOO_OLD
#error "nax needs clang 17 or newer or g++ 12 or newer, with -std=c++20 and <source_location>"
#include "another compiler: see the error above"
#endif
