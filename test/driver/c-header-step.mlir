// The C header of a step word for word: its cache, its begin; T is one axis, slots and caches are no arguments.
// RUN: rm -rf %t && mkdir %t
// RUN: naxc %s -o %t/talk.o
// RUN: FileCheck %s --input-file=%t/talk.h --match-full-lines --strict-whitespace
// RUN: clang -fsyntax-only -Wall -Wextra -pedantic -Werror -std=c99 -x c %t/talk.h
// RUN: echo '#include "talk.hpp"' > %t/talk.cc
// RUN: clang -fsyntax-only -Wall -Wextra -pedantic -Werror -std=c++20 %t/talk.cc
// RUN: llvm-nm --extern-only --defined-only --format=just-symbols %t/talk.o | FileCheck %s --check-prefix=SHOWN --match-full-lines

//      CHECK:/* Sizes that the model fixes. */
// CHECK-NEXT:enum {
// CHECK-NEXT:  talk_size_C = 3
// CHECK-NEXT:};
//CHECK-EMPTY:
// CHECK-NEXT:/* The model's parameters in the layout that its code reads; never written again once opened. */
// CHECK-NEXT:typedef struct talk_params talk_params;
//CHECK-EMPTY:
// CHECK-NEXT:/* From a safetensors, GGUF or npy file, a folder of npy files, or a packed file, which is mapped. */
// CHECK-NEXT:NAX_NODISCARD nax_status talk_params_open(nax_context *context, const char *path, talk_params **out);
// CHECK-NEXT:void talk_params_close(talk_params *params);
//CHECK-EMPTY:
// CHECK-NEXT:/* Reads such a file and writes the packed one for this context's level: whole or not at all. */
// CHECK-NEXT:NAX_NODISCARD nax_status talk_params_pack(nax_context *context, const char *path_in, const char *path_out);
//CHECK-EMPTY:
// CHECK-NEXT:/* Opening a packed file reads its beginning; this all of it. NAX_E_FORMAT: it is not what was written. */
// CHECK-NEXT:NAX_NODISCARD nax_status talk_params_verify(nax_context *context, const talk_params *params);
//CHECK-EMPTY:
// CHECK-NEXT:/* The cache of forward: what forward_step keeps of the positions it has seen, a number of its own for each row.
// CHECK-NEXT:   One thread at a time may use it, in any context. A call that fails has changed nothing of it. */
// CHECK-NEXT:typedef struct talk_forward_cache talk_forward_cache;
//CHECK-EMPTY:
// CHECK-NEXT:/* Without positions, and with room for T of them in each row. */
// CHECK-NEXT:NAX_NODISCARD nax_status talk_forward_cache_create(nax_context *context, int64_t B, int64_t T, int64_t P, talk_forward_cache **out);
// CHECK-NEXT:/* NULL is allowed. */
// CHECK-NEXT:void talk_forward_cache_destroy(talk_forward_cache *cache);
// CHECK-NEXT:int64_t talk_forward_cache_rows(const talk_forward_cache *cache);
// CHECK-NEXT:int64_t talk_forward_cache_capacity(const talk_forward_cache *cache);
// CHECK-NEXT:size_t talk_forward_cache_bytes(const talk_forward_cache *cache);
// CHECK-NEXT:/* How many positions the row has; -1: there is no such row. */
// CHECK-NEXT:int64_t talk_forward_cache_length(const talk_forward_cache *cache, int64_t row);
// CHECK-NEXT:/* The row has no positions any more. */
// CHECK-NEXT:NAX_NODISCARD nax_status talk_forward_cache_reset(nax_context *context, talk_forward_cache *cache, int64_t row);
// CHECK-NEXT:/* Takes back the row's last positions, so that it has `length` of them. Where a window made the cache a ring, and more
// CHECK-NEXT:   positions went through it than it has slots, only the last one can be taken back, or all. */
// CHECK-NEXT:NAX_NODISCARD nax_status talk_forward_cache_truncate(nax_context *context, talk_forward_cache *cache, int64_t row, int64_t length);
// CHECK-NEXT:/* Row to_row of `to` becomes what row from_row of `from` is. They may be one cache; capacities may differ. */
// CHECK-NEXT:NAX_NODISCARD nax_status talk_forward_cache_copy(nax_context *context, talk_forward_cache *to, int64_t to_row, const talk_forward_cache *from, int64_t from_row);
// CHECK-NEXT:/* The row as a file, for this model with these parameters: written and read whole or not at all. */
// CHECK-NEXT:NAX_NODISCARD nax_status talk_forward_cache_save(nax_context *context, const talk_forward_cache *cache, int64_t row, const char *path);
// CHECK-NEXT:NAX_NODISCARD nax_status talk_forward_cache_restore(nax_context *context, talk_forward_cache *cache, int64_t row, const char *path);
//CHECK-EMPTY:
// CHECK-NEXT:/* forward
// CHECK-NEXT:     B         size
// CHECK-NEXT:     T         size, at most the 64 positions of the learned table, its axis L
// CHECK-NEXT:     P         size
// CHECK-NEXT:     ids       in   i32 [B,T], each in [0, 7)
// CHECK-NEXT:     pictures  in   f32 [B,P,C]
// CHECK-NEXT:     out       out  f32 [B,T,C]
// CHECK-NEXT:   Buffers are row-major in the order of their axes. workspace: at least as many bytes as the
// CHECK-NEXT:   function below says, on a multiple of 64; or NULL with bytes 0, and the library allocates it.
// CHECK-NEXT:   It is what a call takes beyond parameters, cache and arguments:
// CHECK-NEXT:     0 bytes, whatever the sizes are
// CHECK-NEXT:   */
// CHECK-NEXT:size_t talk_forward_workspace(int64_t B, int64_t T, int64_t P);
// CHECK-NEXT:NAX_NODISCARD nax_status talk_forward(nax_context *context, const talk_params *params, int64_t B, int64_t T, int64_t P, const int32_t *ids /*[B,T]*/, const float *pictures /*[B,P,C]*/, float *out /*[B,T,C]*/, void *workspace, size_t bytes);
//CHECK-EMPTY:
// CHECK-NEXT:/* forward_begin: what steps of forward read besides their own arguments, computed into the cache.
// CHECK-NEXT:   All its rows begin anew, without positions.
// CHECK-NEXT:     B         size
// CHECK-NEXT:     P         size
// CHECK-NEXT:     pictures  in   f32 [B,P,C]
// CHECK-NEXT:   Buffers are row-major in the order of their axes. workspace: at least as many bytes as the
// CHECK-NEXT:   function below says, on a multiple of 64; or NULL with bytes 0, and the library allocates it.
// CHECK-NEXT:   It is what a call takes beyond parameters, cache and arguments:
// CHECK-NEXT:     0 bytes, whatever the sizes are
// CHECK-NEXT:   */
// CHECK-NEXT:size_t talk_forward_begin_workspace(int64_t B, int64_t P);
// CHECK-NEXT:NAX_NODISCARD nax_status talk_forward_begin(nax_context *context, const talk_params *params, talk_forward_cache *cache, int64_t B, int64_t P, const float *pictures /*[B,P,C]*/, void *workspace, size_t bytes);
//CHECK-EMPTY:
// CHECK-NEXT:/* forward_step: forward at new positions of T, which follow those that the cache holds of each row.
// CHECK-NEXT:   Then it holds these, too; NAX_E_FULL: a row has no room for them. What stands behind a row's new
// CHECK-NEXT:   positions is ignored, but ids have to be in their range; in results it is unspecified.
// CHECK-NEXT:     B          size
// CHECK-NEXT:     T          size, at most the 64 positions of the learned table, its axis L
// CHECK-NEXT:     P          size
// CHECK-NEXT:     ids        in   i32 [B,T], each in [0, 7)
// CHECK-NEXT:     T_lengths  in   i32 [B], how many new positions of T each row has; NULL: all
// CHECK-NEXT:     out        out  f32 [B,T,C]
// CHECK-NEXT:   Buffers are row-major in the order of their axes. workspace: at least as many bytes as the
// CHECK-NEXT:   function below says, on a multiple of 64; or NULL with bytes 0, and the library allocates it.
// CHECK-NEXT:   It is what a call takes beyond parameters, cache and arguments:
// CHECK-NEXT:     0 bytes, whatever the sizes are
// CHECK-NEXT:   */
// CHECK-NEXT:size_t talk_forward_step_workspace(int64_t B, int64_t T, int64_t P);
// CHECK-NEXT:NAX_NODISCARD nax_status talk_forward_step(nax_context *context, const talk_params *params, talk_forward_cache *cache, int64_t B, int64_t T, int64_t P, const int32_t *ids /*[B,T]*/, const int32_t *T_lengths /*[B]*/, float *out /*[B,T,C]*/, void *workspace, size_t bytes);
//CHECK-EMPTY:
// CHECK-NEXT:/* The model's own description, as nax/model_desc.h declares it. */
// CHECK-NEXT:extern const struct nax_model_desc talk_desc;

