/* Opens damaged copies of a file: mutate FILE COUNT SEED. Each copy has a few bytes, numbers or pieces changed; it must
   open or fail with a text, and whatever it then promises must be there. Prints how many opened and failed. */
#include "random.h"
#include "touch.h"
#include "toy.h"

/* Headers are at the front, so most of the damage goes there. */
static size_t place(size_t size) { return any(4) ? any(size < 400 ? size : 400) : any(size); }

static size_t damage(unsigned char *bytes, size_t size) {
  static const uint64_t numbers[] = {0,
                                     1,
                                     2,
                                     0x7f,
                                     0xff,
                                     0x7fff,
                                     0x7fffffff,
                                     0xffffffff,
                                     0x100000000,
                                     UINT64_C(1) << 60,
                                     UINT64_C(1) << 62,
                                     INT64_MAX,
                                     UINT64_C(1) << 63,
                                     UINT64_MAX};
  static const char text[] = "0123456789-{}[]\":,.\\eu'() ";
  for (uint64_t n = 1 + any(3); n-- > 0 && size > 16;) {
    size_t at = place(size - 8);
    uint64_t number = any(2) ? numbers[any(sizeof numbers / sizeof *numbers)] : any(size + 2);
    switch (any(7)) {
    case 0:
      bytes[at] ^= (unsigned char)(1u << any(8));
      break;
    case 1:
      bytes[at] = (unsigned char)any(256);
      break;
    case 2:
      memcpy(bytes + at, &number, 4);
      break;
    case 3:
      memcpy(bytes + at, &number, 8);
      break;
    case 4:
      bytes[at] = (unsigned char)text[any(sizeof text - 1)];
      break;
    case 5:
      memmove(bytes + at, bytes + at + 1, size - at - 1), --size;
      break;
    case 6:
      size = any(3) ? size : any(size);
      break;
    }
  }
  return size;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  FILE *file = fopen(argv[1], "rb");
  static unsigned char good[1 << 16], bad[1 << 16];
  size_t size = file ? fread(good, 1, sizeof good, file) : 0;
  if (file)
    fclose(file);
  char path[4096];
  snprintf(path, sizeof path, "%s.mutated", argv[1]);
  nax_context *context;
  if (!size || nax_context_create(NULL, &context) != NAX_OK)
    return 2;
  state = strtoull(argv[3], NULL, 10);
  long opened = 0, failed = 0, loaded = 0;
  for (long n = strtol(argv[2], NULL, 10); n-- > 0;) {
    memcpy(bad, good, size);
    size_t length = damage(bad, size);
    file = fopen(path, "wb");
    if (!file || fwrite(bad, 1, length, file) != length || fclose(file) != 0)
      return 2;
    nax_file *reader;
    nax_params *params;
    if (nax_file_open(context, path, &reader) == NAX_OK) {
      ++opened;
      touch(context, reader);
      nax_file_close(reader);
    } else if (++failed, !*nax_last_error(context)) {
      printf("a failure without a text\n");
    }
    if (naxrt_params_open(context, &toy, path, &params) == NAX_OK) {
      ++loaded;
      double values[15];
      if (naxrt_params_read(context, params, 0, values) != NAX_OK)
        printf("parameters can not be read back\n");
      naxrt_params_close(params);
    }
  }
  remove(path);
  printf("%s opened, %s failed, %s loaded\n", opened > 100 ? "many" : "few", failed > 100 ? "many" : "few",
         loaded > 100 ? "many" : "few");
  nax_context_destroy(context);
}
