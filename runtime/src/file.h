/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of the different kinds of file share: mapped bytes, memory that goes with the file, and the lists
   of tensors and values that they fill. */
#ifndef NAXRT_FILE_H
#define NAXRT_FILE_H

#include "internal.h"
#include "nax/files.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are read as files have them: little-endian");

/* Names from files are cut to this length where an error text repeats them. */
#define NAME "%.160s"

typedef struct naxrt_bytes {
  const uint8_t *data;
  int64_t size;
} naxrt_bytes;

typedef struct naxrt_memory_block naxrt_memory_block;

struct nax_file {
  nax_hooks hooks;
  nax_context *context; /* while it is being opened; NULL afterwards */
  nax_file_kind kind;
  const char *path;
  nax_file_tensor *tensors;
  int64_t tensor_count, tensor_room;
  const nax_file_tensor **tensors_by_name;
  nax_file_value *values;
  int64_t value_count, value_room;
  const nax_file_value **values_by_key;
  naxrt_bytes *mappings;
  int64_t mapping_count, mapping_room;
  naxrt_memory_block *memory; /* freed when the file is closed */
};

/* file.c. A regular file's bytes, read only; the error is set when it fails. */
nax_status naxrt_map(nax_context *context, const char *path, naxrt_bytes *out);
void naxrt_unmap(naxrt_bytes bytes);

/* All of these fail with the error set. */
void *naxrt_file_allocate(nax_file *file, int64_t bytes);
char *naxrt_file_text(nax_file *file, const void *text, int64_t length); /* a copy that ends with 0 */
nax_file_tensor *naxrt_file_add_tensor(nax_file *file);
nax_file_value *naxrt_file_add_value(nax_file *file);
nax_status naxrt_file_map(nax_file *file, const char *path, naxrt_bytes *out);
/* NAX_E_FORMAT and "PATH: ..." */
nax_status naxrt_file_bad(nax_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets tensor->elements from rank and sizes, and tensor->bytes when the dtype is known. Returns NULL, or what is wrong
   with them. */
const char *naxrt_tensor_measure(nax_file_tensor *tensor);

/* one of each kind: reads the mapped bytes into the lists */
nax_status naxrt_read_safetensors(nax_file *file, naxrt_bytes bytes);
nax_status naxrt_read_gguf(nax_file *file, naxrt_bytes bytes);
nax_status naxrt_read_npy(nax_file *file, naxrt_bytes bytes, const char *path, const char *name);
nax_status naxrt_read_npy_folder(nax_file *file);

/* elements.c */
typedef struct naxrt_block_size {
  int64_t elements, bytes; /* 1 and the element's bytes unless quantised; 0, 0 for NAX_FILE_OTHER */
} naxrt_block_size;
naxrt_block_size naxrt_file_dtype_block(nax_file_dtype dtype);
/* What nax_file_read_f32 and parameters can read. */
bool naxrt_file_dtype_readable(nax_file_dtype dtype);
/* Elements [first, first + count) of readable data as f32. */
void naxrt_decode(nax_file_dtype dtype, const void *data, int64_t first, int64_t count, float *out);
/* Strided stores and loads of a nax_dtype. Numbers are rounded to nearest, ties to even. */
void naxrt_store_f32(int64_t dtype, void *out, int64_t index, int64_t stride, const float *in, int64_t count);
void naxrt_store_f64(double *out, int64_t index, int64_t stride, const double *in, int64_t count);
void naxrt_load_f64(int64_t dtype, const void *in, int64_t index, int64_t stride, double *out, int64_t count);

#endif
