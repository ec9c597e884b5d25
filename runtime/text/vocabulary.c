/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the tokenizer of a GGUF file. Its tokens are written in a code of their own, GPT-2's: one letter for each
   byte, so that spaces and control characters show. Here they become the bytes again. */
#include "template.h"

#include "nax/files.h"

#include <string.h>

/* Everything of a tokenizer lies in one block: the struct, then its arrays. */
typedef struct Sizes {
  int64_t tokens, merges;          /* how many */
  int64_t merge_slots, text_slots; /* of the hash tables: powers of two */
  int64_t token_bytes;             /* of all tokens together */
  int64_t longest_merge;
  int64_t template_bytes;
} Sizes;

typedef struct Loader {
  nax_context *context;
  const char *path;
  const nax_file_value *tokens, *kinds, *merges, *chat_template;
  Sizes sizes;
  nax_tokenizer *made;
  unsigned char *bytes;        /* of the tokens, filled from the front */
  unsigned char *scratch;      /* one merge */
  int16_t byte_of_letter[324]; /* GPT-2's code backwards; -1: no letter of it */
} Loader;

//===-- GPT-2's code -----------------------------------------------------------------------------------------------//

/* Bytes that print stand for themselves, the others are numbered from U+0100 on. */
static void make_code(int16_t byte_of_letter[324]) {
  for (int i = 0; i < 324; ++i)
    byte_of_letter[i] = -1;
  int next = 256;
  for (int byte = 0; byte < 256; ++byte) {
    bool prints = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    byte_of_letter[prints ? byte : next++] = (int16_t)byte;
  }
}

/* The bytes that a text in the code means; -1 when it has anything that is no letter of the code. `out` may be as
   long as the text. */
static int64_t decoded(const Loader *loader, const char *text, int64_t length, unsigned char *out) {
  const unsigned char *at = (const unsigned char *)text, *end = at + length;
  unsigned char *begin = out;
  while (at < end) {
    uint32_t letter = 0;
    int bytes = naxtext_character(at, end, &letter);
    if (bytes == 0 || letter >= 324 || loader->byte_of_letter[letter] < 0)
      return -1;
    *out++ = (unsigned char)loader->byte_of_letter[letter];
    at += bytes;
  }
  return out - begin;
}

//===-- what the file has ------------------------------------------------------------------------------------------//

#define FAIL(loader, ...) naxrt_fail((loader)->context, NAX_E_FORMAT, __VA_ARGS__)

static bool is_strings(const nax_file_value *value) {
  return value && value->type == NAX_VALUE_ARRAY && value->item_type == NAX_VALUE_STRING;
}

static const nax_string *string_of(const nax_file *file, const char *key) {
  const nax_file_value *value = nax_file_find_value(file, key);
  return value && value->type == NAX_VALUE_STRING ? value->strings : NULL;
}

static bool says(const nax_string *string, const char *text) {
  return string->length == (int64_t)strlen(text) && memcmp(string->text, text, strlen(text)) == 0;
}

/* Fails when the file's tokenizer is of a kind that is not known here. */
static nax_status check_kind(const Loader *loader, const nax_file *file, bool *digits_alone) {
  if (nax_file_get_kind(file) != NAX_FILE_GGUF)
    return FAIL(loader, "%s: only a GGUF file carries a tokenizer", loader->path);
  const nax_string *model = string_of(file, "tokenizer.ggml.model");
  if (!model)
    return FAIL(loader, "%s: has no tokenizer (tokenizer.ggml.model is missing)", loader->path);
  if (!says(model, "gpt2"))
    return FAIL(loader, "%s: tokenizer.ggml.model is \"%.*s\"; only \"gpt2\" is read", loader->path,
                (int)(model->length < 64 ? model->length : 64), model->text);
  const nax_string *rule = string_of(file, "tokenizer.ggml.pre");
  if (!rule)
    return FAIL(loader, "%s: does not say how text is cut before merging (tokenizer.ggml.pre is missing)",
                loader->path);
  *digits_alone = says(rule, "smollm");
  if (!*digits_alone && !says(rule, "gpt-2"))
    return FAIL(loader, "%s: tokenizer.ggml.pre is \"%.*s\"; only \"smollm\" and \"gpt-2\" are known", loader->path,
                (int)(rule->length < 64 ? rule->length : 64), rule->text);
  return NAX_OK;
}

