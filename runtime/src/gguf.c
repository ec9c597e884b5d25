/* SPDX-License-Identifier: Apache-2.0 */
/* GGUF, versions 2 and 3: counts, key/values, descriptions of tensors, then aligned data. Every count is compared with
   the bytes that are left before anything is allocated for it. */
#include "file.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DIMENSIONS = 4, DEFAULT_ALIGNMENT = 32, MAX_ALIGNMENT = 1 << 20 };

typedef struct reader {
  nax_file *file;
  const uint8_t *begin, *at, *end;
} reader;

static nax_status cut_short(reader *r) {
  return naxrt_file_bad(r->file, "the file is cut short: it ends within its description, after %lld bytes",
                        (long long)(r->end - r->begin));
}

static int64_t left(const reader *r) { return r->end - r->at; }

static nax_status take_bytes(reader *r, void *out, int64_t bytes) {
  if (left(r) < bytes)
    return cut_short(r);
  memcpy(out, r->at, (size_t)bytes);
  r->at += bytes;
  return NAX_OK;
}

/* A number of things of which each takes `item_bytes` at least. */
static nax_status take_count(reader *r, const char *what, int64_t item_bytes, int64_t *out) {
  uint64_t count = 0;
  nax_status status = take_bytes(r, &count, 8);
  if (status != NAX_OK)
    return status;
  if (count > (uint64_t)(left(r) / item_bytes))
    return naxrt_file_bad(r->file,
                          "it should have %llu %s, which do not fit into the %lld bytes that follow: it is "
                          "cut short or damaged",
                          (unsigned long long)count, what, (long long)left(r));
  *out = (int64_t)count;
  return NAX_OK;
}

static nax_status take_string(reader *r, nax_string *out) {
  int64_t length;
  nax_status status = take_count(r, "characters in a string", 1, &length);
  if (status != NAX_OK)
    return status;
  *out = (nax_string){(const char *)r->at, length};
  r->at += length;
  return NAX_OK;
}

/* Keys and names become C strings, so that a 0 byte in one would make two names one. */
static nax_status take_name(reader *r, const char *what, const char **out) {
  nax_string text;
  nax_status status = take_string(r, &text);
  if (status != NAX_OK)
    return status;
  if (text.length == 0 || memchr(text.text, 0, (size_t)text.length))
    return naxrt_file_bad(r->file, "%s is empty or has a 0 byte", what);
  *out = naxrt_file_text(r->file, text.text, text.length);
  return *out ? NAX_OK : NAX_E_MEMORY;
}

//===-- key/values -------------------------------------------------------------------------------------------------//

enum { RAW_BOOL = 7, RAW_STRING = 8, RAW_ARRAY = 9, RAW_U64 = 10, RAW_TYPES = 13 };

static const struct {
  nax_value_type type;
  int64_t bytes; /* 8 for the length of a string */
} raw_types[RAW_TYPES] = {
    {NAX_VALUE_INTEGER, 1}, {NAX_VALUE_INTEGER, 1}, {NAX_VALUE_INTEGER, 2}, {NAX_VALUE_INTEGER, 2},
    {NAX_VALUE_INTEGER, 4}, {NAX_VALUE_INTEGER, 4}, {NAX_VALUE_REAL, 4},    {NAX_VALUE_BOOL, 1},
    {NAX_VALUE_STRING, 8},  {NAX_VALUE_ARRAY, 12},  {NAX_VALUE_INTEGER, 8}, {NAX_VALUE_INTEGER, 8},
    {NAX_VALUE_REAL, 8},
};

