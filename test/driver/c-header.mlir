// The C header word for word: sizes, limits, every role of a buffer, parameters.
// RUN: rm -rf %t && mkdir %t
// RUN: naxc %s -o %t/demo.o
// RUN: FileCheck %s --input-file=%t/demo.h --match-full-lines --strict-whitespace --implicit-check-not='#include "'

//      CHECK:/* Model demo, compiled by naxc. Link its object with -lnaxrt -lm -lpthread. */
// CHECK-NEXT:#ifndef NAX_MODEL_DEMO_H
// CHECK-NEXT:#define NAX_MODEL_DEMO_H
//      CHECK:/* Sizes that the model fixes. */
// CHECK-NEXT:enum {
// CHECK-NEXT:  demo_size_C = 3
// CHECK-NEXT:};
//CHECK-EMPTY:
// CHECK-NEXT:/* The model's parameters in the layout that its code reads; never written again once opened. */
// CHECK-NEXT:typedef struct demo_params demo_params;
//CHECK-EMPTY:
// CHECK-NEXT:/* From a safetensors, GGUF or npy file, a folder of npy files, or a packed file, which is mapped. */
// CHECK-NEXT:NAX_NODISCARD nax_status demo_params_open(nax_context *context, const char *path, demo_params **out);
// CHECK-NEXT:void demo_params_close(demo_params *params);
//CHECK-EMPTY:
// CHECK-NEXT:/* Reads such a file and writes the packed one for this context's level: whole or not at all. */
// CHECK-NEXT:NAX_NODISCARD nax_status demo_params_pack(nax_context *context, const char *path_in, const char *path_out);
//CHECK-EMPTY:
// CHECK-NEXT:/* Opening a packed file reads its beginning; this all of it. NAX_E_FORMAT: it is not what was written. */
// CHECK-NEXT:NAX_NODISCARD nax_status demo_params_verify(nax_context *context, const demo_params *params);
//CHECK-EMPTY:
// CHECK-NEXT:/* train
// CHECK-NEXT:     B          size
// CHECK-NEXT:     T          size, at most the 64 positions of the learned table, its axis P
// CHECK-NEXT:     ids        in   i32 [B,T], each in [0, 7)
// CHECK-NEXT:     T_lengths  in   i32 [B], how many positions of T each row has
// CHECK-NEXT:     seed       in   i64, which random numbers are drawn
// CHECK-NEXT:     out        out  f32 [B,T,C]
// CHECK-NEXT:     total      out  f32 []
// CHECK-NEXT:   Buffers are row-major in the order of their axes. workspace: at least as many bytes as the
// CHECK-NEXT:   function below says, on a multiple of 64; or NULL with bytes 0, and the library allocates it.
// CHECK-NEXT:   It is what a call takes beyond parameters, cache and arguments:
// CHECK-NEXT:     0 bytes, whatever the sizes are
// CHECK-NEXT:   */
// CHECK-NEXT:size_t demo_train_workspace(int64_t B, int64_t T);
// CHECK-NEXT:NAX_NODISCARD nax_status demo_train(nax_context *context, const demo_params *params, int64_t B, int64_t T, const int32_t *ids /*[B,T]*/, const int32_t *T_lengths /*[B]*/, int64_t seed, float *out /*[B,T,C]*/, float *total /*[]*/, void *workspace, size_t bytes);
//CHECK-EMPTY:
// CHECK-NEXT:/* The model's own description, as nax/model_desc.h declares it. */
// CHECK-NEXT:extern const struct nax_model_desc demo_desc;
//CHECK-EMPTY:
// CHECK-NEXT:#ifdef __cplusplus
// CHECK-NEXT:}
// CHECK-NEXT:#endif
//CHECK-EMPTY:
// CHECK-NEXT:#endif

#B = #nax.axis<"B">
#T = #nax.axis<"T", positions, ragged>
#P = #nax.axis<"P", 64>
#V = #nax.axis<"V", 7>
#C = #nax.axis<"C", 3>
module attributes {nax.model = "demo", nax.format = 1 : i64} {
  func.func @train(%ids: !nax.tensor<[#B, #T], i32, ids<#V>> {nax.name = "ids"},
                   %lengths: !nax.tensor<[#B], i32> {nax.name = "T_lengths", nax.data = #T},
                   %seed: !nax.tensor<[], i64> {nax.name = "seed"})
      -> (!nax.tensor<[#B, #T, #C], f32> {nax.name = "out"}, !nax.tensor<[], f32> {nax.name = "total"})
      attributes {nax.entry} {
    %tokens = nax.param "tokens" : !nax.tensor<[#V, #C], f32>
    %positions = nax.param "positions" : !nax.tensor<[#P, #C], f32>
    %x = nax.embed %ids, %tokens from #V : (!nax.tensor<[#B, #T], i32, ids<#V>>, !nax.tensor<[#V, #C], f32>) -> !nax.tensor<[#B, #T, #C], f32>
    %y = nax.embed_positions %x, %positions data %lengths along #T : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#P, #C], f32>, !nax.tensor<[#B], i32>) -> !nax.tensor<[#B, #T, #C], f32>
    %z = nax.dropout %y, %seed p 5.0e-01 site 0 : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[], i64>) -> !nax.tensor<[#B, #T, #C], f32>
    %total = nax.sum %z data %lengths over [#B, #T, #C] : (!nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[#B], i32>) -> !nax.tensor<[], f32>
    return %z, %total : !nax.tensor<[#B, #T, #C], f32>, !nax.tensor<[], f32>
  }
}
