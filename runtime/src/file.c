/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a file of parameters: what kind it is, its mapping, and the lists that its reader fills. */
#define _GNU_SOURCE
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

//===-- memory that goes with the file -----------------------------------------------------------------------------//

struct naxrt_memory_block {
  naxrt_memory_block *next;
  int64_t bytes, used;
  _Alignas(16) uint8_t data[];
};

enum { BLOCK_BYTES = 64 << 10 };

void *naxrt_file_allocate(nax_file *file, int64_t bytes) {
  int64_t rounded;
  if (bytes < 0 || !naxrt_add(bytes, 15, &rounded))
    rounded = INT64_MAX;
  rounded &= ~(int64_t)15;
  naxrt_memory_block *block = file->memory;
  if (!block || block->bytes - block->used < rounded) {
    int64_t room = rounded > BLOCK_BYTES ? rounded : BLOCK_BYTES, whole;
    if (!naxrt_add(room, (int64_t)sizeof *block, &whole))
      whole = INT64_MAX;
    block = naxrt_allocate(file->context, whole, "the contents of a file");
    if (!block)
      return NULL;
    *block = (naxrt_memory_block){.next = file->memory, .bytes = room, .used = 0};
    file->memory = block;
  }
  void *pointer = block->data + block->used;
  block->used += rounded;
  return pointer;
}

char *naxrt_file_text(nax_file *file, const void *text, int64_t length) {
  char *copy = naxrt_file_allocate(file, length + 1);
  if (!copy)
    return NULL;
  if (length)
    memcpy(copy, text, (size_t)length);
  copy[length] = 0;
  return copy;
}

/* Room for one more item; doubles, and leaves what was there to the file's memory. */
static void *grow(nax_file *file, void *items, int64_t count, int64_t *room, int64_t item_bytes) {
  if (count < *room)
    return items;
  int64_t wanted = *room ? *room * 2 : 64;
  void *larger = naxrt_file_allocate(file, wanted * item_bytes);
  if (!larger)
    return NULL;
  if (count)
    memcpy(larger, items, (size_t)(count * item_bytes));
  *room = wanted;
  return larger;
}

nax_file_tensor *naxrt_file_add_tensor(nax_file *file) {
  nax_file_tensor *tensors =
      grow(file, file->tensors, file->tensor_count, &file->tensor_room, (int64_t)sizeof *tensors);
  if (!tensors)
    return NULL;
  file->tensors = tensors;
  nax_file_tensor *tensor = &tensors[file->tensor_count++];
  *tensor = (nax_file_tensor){0};
  return tensor;
}

nax_file_value *naxrt_file_add_value(nax_file *file) {
  nax_file_value *values = grow(file, file->values, file->value_count, &file->value_room, (int64_t)sizeof *values);
  if (!values)
    return NULL;
  file->values = values;
  nax_file_value *value = &values[file->value_count++];
  *value = (nax_file_value){0};
  return value;
}

nax_status naxrt_file_bad(nax_file *file, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return naxrt_fail(file->context, NAX_E_FORMAT, "%.1024s: %s", file->path, text);
}

const char *naxrt_tensor_measure(nax_file_tensor *tensor) {
  static const char too_large[] = "the product of its sizes is too large";
  int64_t elements = 1;
  for (int64_t i = 0; i < tensor->rank; ++i)
    if (tensor->sizes[i] < 0 || !naxrt_multiply(elements, tensor->sizes[i], &elements))
      return too_large;
  tensor->elements = elements;
  naxrt_block_size block = naxrt_file_dtype_block(tensor->dtype);
  if (!block.elements)
    return NULL;
  int64_t row = tensor->rank ? tensor->sizes[tensor->rank - 1] : 1;
  if (row % block.elements)
    return block.elements == 32 ? "its rows are no multiple of the 32 elements of a block"
                                : "its rows are no multiple of the 256 elements of a block";
  return naxrt_multiply(elements / block.elements, block.bytes, &tensor->bytes) ? NULL : too_large;
}

//===-- mapping ----------------------------------------------------------------------------------------------------//

static nax_status cannot(nax_context *context, const char *what, const char *path, int number) {
  return naxrt_fail(context, NAX_E_FILE, "cannot %s %.1024s: %s", what, path, strerror(number));
}