static nax_status check_lists(Loader *loader, const nax_file *file) {
  loader->tokens = nax_file_find_value(file, "tokenizer.ggml.tokens");
  loader->kinds = nax_file_find_value(file, "tokenizer.ggml.token_type");
  loader->merges = nax_file_find_value(file, "tokenizer.ggml.merges");
  if (!is_strings(loader->tokens) || loader->tokens->count == 0)
    return FAIL(loader, "%s: tokenizer.ggml.tokens is no list of tokens", loader->path);
  if (!is_strings(loader->merges))
    return FAIL(loader, "%s: tokenizer.ggml.merges is no list of merges", loader->path);
  if (!loader->kinds || loader->kinds->type != NAX_VALUE_ARRAY || loader->kinds->item_type != NAX_VALUE_INTEGER)
    return FAIL(loader, "%s: tokenizer.ggml.token_type is no list of numbers", loader->path);
  if (loader->kinds->count != loader->tokens->count)
    return FAIL(loader, "%s: has %lld tokens and %lld token types", loader->path, (long long)loader->tokens->count,
                (long long)loader->kinds->count);
  if (loader->tokens->count > INT32_MAX || loader->merges->count > INT32_MAX)
    return FAIL(loader, "%s: has more tokens or merges than there are ids", loader->path);
  loader->chat_template = nax_file_find_value(file, "tokenizer.chat_template");
  if (loader->chat_template && loader->chat_template->type != NAX_VALUE_STRING)
    loader->chat_template = NULL;
  return NAX_OK;
}

static nax_status measure(Loader *loader) {
  Sizes *sizes = &loader->sizes;
  sizes->tokens = loader->tokens->count;
  sizes->merges = loader->merges->count;
  sizes->text_slots = naxtext_slots_for(sizes->tokens);
  sizes->merge_slots = naxtext_slots_for(sizes->merges);
  for (int64_t i = 0; i < sizes->tokens; ++i) {
    if (loader->tokens->strings[i].length > INT32_MAX)
      return FAIL(loader, "%s: token %lld is too long", loader->path, (long long)i);
    sizes->token_bytes += loader->tokens->strings[i].length;
  }
  for (int64_t i = 0; i < sizes->merges; ++i)
    if (loader->merges->strings[i].length > sizes->longest_merge)
      sizes->longest_merge = loader->merges->strings[i].length;
  if (loader->chat_template)
    sizes->template_bytes = loader->chat_template->strings[0].length + 1;
  return NAX_OK;
}

//===-- the block --------------------------------------------------------------------------------------------------//

static void *carve(unsigned char **at, int64_t bytes) {
  void *piece = *at;
  *at += (bytes + 15) / 16 * 16;
  return piece;
}

/* The counts come from lists that are in the file, so their sum is no more than some times the file's size. */
static nax_status make_block(Loader *loader) {
  const Sizes *sizes = &loader->sizes;
  const int64_t parts[] = {sizeof(nax_tokenizer),
                           sizes->tokens * (int64_t)sizeof(naxtext_token),
                           sizes->merge_slots * (int64_t)sizeof(naxtext_merge),
                           sizes->text_slots * (int64_t)sizeof(int32_t),
                           sizes->tokens * (int64_t)sizeof(int32_t),
                           sizes->token_bytes,
                           sizes->longest_merge,
                           sizes->template_bytes,
                           sizes->template_bytes};
  int64_t total = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    total += (parts[i] + 15) / 16 * 16;

  unsigned char *at = naxrt_allocate(loader->context, total, "a tokenizer");
  if (!at)
    return NAX_E_MEMORY;
  nax_tokenizer *made = loader->made = carve(&at, parts[0]);
  memset(made, 0, sizeof *made);
  made->hooks = loader->context->hooks;
  made->block_bytes = total;
  made->size = sizes->tokens;
  made->tokens = carve(&at, parts[1]);
  made->merges = carve(&at, parts[2]);
  made->merge_mask = (uint64_t)sizes->merge_slots - 1;
  made->normal = carve(&at, parts[3]);
  made->normal_mask = (uint64_t)sizes->text_slots - 1;
  made->specials = carve(&at, parts[4]);
  loader->bytes = carve(&at, parts[5]);
  loader->scratch = carve(&at, parts[6]);
  if (loader->chat_template) {
    made->chat_template = carve(&at, parts[7]);
    memcpy(made->chat_template, loader->chat_template->strings[0].text, (size_t)parts[7] - 1);
    made->chat_template[parts[7] - 1] = 0;
    made->template_bytes = parts[7] - 1;
    made->default_system = carve(&at, parts[8]);
  }
  made->default_bytes = -1;
  memset(made->normal, 0xFF, (size_t)parts[3]);
  for (int64_t i = 0; i < sizes->merge_slots; ++i)
    made->merges[i].left = -1;
  for (int i = 0; i < 256; ++i)
    made->byte_ids[i] = -1;
  return NAX_OK;
}

