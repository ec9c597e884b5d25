/* The headers of libnaxtext are C99 and C++, each stands for itself; the library exports only names that begin with
   nax, ends no program and keeps no state.
   REQUIRES: lowering
   UNSUPPORTED: asan
   RUN: echo '#include "nax/text.h"' > %t.0.c
   RUN: %cc -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only %t.0.c
   RUN: %cc -std=c++17 -x c++ -Wall -Wextra -Wpedantic -Werror -fsyntax-only %t.0.c
   RUN: echo '#include "nax/chat.h"' > %t.1.c
   RUN: %cc -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only %t.1.c
   RUN: %cc -std=c++17 -x c++ -Wall -Wextra -Wpedantic -Werror -fsyntax-only %t.1.c
   RUN: echo '#include "nax/sample.h"' > %t.2.c
   RUN: %cc -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only %t.2.c
   RUN: %cc -std=c++17 -x c++ -Wall -Wextra -Wpedantic -Werror -fsyntax-only %t.2.c
   RUN: echo '#include "nax/wordpiece.h"' > %t.3.c
   RUN: %cc -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only %t.3.c
   RUN: %cc -std=c++17 -x c++ -Wall -Wextra -Wpedantic -Werror -fsyntax-only %t.3.c
   RUN: cc -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror -I %src/runtime/include %s \
   RUN:   %build/lib/libnaxtext.a -o %t %naxrt && %t

   RUN: nm -g --defined-only %build/lib/libnaxtext.a | FileCheck %s --check-prefix=EXPORTS
   EXPORTS-NOT: {{ [A-Z] ([^n]|n[^a]|na[^x])}}
   EXPORTS:     T nax_sampler_next
   EXPORTS-NOT: {{ [A-Z] ([^n]|n[^a]|na[^x])}}
   RUN: nm -u %build/lib/libnaxtext.a | FileCheck %s --check-prefix=NEEDS
   NEEDS-NOT: {{ (_Z|__cxa|__gxx|_Unwind|abort|_?exit|__assert|malloc|free|realloc|exp|log|pow)$}}
   RUN: nm --defined-only %build/lib/libnaxtext.a | not grep ' [BbDCGgSsVv] '
*/
#include "nax/chat.h"
#include "nax/sample.h"
#include "nax/text.h"
#include "nax/wordpiece.h"

int main(void) {
  nax_context *context = NULL;
  nax_sampler *sampler = NULL;
  nax_sampler_options options = nax_sampler_defaults();
  const float logits[2] = {1.0f, 2.0f};
  int32_t id = 0;
  if (nax_context_create(NULL, &context) != NAX_OK || nax_sampler_open(context, 2, &options, &sampler) != NAX_OK ||
      nax_sampler_next(context, sampler, logits, 2, &id) != NAX_OK)
    return 1;
  nax_sampler_close(sampler);
  nax_context_destroy(context);
  return id != 1;
}
