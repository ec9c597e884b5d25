/* SPDX-License-Identifier: Apache-2.0 */
/* How a compiled model describes itself, and the functions of the library that its object calls. The compiler emits
   these structures as constants; every field is an int64_t or a pointer, so that no padding has to be agreed upon.
   Programs may read them (`smollm_desc`) to learn a model's axes, parameters and entries. C99 and C++. */
#ifndef NAX_MODEL_DESC_H
#define NAX_MODEL_DESC_H

#include "nax/cache.h"
#include "nax/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum nax_dtype {
  NAX_F32 = 0,
  NAX_F16 = 1,
  NAX_BF16 = 2,
  NAX_F64 = 3,
  NAX_I32 = 4,
  NAX_I64 = 5,
  NAX_BOOL = 6 /* one byte, 0 or 1 */
} nax_dtype;

typedef enum nax_role {
  NAX_INPUT = 0,
  NAX_OUTPUT = 1,
  NAX_LENGTHS = 2,   /* of the rows of a ragged axis */
  NAX_STARTS = 3,    /* of the rows of a left-padded axis */
  NAX_DOCUMENTS = 4, /* of the positions of a packed axis */
  NAX_SEED = 5,      /* the buffer points to one int64_t */
  NAX_COUNTS = 6, /* of a step: how many of T's new positions each row has, i32 [rows]; may be NULL: all of T. The body
                     gets the span in its place: i32 [rows,2], how many positions the row had and will have */
  NAX_CACHE = 7   /* memory of the cache object: no argument in C. Of a begin these are the results */
} nax_role;

typedef enum nax_entry_kind {
  NAX_WHOLE = 0, /* as the model has it: whole sequences */
  NAX_STEP = 1,  /* derived: new positions after those that a cache holds */
  NAX_BEGIN = 2  /* derived: what steps read of the inputs without positions, computed once into the cache */
} nax_entry_kind;

/* What code is compiled for. A process runs that of one level: the best that the processor has, or NAX_LEVEL's. */
typedef enum nax_cpu {
  NAX_CPU_ANY = 0,
  NAX_CPU_V2 = 2,      /* x86-64-v2: SSE4.2 */
  NAX_CPU_V3 = 3,      /* x86-64-v3: AVX2, FMA, F16C */
  NAX_CPU_V4 = 4,      /* x86-64-v4: AVX-512 F, BW, CD, DQ, VL */
  NAX_CPU_V4_PLUS = 5, /* v4 with AVX-512 VNNI and BF16 */
  NAX_CPU_AMX = 6,     /* v4+ with AMX TILE and BF16, which Linux gives to who asks for it */
  NAX_CPU_NEON = 16    /* aarch64 */
} nax_cpu;

typedef struct nax_axis_desc {
  const char *name;
  int64_t size;  /* -1: known when called */
  int64_t limit; /* the largest size a call may give it; -1: none */
  /* Ends the sentence "axis T: 2000 is more than the 1024 ..."; may be NULL. */
  const char *limit_reason;
  /* Slots of a cache for the positions of this axis: as many as its capacity; -1: an axis like any other. */
  int64_t slots_of;
  int64_t ring; /* > 0: at most that many slots, since the query at p reads nothing before p - ring + 1; else 0 */
} nax_axis_desc;

typedef struct nax_buffer_desc {
  const char *name;
  int64_t dtype; /* nax_dtype */
  int64_t rank;
  const int64_t *axes;    /* indices into the model's axes; row-major, outermost first */
  const char *text;       /* "[B,T,V]" */
  int64_t role;           /* nax_role */
  int64_t bound;          /* ids: every element is in [0, bound); documents: the most positions that one has; else -1 */
  const char *bound_name; /* the axis of ids; of documents ends "document 2 has 17 positions, more than the 16 ..." */
  int64_t data_axis; /* lengths, starts, documents, counts: the axis they belong to; ids of an axis whose size a call
                        gives: that axis; else -1 */
  int64_t cache;     /* caches: the number that the step and the begin of an entry call it by; documents of a step: the
                        cache that keeps them; else -1 */
} nax_buffer_desc;

typedef struct nax_param_desc {
  const char *name; /* "layers.3.attention.wq" */
  int64_t dtype;
  int64_t rank;
  const int64_t *axes; /* indices into the model's axes, all of fixed size */
  const char *text;
} nax_param_desc;

/* What a slot holds of a parameter: its numbers in its own dtype, or, of one that is declared f32, in a shorter form.
   q8_0 to q4_k are those of ggml: a block is B neighbours of one column in the order of K, with a scale of its own. */
typedef enum nax_stored {
  NAX_STORED_AS_DECLARED = 0,
  NAX_STORED_F16 = 1,
  NAX_STORED_BF16 = 2,
  NAX_STORED_BF16_PAIRS = 3,
  NAX_STORED_Q8_0 = 8,  /* B = 32 */
  NAX_STORED_Q4_0 = 9,  /* B = 32 */
  NAX_STORED_Q4_1 = 10, /* B = 32 */
  NAX_STORED_Q6_K = 11, /* B = 256 */
  NAX_STORED_Q4_K = 12  /* B = 256 */
} nax_stored;

