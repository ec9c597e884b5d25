// SPDX-License-Identifier: Apache-2.0
// The language: axes, tensors, operations, models. dsl/README.md is its manual. Models include the one header that a
// build makes of this one and all below it (single_header.cmake).
#pragma once
#pragma GCC system_header
#include "nax/compiler.h"
#include "nax/axis.h"
#include "nax/element.h"
#include "nax/check.h"
#include "nax/tensor.h"
#include "nax/result.h"
#include "nax/ops/contract.h"
#include "nax/ops/attention.h"
#include "nax/ops/masks.h"
#include "nax/ops/rope.h"
#include "nax/ops/norm.h"
#include "nax/ops/reduce.h"
#include "nax/ops/arith.h"
#include "nax/ops/activation.h"
#include "nax/ops/shape.h"
#include "nax/ops/embed.h"
#include "nax/ops/loss.h"
#include "nax/ops/misnamed.h"
#include "nax/ops/misapplied.h"
#include "nax/model.h"

// A result thrown away is an error in what includes this.
#if defined(__clang__)
#pragma clang diagnostic error "-Wunused-value"
#pragma clang diagnostic error "-Wunused-result"
#else
#pragma GCC diagnostic error "-Wunused-result"
#endif
