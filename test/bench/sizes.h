/* SPDX-License-Identifier: Apache-2.0 */
/* How large what a model takes is, for programs that are compiled once for each model, with MODEL its description,
   declared before.
   Every axis known only when called is B, as long as `batch`, or T, as long as `length`. */
#ifndef NAX_BENCH_SIZES_H
#define NAX_BENCH_SIZES_H

#include <nax/model_desc.h>

#include <string.h>

static const size_t element_size[] = {4, 2, 2, 8, 4, 8, 1}; /* by nax_dtype */
static int64_t batch, length;

static inline int64_t extent(int64_t axis) {
  const nax_axis_desc *a = &MODEL.axes[axis];
  return a->size >= 0 ? a->size : strcmp(a->name, "B") == 0 ? batch : length;
}

static inline int64_t count_of(int64_t rank, const int64_t *axes) {
  int64_t count = 1;
  for (int64_t i = 0; i < rank; ++i)
    count *= extent(axes[i]);
  return count;
}

#endif