/* Where the block of parameters holds one of them, and how. A parameter may have several slots. n_axes and k_axes are
   positions in the parameter's own axes and together name each once; N is row-major over n_axes, K over k_axes.
     nr == 0  row-major in the order of n_axes (k_count is 0); as declared, F16 or BF16
     nr >  0  panels; what is missing of the last one is zeros:
       as declared, F16, BF16  [ceil(N/nr)][K][nr]
       BF16_PAIRS              [ceil(N/nr)][16 ceil(K/32)][nr][2], zeros past K
       q8_0 to q4_k            [ceil(N/nr)][K/B] records of one block of each of nr columns, nr a multiple of 16. A
                               record has these fields one after another; k counts within the block:
         q8_0  f16 d[nr]; u8 q[8][nr][4]; k = 4 g + j is at q[g][n][j] and d (q - 128)
         q4_0  f16 d[nr]; u8 q[4][nr][4]; the low half of q[g][n][j] is k = 4 g + j, the high one k + 16; d (q - 8)
         q4_1  f16 d[nr]; f16 m[nr]; u8 q[4][nr][4], as in q4_0; d q + m
         q4_k  f16 d[nr]; f16 dmin[nr]; u8 scale[8][nr]; u8 least[8][nr]; u8 q[8][4][nr][4], q[s] as in q4_0, of
               k = 32 s and on; d scale[s] q - dmin least[s]
         q6_k  f16 d[nr]; i8 scale[16][nr]; u8 low[8][4][nr][4], as in q4_k; u8 high[8][2][nr][4], where bits 2 i and
               2 i + 1 of high[s][g][n][j] belong to k = 32 s + 8 i + 4 g + j; q = low | high << 4;
               d scale[k / 16] (q - 32) */
typedef struct nax_slot_desc {
  int64_t param;
  int64_t offset; /* bytes from the start of the block, a multiple of 64 */
  int64_t nr;
  int64_t stored; /* nax_stored */
  int64_t n_count;
  const int64_t *n_axes;
  int64_t k_count;
  const int64_t *k_axes;
} nax_slot_desc;

/* One line of a names table: what a kind of file calls a parameter. A `*` in `param` and `file` stands for one piece
   between dots, the same in both. An empty text is the same as NULL.
     axes     the file's axes, outermost first as numpy sees them, "H*D C"; `*` joins axes into one dimension of the
              file and "1" is a dimension of size one. NULL: the declared ones, each for itself
     pairing  "interleaved_to_halves:D" or "halves_to_interleaved:D": the file has the components of axis D in the
              first order, the parameter in the second; "...:D:32" re-orders only the first 32. NULL: as they are */
typedef struct nax_name_desc {
  const char *table;
  const char *param;
  const char *file;
  const char *axes;
  const char *pairing;
} nax_name_desc;

typedef struct nax_entry_desc {
  const char *name;
  int64_t kind;   /* nax_entry_kind */
  const char *of; /* the entry that it was derived from; NULL: as the model has it */
  int64_t step;   /* the entry whose caches it works on: of a step its own index, of a begin its step's; else -1 */
  int64_t dim_count;
  /* The axes whose sizes are known when called: slots, and in the order of the C arguments others. */
  const int64_t *dims;
  int64_t buffer_count;
  const nax_buffer_desc *buffers; /* inputs, then outputs, in the order of the C arguments */
} nax_entry_desc;

/* The code of one entry. */
typedef struct nax_code_desc {
  /* Bytes of workspace for these sizes; negative when they are more than an int64_t can say. NULL: none. */
  int64_t (*workspace)(const int64_t *dims);
  void (*body)(void *context, const void *params, const int64_t *dims, void *const *buffers, void *workspace);
} nax_code_desc;

/* What a model has once for each level of processor. */
typedef struct nax_level_desc {
  int64_t cpu; /* nax_cpu */
  int64_t slot_count;
  const nax_slot_desc *slots;
  int64_t block_bytes;       /* of the parameters */
  const nax_code_desc *code; /* of each entry */
} nax_level_desc;

typedef struct nax_model_desc {
  int64_t abi; /* NAX_ABI_VERSION of the compiler */
  const char *name;
  int64_t axis_count;
  const nax_axis_desc *axes;
  int64_t param_count;
  const nax_param_desc *params;
  int64_t name_count;
  const nax_name_desc *names;
  int64_t entry_count;
  const nax_entry_desc *entries;
  int64_t level_count;
  const nax_level_desc *levels;
} nax_model_desc;

/* A symbol named after the ABI, so that a model of another ABI fails to link. */
extern const int64_t naxrt_abi_5;