//      SHOWN:talk_desc
// SHOWN-NEXT:talk_forward
// SHOWN-NEXT:talk_forward_begin
// SHOWN-NEXT:talk_forward_begin_workspace
// SHOWN-NEXT:talk_forward_cache_bytes
// SHOWN-NEXT:talk_forward_cache_capacity
// SHOWN-NEXT:talk_forward_cache_copy
// SHOWN-NEXT:talk_forward_cache_create
// SHOWN-NEXT:talk_forward_cache_destroy
// SHOWN-NEXT:talk_forward_cache_length
// SHOWN-NEXT:talk_forward_cache_reset
// SHOWN-NEXT:talk_forward_cache_restore
// SHOWN-NEXT:talk_forward_cache_rows
// SHOWN-NEXT:talk_forward_cache_save
// SHOWN-NEXT:talk_forward_cache_truncate
// SHOWN-NEXT:talk_forward_step
// SHOWN-NEXT:talk_forward_step_workspace
// SHOWN-NEXT:talk_forward_workspace
// SHOWN-NEXT:talk_params_close
// SHOWN-NEXT:talk_params_open
// SHOWN-NEXT:talk_params_pack
// SHOWN-NEXT:talk_params_verify
//  SHOWN-NOT:{{.}}

#B = #nax.axis<"B">
#T = #nax.axis<"T", causal>
#N = #nax.axis<"T", causal, continued>
#span = #nax.axis<"T.span", 2>
#slots = #nax.axis<"T.cache">
#ring = #nax.axis<"T.ring16">
#P = #nax.axis<"P">
#L = #nax.axis<"L", 64>
#V = #nax.axis<"V", 7>
#C = #nax.axis<"C", 3>
module attributes {nax.model = "talk", nax.format = 1 : i64} {
  func.func @forward(%ids: !nax.tensor<[#B, #T], i32, ids<#V>> {nax.name = "ids"},
                     %pictures: !nax.tensor<[#B, #P, #C], f32> {nax.name = "pictures"})
      -> (!nax.tensor<[#B, #T, #C], f32> {nax.name = "out"}) attributes {nax.entry, nax.decode} {
    %tokens = nax.param "tokens" : !nax.tensor<[#V, #C], f32>
    %positions = nax.param "positions" : !nax.tensor<[#L, #C], f32>
    %x = nax.embed %ids, %tokens from #V : (!nax.tensor<[#B, #T], i32, ids<#V>>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
    %y = nax.embed_positions %x, %positions along #T : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#L, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
    return %y : !nax.tensor<[#B, #T, #C], f32>
  }
  func.func @forward_begin(%pictures: !nax.tensor<[#B, #P, #C], f32> {nax.name = "pictures"})
      -> (!nax.tensor<[#B, #P, #C], f32> {nax.name = "cache.2", nax.cache = {index = 2, fixed}}) attributes {nax.entry, nax.begin = "forward"} {
    %x = nax.neg %pictures : !nax.tensor<[#B, #P, #C], f32>
    return %x : !nax.tensor<[#B, #P, #C], f32>
  }
  func.func @forward_step(%ids: !nax.tensor<[#B, #N], i32, ids<#V>> {nax.name = "ids"},
                          %span: !nax.tensor<[#B, #span], i32> {nax.name = "T_lengths", nax.span = #N},
                          %keys: !nax.tensor<[#B, #slots, #C], f32> {nax.name = "cache.0", nax.cache = {index = 0}},
                          %values: !nax.tensor<[#B, #ring, #C], f32> {nax.name = "cache.1", nax.cache = {index = 1, ring = 16}},
                          %seen: !nax.tensor<[#B, #P, #C], f32> {nax.name = "cache.2", nax.cache = {index = 2, fixed}})
      -> (!nax.tensor<[#B, #N, #C], f32> {nax.name = "out"}) attributes {nax.entry, nax.step = "forward"} {
    %tokens = nax.param "tokens" : !nax.tensor<[#V, #C], f32>
    %x = nax.embed %ids, %tokens from #V : (!nax.tensor<[#B, #N], i32, ids<#V>>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#B, #N, #C], f32>
    return %x : !nax.tensor<[#B, #N, #C], f32>
  }
}
