/* SPDX-License-Identifier: Apache-2.0 */
/* Reading safetensors, GGUF and npy files as they are: what tensors a file has and what its metadata says. Tools and
   the tokenizer use it; a program that only runs a model needs nax/runtime.h alone.

   The file stays mapped while it is open, and everything that these functions return points into it or into memory
   that belongs to it. A damaged or hostile file gives NAX_E_FORMAT and a sentence; after a successful open every
   offset, size and string has been checked. A file must not be made shorter while it is open. C99 and C++. */
#ifndef NAX_FILES_H
#define NAX_FILES_H

#include "nax/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nax_file nax_file;

typedef enum nax_file_kind {
  NAX_FILE_SAFETENSORS,
  NAX_FILE_GGUF,
  NAX_FILE_NPY,       /* one array; its tensor has the file's name without .npy */
  NAX_FILE_NPY_FOLDER /* a folder of NAME.npy */
} nax_file_kind;

typedef enum nax_file_dtype {
  NAX_FILE_F32,
  NAX_FILE_F16,
  NAX_FILE_BF16,
  NAX_FILE_F64,
  NAX_FILE_I8,
  NAX_FILE_I16,
  NAX_FILE_I32,
  NAX_FILE_I64,
  NAX_FILE_U8,
  NAX_FILE_U16,
  NAX_FILE_U32,
  NAX_FILE_U64,
  NAX_FILE_BOOL,
  NAX_FILE_Q8_0, /* GGUF: 32 elements in 34 bytes */
  NAX_FILE_Q4_0, /* GGUF: 32 elements in 18 bytes */
  NAX_FILE_Q4_1, /* GGUF: 32 elements in 20 bytes */
  NAX_FILE_Q6_K, /* GGUF: 256 elements in 210 bytes */
  NAX_FILE_Q4_K, /* GGUF: 256 elements in 144 bytes */
  NAX_FILE_OTHER /* known by name only: can be listed, not read */
} nax_file_dtype;

#define NAX_FILE_MAX_RANK 8

typedef struct nax_file_tensor {
  const char *name;
  nax_file_dtype dtype;
  const char *dtype_name; /* as the file's kind spells it: "F32", "Q4_1", "<f4" */
  int64_t rank;
  int64_t sizes[NAX_FILE_MAX_RANK]; /* outermost first, also for GGUF; row-major */
  int64_t elements;
  const void *data; /* may be at any alignment */
  int64_t bytes;
} nax_file_tensor;

NAX_NODISCARD nax_status nax_file_open(nax_context *context, const char *path, nax_file **out);
void nax_file_close(nax_file *file); /* NULL is allowed */

nax_file_kind nax_file_get_kind(const nax_file *file);
const char *nax_file_get_path(const nax_file *file);

/* Tensors are in the order of the file; of a folder, in the order of their names. */
int64_t nax_file_tensor_count(const nax_file *file);
const nax_file_tensor *nax_file_tensor_at(const nax_file *file, int64_t index);      /* NULL: no such index */
const nax_file_tensor *nax_file_find_tensor(const nax_file *file, const char *name); /* NULL: no such name */

/* Elements [first, first + count) in row-major order, as f32. Integers and f64 are refused. */
NAX_NODISCARD nax_status nax_file_read_f32(nax_context *context, const nax_file_tensor *tensor, int64_t first,
                                           int64_t count, float *out);

/* Metadata: GGUF's key/values, and the strings of __metadata__ in a safetensors file. */
typedef enum nax_value_type {
  NAX_VALUE_INTEGER, /* u8 to i64; a u64 above INT64_MAX is refused when the file is opened */
  NAX_VALUE_REAL,    /* f32, f64 */
  NAX_VALUE_BOOL,
  NAX_VALUE_STRING,
  NAX_VALUE_ARRAY
} nax_value_type;

/* Ends with a 0 byte only by accident: use the length. Any bytes, UTF-8 is not promised. */
typedef struct nax_string {
  const char *text;
  int64_t length;
} nax_string;

typedef struct nax_file_value {
  const char *key;
  nax_value_type type;
  nax_value_type item_type;  /* of an array; else the same as type */
  int64_t count;             /* of an array; else 1 */
  const nax_string *strings; /* strings and arrays of strings: `count` of them; else NULL */
  const void *items;         /* the raw numbers, at any alignment; read them with the functions below */
  int64_t raw_type;          /* GGUF's number for the type of an item */
} nax_file_value;

int64_t nax_file_value_count(const nax_file *file);
const nax_file_value *nax_file_value_at(const nax_file *file, int64_t index);
const nax_file_value *nax_file_find_value(const nax_file *file, const char *key);

/* Item `index` (0 for a scalar) of integers, reals and booleans; 0 when there is no such item or it is a string.
   A real read as an integer is cut towards zero. */
int64_t nax_file_value_integer(const nax_file_value *value, int64_t index);
double nax_file_value_real(const nax_file_value *value, int64_t index);

/* Writes an array as npy version 1: dtype F32, F16, F64, I8 to U64 or BOOL. By rename: whole or not at all. */
NAX_NODISCARD nax_status nax_npy_write(nax_context *context, const char *path, nax_file_dtype dtype, int64_t rank,
                                       const int64_t *sizes, const void *data);

#ifdef __cplusplus
}
#endif

#endif