static nax_status fill_tokens(Loader *loader) {
  nax_tokenizer *made = loader->made;
  for (int64_t i = 0; i < made->size; ++i) {
    const nax_string *text = &loader->tokens->strings[i];
    int64_t kind = nax_file_value_integer(loader->kinds, i), length = text->length;
    if (kind == NAXTEXT_NORMAL) {
      length = decoded(loader, text->text, text->length, loader->bytes);
      if (length < 1)
        return FAIL(loader, "%s: token %lld is %s", loader->path, (long long)i,
                    length == 0 ? "empty" : "not written in the letters that stand for bytes");
    } else if (length > 0) {
      memcpy(loader->bytes, text->text, (size_t)length);
    }
    made->tokens[i] = (naxtext_token){loader->bytes, (int32_t)length, (int32_t)kind};
    loader->bytes += length;
    if (length > made->longest)
      made->longest = length;

    if (kind == NAXTEXT_NORMAL) {
      int32_t *slot = naxtext_normal_slot(made, made->tokens[i].bytes, length);
      if (*slot >= 0)
        return FAIL(loader, "%s: tokens %d and %lld are the same", loader->path, *slot, (long long)i);
      *slot = (int32_t)i;
      if (length == 1)
        made->byte_ids[made->tokens[i].bytes[0]] = (int32_t)i;
    } else if ((kind == NAXTEXT_CONTROL || kind == NAXTEXT_USER_DEFINED) && length > 0) {
      made->specials[made->special_count++] = (int32_t)i;
      made->special_first[made->tokens[i].bytes[0]] = true;
    }
  }
  return NAX_OK;
}

/* Longest first, so that the first that matches is the longest. Shell sort: a file may name a million. */
static void sort_specials(nax_tokenizer *made) {
  for (int64_t gap = made->special_count / 2; gap > 0; gap /= 2) {
    for (int64_t i = gap; i < made->special_count; ++i) {
      int32_t item = made->specials[i];
      int64_t at = i;
      for (; at >= gap && made->tokens[made->specials[at - gap]].length < made->tokens[item].length; at -= gap)
        made->specials[at] = made->specials[at - gap];
      made->specials[at] = item;
    }
  }
}

static nax_status fill_merges(Loader *loader) {
  nax_tokenizer *made = loader->made;
  for (int64_t i = 0; i < loader->merges->count; ++i) {
    const nax_string *text = &loader->merges->strings[i];
    const char *space = text->length > 0 ? memchr(text->text, ' ', (size_t)text->length) : NULL;
    int64_t left = -1, right = -1;
    if (space) {
      left = decoded(loader, text->text, space - text->text, loader->scratch);
      if (left > 0)
        right = decoded(loader, space + 1, text->text + text->length - space - 1, loader->scratch + left);
    }
    if (left < 1 || right < 1)
      return FAIL(loader, "%s: merge %lld is not two tokens with a space between them", loader->path, (long long)i);

    int32_t left_id = *naxtext_normal_slot(made, loader->scratch, left);
    int32_t right_id = *naxtext_normal_slot(made, loader->scratch + left, right);
    int32_t result = *naxtext_normal_slot(made, loader->scratch, left + right);
    if (left_id < 0 || right_id < 0 || result < 0)
      return FAIL(loader, "%s: merge %lld (\"%.*s\"): %s is no token", loader->path, (long long)i,
                  (int)(text->length < 64 ? text->length : 64), text->text,
                  left_id < 0    ? "its left part"
                  : right_id < 0 ? "its right part"
                                 : "what it makes");
    naxtext_merge *slot = naxtext_merge_slot(made, left_id, right_id);
    if (slot->left < 0)
      *slot = (naxtext_merge){left_id, right_id, (int32_t)i, result};
  }
  return NAX_OK;
}

