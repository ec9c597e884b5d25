/* SPDX-License-Identifier: Apache-2.0 */
/* Names tables: what a checkpoint calls a parameter, in which order it has its axes, and how it pairs the components
   that rotary positions turn. */
#include "layout.h"

#include <stdio.h>
#include <string.h>

//===-- patterns ---------------------------------------------------------------------------------------------------//

enum { MAX_STARS = 8 };

typedef struct stars {
  int count;
  struct {
    const char *text;
    int length;
  } items[MAX_STARS];
} stars;

/* Matches one piece between dots; at most one `*` in it, which stands for one character or more. */
static bool match_piece(const char *pattern, int pattern_length, const char *piece, int length, stars *found) {
  const char *star = memchr(pattern, '*', (size_t)pattern_length);
  if (!star)
    return pattern_length == length && memcmp(pattern, piece, (size_t)length) == 0;
  int before = (int)(star - pattern), after = pattern_length - before - 1, middle = length - before - after;
  if (middle < 1 || found->count == MAX_STARS || memcmp(pattern, piece, (size_t)before) != 0 ||
      memcmp(star + 1, piece + length - after, (size_t)after) != 0)
    return false;
  found->items[found->count].text = piece + before;
  found->items[found->count++].length = middle;
  return true;
}

static bool match(const char *pattern, const char *name, stars *found) {
  found->count = 0;
  for (;;) {
    int pattern_length = (int)strcspn(pattern, "."), length = (int)strcspn(name, ".");
    if (!match_piece(pattern, pattern_length, name, length, found))
      return false;
    pattern += pattern_length, name += length;
    if (!*pattern || !*name)
      return *pattern == *name;
    ++pattern, ++name;
  }
}

/* The pattern with its stars filled in; cut to what fits, which then is the name of no tensor. */
static void fill_in(const char *pattern, const stars *found, char out[NAXRT_TEXT]) {
  int used = 0, star = 0;
  for (; *pattern && used < NAXRT_TEXT - 1; ++pattern) {
    if (*pattern != '*' || star == found->count) {
      out[used++] = *pattern;
      continue;
    }
    int length = found->items[star].length;
    if (length > NAXRT_TEXT - 1 - used)
      length = NAXRT_TEXT - 1 - used;
    memcpy(out + used, found->items[star++].text, (size_t)length);
    used += length;
  }
  out[used] = 0;
}

const nax_file_tensor *naxrt_find_by_table(const nax_model_desc *model, const char *table, int64_t param,
                                           const nax_file *file, const nax_name_desc **name, char wanted[NAXRT_TEXT]) {
  const char *own = model->params[param].name;
  *name = NULL;
  bool listed = false;
  for (int64_t i = 0; table && i < model->name_count; ++i) {
    const nax_name_desc *line = &model->names[i];
    stars found;
    if (!line->param || strcmp(line->table ? line->table : "", table) != 0 || !match(line->param, own, &found))
      continue;
    char text[NAXRT_TEXT];
    fill_in(line->file && *line->file ? line->file : own, &found, text);
    const nax_file_tensor *tensor = nax_file_find_tensor(file, text);
    if (!listed || tensor) { // several lines for one parameter are alternatives; the first is named when none is there
      *name = line;
      memcpy(wanted, text, sizeof text);
      listed = true;
    }
    if (tensor)
      return tensor;
  }
  if (listed)
    return NULL;
  snprintf(wanted, NAXRT_TEXT, "%s", own);
  return nax_file_find_tensor(file, own);
}

//===-- axes -------------------------------------------------------------------------------------------------------//

static const nax_axis_desc *axis_of(const nax_model_desc *model, int64_t param, int64_t position) {
  return &model->axes[model->params[param].axes[position]];
}

bool naxrt_own_order(const nax_model_desc *model, int64_t param, naxrt_order *out) {
  int64_t rank = model->params[param].rank;
  *out = (naxrt_order){.rank = rank, .elements = 1, .paired = -1};
  if (rank < 0 || rank > NAXRT_MAX_AXES)
    return false;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t axis = model->params[param].axes[i];
    if (axis < 0 || axis >= model->axis_count || model->axes[axis].size < 0)
      return false;
    out->axes[i] = i;
    out->sizes[i] = model->axes[axis].size;
    if (!naxrt_multiply(out->elements, out->sizes[i], &out->elements))
      return false;
  }
  return true;
}

