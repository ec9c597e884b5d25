/* SPDX-License-Identifier: Apache-2.0 */
/* safetensors: eight bytes of length, a JSON object, then the data. The JSON has one form only, an object of objects,
   and is read as that form: anything else, a deeper nesting above all, is an error where it stands. */
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  nax_file *file;
  const uint8_t *begin, *at, *end;
} reader;

static nax_status bad(reader *r, const char *what) {
  return naxrt_file_bad(r->file, "byte %lld of the header: %s", (long long)(r->at - r->begin), what);
}

static void skip_space(reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
    ++r->at;
}

/* Takes `c` if it is next. */
static bool take(reader *r, char c) {
  skip_space(r);
  if (r->at == r->end || *r->at != (uint8_t)c)
    return false;
  ++r->at;
  return true;
}

static nax_status expect(reader *r, char c) {
  if (take(r, c))
    return NAX_OK;
  char text[64];
  if (r->at == r->end)
    snprintf(text, sizeof text, "it ends where '%c' is expected", c);
  else
    snprintf(text, sizeof text, "expects '%c', but there is '%c'", c, *r->at < 0x80 ? *r->at : '?');
  return bad(r, text);
}

//===-- strings ----------------------------------------------------------------------------------------------------//

static int hex_digit(uint8_t c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Four hexadecimal digits, or -1. */
static int32_t take_unit(reader *r) {
  if (r->end - r->at < 4)
    return -1;
  int32_t unit = 0;
  for (int i = 0; i < 4; ++i) {
    int digit = hex_digit(r->at[i]);
    if (digit < 0)
      return -1;
    unit = unit << 4 | digit;
  }
  r->at += 4;
  return unit;
}

static char *put_utf8(char *out, int32_t code) {
  if (code < 0x80) {
    *out++ = (char)code;
  } else if (code < 0x800) {
    *out++ = (char)(0xc0 | code >> 6);
    *out++ = (char)(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    *out++ = (char)(0xe0 | code >> 12);
    *out++ = (char)(0x80 | (code >> 6 & 0x3f));
    *out++ = (char)(0x80 | (code & 0x3f));
  } else {
    *out++ = (char)(0xf0 | code >> 18);
    *out++ = (char)(0x80 | (code >> 12 & 0x3f));
    *out++ = (char)(0x80 | (code >> 6 & 0x3f));
    *out++ = (char)(0x80 | (code & 0x3f));
  }
  return out;
}

/* What follows a backslash. Names are C strings, so that a 0 in one is refused like a surrogate without its other
   half. */
static nax_status take_escape(reader *r, char **out) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  if (r->at == r->end)
    return bad(r, "a string does not end");
  char c = (char)*r->at++;
  if (c != 'u') {
    const char *found = c ? strchr(from, c) : NULL;
    if (!found)
      return bad(r, "an unknown escape in a string");
    *(*out)++ = to[found - from];
    return NAX_OK;
  }
  int32_t code = take_unit(r);
  if (code >= 0xd800 && code < 0xdc00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u') {
    r->at += 2;
    int32_t low = take_unit(r);
    code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : -1;
  } else if (code >= 0xd800 && code < 0xe000) {
    code = -1;
  }
  if (code <= 0)
    return bad(r, "a \\u escape that is no character");
  *out = put_utf8(*out, code);
  return NAX_OK;
}

/* How many bytes the well-formed UTF-8 character at `at` has, 0 if it is none. */
static int utf8_length(const uint8_t *at, const uint8_t *end) {
  uint8_t lead = at[0];
  if (lead < 0x80)
    return 1;
  int length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (!length || end - at < length)
    return 0;
  for (int i = 1; i < length; ++i)
    if ((at[i] & 0xc0) != 0x80)
      return 0;
  bool overlong = (lead == 0xe0 && at[1] < 0xa0) || (lead == 0xf0 && at[1] < 0x90);
  bool outside = (lead == 0xed && at[1] >= 0xa0) || (lead == 0xf4 && at[1] >= 0x90);
  return overlong || outside ? 0 : length;
}

static nax_status take_string(reader *r, nax_string *out) {
  nax_status status = expect(r, '"');
  if (status != NAX_OK)
    return status;
  const uint8_t *close = r->at;
  while (close < r->end && *close != '"')
    close += *close == '\\' && r->end - close > 1 ? 2 : 1;
  if (close >= r->end)
    return bad(r, "a string does not end");
  // Escapes only shrink: \uXXXX, six bytes, becomes three at most, and two of them four.
  char *text = naxrt_file_allocate(r->file, close - r->at + 1), *at = text;
  if (!text)
    return NAX_E_MEMORY;
  while (*r->at != '"') {
    if (*r->at < 0x20)
      return bad(r, "a control character in a string");
    int length = utf8_length(r->at, r->end);
    if (!length)
      return bad(r, "a string is not UTF-8");
    if (*r->at == '\\') {
      ++r->at;
      if ((status = take_escape(r, &at)) != NAX_OK)
        return status;
      continue;
    }
    memcpy(at, r->at, (size_t)length);
    at += length;
    r->at += length;
  }
  ++r->at;
  *at = 0;
  *out = (nax_string){text, at - text};
  return NAX_OK;
}

static nax_status take_integer(reader *r, int64_t *out) {
  skip_space(r);
  const uint8_t *first = r->at;
  int64_t value = 0;
  for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; ++r->at)
    if (!naxrt_multiply(value, 10, &value) || !naxrt_add(value, *r->at - '0', &value))
      return bad(r, "a number is too large");
  if (r->at == first)
    return bad(r, "expects a number that is not negative");
  if (*first == '0' && r->at - first > 1)
    return bad(r, "a number begins with 0");
  if (r->at < r->end && (*r->at == '.' || *r->at == 'e' || *r->at == 'E'))
    return bad(r, "expects a whole number");
  *out = value;
  return NAX_OK;
}

