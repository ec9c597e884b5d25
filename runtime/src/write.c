/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are written whole or not at all. */
#define _GNU_SOURCE
#include "write.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { noPlainFile = -1 }; /* of `failure`, which else is an errno */

static void note(naxrt_writer *writer, bool fine) {
  if (!fine && !writer->failure)
    writer->failure = errno ? errno : EIO;
}

void naxrt_write_open(naxrt_writer *writer, nax_context *context, const char *path) {
  *writer = (naxrt_writer){.context = context, .path = path};
  // A context serves one thread, so that no other writes to a file of this name.
  int length = snprintf(writer->temporary, sizeof writer->temporary, "%s.%ld-%llx.tmp", path, (long)getpid(),
                        (unsigned long long)(uintptr_t)context);
  if (length < 0 || (size_t)length >= sizeof writer->temporary) {
    writer->failure = ENAMETOOLONG;
    return;
  }
  // A device or a pipe that a file took the place of would be gone.
  struct stat there;
  if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
    writer->failure = noPlainFile;
    return;
  }
  errno = 0;
  writer->file = fopen(writer->temporary, "wbe");
  note(writer, writer->file != NULL);
}

void naxrt_write(naxrt_writer *writer, const void *data, int64_t bytes) {
  if (writer->failure || bytes == 0)
    return;
  errno = 0;
  note(writer, fwrite(data, 1, (size_t)bytes, writer->file) == (size_t)bytes);
}

nax_status naxrt_write_close(naxrt_writer *writer) {
  errno = 0;
  if (writer->file) {
    // A full disk may show only here.
    note(writer, fclose(writer->file) == 0);
    if (!writer->failure)
      note(writer, rename(writer->temporary, writer->path) == 0);
    if (writer->failure)
      unlink(writer->temporary);
  }
  if (!writer->failure)
    return NAX_OK;
  return naxrt_fail(writer->context, NAX_E_FILE, "cannot write %.1024s: %s", writer->path,
                    writer->failure == noPlainFile ? "it is no plain file" : strerror(writer->failure));
}