/* One dimension of the file: axes [first, last) of the order. */
typedef struct dimension {
  int64_t first, last;
} dimension;

static int64_t find_axis(const nax_model_desc *model, int64_t param, const char *text, size_t length) {
  for (int64_t i = 0; i < model->params[param].rank; ++i) {
    const char *name = axis_of(model, param, i)->name;
    if (strlen(name) == length && memcmp(name, text, length) == 0)
      return i;
  }
  return -1;
}

/* Reads "H*D C" into the order's axes and the file's dimensions; false when it does not name each axis once. */
static bool parse_axes(const nax_model_desc *model, int64_t param, const char *text, naxrt_order *order,
                       dimension *dimensions, int64_t *count) {
  const naxrt_order own = *order;
  uint32_t seen = 0;
  order->rank = *count = 0;
  for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
    if (*count == NAXRT_MAX_AXES)
      return false;
    dimension *d = &dimensions[(*count)++];
    d->first = order->rank;
    for (bool joined = true; joined; text += joined) {
      size_t length = strcspn(text, " *");
      if (!(length == 1 && *text == '1')) {
        int64_t axis = find_axis(model, param, text, length);
        if (axis < 0 || (seen >> axis & 1))
          return false;
        seen |= UINT32_C(1) << axis;
        order->axes[order->rank] = axis;
        order->sizes[order->rank++] = own.sizes[axis];
      }
      text += length;
      joined = *text == '*';
    }
    d->last = order->rank;
  }
  return order->rank == own.rank;
}

static bool parse_pairing(const nax_model_desc *model, int64_t param, const char *text, naxrt_order *order) {
  const char *colon = strchr(text, ':');
  if (!colon)
    return false;
  size_t length = (size_t)(colon - text);
  if (length == 21 && memcmp(text, "interleaved_to_halves", length) == 0)
    order->pairing = NAXRT_TO_HALVES;
  else if (length == 21 && memcmp(text, "halves_to_interleaved", length) == 0)
    order->pairing = NAXRT_TO_INTERLEAVED;
  else
    return false;
  const char *axis = colon + 1;
  size_t axis_length = strcspn(axis, ":");
  int64_t position = find_axis(model, param, axis, axis_length);
  for (int64_t i = 0; i < order->rank && position >= 0; ++i)
    if (order->axes[i] == position)
      order->paired = i;
  if (order->paired < 0)
    return false;
  int64_t size = order->sizes[order->paired];
  order->paired_size = size;
  if (axis[axis_length] == ':') {
    order->paired_size = 0;
    for (const char *digit = axis + axis_length + 1; *digit; ++digit) {
      if (*digit < '0' || *digit > '9' || order->paired_size > size)
        return false;
      order->paired_size = order->paired_size * 10 + (*digit - '0');
    }
  }
  return order->paired_size % 2 == 0 && order->paired_size <= size;
}

//===-- does the tensor fit? ---------------------------------------------------------------------------------------//