nax_status naxrt_map(nax_context *context, const char *path, naxrt_bytes *out) {
  // O_NONBLOCK: opening a pipe without a writer would wait for ever; for a regular file it has no effect.
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return cannot(context, "open", path, errno);
  struct stat info;
  nax_status status = NAX_OK;
  void *data = MAP_FAILED;
  if (fstat(descriptor, &info) != 0)
    status = cannot(context, "read", path, errno);
  else if (!S_ISREG(info.st_mode))
    status = naxrt_fail(context, NAX_E_FILE, "cannot read %.1024s: it is not a regular file", path);
  else if (info.st_size == 0)
    status = naxrt_fail(context, NAX_E_FORMAT, "%.1024s: the file is empty", path);
  else if ((data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0)) == MAP_FAILED)
    status = cannot(context, "map", path, errno);
  close(descriptor);
  if (status == NAX_OK)
    *out = (naxrt_bytes){data, info.st_size};
  return status;
}

void naxrt_unmap(naxrt_bytes bytes) { munmap((void *)bytes.data, (size_t)bytes.size); }

nax_status naxrt_file_map(nax_file *file, const char *path, naxrt_bytes *out) {
  naxrt_bytes bytes;
  nax_status status = naxrt_map(file->context, path, &bytes);
  if (status != NAX_OK)
    return status;
  naxrt_bytes *mappings =
      grow(file, file->mappings, file->mapping_count, &file->mapping_room, (int64_t)sizeof *mappings);
  if (!mappings) {
    naxrt_unmap(bytes);
    return NAX_E_MEMORY;
  }
  file->mappings = mappings;
  file->mappings[file->mapping_count++] = bytes;
  *out = bytes;
  return NAX_OK;
}

//===-- look-up ----------------------------------------------------------------------------------------------------//

static int compare_tensors(const void *x, const void *y) {
  return strcmp((*(const nax_file_tensor *const *)x)->name, (*(const nax_file_tensor *const *)y)->name);
}

static int compare_values(const void *x, const void *y) {
  return strcmp((*(const nax_file_value *const *)x)->key, (*(const nax_file_value *const *)y)->key);
}

static nax_status index_names(nax_file *file) {
  file->tensors_by_name = naxrt_file_allocate(file, file->tensor_count * (int64_t)sizeof(void *));
  file->values_by_key = naxrt_file_allocate(file, file->value_count * (int64_t)sizeof(void *));
  if (!file->tensors_by_name || !file->values_by_key)
    return NAX_E_MEMORY;
  for (int64_t i = 0; i < file->tensor_count; ++i)
    file->tensors_by_name[i] = &file->tensors[i];
  for (int64_t i = 0; i < file->value_count; ++i)
    file->values_by_key[i] = &file->values[i];
  qsort(file->tensors_by_name, (size_t)file->tensor_count, sizeof(void *), compare_tensors);
  qsort(file->values_by_key, (size_t)file->value_count, sizeof(void *), compare_values);
  for (int64_t i = 1; i < file->tensor_count; ++i)
    if (compare_tensors(&file->tensors_by_name[i - 1], &file->tensors_by_name[i]) == 0)
      return naxrt_file_bad(file, "two tensors have the name " NAME, file->tensors_by_name[i]->name);
  for (int64_t i = 1; i < file->value_count; ++i)
    if (compare_values(&file->values_by_key[i - 1], &file->values_by_key[i]) == 0)
      return naxrt_file_bad(file, "two values have the key " NAME, file->values_by_key[i]->key);
  return NAX_OK;
}

const nax_file_tensor *nax_file_find_tensor(const nax_file *file, const char *name) {
  nax_file_tensor wanted = {.name = name};
  const nax_file_tensor *key = &wanted;
  const nax_file_tensor *const *found =
      bsearch(&key, file->tensors_by_name, (size_t)file->tensor_count, sizeof key, compare_tensors);
  return found ? *found : NULL;
}

const nax_file_value *nax_file_find_value(const nax_file *file, const char *name) {
  nax_file_value wanted = {.key = name};
  const nax_file_value *key = &wanted;
  const nax_file_value *const *found =
      bsearch(&key, file->values_by_key, (size_t)file->value_count, sizeof key, compare_values);
  return found ? *found : NULL;
}