static nax_status take_items(reader *r, nax_file_value *value) {
  if (value->raw_type == RAW_STRING) {
    nax_string *strings = naxrt_file_allocate(r->file, value->count * (int64_t)sizeof *strings);
    if (!strings)
      return NAX_E_MEMORY;
    value->strings = strings;
    for (int64_t i = 0; i < value->count; ++i) {
      nax_status status = take_string(r, &strings[i]);
      if (status != NAX_OK)
        return status;
    }
    return NAX_OK;
  }
  int64_t bytes;
  if (!naxrt_multiply(value->count, raw_types[value->raw_type].bytes, &bytes) || bytes > left(r))
    return cut_short(r);
  value->items = r->at;
  r->at += bytes;
  for (int64_t i = 0; i < value->count; ++i) {
    const uint8_t *items = value->items;
    if (value->raw_type == RAW_BOOL && items[i] > 1)
      return naxrt_file_bad(r->file, "the value of " NAME " has a boolean that is %d", value->key, items[i]);
    if (value->raw_type == RAW_U64 && items[8 * i + 7] > 0x7f)
      return naxrt_file_bad(r->file, "the value of " NAME " is larger than any size", value->key);
  }
  return NAX_OK;
}

static nax_status take_value(reader *r) {
  nax_file_value *value = naxrt_file_add_value(r->file);
  if (!value)
    return NAX_E_MEMORY;
  uint32_t type = 0;
  nax_status status = take_name(r, "a key", &value->key);
  if (status == NAX_OK)
    status = take_bytes(r, &type, 4);
  if (status != NAX_OK)
    return status;
  value->count = 1;
  if (type == RAW_ARRAY) {
    value->type = NAX_VALUE_ARRAY;
    status = take_bytes(r, &type, 4);
    if (status == NAX_OK && type < RAW_TYPES)
      status = take_count(r, "items in an array", raw_types[type].bytes, &value->count);
    if (status != NAX_OK)
      return status;
  }
  if (type >= RAW_TYPES)
    return naxrt_file_bad(r->file, "the value of " NAME " has the unknown type %u", value->key, type);
  if (type == RAW_ARRAY)
    return naxrt_file_bad(r->file, "the value of " NAME " is an array of arrays, which is not read", value->key);
  value->raw_type = type;
  value->item_type = raw_types[type].type;
  if (value->type != NAX_VALUE_ARRAY)
    value->type = value->item_type;
  return take_items(r, value);
}

int64_t nax_file_value_integer(const nax_file_value *value, int64_t index) {
  if (!value || !value->items || index < 0 || index >= value->count)
    return 0;
  int64_t bytes = raw_types[value->raw_type].bytes;
  const uint8_t *item = (const uint8_t *)value->items + index * bytes;
  if (value->item_type == NAX_VALUE_REAL) {
    double real = nax_file_value_real(value, index);
    return real >= -9223372036854775808.0 && real < 9223372036854775808.0 ? (int64_t)real : 0;
  }
  uint64_t bits = 0;
  memcpy(&bits, item, (size_t)bytes); // little-endian, as the machine is
  bool has_sign = value->raw_type == 1 || value->raw_type == 3 || value->raw_type == 5;
  if (has_sign && bytes < 8 && bits >> (8 * bytes - 1))
    bits |= ~UINT64_C(0) << 8 * bytes;
  int64_t integer;
  memcpy(&integer, &bits, sizeof integer);
  return integer;
}

double nax_file_value_real(const nax_file_value *value, int64_t index) {
  if (!value || !value->items || index < 0 || index >= value->count)
    return 0;
  if (value->item_type != NAX_VALUE_REAL)
    return (double)nax_file_value_integer(value, index);
  const uint8_t *item = (const uint8_t *)value->items + index * raw_types[value->raw_type].bytes;
  if (raw_types[value->raw_type].bytes == 4) {
    float real;
    memcpy(&real, item, sizeof real);
    return real;
  }
  double real;
  memcpy(&real, item, sizeof real);
  return real;
}

//===-- tensors ----------------------------------------------------------------------------------------------------//

