/* The headers are C99 and C++, each stands for itself, and a program links with any C compiler. A status that nobody
   reads is a warning.
   REQUIRES: lowering
   UNSUPPORTED: asan
   RUN: %cc -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror %s -o %t %naxrt && %t
   RUN: cc -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror -I %src/runtime/include %s -o %t %naxrt && %t
   RUN: cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I %src/runtime/include %s -o %t %naxrt && %t
   RUN: %cc -std=c++17 -x c++ -Wall -Wextra -Wpedantic -Werror %s -fsyntax-only
   RUN: %gxx -x c++ -Wall -Wextra -Wpedantic -Werror -I %src/runtime/include %s -fsyntax-only

   RUN: echo '#include "nax/runtime.h"' > %t.1.c && %cc -std=c99 -Werror -fsyntax-only %t.1.c
   RUN: echo '#include "nax/model_desc.h"' > %t.2.c && %cc -std=c99 -Werror -fsyntax-only %t.2.c
   RUN: echo '#include "nax/files.h"' > %t.3.c && %cc -std=c99 -Werror -fsyntax-only %t.3.c

   RUN: echo '#include "nax/cache.h"' > %t.4.c && %cc -std=c99 -Werror -fsyntax-only %t.4.c

   RUN: %cc -std=c99 -DIGNORE %s -fsyntax-only 2>&1 | FileCheck %s
   CHECK: warning: ignoring return value of function declared with 'warn_unused_result' attribute
*/
#include "nax/cache.h"
#include "nax/files.h"
#include "nax/model_desc.h"
#include "nax/runtime.h"

int main(void) {
  nax_context *context;
#ifdef IGNORE
  nax_context_create(NULL, &context);
#endif
  if (nax_context_create(NULL, &context) != NAX_OK)
    return 1;
  nax_context_destroy(context);
  return naxrt_abi_5 != NAX_ABI_VERSION;
}
