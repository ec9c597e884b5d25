/* SPDX-License-Identifier: Apache-2.0 */
/* libcuda.so.1 by dlopen, so that an object with GPU code runs where no driver is installed. */
#include "cuda_driver.h"

#include <dlfcn.h>
#include <string.h>

/* Names in place rather than pointers to them, which would have to be relocated and so be no constants. */
static const struct {
  char name[32];
  size_t offset;
} functions[] = {
#define NAXRT_CU_ENTRY(name, parameters) {#name, offsetof(naxrt_cu, name)},
    NAXRT_CU_FUNCTIONS(NAXRT_CU_ENTRY)
#undef NAXRT_CU_ENTRY
};

/* The name of the first function that the library lacks; NULL: it has all of them. */
static const char *find_functions(void *library, naxrt_cu *out) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    void *found = dlsym(library, functions[i].name);
    if (!found)
      return functions[i].name;
    memcpy((char *)out + functions[i].offset, &found, sizeof found);
  }
  return NULL;
}

static nax_status start(nax_context *context, const naxrt_cu *cu) {
  naxrt_cu_result result = cu->cuInit(0);
  if (result)
    return naxrt_cu_fail(context, cu, result, "starting the CUDA driver");
  int version = 0;
  result = cu->cuDriverGetVersion(&version);
  if (result)
    return naxrt_cu_fail(context, cu, result, "asking the CUDA driver for its version");
  if (version < NAXRT_CU_OLDEST_DRIVER)
    return naxrt_fail(context, NAX_E_DRIVER, "the CUDA driver is for CUDA %d.%d: kernels need one for %d.%d or later",
                      version / 1000, version % 1000 / 10, NAXRT_CU_OLDEST_DRIVER / 1000,
                      NAXRT_CU_OLDEST_DRIVER % 1000 / 10);
  return NAX_OK;
}

nax_status naxrt_cu_open(nax_context *context, naxrt_cu *out) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return naxrt_fail(context, NAX_E_DRIVER, "no CUDA driver: %s", dlerror());
  const char *missing = find_functions(library, out);
  nax_status status = NAX_OK;
  if (missing)
    status = naxrt_fail(context, NAX_E_DRIVER, "the CUDA driver is too old: it has no %s", missing);
  else
    status = start(context, out);
  if (status == NAX_OK)
    out->library = library;
  else
    dlclose(library);
  return status;
}

void naxrt_cu_close(naxrt_cu *cu) {
  if (cu->library)
    dlclose(cu->library);
}

static nax_status status_of(naxrt_cu_result result) {
  switch (result) {
  case NAXRT_CU_OUT_OF_MEMORY:
    return NAX_E_MEMORY;
  case NAXRT_CU_NO_DEVICE:
  case NAXRT_CU_INVALID_DEVICE:
  case NAXRT_CU_NO_BINARY:
    return NAX_E_DEVICE;
  case NAXRT_CU_UNSUPPORTED_PTX:
    return NAX_E_DRIVER;
  default:
    return NAX_E_CUDA;
  }
}

/* CUresult: CUDA driver API, "Data types used by CUDA driver". */
bool naxrt_cu_is_lost(naxrt_cu_result result) {
  enum { ILLEGAL_ADDRESS = 700, LAUNCH_TIMEOUT = 702, ASSERT = 710, HARDWARE_STACK_ERROR = 714, LAUNCH_FAILED = 719 };
  return result == ILLEGAL_ADDRESS || result == LAUNCH_TIMEOUT || result == ASSERT ||
         (result >= HARDWARE_STACK_ERROR && result <= LAUNCH_FAILED);
}

nax_status naxrt_cu_fail(nax_context *context, const naxrt_cu *cu, naxrt_cu_result result, const char *doing) {
  const char *name = NULL, *text = NULL;
  if (cu->cuGetErrorName(result, &name) || !name)
    name = "an unknown error";
  if (cu->cuGetErrorString(result, &text) || !text)
    text = "the driver has no words for it";
  nax_status status = naxrt_fail(context, status_of(result), "%s: %s, %s (%d)", doing, text, name, result);
  if (naxrt_cu_is_lost(result))
    naxrt_fail_more(context, "the CUDA context is lost by it: the process has to begin anew");
  return status;
}