static nax_status read_id(const Loader *loader, const nax_file *file, const char *key, int32_t *out) {
  *out = -1;
  const nax_file_value *value = nax_file_find_value(file, key);
  if (!value)
    return NAX_OK;
  int64_t id = nax_file_value_integer(value, 0);
  if (value->type != NAX_VALUE_INTEGER || id < 0 || id >= loader->made->size)
    return FAIL(loader, "%s: %s is not one of the %lld tokens", loader->path, key, (long long)loader->made->size);
  *out = (int32_t)id;
  return NAX_OK;
}

/* Which tokens end an answer, and what the chat template says of that and other things. */
static nax_status read_ends(Loader *loader, const nax_file *file) {
  nax_tokenizer *made = loader->made;
  static const char *const keys[] = {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id",
                                     "tokenizer.ggml.eom_token_id"};
  for (int i = 0; i < 3; ++i) {
    nax_status status = read_id(loader, file, keys[i], &made->ends[i]);
    if (status != NAX_OK)
      return status;
  }
  made->end_id = made->ends[0];
  const char *strayed = NULL;
  if (made->chat_template)
    made->form = naxtext_find_form(made->chat_template, made->template_bytes, made->default_system,
                                   &made->default_bytes, &strayed);
  const char *name = made->form ? made->form->end : NULL;
  made->ends[3] = name ? nax_tokenizer_find(made, name, strlen(name)) : -1;
  return NAX_OK;
}

static nax_status load(Loader *loader, const nax_file *file) {
  bool digits_alone = false;
  nax_status status = check_kind(loader, file, &digits_alone);
  if (status == NAX_OK)
    status = check_lists(loader, file);
  if (status == NAX_OK)
    status = measure(loader);
  if (status == NAX_OK)
    status = make_block(loader);
  if (status != NAX_OK)
    return status;
  loader->made->digits_alone = digits_alone;
  make_code(loader->byte_of_letter);
  status = fill_tokens(loader);
  sort_specials(loader->made);
  if (status == NAX_OK)
    status = fill_merges(loader);
  if (status == NAX_OK)
    status = read_id(loader, file, "tokenizer.ggml.bos_token_id", &loader->made->begin_id);
  if (status == NAX_OK)
    status = read_ends(loader, file);
  return status;
}

//===-- the API ----------------------------------------------------------------------------------------------------//

nax_status nax_tokenizer_open(nax_context *context, const char *path, nax_tokenizer **out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!path || !out)
    return naxrt_fail(context, NAX_E_NULL, "nax_tokenizer_open: %s is null", path ? "out" : "path");
  *out = NULL;
  nax_file *file = NULL;
  nax_status status = nax_file_open(context, path, &file);
  if (status != NAX_OK)
    return status;
  Loader loader = {.context = context, .path = path};
  status = load(&loader, file);
  nax_file_close(file);
  if (status == NAX_OK)
    *out = loader.made;
  else
    nax_tokenizer_close(loader.made);
  return status;
}

void nax_tokenizer_close(nax_tokenizer *tokenizer) {
  if (!tokenizer)
    return;
  nax_hooks hooks = tokenizer->hooks;
  naxrt_release(&hooks, tokenizer, tokenizer->block_bytes);
}

int64_t nax_tokenizer_size(const nax_tokenizer *tokenizer) { return tokenizer->size; }
int32_t nax_tokenizer_begin(const nax_tokenizer *tokenizer) { return tokenizer->begin_id; }
int32_t nax_tokenizer_end(const nax_tokenizer *tokenizer) { return tokenizer->end_id; }

int nax_tokenizer_is_end(const nax_tokenizer *tokenizer, int32_t id) {
  for (int i = 0; i < 4; ++i)
    if (id >= 0 && id == tokenizer->ends[i])
      return 1;
  return 0;
}

const char *nax_tokenizer_chat_template(const nax_tokenizer *tokenizer) { return tokenizer->chat_template; }
