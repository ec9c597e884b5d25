/* Prints what files hold, or why they can not be read: one line each, without the folder. With --deep, also reads
   every tensor that can be read and every value. */
#include "touch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_tensor(const nax_file_tensor *t) {
  printf("  %s %s [", t->name, t->dtype_name);
  for (int64_t i = 0; i < t->rank; ++i)
    printf("%s%lld", i ? "," : "", (long long)t->sizes[i]);
  printf("] %lld bytes\n", (long long)t->bytes);
}

static void print_item(const nax_file_value *v, int64_t i) {
  if (v->item_type == NAX_VALUE_STRING)
    printf(" \"%.*s\"", (int)v->strings[i].length, v->strings[i].text);
  else if (v->item_type == NAX_VALUE_REAL)
    printf(" %g", nax_file_value_real(v, i));
  else
    printf(" %lld", (long long)nax_file_value_integer(v, i));
}

static void print_value(const nax_file_value *v) {
  static const char *const types[] = {"integer", "real", "bool", "string", "array"};
  printf("  %s: %s", v->key, types[v->type]);
  if (v->type == NAX_VALUE_ARRAY)
    printf(" of %lld %s", (long long)v->count, types[v->item_type]);
  for (int64_t i = 0; i < v->count; ++i)
    print_item(v, i);
  printf("\n");
}

int main(int argc, char **argv) {
  static const char *const kinds[] = {"safetensors", "GGUF", "npy", "npy folder"};
  nax_context *context;
  if (nax_context_create(NULL, &context) != NAX_OK)
    return 1;
  int deep = argc > 1 && strcmp(argv[1], "--deep") == 0;
  for (int i = 1 + deep; i < argc; ++i) {
    nax_file *file;
    nax_status status = nax_file_open(context, argv[i], &file);
    const char *slash = strrchr(argv[i], '/');
    if (status != NAX_OK) {
      const char *text = nax_last_error(context), *place = strstr(text, argv[i]);
      size_t before = place && slash ? (size_t)(place - text) : 0;
      printf("%s %.*s%s\n", nax_status_name(status), (int)before, text,
             place && slash ? place + (slash + 1 - argv[i]) : text);
      continue;
    }
    printf("%s: %s\n", slash ? slash + 1 : argv[i], kinds[nax_file_get_kind(file)]);
    if (deep && touch(context, file) < -1e300)
      printf("impossible\n");
    for (int64_t t = 0; !deep && t < nax_file_tensor_count(file); ++t)
      print_tensor(nax_file_tensor_at(file, t));
    for (int64_t v = 0; !deep && v < nax_file_value_count(file); ++v)
      print_value(nax_file_value_at(file, v));
    nax_file_close(file);
  }
  nax_context_destroy(context);
}
