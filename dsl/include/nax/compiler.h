// SPDX-License-Identifier: Apache-2.0
// One error where a compiler is too old for the language: it stops there, since what follows would be pages.
#pragma once
#pragma GCC system_header

#if defined(__clang__)
#if __clang_major__ < 17 || __cplusplus < 202002L || !__has_include(<source_location>)
#pragma clang diagnostic fatal "-W#warnings"
#warning "nax needs C++20 (-std=c++20), clang 17 or newer or g++ 12 or newer, and <source_location>"
#endif
#elif __GNUC__ < 12 || __cplusplus < 202002L
#error "nax needs C++20 (-std=c++20), clang 17 or newer or g++ 12 or newer, and <source_location>"
#include "another compiler: see the error above"
#endif
