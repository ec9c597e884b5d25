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

/* The documents of a row: what its cache still has of them, then those of the call. */
typedef struct sequence {
  const int32_t *cached, *row;
  int64_t first, slots; /* of the cached ones: the first position, and where it is */
  int64_t kept, count;
} sequence;

static int32_t document_at(const sequence *s, int64_t i) {
  return i < s->kept ? s->cached[(s->first + i) % s->slots] : s->row[i - s->kept];
}

/* Whether a document begins there, of the call's or the cache's. */
static bool begins(const sequence *s, int64_t i) { return i == 0 || document_at(s, i) != document_at(s, i - 1); }

/* The first position of the call at which a document begins for the second time; -1: none. `pieces` has room for the
   whole sequence. */
static int64_t second_beginning(const sequence *s, piece *pieces) {
  int64_t count = 0;
  for (int64_t i = 0; i < s->kept + s->count; ++i)
    if (begins(s, i))
      pieces[count++] = (piece){document_at(s, i), i};
  qsort(pieces, (size_t)count, sizeof *pieces, compare_pieces);
  int64_t earliest = -1;
  for (int64_t i = 1; i < count; ++i)
    if (pieces[i].document == pieces[i - 1].document && pieces[i].first >= s->kept &&
        (earliest < 0 || pieces[i].first - s->kept < earliest))
      earliest = pieces[i].first - s->kept;
  return earliest;
}

/* The common cases, which need no memory: no document begins, or all numbers grow. */
static bool plainly_in_order(const sequence *s) {
  int64_t i = s->kept;
  while (i < s->kept + s->count && i > 0 && !begins(s, i))
    ++i;
  if (i == s->kept + s->count)
    return true;
  for (i = 1; i < s->kept + s->count; ++i)
    if (document_at(s, i) < document_at(s, i - 1))
      return false;
  return true;
}

/* What the few new documents of a step need no memory for, either. */
static int64_t second_beginning_of_few(const sequence *s) {
  for (int64_t t = 0; t < s->count; ++t)
    for (int64_t i = 0; begins(s, s->kept + t) && i < s->kept + t; ++i)
      if (document_at(s, i) == s->row[t])
        return t;
  return -1;
}

/* The positions that the cache's last document has there. */
static int64_t begun(const sequence *s) {
  int64_t i = s->kept;
  while (i > 0 && document_at(s, i - 1) == document_at(s, s->kept - 1))
    --i;
  return s->kept - i;
}

/* The first position of the call whose document has more than `most` by then; -1: none. `length`: how many in all. */
static int64_t first_beyond(const sequence *s, int64_t most, int64_t *length) {
  int64_t t = 0;
  for (*length = begun(s); t < s->count; ++t)
    if ((*length = begins(s, s->kept + t) ? 1 : *length + 1) > most)
      break;
  if (t == s->count)
    return -1;
  for (int64_t i = t + 1; i < s->count && !begins(s, s->kept + i); ++i)
    ++*length;
  return t;
}

static sequence sequence_of(const naxrt_call *call, const nax_buffer_desc *desc, const int32_t *buffer, int64_t row) {
  int64_t size = naxrt_call_size(call, desc->data_axis);
  sequence s = {.row = buffer + row * size, .slots = 1, .count = size};
  if (desc->cache < 0 || !call->cache)
    return s;
  const naxrt_part *part = &call->cache->parts[desc->cache];
  const naxrt_row *at = &call->cache->rows[row];
  s.count = naxrt_count_of(call, row);
  s.first = naxrt_part_first(part, at->reached);
  s.kept = at->length - s.first;
  s.cached = (const int32_t *)naxrt_part_row(part, row);
  s.slots = part->slots;
  return s;
}

