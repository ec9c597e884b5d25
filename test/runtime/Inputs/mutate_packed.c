/* Opens damaged copies of the packed parameters of `toy`: mutate_packed FILE COUNT SEED, FILE any file of them. A copy
   is cut, or has numbers of its head changed; mostly the head's checksum is then made right again, as somebody would who
   means harm. It must open or fail with a text, and what opens must be there. Prints how many opened and failed. */
#include "../../../runtime/src/hash.h"
#include "random.h"
#include "toy.h"

#include <stdlib.h>

enum { HEAD = 136, PAGE = 4096 };

static size_t damage(unsigned char *bytes, size_t size) {
  static const uint64_t numbers[] = {0, 1, 64, PAGE, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX - PAGE + 1};
  for (uint64_t n = any(3); n-- > 0;) {
    uint64_t number = any(2) ? numbers[any(sizeof numbers / sizeof *numbers)] : any(2 * size);
    memcpy(bytes + 8 * any(HEAD / 8), &number, 8);
  }
  if (any(4) == 0)
    bytes[any(size)] ^= (unsigned char)(1u << any(8));
  if (any(8)) {
    uint64_t sum = naxrt_hash(bytes, HEAD - 8, 0);
    memcpy(bytes + HEAD - 8, &sum, 8);
  }
  return any(4) ? size : any(2) ? any(size + 1) : size + any(64);
}

int main(int argc, char **argv) {
  nax_context *context;
  char packed[4096];
  static unsigned char good[3 * PAGE], bad[3 * PAGE];
  if (argc != 4 || nax_context_create(NULL, &context) != NAX_OK)
    return 2;
  snprintf(packed, sizeof packed, "%s.packed", argv[1]);
  if (naxrt_params_pack(context, &toy, argv[1], packed) != NAX_OK)
    return 2;
  FILE *file = fopen(packed, "rb");
  size_t size = file ? fread(good, 1, sizeof good - 64, file) : 0;
  if (!file || fclose(file) != 0 || size <= PAGE)
    return 2;
  state = strtoull(argv[3], NULL, 10);
  long opened = 0, failed = 0, verified = 0;
  for (long n = strtol(argv[2], NULL, 10); n-- > 0;) {
    memcpy(bad, good, sizeof bad);
    size_t length = damage(bad, size);
    file = fopen(packed, "wb");
    if (!file || fwrite(bad, 1, length, file) != length || fclose(file) != 0)
      return 2;
    nax_params *params;
    double values[15];
    if (naxrt_params_open(context, &toy, packed, &params) != NAX_OK) {
      ++failed;
      if (params || !*nax_last_error(context))
        printf("a failure with parameters, or without a text\n");
      continue;
    }
    ++opened;
    if (naxrt_params_read(context, params, 0, values) != NAX_OK)
      printf("parameters can not be read back\n");
    verified += naxrt_params_verify(context, params) == NAX_OK;
    naxrt_params_close(params);
  }
  remove(packed);
  printf("%s opened, %s of them verified, %s failed\n", opened > 100 ? "many" : "few",
         verified > 100 && verified < opened ? "not all" : "all", failed > 100 ? "many" : "few");
  nax_context_destroy(context);
}
