/* Tiles are asked of Linux where there is code for them, and it may refuse them: v4+ is then the best level. */
// REQUIRES: cpu-amx
// RUN: %cc -std=gnu11 -Wall -Wextra -Werror %s -o %t %naxrt
// RUN: %t | FileCheck %s --match-full-lines
// RUN: %t never | FileCheck %s --check-prefix=NEVER --match-full-lines
/* SPDX-License-Identifier: Apache-2.0 */
#include "nax/model_desc.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int64_t v4_bytes(const int64_t *dims) { return (void)dims, 4; }
static int64_t amx_bytes(const int64_t *dims) { return (void)dims, 6; }

static const nax_code_desc v4_code[] = {{v4_bytes, NULL}}, amx_code[] = {{amx_bytes, NULL}};
static const nax_level_desc levels[] = {{NAX_CPU_V4, 0, NULL, 0, v4_code}, {NAX_CPU_AMX, 0, NULL, 0, amx_code}};

/* What a model with so many of these levels has as its workspace, and whether this process has been given tiles. */
static void use_model(const char *label, int64_t level_count) {
  const nax_model_desc model = {.abi = NAX_ABI_VERSION, .name = "few", .level_count = level_count, .levels = levels};
  int64_t bytes = naxrt_workspace(&model, 0, NULL);
  uint64_t given = 0;
  syscall(SYS_arch_prctl, 0x1022 /* ARCH_GET_XCOMP_PERM */, &given);
  printf("%s: %d, tiles %d\n", label, (int)bytes, (int)(given >> 18 & 1));
}

static void try_level(const char *label) {
  nax_context *context = NULL;
  nax_status status = nax_context_create(NULL, &context);
  printf("%s: %s\n", label, status == NAX_OK ? "amx" : nax_last_error(context));
  nax_context_destroy(context);
}

/* From here on arch_prctl(ARCH_REQ_XCOMP_PERM) fails. */
static int refuse(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x1023, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    if (refuse())
      return 1;
    // NEVER:the level: 4, tiles 0
    use_model("the level", 2);
    return 0;
  }
  // CHECK:     no level: 4, tiles 0
  try_level("made");
  use_model("no level", 1);
  // CHECK-NEXT:the level: 6, tiles 1
  use_model("the level", 2);
  setenv("NAX_LEVEL", "amx", 1);
  // CHECK-NEXT:given: amx
  try_level("given");
  if (refuse())
    return 1;
  // CHECK-NEXT:refused: NAX_LEVEL is amx, but the best level of this processor is v4+: Linux refused tiles to this process, as it does where the stack for its signals (sigaltstack) is too small
  try_level("refused");
  return 0;
}
