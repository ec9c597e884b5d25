/* Tiles are asked of Linux, which may refuse them: v4+ is then the best level. */
// REQUIRES: cpu-amx
// RUN: %cc -std=gnu11 -Wall -Wextra -Werror %s -o %t %naxrt
// RUN: env NAX_LEVEL=amx %t | FileCheck %s --match-full-lines
/* SPDX-License-Identifier: Apache-2.0 */
#include "nax/runtime.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

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

int main(void) {
  // CHECK:     given: amx
  try_level("given");
  if (refuse())
    return 1;
  // CHECK-NEXT:refused: NAX_LEVEL is amx, but the best level of this processor is v4+
  try_level("refused");
  return 0;
}
