/* SPDX-License-Identifier: Apache-2.0 */
/* One object called with what `naxc check --save DIR` wrote: prints how far each result is from the float64 one there, or
   the error. Compiled with -DMODEL=NAME; needs nothing but the model and libnaxrt, so that it also runs emulated.

     saved DIR ENTRY    DIR/params, DIR/ENTRY/NAME.npy and DIR/ENTRY/NAME.reference.npy */
#include "nax/files.h"
#include "nax/model_desc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define DESC JOIN(MODEL, _desc)
extern const nax_model_desc DESC;

enum { MOST = 64 };

static nax_context *context;

static void check(nax_status status) {
  if (status == NAX_OK)
    return;
  printf("%s: %s\n", nax_status_name(status), nax_last_error(context));
  exit(1);
}

static nax_file *open(const char *folder, const char *entry, const char *name, const char *ending) {
  char path[4096];
  nax_file *file = NULL;
  snprintf(path, sizeof path, "%s/%s/%s%s.npy", folder, entry, name, ending);
  check(nax_file_open(context, path, &file));
  return file;
}

/* The sizes of axes that a call gives, from an input's. */
static void learn(const nax_entry_desc *entry, const nax_buffer_desc *buffer, const nax_file_tensor *tensor, int64_t *dims) {
  for (int64_t i = 0; i < buffer->rank; ++i)
    for (int64_t d = 0; d < entry->dim_count; ++d)
      if (entry->dims[d] == buffer->axes[i])
        dims[d] = tensor->sizes[i];
}

static double largest_difference(const float *got, const double *want, int64_t count) {
  double difference = 0, largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    double apart = fabs(got[i] - want[i]);
    difference = apart > difference || apart != apart ? apart : difference;
    largest = fabs(want[i]) > largest ? fabs(want[i]) : largest;
  }
  return difference / largest;
}

int main(int argc, char **argv) {
  nax_status status = nax_context_create(NULL, &context);
  if (argc != 3 || status != NAX_OK)
    return printf("%s: %s\n", nax_status_name(status), nax_last_error(NULL)), 1;
  int64_t at = 0;
  while (at < DESC.entry_count && strcmp(DESC.entries[at].name, argv[2]))
    ++at;
  const nax_entry_desc *entry = &DESC.entries[at];

  nax_params *params = NULL;
  char path[4096];
  snprintf(path, sizeof path, "%s/params", argv[1]);
  if (DESC.param_count)
    check(naxrt_params_open(context, &DESC, path, &params));
  nax_file *files[MOST] = {NULL};
  void *buffers[MOST] = {NULL};
  int64_t dims[MOST] = {0};
  for (int64_t i = 0; i < entry->buffer_count; ++i) {
    const nax_buffer_desc *buffer = &entry->buffers[i];
    files[i] = open(argv[1], argv[2], buffer->name, buffer->role == NAX_OUTPUT ? ".reference" : "");
    const nax_file_tensor *tensor = nax_file_tensor_at(files[i], 0);
    buffers[i] = aligned_alloc(64, ((size_t)tensor->bytes + 64) / 64 * 64);
    if (buffer->role != NAX_OUTPUT)
      memcpy(buffers[i], tensor->data, (size_t)tensor->bytes), learn(entry, buffer, tensor, dims);
  }
  check(naxrt_invoke(context, &DESC, at, params, NULL, dims, buffers, NULL, 0));

  int bad = 0;
  for (int64_t i = 0; i < entry->buffer_count; ++i) {
    if (entry->buffers[i].role != NAX_OUTPUT)
      continue;
    const nax_file_tensor *tensor = nax_file_tensor_at(files[i], 0);
    double *want = malloc((size_t)tensor->bytes + 8);
    memcpy(want, tensor->data, (size_t)tensor->bytes);
    double apart = largest_difference(buffers[i], want, tensor->elements);
    printf("%s %s\n", entry->buffers[i].name, apart <= 1e-5 ? "ok" : "differs");
    bad |= !(apart <= 1e-5);
    free(want);
  }
  for (int64_t i = 0; i < entry->buffer_count; ++i)
    nax_file_close(files[i]), free(buffers[i]);
  naxrt_params_close(params);
  nax_context_destroy(context);
  return bad;
}