nax_file_kind nax_file_get_kind(const nax_file *file) { return file->kind; }
const char *nax_file_get_path(const nax_file *file) { return file->path; }
int64_t nax_file_tensor_count(const nax_file *file) { return file->tensor_count; }
int64_t nax_file_value_count(const nax_file *file) { return file->value_count; }

const nax_file_tensor *nax_file_tensor_at(const nax_file *file, int64_t index) {
  return index >= 0 && index < file->tensor_count ? &file->tensors[index] : NULL;
}

const nax_file_value *nax_file_value_at(const nax_file *file, int64_t index) {
  return index >= 0 && index < file->value_count ? &file->values[index] : NULL;
}

//===-- opening and closing ----------------------------------------------------------------------------------------//

static bool begins_with(naxrt_bytes bytes, const char *text, int64_t length) {
  return bytes.size >= length && memcmp(bytes.data, text, (size_t)length) == 0;
}

static nax_status read_by_kind(nax_file *file, naxrt_bytes bytes) {
  if (begins_with(bytes, "GGUF", 4)) {
    file->kind = NAX_FILE_GGUF;
    return naxrt_read_gguf(file, bytes);
  }
  if (begins_with(bytes, "\x93NUMPY", 6)) {
    file->kind = NAX_FILE_NPY;
    const char *slash = strrchr(file->path, '/');
    const char *base = slash ? slash + 1 : file->path;
    int64_t length = (int64_t)strlen(base);
    if (length > 4 && strcmp(base + length - 4, ".npy") == 0)
      length -= 4;
    const char *name = naxrt_file_text(file, base, length);
    return name ? naxrt_read_npy(file, bytes, file->path, name) : NAX_E_MEMORY;
  }
  if (begins_with(bytes, "PK\x03\x04", 4))
    return naxrt_file_bad(file, "this is a zip archive (npz, or a checkpoint of PyTorch); nax reads safetensors, GGUF "
                                "and npy");
  if (begins_with(bytes, "NAXPACK", 8))
    return naxrt_file_bad(file, "these are packed parameters, which only the model they were packed for opens");
  if (bytes.size >= 9 && bytes.data[8] == '{') {
    file->kind = NAX_FILE_SAFETENSORS;
    return naxrt_read_safetensors(file, bytes);
  }
  if (begins_with(bytes, "{", 1))
    return naxrt_file_bad(file, "this is JSON, perhaps the index of a checkpoint in several files, which is not read");
  return naxrt_file_bad(file, "this is no safetensors, GGUF or npy file, or its beginning is damaged");
}

nax_status nax_file_open(nax_context *context, const char *path, nax_file **out) {
  if (!naxrt_begin(context))
    return naxrt_fail_without_context();
  if (!path || !out)
    return naxrt_fail(context, NAX_E_NULL, "nax_file_open: %s is null", path ? "out" : "path");
  *out = NULL;
  nax_file *file = naxrt_allocate(context, (int64_t)sizeof *file, "a file");
  if (!file)
    return NAX_E_MEMORY;
  *file = (nax_file){.hooks = context->hooks, .context = context};

  struct stat info;
  nax_status status = NAX_OK;
  file->path = naxrt_file_text(file, path, (int64_t)strlen(path));
  if (!file->path) {
    status = NAX_E_MEMORY;
  } else if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
    file->kind = NAX_FILE_NPY_FOLDER;
    status = naxrt_read_npy_folder(file);
  } else {
    naxrt_bytes bytes = {NULL, 0};
    status = naxrt_file_map(file, path, &bytes);
    if (status == NAX_OK)
      status = read_by_kind(file, bytes);
  }
  if (status == NAX_OK)
    status = index_names(file);
  if (status != NAX_OK) {
    nax_file_close(file);
    return status;
  }
  file->context = NULL;
  *out = file;
  return NAX_OK;
}

void nax_file_close(nax_file *file) {
  if (!file)
    return;
  for (int64_t i = 0; i < file->mapping_count; ++i)
    naxrt_unmap(file->mappings[i]);
  for (naxrt_memory_block *block = file->memory, *next; block; block = next) {
    next = block->next;
    naxrt_release(&file->hooks, block, block->bytes + (int64_t)sizeof *block);
  }
  nax_hooks hooks = file->hooks;
  naxrt_release(&hooks, file, (int64_t)sizeof *file);
}
