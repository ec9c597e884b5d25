/* SPDX-License-Identifier: Apache-2.0 */
/* The values of inputs that generated code uses as indices: each is checked before the code runs, since an id beyond
   the vocabulary would read beyond the table. */
#include "invoke.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEXT_BYTES = 160 };

/* "ids[0,3]"; a scalar is "ids" */
static const char *element_text(const naxrt_call *call, const nax_buffer_desc *desc, int64_t element,
                                char text[TEXT_BYTES]) {
  int64_t index[16];
  int64_t rank = desc->rank < 16 ? desc->rank : 16;
  for (int64_t i = rank - 1; i >= 0; --i) {
    int64_t size = naxrt_call_size(call, desc->axes[i]);
    index[i] = element % size;
    element /= size;
  }
  int used = snprintf(text, TEXT_BYTES, "%.60s%s", desc->name, rank ? "[" : "");
  for (int64_t i = 0; i < rank && used < TEXT_BYTES - 1; ++i)
    used += snprintf(text + used, (size_t)(TEXT_BYTES - used), "%lld%s", (long long)index[i], i + 1 < rank ? "," : "]");
  return text;
}

static int64_t value_at(const nax_buffer_desc *desc, const void *buffer, int64_t element) {
  return desc->dtype == NAX_I64 ? ((const int64_t *)buffer)[element] : ((const int32_t *)buffer)[element];
}

/* The first element outside [0, last]; `elements` when there is none. */
static int64_t first_outside(const nax_buffer_desc *desc, const void *buffer, int64_t elements, int64_t last) {
  for (int64_t i = 0; i < elements; ++i) {
    int64_t value = value_at(desc, buffer, i);
    if (value < 0 || value > last)
      return i;
  }
  return elements;
}

/* How many ids there are; -1: no ids, or ids of an axis that this entry has no buffer on. */
static int64_t bound_of(const naxrt_call *call, const nax_buffer_desc *desc) {
  return desc->role == NAX_INPUT && desc->bound < 0 ? naxrt_call_size(call, desc->data_axis) : desc->bound;
}

static nax_status check_ids(const naxrt_call *call, const nax_buffer_desc *desc, const void *buffer, int64_t elements) {
  int64_t bound = bound_of(call, desc);
  int64_t bad = first_outside(desc, buffer, elements, bound - 1);
  if (bad == elements)
    return NAX_OK;
  char text[TEXT_BYTES];
  return naxrt_fail(call->context, NAX_E_RANGE, "%s is %lld, %s has %lld", element_text(call, desc, bad, text),
                    (long long)value_at(desc, buffer, bad), desc->bound_name ? desc->bound_name : "the vocabulary",
                    (long long)bound);
}

/* A length or a start may be 0 and may be the whole axis. */
static nax_status check_within_axis(const naxrt_call *call, const nax_buffer_desc *desc, const void *buffer,
                                    int64_t elements) {
  int64_t size = naxrt_call_size(call, desc->data_axis);
  int64_t bad = first_outside(desc, buffer, elements, size);
  if (bad == elements)
    return NAX_OK;
  char text[TEXT_BYTES];
  return naxrt_fail(call->context, NAX_E_RANGE, "%s is %lld, axis %s has %lld positions",
                    element_text(call, desc, bad, text), (long long)value_at(desc, buffer, bad),
                    call->model->axes[desc->data_axis].name, (long long)size);
}

static nax_status check_booleans(const naxrt_call *call, const nax_buffer_desc *desc, const uint8_t *buffer,
                                 int64_t elements) {
  for (int64_t i = 0; i < elements; ++i)
    if (buffer[i] > 1) {
      char text[TEXT_BYTES];
      return naxrt_fail(call->context, NAX_E_RANGE, "%s is %d, a boolean is 0 or 1", element_text(call, desc, i, text),
                        buffer[i]);
    }
  return NAX_OK;
}

//===-- documents --------------------------------------------------------------------------------------------------//

typedef struct piece {
  int32_t document;
  int64_t first;
} piece;

static int compare_pieces(const void *x, const void *y) {
  const piece *a = x, *b = y;
  if (a->document != b->document)
    return a->document < b->document ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

/* The first position at which a document begins for the second time; -1: none. `pieces` has room for the row. */
static int64_t second_beginning(const int32_t *row, int64_t size, piece *pieces) {
  int64_t count = 0;
  for (int64_t t = 0; t < size; ++t)
    if (t == 0 || row[t] != row[t - 1])
      pieces[count++] = (piece){row[t], t};
  qsort(pieces, (size_t)count, sizeof *pieces, compare_pieces);
  int64_t earliest = -1;
  for (int64_t i = 1; i < count; ++i)
    if (pieces[i].document == pieces[i - 1].document && (earliest < 0 || pieces[i].first < earliest))
      earliest = pieces[i].first;
  return earliest;
}

/* Numbers that only grow are in one piece each: the common case, which needs no memory. */
static bool grows(const int32_t *row, int64_t size) {
  for (int64_t t = 1; t < size; ++t)
    if (row[t] < row[t - 1])
      return false;
  return true;
}

static nax_status check_documents(const naxrt_call *call, const nax_buffer_desc *desc, const int32_t *buffer,
                                  int64_t elements) {
  int64_t size = naxrt_call_size(call, desc->data_axis);
  piece *pieces = NULL;
  int64_t bytes = 0, bad = -1;
  for (int64_t row = 0; row < elements && bad < 0; row += size) {
    if (grows(buffer + row, size))
      continue;
    if (!pieces) {
      if (!naxrt_multiply(size, (int64_t)sizeof(piece), &bytes))
        return naxrt_fail(call->context, NAX_E_MEMORY, "no memory for the check of %s", desc->name);
      pieces = naxrt_allocate(call->context, bytes, "the check of documents");
      if (!pieces)
        return NAX_E_MEMORY;
    }
    int64_t t = second_beginning(buffer + row, size, pieces);
    bad = t < 0 ? -1 : row + t;
  }
  naxrt_release(&call->context->hooks, pieces, bytes);
  if (bad < 0)
    return NAX_OK;
  char text[TEXT_BYTES];
  return naxrt_fail(call->context, NAX_E_RANGE,
                    "%s is %d, a document that has ended before: the positions of a document stand next to each other",
                    element_text(call, desc, bad, text), buffer[bad]);
}

nax_status naxrt_check_values(const naxrt_call *call, const nax_buffer_desc *desc, const void *buffer,
                              int64_t elements) {
  int64_t bound = bound_of(call, desc);
  bool indices = bound >= 0 || (desc->role >= NAX_LENGTHS && desc->role <= NAX_DOCUMENTS);
  if (indices && desc->dtype != NAX_I32 && desc->dtype != NAX_I64)
    return naxrt_fail(call->context, NAX_E_MODEL, "the description of %s: %s holds indices, but is %s",
                      call->model->name, desc->name, naxrt_dtype_name(desc->dtype));
  if (desc->role == NAX_DOCUMENTS)
    return desc->dtype == NAX_I32 ? check_documents(call, desc, buffer, elements)
                                  : naxrt_fail(call->context, NAX_E_MODEL, "the description of %s: %s is not i32",
                                               call->model->name, desc->name);
  if (desc->role == NAX_LENGTHS || desc->role == NAX_STARTS)
    return check_within_axis(call, desc, buffer, elements);
  if (bound >= 0)
    return check_ids(call, desc, buffer, elements);
  if (desc->dtype == NAX_BOOL)
    return check_booleans(call, desc, buffer, elements);
  return NAX_OK;
}