//===-- tensors ----------------------------------------------------------------------------------------------------//

static bool set_dtype(nax_file_tensor *tensor, const char *text) {
  static const struct {
    const char *text;
    nax_file_dtype dtype;
  } known[] = {
      {"F32", NAX_FILE_F32},   {"F16", NAX_FILE_F16}, {"BF16", NAX_FILE_BF16}, {"F64", NAX_FILE_F64},
      {"I8", NAX_FILE_I8},     {"I16", NAX_FILE_I16}, {"I32", NAX_FILE_I32},   {"I64", NAX_FILE_I64},
      {"U8", NAX_FILE_U8},     {"U16", NAX_FILE_U16}, {"U32", NAX_FILE_U32},   {"U64", NAX_FILE_U64},
      {"BOOL", NAX_FILE_BOOL},
  };
  tensor->dtype_name = text;
  tensor->dtype = NAX_FILE_OTHER;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (strcmp(known[i].text, text) == 0)
      tensor->dtype = known[i].dtype;
  return text[0] != 0;
}

static nax_status take_shape(reader *r, nax_file_tensor *tensor) {
  nax_status status = expect(r, '[');
  if (status != NAX_OK || take(r, ']'))
    return status;
  do {
    if (tensor->rank == NAX_FILE_MAX_RANK)
      return bad(r, "a tensor has more than 8 dimensions");
    if ((status = take_integer(r, &tensor->sizes[tensor->rank])) != NAX_OK)
      return status;
    ++tensor->rank;
  } while (take(r, ','));
  return expect(r, ']');
}

static nax_status take_offsets(reader *r, int64_t *first, int64_t *last) {
  nax_status status = expect(r, '[');
  if (status == NAX_OK)
    status = take_integer(r, first);
  if (status == NAX_OK)
    status = expect(r, ',');
  if (status == NAX_OK)
    status = take_integer(r, last);
  return status == NAX_OK ? expect(r, ']') : status;
}

static nax_status take_tensor(reader *r, const char *name, naxrt_bytes data) {
  nax_file_tensor *tensor = naxrt_file_add_tensor(r->file);
  if (!tensor)
    return NAX_E_MEMORY;
  tensor->name = name;
  int64_t first = -1, last = -1;
  enum { DTYPE = 1, SHAPE = 2, OFFSETS = 4 };
  int seen = 0;
  nax_status status = expect(r, '{');
  do {
    nax_string key, text;
    if (status != NAX_OK || (status = take_string(r, &key)) != NAX_OK || (status = expect(r, ':')) != NAX_OK)
      return status;
    int which = strcmp(key.text, "dtype") == 0          ? DTYPE
                : strcmp(key.text, "shape") == 0        ? SHAPE
                : strcmp(key.text, "data_offsets") == 0 ? OFFSETS
                                                        : 0;
    if (!which || (seen & which))
      return naxrt_file_bad(r->file, "tensor " NAME " has %s key " NAME, name, which ? "twice the" : "an unknown",
                            key.text);
    seen |= which;
    if (which == SHAPE)
      status = take_shape(r, tensor);
    else if (which == OFFSETS)
      status = take_offsets(r, &first, &last);
    else if ((status = take_string(r, &text)) == NAX_OK && !set_dtype(tensor, text.text))
      return naxrt_file_bad(r->file, "tensor " NAME " has an empty dtype", name);
  } while (status == NAX_OK && take(r, ','));
  if (status != NAX_OK || (status = expect(r, '}')) != NAX_OK)
    return status;
  if (seen != (DTYPE | SHAPE | OFFSETS))
    return naxrt_file_bad(r->file, "tensor " NAME " lacks its %s", name,
                          !(seen & DTYPE)   ? "dtype"
                          : !(seen & SHAPE) ? "shape"
                                            : "data_offsets");
  if (first > last || last > data.size)
    return naxrt_file_bad(r->file, "tensor " NAME ": its bytes %lld to %lld are not within the %lld bytes of data",
                          name, (long long)first, (long long)last, (long long)data.size);
  const char *wrong = naxrt_tensor_measure(tensor);
  if (wrong)
    return naxrt_file_bad(r->file, "tensor " NAME ": %s", name, wrong);
  if (tensor->dtype == NAX_FILE_OTHER)
    tensor->bytes = last - first;
  if (tensor->bytes != last - first)
    return naxrt_file_bad(r->file, "tensor " NAME ": its shape and dtype need %lld bytes, it has %lld", name,
                          (long long)tensor->bytes, (long long)(last - first));
  tensor->data = data.data + first;
  return NAX_OK;
}