/* Checks every argument against the description, then runs the entry. `dims` and `buffers` are in the entry's order.
   `cache` is NULL for an entry that has none; what it gives (slots and caches) is written into `dims` and `buffers`
   here, whatever they held. workspace NULL with bytes 0: the library allocates it for this call. */
NAX_NODISCARD nax_status naxrt_invoke(nax_context *context, const nax_model_desc *model, int64_t entry,
                                      const nax_params *params, nax_cache *cache, int64_t *dims, void **buffers,
                                      void *workspace, size_t workspace_bytes);

/* Bytes of workspace that a call with these sizes needs, those of slots aside, which no workspace depends on; negative
   when they are more than an int64_t can say, and when the model has no code for this processor. */
int64_t naxrt_workspace(const nax_model_desc *model, int64_t entry, const int64_t *dims);

/* Makes a cache for the entry `step`, which is a step. `sizes` are those of its dims that its rows or one of its caches
   have, and of T the capacity, in the order of dims without slots: B and T, for most models. NAX_E_SIZE: a negative
   one, or more than memory can address; NAX_E_AXIS: a capacity above the positions of the model; NAX_E_MEMORY. */
NAX_NODISCARD nax_status naxrt_cache_create(nax_context *context, const nax_model_desc *model, int64_t step,
                                            const int64_t *sizes, nax_cache **out);

/* For tools and tests, which look at slots or fill unused ones: how many buffers a cache has, and the memory of number
   `index`, row-major [rows, slots, rest], or [rows, rest] when it is fixed; NULL: no such number. */
int64_t naxrt_cache_buffer_count(const nax_cache *cache);
void *naxrt_cache_buffer(nax_cache *cache, int64_t index, size_t *bytes);

/* A loop of generated code: task(closure, i) for every i in [0, rounds * count), those of a round, [r * count,
   (r + 1) * count), in any order and on any threads, but not before all of the round before it are done. */
typedef struct nax_phase {
  nax_task task;
  void *closure;
  int64_t count, rounds;
} nax_phase;

/* Runs phases one after the other; inside a loop of the same context, on the calling thread alone. */
void naxrt_parallel_phases(void *context, const nax_phase *phases, int64_t count);

/* Runs one phase of one round. */
void naxrt_parallel_for(void *context, nax_task task, void *closure, int64_t count);

/* The part of a scratch buffer that a chunk works in: a number in [0, NAXRT_SLOTS) that no other chunk of the context
   has until it is given back. The lowest that is free, so that as much memory is used as chunks run at once, and stays
   in the processor's caches. More chunks than there are slots wait for one. */
enum { NAXRT_SLOTS = 64 };
int64_t naxrt_take_slot(void *context);
void naxrt_give_slot(void *context, int64_t slot);

/* Reads a safetensors, GGUF or npy file (or a folder of NAME.npy) into the layout that the model's code expects. A file
   that naxrt_params_pack wrote is mapped as it is, so that processes share its memory; it must not be changed while it
   is open. One packed for another level of the model is laid out anew.
   NAX_E_PARAMS: the file is another model's, lacks parameters, has them in a type that the slots can't be made of, or
   was packed for other slots. NAX_E_FORMAT: damaged, or of a form that is not read. NAX_E_FILE: can't be read. */
NAX_NODISCARD nax_status naxrt_params_open(nax_context *context, const nax_model_desc *model, const char *path,
                                           nax_params **out);

/* Opens `path_in` like naxrt_params_open and writes the parameters to `path_out` as this context's level has them in
   memory: by rename, whole or not at all. NAX_E_FILE: it can't be written, or is itself read. */
NAX_NODISCARD nax_status naxrt_params_pack(nax_context *context, const nax_model_desc *model, const char *path_in,
                                           const char *path_out);

/* Opening a packed file checks its beginning and its size, and reads nothing more of it. This reads all of it:
   NAX_E_FORMAT when it is not what was written. Of other parameters nothing is checked. */
NAX_NODISCARD nax_status naxrt_params_verify(nax_context *context, const nax_params *params);

/* The same from memory: values[i] is parameter i, row-major in its declared order and dtype. */
NAX_NODISCARD nax_status naxrt_params_from_memory(nax_context *context, const nax_model_desc *model,
                                                  const void *const *values, nax_params **out);

/* The values of one parameter, row-major in its declared order, as float64: what a reference evaluation reads. */
NAX_NODISCARD nax_status naxrt_params_read(nax_context *context, const nax_params *params, int64_t param, double *out);

/* For a compiler: stored[i] becomes what a slot would have to be (nax_stored) to hold parameter i as the file does;
   NAX_STORED_AS_DECLARED for types that no slot has otherwise. Of the model its names, axes and params are read. */
NAX_NODISCARD nax_status naxrt_params_stored(nax_context *context, const nax_model_desc *model, const char *path,
                                             int64_t *stored);

/* Frees them; NULL is allowed. */
void naxrt_params_close(nax_params *params);

#ifdef __cplusplus
}
#endif

#endif