static nax_status check_order(const naxrt_call *call, const nax_buffer_desc *desc, const int32_t *buffer,
                              int64_t elements) {
  enum { FEW = 16 };
  int64_t size = naxrt_call_size(call, desc->data_axis), bad = -1;
  for (int64_t row = 0; row * size < elements && bad < 0; ++row) {
    sequence s = sequence_of(call, desc, buffer, row);
    if (plainly_in_order(&s))
      continue;
    int64_t t, bytes;
    if (s.count <= FEW) {
      t = second_beginning_of_few(&s);
    } else {
      if (!naxrt_multiply(s.kept + s.count, (int64_t)sizeof(piece), &bytes))
        return naxrt_fail(call->context, NAX_E_MEMORY, "no memory for the check of %s", desc->name);
      piece *pieces = naxrt_allocate(call->context, bytes, "the check of documents");
      if (!pieces)
        return NAX_E_MEMORY;
      t = second_beginning(&s, pieces);
      naxrt_release(&call->context->hooks, pieces, bytes);
    }
    bad = t < 0 ? -1 : row * size + t;
  }
  if (bad < 0)
    return NAX_OK;
  char text[TEXT_BYTES];
  return naxrt_fail(call->context, NAX_E_RANGE,
                    "%s is %d, a document that has ended before: the positions of a document stand next to each other",
                    element_text(call, desc, bad, text), buffer[bad]);
}

static nax_status check_lengths(const naxrt_call *call, const nax_buffer_desc *desc, const int32_t *buffer,
                                int64_t elements) {
  int64_t size = naxrt_call_size(call, desc->data_axis), length;
  for (int64_t row = 0; row * size < elements && desc->bound >= 0; ++row) {
    sequence s = sequence_of(call, desc, buffer, row);
    int64_t t = first_beyond(&s, desc->bound, &length);
    if (t < 0)
      continue;
    char text[TEXT_BYTES];
    return naxrt_fail(call->context, NAX_E_AXIS, "%s: document %d has %lld positions, more than the %lld %s",
                      element_text(call, desc, row * size + t, text), s.row[t], (long long)length,
                      (long long)desc->bound, desc->bound_name ? desc->bound_name : "of the model");
  }
  return NAX_OK;
}

nax_status naxrt_check_documents(const naxrt_call *call, const nax_buffer_desc *desc, const int32_t *buffer,
                                 int64_t elements) {
  nax_status status = check_order(call, desc, buffer, elements);
  return status == NAX_OK ? check_lengths(call, desc, buffer, elements) : status;
}

nax_status naxrt_check_values(const naxrt_call *call, const nax_buffer_desc *desc, const void *buffer,
                              int64_t elements) {
  int64_t bound = bound_of(call, desc);
  bool indices = bound >= 0 || (desc->role >= NAX_LENGTHS && desc->role <= NAX_DOCUMENTS) || desc->role == NAX_COUNTS;
  if (indices && desc->dtype != NAX_I32 && desc->dtype != NAX_I64)
    return naxrt_fail(call->context, NAX_E_MODEL, "the description of %s: %s holds indices, but is %s",
                      call->model->name, desc->name, naxrt_dtype_name(desc->dtype));
  bool of_rows = desc->role == NAX_DOCUMENTS || desc->role == NAX_COUNTS;
  if (of_rows && desc->dtype != NAX_I32)
    return naxrt_fail(call->context, NAX_E_MODEL, "the description of %s: %s is not i32", call->model->name,
                      desc->name);
  if (desc->role == NAX_COUNTS)
    return check_within_axis(call, desc, buffer, elements);
  if (desc->role == NAX_DOCUMENTS) // those of a step can be checked only when its counts have been
    return desc->cache >= 0 ? NAX_OK : naxrt_check_documents(call, desc, buffer, elements);
  if (desc->role == NAX_LENGTHS || desc->role == NAX_STARTS)
    return check_within_axis(call, desc, buffer, elements);
  if (bound >= 0)
    return check_ids(call, desc, buffer, elements);
  if (desc->dtype == NAX_BOOL)
    return check_booleans(call, desc, buffer, elements);
  return NAX_OK;
}
