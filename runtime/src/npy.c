/* SPDX-License-Identifier: Apache-2.0 */
/* npy: numpy's files of one array, and folders of them. The header is a Python dictionary of three known keys; what
   numpy itself would not write is not read. */
#define _GNU_SOURCE
#include "file.h"
#include "write.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The dtypes without their byte order. numpy has no bfloat16. */
static const struct {
  const char *text;
  nax_file_dtype dtype;
} dtypes[] = {
    {"f4", NAX_FILE_F32}, {"f2", NAX_FILE_F16}, {"f8", NAX_FILE_F64}, {"i1", NAX_FILE_I8},
    {"i2", NAX_FILE_I16}, {"i4", NAX_FILE_I32}, {"i8", NAX_FILE_I64}, {"u1", NAX_FILE_U8},
    {"u2", NAX_FILE_U16}, {"u4", NAX_FILE_U32}, {"u8", NAX_FILE_U64}, {"b1", NAX_FILE_BOOL},
};

typedef struct reader {
  nax_file *file;
  const char *path; /* of this array: in a folder there are several */
  const uint8_t *at, *end;
} reader;

static nax_status bad(reader *r, const char *what) {
  return naxrt_fail(r->file->context, NAX_E_FORMAT, "%.1024s: %s", r->path, what);
}

static nax_status bad_header(reader *r) { return bad(r, "its header is not as numpy writes it"); }

static void skip_space(reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\n'))
    ++r->at;
}

static bool take(reader *r, const char *text) {
  skip_space(r);
  size_t length = strlen(text);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0)
    return false;
  r->at += length;
  return true;
}

/* 'text', without escapes */
static bool take_quoted(reader *r, char *out, size_t room) {
  if (!take(r, "'"))
    return false;
  size_t length = 0;
  while (r->at < r->end && *r->at != '\'' && *r->at != '\\' && *r->at >= 0x20 && length + 1 < room)
    out[length++] = (char)*r->at++;
  out[length] = 0;
  return take(r, "'");
}

static bool take_size(reader *r, int64_t *out) {
  skip_space(r);
  const uint8_t *first = r->at;
  int64_t value = 0;
  for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; ++r->at)
    if (!naxrt_multiply(value, 10, &value) || !naxrt_add(value, *r->at - '0', &value))
      return false;
  *out = value;
  return r->at > first;
}

static nax_status take_shape(reader *r, nax_file_tensor *tensor) {
  if (!take(r, "("))
    return bad_header(r);
  while (!take(r, ")")) {
    if (tensor->rank == NAX_FILE_MAX_RANK)
      return bad(r, "it has more than 8 dimensions");
    if (!take_size(r, &tensor->sizes[tensor->rank++]))
      return bad_header(r);
    if (!take(r, ",") && (r->at == r->end || *r->at != ')'))
      return bad_header(r);
  }
  return NAX_OK;
}

static nax_status set_dtype(reader *r, nax_file_tensor *tensor, const char *text) {
  if (text[0] == '>' && text[1])
    return bad(r, "it is big-endian, which is not read; numpy writes the other with "
                  "a.astype(a.dtype.newbyteorder('<'))");
  tensor->dtype = NAX_FILE_OTHER;
  if (text[0] == '<' || text[0] == '|')
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i)
      if (strcmp(dtypes[i].text, text + 1) == 0)
        tensor->dtype = dtypes[i].dtype;
  tensor->dtype_name = naxrt_file_text(r->file, text, (int64_t)strlen(text));
  return tensor->dtype_name ? NAX_OK : NAX_E_MEMORY;
}

static nax_status take_header(reader *r, nax_file_tensor *tensor, bool *fortran) {
  char key[32], dtype[32];
  enum { DESCR = 1, ORDER = 2, SHAPE = 4 };
  int seen = 0;
  if (!take(r, "{"))
    return bad_header(r);
  while (!take(r, "}")) {
    if (!take_quoted(r, key, sizeof key) || !take(r, ":"))
      return bad_header(r);
    int which = strcmp(key, "descr") == 0           ? DESCR
                : strcmp(key, "fortran_order") == 0 ? ORDER
                : strcmp(key, "shape") == 0         ? SHAPE
                                                    : 0;
    if (!which || (seen & which))
      return bad_header(r);
    seen |= which;
    nax_status status = NAX_OK;
    if (which == DESCR) {
      if (take(r, "["))
        return bad(r, "it holds records, which are not read");
      status = take_quoted(r, dtype, sizeof dtype) ? set_dtype(r, tensor, dtype) : bad_header(r);
    } else if (which == ORDER) {
      *fortran = take(r, "True");
      if (!*fortran && !take(r, "False"))
        return bad_header(r);
    } else {
      status = take_shape(r, tensor);
    }
    if (status != NAX_OK)
      return status;
    if (!take(r, ",") && (r->at == r->end || *r->at != '}'))
      return bad_header(r);
  }
  skip_space(r);
  return seen == (DESCR | ORDER | SHAPE) && r->at == r->end ? NAX_OK : bad_header(r);
}

