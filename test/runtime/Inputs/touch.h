/* For the sanitizers: reads all that an opened file promises. */
#include "nax/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double touch(nax_context *context, const nax_file *file) {
  double sum = 0;
  for (int64_t i = 0; i < nax_file_tensor_count(file); ++i) {
    const nax_file_tensor *t = nax_file_tensor_at(file, i);
    const unsigned char *data = t->data;
    for (int64_t b = 0; b < t->bytes; ++b)
      sum += data[b];
    float some[100];
    int64_t count = t->elements < 100 ? t->elements : 100;
    if (nax_file_read_f32(context, t, t->elements - count, count, some) == NAX_OK && count)
      sum += some[0] > 0;
    if (nax_file_find_tensor(file, t->name) != t)
      abort();
  }
  for (int64_t i = 0; i < nax_file_value_count(file); ++i) {
    const nax_file_value *v = nax_file_value_at(file, i);
    for (int64_t j = 0; j < v->count; ++j) {
      sum += (double)nax_file_value_integer(v, j) * 1e-300 + nax_file_value_real(v, j) * 1e-300;
      for (int64_t k = 0; v->strings && k < v->strings[j].length; ++k)
        sum += v->strings[j].text[k];
    }
    if (nax_file_find_value(file, v->key) != v)
      abort();
  }
  return sum;
}