/* {"key": "text", ...} */
static nax_status take_metadata(reader *r) {
  nax_status status = expect(r, '{');
  if (status != NAX_OK || take(r, '}'))
    return status;
  do {
    nax_string key, text, *strings = naxrt_file_allocate(r->file, (int64_t)sizeof *strings);
    nax_file_value *value = naxrt_file_add_value(r->file);
    if (!strings || !value)
      return NAX_E_MEMORY;
    if ((status = take_string(r, &key)) != NAX_OK || (status = expect(r, ':')) != NAX_OK ||
        (status = take_string(r, &text)) != NAX_OK)
      return status;
    *strings = text;
    *value = (nax_file_value){
        .key = key.text, .type = NAX_VALUE_STRING, .item_type = NAX_VALUE_STRING, .count = 1, .strings = strings};
  } while (take(r, ','));
  return expect(r, '}');
}

//===-- the whole --------------------------------------------------------------------------------------------------//

static int compare_places(const void *x, const void *y) {
  const nax_file_tensor *a = *(const nax_file_tensor *const *)x, *b = *(const nax_file_tensor *const *)y;
  uintptr_t p = (uintptr_t)a->data, q = (uintptr_t)b->data;
  return p != q ? (p > q) - (p < q) : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* The format has neither holes nor shared bytes: each tensor begins where the one before ends. */
static nax_status check_places(nax_file *file, naxrt_bytes data) {
  const nax_file_tensor **sorted = naxrt_file_allocate(file, file->tensor_count * (int64_t)sizeof *sorted);
  if (!sorted)
    return NAX_E_MEMORY;
  for (int64_t i = 0; i < file->tensor_count; ++i)
    sorted[i] = &file->tensors[i];
  qsort(sorted, (size_t)file->tensor_count, sizeof *sorted, compare_places);
  const uint8_t *end = data.data;
  for (int64_t i = 0; i < file->tensor_count; ++i) {
    const uint8_t *place = sorted[i]->data;
    if (place < end)
      return naxrt_file_bad(file, "tensors " NAME " and " NAME " overlap", sorted[i - 1]->name, sorted[i]->name);
    if (place > end)
      return naxrt_file_bad(file, "%lld bytes before tensor " NAME " belong to no tensor", (long long)(place - end),
                            sorted[i]->name);
    end = place + sorted[i]->bytes;
  }
  if (end != data.data + data.size)
    return naxrt_file_bad(file, "%lld bytes at the end belong to no tensor", (long long)(data.data + data.size - end));
  return NAX_OK;
}

nax_status naxrt_read_safetensors(nax_file *file, naxrt_bytes bytes) {
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i)
    length = length << 8 | bytes.data[i];
  if (length > (uint64_t)bytes.size - 8)
    return naxrt_file_bad(file,
                          "its header should have %llu bytes, only %lld follow: the file is cut short or no "
                          "safetensors file",
                          (unsigned long long)length, (long long)bytes.size - 8);
  reader r = {file, bytes.data + 8, bytes.data + 8, bytes.data + 8 + length};
  naxrt_bytes data = {r.end, bytes.size - 8 - (int64_t)length};
  nax_status status = expect(&r, '{');
  if (status != NAX_OK)
    return status;
  bool has_metadata = false;
  if (!take(&r, '}')) {
    do {
      nax_string name;
      if ((status = take_string(&r, &name)) != NAX_OK || (status = expect(&r, ':')) != NAX_OK)
        return status;
      bool metadata = strcmp(name.text, "__metadata__") == 0;
      if (metadata && has_metadata)
        return bad(&r, "__metadata__ is there twice");
      has_metadata |= metadata;
      status = metadata ? take_metadata(&r) : take_tensor(&r, name.text, data);
      if (status != NAX_OK)
        return status;
    } while (take(&r, ','));
    if ((status = expect(&r, '}')) != NAX_OK)
      return status;
  }
  skip_space(&r);
  if (r.at != r.end)
    return bad(&r, "something follows the end");
  return check_places(file, data);
}