static int append(char *text, int used, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int append(char *text, int used, const char *format, ...) {
  if (used >= NAXRT_TEXT - 1)
    return used;
  va_list arguments;
  va_start(arguments, format);
  int written = vsnprintf(text + used, (size_t)(NAXRT_TEXT - used), format, arguments);
  va_end(arguments);
  return written < 0 ? used : used + written;
}

static int append_shape(char *text, int used, const nax_file_tensor *tensor) {
  used = append(text, used, "[");
  for (int64_t i = 0; i < tensor->rank; ++i)
    used = append(text, used, "%s%lld", i ? "," : "", (long long)tensor->sizes[i]);
  return append(text, used, "]");
}

/* "H*D is 512 in the file, 9*64 = 576 in the model" */
static void say_size(const nax_model_desc *model, int64_t param, const naxrt_order *order, dimension d, int64_t size,
                     const nax_file_tensor *tensor, int64_t have, char *why) {
  int used = append(why, 0, "%s: axis ", model->params[param].name);
  for (int64_t i = d.first; i < d.last; ++i)
    used = append(why, used, "%s%s", i > d.first ? "*" : "", axis_of(model, param, order->axes[i])->name);
  if (d.first == d.last)
    used = append(why, used, "1");
  used = append(why, used, " is %lld in the file, ", (long long)have);
  for (int64_t i = d.first; d.last - d.first > 1 && i < d.last; ++i)
    used = append(why, used, "%lld%s", (long long)order->sizes[i], i + 1 < d.last ? "*" : " = ");
  used = append(why, used, "%lld in the model", (long long)size);
  if (strcmp(tensor->name, model->params[param].name) != 0)
    append(why, used, " (" NAME ")", tensor->name);
}

static nax_status check_dtype(const nax_model_desc *model, int64_t param, const nax_file_tensor *tensor, char *why) {
  bool wide = tensor->dtype == NAX_FILE_F64 && model->params[param].dtype == NAX_F64;
  if (wide || naxrt_file_dtype_readable(tensor->dtype))
    return NAX_OK;
  int used = append(why, 0, "%s: " NAME " is %s, ", model->params[param].name, tensor->name, tensor->dtype_name);
  if (tensor->dtype == NAX_FILE_F64)
    append(why, used, "64-bit floats, and the parameter is %s; write it with .astype('float32')",
           naxrt_dtype_name(model->params[param].dtype));
  else
    append(why, used, "which is not read; f32, f16, bf16, Q8_0, Q4_0, Q4_1, Q6_K and Q4_K are");
  return NAX_E_PARAMS;
}

static nax_status check_sizes(const nax_model_desc *model, int64_t param, const naxrt_order *order,
                              const dimension *dimensions, int64_t count, const nax_file_tensor *tensor, char *why) {
  if (count != tensor->rank) {
    int used = append(why, 0, "%s: " NAME " has %lld dimensions in the file, ", model->params[param].name, tensor->name,
                      (long long)tensor->rank);
    used = append_shape(why, used, tensor);
    append(why, used, ", and should have %lld; the model has %s", (long long)count, model->params[param].text);
    return NAX_E_PARAMS;
  }
  int64_t sizes[NAXRT_MAX_AXES];
  for (int64_t i = 0; i < count; ++i) {
    sizes[i] = 1;
    for (int64_t j = dimensions[i].first; j < dimensions[i].last; ++j)
      sizes[i] *= order->sizes[j]; // a part of the elements, whose product was checked
  }
  for (int64_t i = 0; i < count; ++i) {
    if (sizes[i] == tensor->sizes[i])
      continue;
    say_size(model, param, order, dimensions[i], sizes[i], tensor, tensor->sizes[i], why);
    if (count == 2 && sizes[0] == tensor->sizes[1] && sizes[1] == tensor->sizes[0])
      append(why, (int)strlen(why), "; the file has the two axes the other way round: a names table can say so");
    return NAX_E_PARAMS;
  }
  return NAX_OK;
}

nax_status naxrt_order_of(const nax_model_desc *model, int64_t param, const nax_name_desc *name,
                          const nax_file_tensor *tensor, naxrt_order *out, char why[NAXRT_TEXT]) {
  const nax_param_desc *desc = &model->params[param];
  if (!naxrt_own_order(model, param, out)) {
    append(why, 0, "the description of parameter %s is broken", desc->name);
    return NAX_E_MODEL;
  }
  dimension dimensions[NAXRT_MAX_AXES];
  int64_t count = out->rank;
  for (int64_t i = 0; i < count; ++i)
    dimensions[i] = (dimension){i, i + 1};
  if (name && name->axes && *name->axes && !parse_axes(model, param, name->axes, out, dimensions, &count)) {
    append(why, 0, "names table %s: the axes \"%s\" of %s do not name each axis of %s %s once", name->table, name->axes,
           name->param, desc->name, desc->text);
    return NAX_E_MODEL;
  }
  if (name && name->pairing && *name->pairing && !parse_pairing(model, param, name->pairing, out)) {
    append(why, 0, "names table %s: the pairing \"%s\" of %s does not suit %s %s", name->table, name->pairing,
           name->param, desc->name, desc->text);
    return NAX_E_MODEL;
  }
  nax_status status = check_sizes(model, param, out, dimensions, count, tensor, why);
  return status == NAX_OK ? check_dtype(model, param, tensor, why) : status;
}