static void set_dtype(nax_file_tensor *tensor, uint32_t type) {
  static const char *const names[] = {
      "F32",   "F16",    "Q4_0", "Q4_1", "Q4_2", "Q4_3",    "Q5_0",   "Q5_1",    "Q8_0",  "Q8_1",   "Q2_K",
      "Q3_K",  "Q4_K",   "Q5_K", "Q6_K", "Q8_K", "IQ2_XXS", "IQ2_XS", "IQ3_XXS", "IQ1_S", "IQ4_NL", "IQ3_S",
      "IQ2_S", "IQ4_XS", "I8",   "I16",  "I32",  "I64",     "F64",    "IQ1_M",   "BF16",
  };
  static const struct {
    uint32_t type;
    nax_file_dtype dtype;
  } known[] = {
      {0, NAX_FILE_F32},   {1, NAX_FILE_F16},   {2, NAX_FILE_Q4_0},  {3, NAX_FILE_Q4_1}, {8, NAX_FILE_Q8_0},
      {12, NAX_FILE_Q4_K}, {14, NAX_FILE_Q6_K}, {24, NAX_FILE_I8},   {25, NAX_FILE_I16}, {26, NAX_FILE_I32},
      {27, NAX_FILE_I64},  {28, NAX_FILE_F64},  {30, NAX_FILE_BF16},
  };
  tensor->dtype = NAX_FILE_OTHER;
  tensor->dtype_name = type < sizeof names / sizeof *names ? names[type] : "of an unknown type";
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].type == type)
      tensor->dtype = known[i].dtype;
}

/* The offset becomes a place when the end of all descriptions, where the data begins, is known. */
static nax_status take_tensor(reader *r, uint64_t *offset) {
  nax_file_tensor *tensor = naxrt_file_add_tensor(r->file);
  if (!tensor)
    return NAX_E_MEMORY;
  uint32_t rank = 0, type = 0;
  nax_status status = take_name(r, "a tensor's name", &tensor->name);
  if (status == NAX_OK)
    status = take_bytes(r, &rank, 4);
  if (status != NAX_OK)
    return status;
  if (rank > MAX_DIMENSIONS)
    return naxrt_file_bad(r->file, "tensor " NAME " has %u dimensions, more than 4", tensor->name, rank);
  tensor->rank = rank;
  for (int64_t i = (int64_t)rank - 1; i >= 0 && status == NAX_OK; --i) { // the file has the innermost first
    uint64_t size = 0;
    status = take_bytes(r, &size, 8);
    if (size > INT64_MAX)
      return naxrt_file_bad(r->file, "tensor " NAME " has a size of %llu", tensor->name, (unsigned long long)size);
    tensor->sizes[i] = (int64_t)size;
  }
  if (status == NAX_OK)
    status = take_bytes(r, &type, 4);
  if (status == NAX_OK)
    status = take_bytes(r, offset, 8);
  if (status != NAX_OK)
    return status;
  set_dtype(tensor, type);
  const char *wrong = naxrt_tensor_measure(tensor);
  if (wrong)
    return naxrt_file_bad(r->file, "tensor " NAME " of %s: %s", tensor->name, tensor->dtype_name, wrong);
  return NAX_OK;
}