nax_status naxrt_read_npy(nax_file *file, naxrt_bytes bytes, const char *path, const char *name) {
  reader r = {file, path, bytes.data, bytes.data + bytes.size};
  enum { MAGIC = 6, PREFIX = 8 };
  if (bytes.size < PREFIX + 2 || memcmp(bytes.data, "\x93NUMPY", MAGIC) != 0)
    return bad(&r, "this is no npy file, or it is cut short");
  int version = bytes.data[MAGIC], length_bytes = version == 1 ? 2 : 4;
  if (version < 1 || version > 3 || bytes.size < PREFIX + length_bytes)
    return bad(&r, "versions 1 to 3 of npy are read, this is another or cut short");
  int64_t length = 0;
  for (int i = length_bytes - 1; i >= 0; --i)
    length = length << 8 | bytes.data[PREFIX + i];
  r.at += PREFIX + length_bytes;
  if (length > r.end - r.at)
    return bad(&r, "the file is cut short: it ends within its header");
  r.end = r.at + length;

  nax_file_tensor *tensor = naxrt_file_add_tensor(file);
  if (!tensor)
    return NAX_E_MEMORY;
  tensor->name = name;
  bool fortran = false;
  nax_status status = take_header(&r, tensor, &fortran);
  if (status != NAX_OK)
    return status;
  if (fortran && tensor->rank > 1)
    return bad(&r, "it is in Fortran order, which is not read; numpy.ascontiguousarray(a) gives the other");
  const char *wrong = naxrt_tensor_measure(tensor);
  if (wrong)
    return bad(&r, wrong);
  tensor->data = r.end;
  int64_t available = bytes.data + bytes.size - r.end;
  if (tensor->dtype == NAX_FILE_OTHER)
    tensor->bytes = available;
  if (tensor->bytes == available)
    return NAX_OK;
  return naxrt_fail(file->context, NAX_E_FORMAT, "%.1024s: shape and dtype need %lld bytes, after the header are %lld",
                    path, (long long)tensor->bytes, (long long)available);
}

//===-- folders ----------------------------------------------------------------------------------------------------//

static int is_npy(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 4 && entry->d_name[0] != '.' && strcmp(entry->d_name + length - 4, ".npy") == 0;
}

/* strcmp, and not the order of a locale */
static int by_bytes(const struct dirent **x, const struct dirent **y) { return strcmp((*x)->d_name, (*y)->d_name); }

static nax_status read_one(nax_file *file, const char *name) {
  int64_t folder = (int64_t)strlen(file->path), length = (int64_t)strlen(name);
  char *path = naxrt_file_allocate(file, folder + length + 2);
  char *stem = naxrt_file_text(file, name, length - 4);
  if (!path || !stem)
    return NAX_E_MEMORY;
  memcpy(path, file->path, (size_t)folder);
  path[folder] = '/';
  memcpy(path + folder + 1, name, (size_t)length + 1);
  naxrt_bytes bytes;
  nax_status status = naxrt_file_map(file, path, &bytes);
  return status == NAX_OK ? naxrt_read_npy(file, bytes, path, stem) : status;
}

nax_status naxrt_read_npy_folder(nax_file *file) {
  struct dirent **entries = NULL;
  int count = scandir(file->path, &entries, is_npy, by_bytes);
  if (count < 0)
    return naxrt_fail(file->context, NAX_E_FILE, "cannot read the folder %.1024s: %s", file->path, strerror(errno));
  nax_status status = NAX_OK;
  for (int i = 0; i < count; ++i) {
    if (status == NAX_OK)
      status = read_one(file, entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  if (count == 0)
    return naxrt_file_bad(file, "the folder has no file NAME.npy");
  return status;
}

//===-- writing ----------------------------------------------------------------------------------------------------//

static int header_text(char *out, size_t room, const char *dtype, int64_t rank, const int64_t *sizes) {
  int used = snprintf(out, room, "{'descr': '%s', 'fortran_order': False, 'shape': (", dtype);
  for (int64_t i = 0; i < rank; ++i)
    used += snprintf(out + used, room - (size_t)used, "%lld%s", (long long)sizes[i],
                     rank == 1      ? ","
                     : i + 1 < rank ? ", "
                                    : "");
  return used + snprintf(out + used, room - (size_t)used, "), }");
}

nax_status nax_npy_write(nax_context *context, const char *path, nax_file_dtype dtype, int64_t rank,
                         const int64_t *sizes, const void *data) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  const char *text = NULL;
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i)
    if (dtypes[i].dtype == dtype)
      text = dtypes[i].text;
  nax_file_tensor tensor = {.dtype = dtype, .rank = rank};
  if (!path || (rank > 0 && !sizes))
    return naxrt_fail(context, NAX_E_NULL, "nax_npy_write: %s is null", path ? "sizes" : "path");
  if (!text || rank < 0 || rank > NAX_FILE_MAX_RANK)
    return naxrt_fail(context, NAX_E_VALUE, "nax_npy_write: a dtype or rank that npy files do not have");
  for (int64_t i = 0; i < rank; ++i)
    tensor.sizes[i] = sizes[i];
  if (naxrt_tensor_measure(&tensor))
    return naxrt_fail(context, NAX_E_SIZE, "nax_npy_write: a size is negative, or their product too large");
  if (tensor.bytes && !data)
    return naxrt_fail(context, NAX_E_NULL, "nax_npy_write: data is null");

  enum { HEADER = 384, UNIT = 64, PREFIX = 10 };
  char full_dtype[8], header[HEADER];
  bool one_byte = text[1] == '1';
  snprintf(full_dtype, sizeof full_dtype, "%c%s", one_byte ? '|' : '<', text);
  int used = PREFIX + header_text(header + PREFIX, HEADER - PREFIX - UNIT, full_dtype, rank, sizes);
  int whole = (used + 1 + UNIT - 1) / UNIT * UNIT; // numpy aligns the data to 64 bytes
  memset(header + used, ' ', (size_t)(whole - used));
  header[whole - 1] = '\n';
  memcpy(header, "\x93NUMPY\x01\x00", PREFIX - 2);
  header[PREFIX - 2] = (char)((whole - PREFIX) & 0xff);
  header[PREFIX - 1] = (char)((whole - PREFIX) >> 8);

  naxrt_writer writer;
  naxrt_write_open(&writer, context, path);
  naxrt_write(&writer, header, whole);
  naxrt_write(&writer, data, tensor.bytes);
  return naxrt_write_close(&writer);
}
