/* SPDX-License-Identifier: Apache-2.0 */
/* Which tensor of a file is which parameter, and what to say when some are missing or do not fit. */
#include "layout.h"

#include <stdio.h>
#include <string.h>

/* How many parameters are found and, of as many, by how many lines of the table. */
static int64_t score_of(const nax_model_desc *model, const char *table, const nax_file *file) {
  int64_t found = 0, listed = 0;
  for (int64_t i = 0; i < model->param_count; ++i) {
    const nax_name_desc *name;
    char wanted[NAXRT_TEXT];
    bool there = naxrt_find_by_table(model, table, i, file, &name, wanted) != NULL;
    found += there;
    listed += there && name;
  }
  return found * (model->param_count + 1) + listed;
}

/* The table by which most parameters are found; NULL: their own names. Where a table finds as many under the same
   names, it has the word: its lines also say the order of the axes. */
static const char *choose_table(const nax_model_desc *model, const nax_file *file) {
  const char *best = NULL;
  int64_t most = score_of(model, NULL, file);
  for (int64_t i = 0; i < model->name_count; ++i) {
    const char *table = model->names[i].table ? model->names[i].table : "";
    bool seen = false;
    for (int64_t j = 0; j < i && !seen; ++j)
      seen = strcmp(model->names[j].table ? model->names[j].table : "", table) == 0;
    int64_t score = seen ? 0 : score_of(model, table, file);
    if (score > most)
      best = table, most = score;
  }
  return best;
}

enum { NAMES_IN_LIST = 12, LINES = 12, LIST_TEXT = 2048 };

typedef struct name_list {
  int64_t count;
  size_t used;
  char text[LIST_TEXT];
} name_list;

static void list_add(name_list *list, const char *name, const char *also) {
  if (list->count++ >= NAMES_IN_LIST)
    return;
  const char *parts[] = {list->count > 1 ? ", " : "", name, also ? " (" : "", also ? also : "", also ? ")" : ""};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    size_t length = strlen(parts[i]), room = LIST_TEXT - 1 - list->used;
    size_t taken = length < 70 ? length : 70;
    taken = taken < room ? taken : room;
    memcpy(list->text + list->used, parts[i], taken);
    list->used += taken;
  }
  list->text[list->used] = 0;
}

static long long list_more(const name_list *list) {
  return list->count > NAMES_IN_LIST ? (long long)(list->count - NAMES_IN_LIST) : 0;
}

static nax_status say_missing(nax_context *context, const nax_model_desc *model, const nax_file *file,
                              const name_list *missing) {
  char more[64] = "";
  if (list_more(missing))
    snprintf(more, sizeof more, " and %lld more", list_more(missing));
  naxrt_fail(context, NAX_E_PARAMS, "%.1024s: %lld of the %lld parameters of %s are missing: %s%s", file->path,
             (long long)missing->count, (long long)model->param_count, model->name, missing->text, more);
  if (missing->count < model->param_count)
    return NAX_E_PARAMS;
  name_list there = {0};
  for (int64_t i = 0; i < file->tensor_count; ++i)
    list_add(&there, file->tensors[i].name, NULL);
  more[0] = 0;
  if (list_more(&there))
    snprintf(more, sizeof more, " and %lld more", list_more(&there));
  naxrt_fail_more(context, "the file has %s%s", there.count ? there.text : "no tensors", more);
  return NAX_E_PARAMS;
}

/* Every parameter gets its tensor, or the error text names those that have none. */
static nax_status find_tensors(nax_context *context, const nax_model_desc *model, const nax_file *file,
                               const char *table, naxrt_source *sources) {
  name_list missing = {0};
  for (int64_t i = 0; i < model->param_count; ++i) {
    char wanted[NAXRT_TEXT];
    sources[i].tensor = naxrt_find_by_table(model, table, i, file, &sources[i].name, wanted);
    if (!sources[i].tensor)
      list_add(&missing, model->params[i].name, strcmp(wanted, model->params[i].name) ? wanted : NULL);
  }
  return missing.count ? say_missing(context, model, file, &missing) : NAX_OK;
}

/* Every parameter gets its order; all that do not fit are said, a line each. */
static nax_status fit_tensors(nax_context *context, const nax_model_desc *model, const nax_file *file,
                              naxrt_source *sources) {
  nax_status first = NAX_OK;
  int64_t lines = 0;
  for (int64_t i = 0; i < model->param_count; ++i) {
    char why[NAXRT_TEXT] = "";
    nax_status status = naxrt_order_of(model, i, sources[i].name, sources[i].tensor, &sources[i].order, why);
    if (status == NAX_OK)
      continue;
    if (first == NAX_OK)
      first = naxrt_fail(context, status, "%s", why);
    else if (lines < LINES)
      naxrt_fail_more(context, "%s", why);
    ++lines;
  }
  if (lines > LINES)
    naxrt_fail_more(context, "and %lld more parameters do not fit %.1024s", (long long)(lines - LINES), file->path);
  return first;
}

void naxrt_log_unused(nax_context *context, const nax_model_desc *model, const nax_file *file,
                      const naxrt_source *sources) {
  if (!context->hooks.log)
    return;
  uint8_t *used = naxrt_allocate(context, file->tensor_count, "a list of tensors");
  if (!used) {
    naxrt_begin(context); // the parameters are there all the same
    return;
  }
  memset(used, 0, (size_t)file->tensor_count);
  for (int64_t i = 0; i < model->param_count; ++i)
    used[sources[i].tensor - file->tensors] = 1;
  name_list unused = {0};
  for (int64_t i = 0; i < file->tensor_count; ++i)
    if (!used[i])
      list_add(&unused, file->tensors[i].name, NULL);
  naxrt_release(&context->hooks, used, file->tensor_count);
  char more[64] = "";
  if (list_more(&unused))
    snprintf(more, sizeof more, " and %lld more", list_more(&unused));
  if (unused.count)
    naxrt_log(context, NAX_LOG_WARNING, "%.400s: %lld tensors are not used by %s: %.500s%s", file->path,
              (long long)unused.count, model->name, unused.text, more);
}

nax_status naxrt_find_sources(nax_context *context, const nax_model_desc *model, const nax_file *file,
                              naxrt_source *sources, const char **table) {
  nax_status status = NAX_OK;
  *table = NULL;
  if (file->kind == NAX_FILE_NPY && model->param_count != 1)
    return naxrt_fail(context, NAX_E_PARAMS,
                      "%.1024s holds one array, %s has %lld parameters: give the folder that "
                      "has them as NAME.npy",
                      file->path, model->name, (long long)model->param_count);
  if (file->kind == NAX_FILE_NPY) { // whatever the file is called
    sources[0] = (naxrt_source){.tensor = &file->tensors[0]};
  } else {
    *table = choose_table(model, file);
    status = find_tensors(context, model, file, *table, sources);
  }
  return status == NAX_OK ? fit_tensors(context, model, file, sources) : status;
}
