// SPDX-License-Identifier: Apache-2.0
// Every typing rule, one constexpr function each: an empty text, or the sentence that the user reads.
#pragma once
#include "nax/rules/attention.h"
#include "nax/rules/contract.h"
#include "nax/rules/made.h"
#include "nax/rules/masks.h"
#include "nax/rules/numbers.h"
#include "nax/rules/shape.h"
