/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the name, the axes and the extents of every value of the model, then the weights of one row. */
#include "heads.h"

#include <nax/model_desc.h>
#include <stdio.h>

enum { B = 2, T = 4, C = heads_size_C, H = heads_size_H, D = heads_size_D };

/* Axes and extents of one argument or result, as the object itself describes them. */
static void print_shape(const nax_buffer_desc *value) {
  printf("%-8s %-15s ", value->name, value->text);
  for (int64_t i = 0; i < value->rank; ++i) {
    const nax_axis_desc *axis = &heads_desc.axes[value->axes[i]];
    int64_t size = axis->size >= 0 ? axis->size : axis->name[0] == 'B' ? B : T;
    printf("%s%d", i ? " x " : "", (int)size);
  }
  printf("\n");
}

int main(int argc, char **argv) {
  static float x[B][T][C], q[B][H][T][D], k[B][H][T][D], v[B][H][T][D], weights[B][H][T][T], mixed[B][T][H][D], out[B][T][C];
  for (int b = 0; b < B; ++b)
    for (int t = 0; t < T; ++t)
      for (int c = 0; c < C; ++c)
        x[b][t][c] = c == t + b ? 2 : 0; /* a token is told from another by where its one entry is */

  nax_context *context = NULL;
  heads_params *params = NULL;
  nax_status status = argc == 2 ? nax_context_create(NULL, &context) : NAX_E_NULL;
  if (argc != 2)
    fprintf(stderr, "usage: 03-heads heads.safetensors\n");
  else if (status || (status = heads_params_open(context, argv[1], &params)) ||
           (status = heads_forward(context, params, B, T, x[0][0], q[0][0][0], k[0][0][0], v[0][0][0], weights[0][0][0],
                                   mixed[0][0][0], out[0][0], NULL, 0)))
    fprintf(stderr, "%s\n", nax_last_error(context));

  if (!status) {
    const nax_entry_desc *forward = &heads_desc.entries[0];
    for (int64_t i = 0; i < forward->buffer_count; ++i)
      print_shape(&forward->buffers[i]);
    for (int h = 0; h < H; ++h) {
      printf("\nweights of row 0, head %d: each t down, what it reads across\n", h);
      for (int t = 0; t < T; ++t) {
        for (int s = 0; s < T; ++s)
          printf(" %.4f", weights[0][h][t][s]);
        printf("\n");
      }
    }
  }
  heads_params_close(params);
  nax_context_destroy(context);
  return status != NAX_OK;
}
