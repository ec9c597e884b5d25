// SPDX-License-Identifier: Apache-2.0
// The precompiled header needs a target that owns it; this is its only file.
namespace nax {
extern const int pch_owner;
const int pch_owner = 0;
} // namespace nax
