/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a WordPiece vocabulary, one token a line. */
#include "wordpiece_internal.h"

#include "file.h"

#include <string.h>

typedef struct Loader {
  nax_context *context;
  const char *path;
  naxrt_bytes file;
  nax_wordpiece *made;
} Loader;

static const char *const special_names[NAXTEXT_SPECIALS] = {"[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"};

#define FAIL(loader, ...) naxrt_fail((loader)->context, NAX_E_FORMAT, __VA_ARGS__)

/* The place in the table where these bytes are, or would be. */
static int32_t *slot_of(const nax_wordpiece *vocabulary, const unsigned char *bytes, int64_t length) {
  uint64_t at = naxtext_hash(bytes, length) & vocabulary->slot_mask;
  for (; vocabulary->slots[at] >= 0; at = (at + 1) & vocabulary->slot_mask) {
    const naxtext_token *token = &vocabulary->tokens[vocabulary->slots[at]];
    if (token->length == length && memcmp(token->bytes, bytes, (size_t)length) == 0)
      break;
  }
  return &vocabulary->slots[at];
}

int32_t naxtext_wordpiece_find(const nax_wordpiece *vocabulary, const unsigned char *bytes, int64_t length) {
  return *slot_of(vocabulary, bytes, length);
}

static const unsigned char *line_end(const unsigned char *at, const unsigned char *end) {
  const unsigned char *found = memchr(at, '\n', (size_t)(end - at));
  return found ? found : end;
}

static int64_t count_lines(naxrt_bytes file) {
  int64_t lines = 0;
  for (const unsigned char *at = file.data, *end = at + file.size; at < end; at = line_end(at, end) + 1)
    ++lines;
  return lines;
}

static void *carve(unsigned char **at, int64_t bytes) {
  void *piece = *at;
  *at += (bytes + 15) / 16 * 16;
  return piece;
}

/* One block: the struct, its arrays, and a copy of the file. Everything is some times the file's size. */
static nax_status make_block(Loader *loader, unsigned char **text) {
  int64_t lines = count_lines(loader->file);
  if (lines > INT32_MAX)
    return FAIL(loader, "%.1024s: has more tokens than there are ids", loader->path);
  int64_t slots = naxtext_slots_for(lines);
  const int64_t parts[] = {sizeof(nax_wordpiece), lines * (int64_t)sizeof(naxtext_token),
                           slots * (int64_t)sizeof(int32_t), loader->file.size + 1};
  int64_t total = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    total += (parts[i] + 15) / 16 * 16;
  unsigned char *at = naxrt_allocate(loader->context, total, "a vocabulary");
  if (!at)
    return NAX_E_MEMORY;
  nax_wordpiece *made = loader->made = carve(&at, parts[0]);
  *made = (nax_wordpiece){.hooks = loader->context->hooks, .block_bytes = total, .slot_mask = (uint64_t)slots - 1};
  made->tokens = carve(&at, parts[1]);
  made->slots = carve(&at, parts[2]);
  memset(made->slots, 0xFF, (size_t)parts[2]);
  *text = carve(&at, parts[3]);
  memcpy(*text, loader->file.data, (size_t)loader->file.size);
  return NAX_OK;
}

static nax_status add_token(Loader *loader, const unsigned char *bytes, int64_t length) {
  nax_wordpiece *made = loader->made;
  long long line = made->size + 1;
  if (length == 0)
    return FAIL(loader, "%.1024s: line %lld is empty; a vocabulary has one token a line", loader->path, line);
  for (const unsigned char *at = bytes; at < bytes + length;) {
    uint32_t code = 0;
    int step = naxtext_character(at, bytes + length, &code);
    if (step == 0 || code == 0)
      return FAIL(loader, "%.1024s: line %lld is no text in UTF-8; a vocabulary has one token a line", loader->path,
                  line);
    at += step;
  }
  int32_t *slot = slot_of(made, bytes, length);
  if (*slot >= 0)
    return FAIL(loader, "%.1024s: lines %lld and %lld are the same token", loader->path, *slot + 1LL, line);
  *slot = (int32_t)made->size;
  made->tokens[made->size++] = (naxtext_token){bytes, (int32_t)length, NAXTEXT_NORMAL};
  if (length > made->longest)
    made->longest = length;
  return NAX_OK;
}

static nax_status fill(Loader *loader, unsigned char *text) {
  for (unsigned char *at = text, *end = text + loader->file.size; at < end;) {
    unsigned char *stop = text + (line_end(at, end) - text);
    unsigned char *next = stop + 1;
    *stop = 0; // there is a byte more than the file has
    if (stop > at && stop[-1] == '\r')
      *--stop = 0;
    if (stop - at > INT32_MAX)
      return FAIL(loader, "%.1024s: line %lld is too long", loader->path, (long long)loader->made->size + 1);
    nax_status status = add_token(loader, at, stop - at);
    if (status != NAX_OK)
      return status;
    at = next;
  }
  return NAX_OK;
}

static nax_status find_specials(Loader *loader) {
  nax_wordpiece *made = loader->made;
  for (int i = 0; i < NAXTEXT_SPECIALS; ++i) {
    const char *name = special_names[i];
    made->specials[i] = naxtext_wordpiece_find(made, (const unsigned char *)name, (int64_t)strlen(name));
    if (made->specials[i] < 0 && i <= NAXTEXT_SEP)
      return FAIL(loader, "%.1024s: has no token %s; a WordPiece vocabulary has [UNK], [CLS] and [SEP]", loader->path,
                  name);
  }
  return NAX_OK;
}

static nax_status load(Loader *loader) {
  unsigned char *text = NULL;
  nax_status status = make_block(loader, &text);
  if (status == NAX_OK)
    status = fill(loader, text);
  if (status == NAX_OK)
    status = find_specials(loader);
  return status;
}

nax_status nax_wordpiece_open(nax_context *context, const char *path, nax_wordpiece **out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!path || !out)
    return naxrt_fail(context, NAX_E_NULL, "nax_wordpiece_open: %s is null", path ? "out" : "path");
  *out = NULL;
  Loader loader = {.context = context, .path = path};
  nax_status status = naxrt_map(context, path, &loader.file);
  if (status != NAX_OK)
    return status;
  status = load(&loader);
  naxrt_unmap(loader.file);
  if (status == NAX_OK)
    *out = loader.made;
  else
    nax_wordpiece_close(loader.made);
  return status;
}

void nax_wordpiece_close(nax_wordpiece *vocabulary) {
  if (!vocabulary)
    return;
  nax_hooks hooks = vocabulary->hooks;
  naxrt_release(&hooks, vocabulary, vocabulary->block_bytes);
}

int64_t nax_wordpiece_size(const nax_wordpiece *vocabulary) { return vocabulary->size; }

int32_t nax_wordpiece_find(const nax_wordpiece *vocabulary, const char *name) {
  return name ? naxtext_wordpiece_find(vocabulary, (const unsigned char *)name, (int64_t)strlen(name)) : -1;
}

const char *nax_wordpiece_name(const nax_wordpiece *vocabulary, int32_t id) {
  return id >= 0 && id < vocabulary->size ? (const char *)vocabulary->tokens[id].bytes : NULL;
}
