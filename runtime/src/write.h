/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are written whole or not at all: beside their place, then renamed. */
#ifndef NAXRT_WRITE_H
#define NAXRT_WRITE_H

#include "internal.h"

#include <stdio.h>

typedef struct naxrt_writer {
  nax_context *context;
  const char *path;
  FILE *file;
  int failure; /* the first errno; 0: all is well */
  char temporary[4096];
} naxrt_writer;

/* Each open is followed by a close, which says what went wrong on the way, and then leaves nothing behind. */
void naxrt_write_open(naxrt_writer *writer, nax_context *context, const char *path);
void naxrt_write(naxrt_writer *writer, const void *data, int64_t bytes);
nax_status naxrt_write_close(naxrt_writer *writer);

#endif