static int compare_places(const void *x, const void *y) {
  const nax_file_tensor *a = *(const nax_file_tensor *const *)x, *b = *(const nax_file_tensor *const *)y;
  uintptr_t p = (uintptr_t)a->data, q = (uintptr_t)b->data;
  return p != q ? (p > q) - (p < q) : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* Data of unknown types has no known size: it reaches up to the next tensor. */
static nax_status check_overlaps(nax_file *file, const uint8_t *end) {
  const nax_file_tensor **sorted = naxrt_file_allocate(file, file->tensor_count * (int64_t)sizeof *sorted);
  if (!sorted)
    return NAX_E_MEMORY;
  for (int64_t i = 0; i < file->tensor_count; ++i)
    sorted[i] = &file->tensors[i];
  qsort(sorted, (size_t)file->tensor_count, sizeof *sorted, compare_places);
  for (int64_t i = 0; i < file->tensor_count; ++i) {
    const nax_file_tensor *tensor = sorted[i];
    const uint8_t *next = i + 1 < file->tensor_count ? sorted[i + 1]->data : end;
    if (tensor->dtype == NAX_FILE_OTHER)
      file->tensors[tensor - file->tensors].bytes = next - (const uint8_t *)tensor->data;
    else if (i + 1 < file->tensor_count && (const uint8_t *)tensor->data + tensor->bytes > next)
      return naxrt_file_bad(file, "tensors " NAME " and " NAME " overlap", tensor->name, sorted[i + 1]->name);
  }
  return NAX_OK;
}

static nax_status place_tensors(reader *r, const uint64_t *offsets, int64_t alignment) {
  int64_t start = (r->at - r->begin + alignment - 1) / alignment * alignment;
  int64_t size = r->end - r->begin > start ? r->end - r->begin - start : 0;
  for (int64_t i = 0; i < r->file->tensor_count; ++i) {
    nax_file_tensor *tensor = &r->file->tensors[i];
    if (offsets[i] > (uint64_t)size || tensor->bytes > size - (int64_t)offsets[i])
      return naxrt_file_bad(r->file,
                            "tensor " NAME " has %lld bytes at %llu, of data there are %lld: the file is cut "
                            "short or damaged",
                            tensor->name, (long long)tensor->bytes, (unsigned long long)offsets[i], (long long)size);
    if (offsets[i] % (uint64_t)alignment)
      return naxrt_file_bad(r->file, "tensor " NAME " begins at %llu, which is no multiple of the alignment %lld",
                            tensor->name, (unsigned long long)offsets[i], (long long)alignment);
    tensor->data = r->end - size + offsets[i];
  }
  return check_overlaps(r->file, r->end);
}

//===-- the whole --------------------------------------------------------------------------------------------------//

static nax_status find_alignment(nax_file *file, int64_t *out) {
  *out = DEFAULT_ALIGNMENT;
  for (int64_t i = 0; i < file->value_count; ++i) {
    const nax_file_value *value = &file->values[i];
    if (strcmp(value->key, "general.alignment") != 0)
      continue;
    int64_t number = nax_file_value_integer(value, 0);
    if (value->type != NAX_VALUE_INTEGER || number < 1 || number > MAX_ALIGNMENT || (number & (number - 1)))
      return naxrt_file_bad(file, "general.alignment is no power of two up to %d", MAX_ALIGNMENT);
    *out = number;
  }
  return NAX_OK;
}

nax_status naxrt_read_gguf(nax_file *file, naxrt_bytes bytes) {
  reader r = {file, bytes.data, bytes.data + 4, bytes.data + bytes.size};
  uint32_t version = 0;
  int64_t tensor_count = 0, value_count = 0, alignment;
  nax_status status = take_bytes(&r, &version, 4);
  if (status != NAX_OK)
    return status;
  if (version && !(version & 0xffff))
    return naxrt_file_bad(file, "this GGUF file is big-endian, which is not read");
  if (version != 2 && version != 3)
    return naxrt_file_bad(file, "GGUF version %u is not read, 2 and 3 are", version);
  const int64_t tensor_bytes = 8 + 4 + 4 + 8, value_bytes = 8 + 4 + 1;
  status = take_count(&r, "tensors", tensor_bytes, &tensor_count);
  if (status == NAX_OK)
    status = take_count(&r, "values", value_bytes, &value_count);
  for (int64_t i = 0; i < value_count && status == NAX_OK; ++i)
    status = take_value(&r);
  if (status != NAX_OK)
    return status;
  uint64_t *offsets = naxrt_file_allocate(file, tensor_count * (int64_t)sizeof *offsets);
  if (!offsets)
    return NAX_E_MEMORY;
  for (int64_t i = 0; i < tensor_count && status == NAX_OK; ++i)
    status = take_tensor(&r, &offsets[i]);
  if (status == NAX_OK)
    status = find_alignment(file, &alignment);
  return status == NAX_OK ? place_tensors(&r, offsets, alignment) : status;
}
