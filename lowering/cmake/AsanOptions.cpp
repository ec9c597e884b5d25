// SPDX-License-Identifier: Apache-2.0
// What AddressSanitizer is not to look for in our tools. Debian's libMLIR is not
// instrumented: memory that our side of LLVM's allocators marks as free is never
// unmarked on the other side, a container that crosses the border looks
// overflown, and what MLIR keeps for ever looks leaked.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0";
}
