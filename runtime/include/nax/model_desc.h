/* SPDX-License-Identifier: Apache-2.0 */
/* How a compiled model describes itself, and the functions of the library that its object calls. The compiler emits
   these structures as constants; every field is an int64_t or a pointer, so that no padding has to be agreed upon.
   Programs may read them (`smollm_desc`) to learn a model's axes, parameters and entries. C99 and C++. */
#ifndef NAX_MODEL_DESC_H
#define NAX_MODEL_DESC_H

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
  NAX_SEED = 5       /* the buffer points to one int64_t */
} nax_role;

typedef struct nax_axis_desc {
  const char *name;
  int64_t size;  /* -1: known when called */
  int64_t limit; /* the largest size a call may give it; -1: none */
  /* Ends the sentence "axis T: 2000 is more than the 1024 ..."; may be NULL. */
  const char *limit_reason;
} nax_axis_desc;

typedef struct nax_buffer_desc {
  const char *name;
  int64_t dtype; /* nax_dtype */
  int64_t rank;
  const int64_t *axes; /* indices into the model's axes; row-major, outermost first */
  const char *text;    /* "[B,T,V]" */
  int64_t role;        /* nax_role */
  int64_t bound;       /* ids: every element is in [0, bound); else -1 */
  const char *bound_name;
  int64_t data_axis; /* lengths, starts, documents: the axis they belong to; ids of an axis whose size a call gives: that
                        axis; else -1 */
} nax_buffer_desc;

typedef struct nax_param_desc {
  const char *name; /* "layers.3.attention.wq" */
  int64_t dtype;
  int64_t rank;
  const int64_t *axes; /* indices into the model's axes, all of fixed size */
  const char *text;
} nax_param_desc;

/* Where the block of parameters holds one of them, and how. A parameter may have several slots. Elements have the
   parameter's dtype. n_axes and k_axes are positions in the parameter's own axes and together name each once.
     nr == 0  row-major in the order of n_axes (k_count is 0)
     nr >  0  panels [ceil(N/nr)][K][nr]: N row-major over n_axes, K row-major over k_axes, padded with zeros */
typedef struct nax_slot_desc {
  int64_t param;
  int64_t offset; /* bytes from the start of the block, a multiple of 64 */
  int64_t nr;
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
  int64_t dim_count;
  const int64_t *dims; /* the axes whose sizes a call gives, in the order of the C arguments */
  int64_t buffer_count;
  const nax_buffer_desc *buffers; /* inputs, then outputs, in the order of the C arguments */
  /* Bytes of workspace for these sizes; negative when they are more than an int64_t can say. */
  int64_t (*workspace)(const int64_t *dims);
  void (*body)(void *context, const void *params, const int64_t *dims, void *const *buffers, void *workspace);
} nax_entry_desc;

typedef struct nax_model_desc {
  int64_t abi; /* NAX_ABI_VERSION of the compiler */
  const char *name;
  int64_t axis_count;
  const nax_axis_desc *axes;
  int64_t param_count;
  const nax_param_desc *params;
  int64_t slot_count;
  const nax_slot_desc *slots;
  int64_t block_bytes;
  int64_t name_count;
  const nax_name_desc *names;
  int64_t entry_count;
  const nax_entry_desc *entries;
  int64_t cpu_level; /* 0: any; 2, 3, 4: the x86-64 level that the code needs */
} nax_model_desc;

/* A symbol named after the ABI, so that a model of another ABI fails to link. */
extern const int64_t naxrt_abi_1;

/* Checks every argument against the description, then runs the entry. `dims` and `buffers` are in the entry's order.
   workspace NULL with bytes 0: the library allocates it for this call. */
NAX_NODISCARD nax_status naxrt_invoke(nax_context *context, const nax_model_desc *model, int64_t entry,
                                      const nax_params *params, const int64_t *dims, void *const *buffers,
                                      void *workspace, size_t workspace_bytes);

/* Runs a loop of generated code; inside another loop of the same context it runs on the calling thread alone. */
void naxrt_parallel_for(void *context, nax_task task, void *closure, int64_t count);

/* Reads a safetensors, GGUF or npy file (or a folder of NAME.npy) into the layout that the model's code expects. */
NAX_NODISCARD nax_status naxrt_params_open(nax_context *context, const nax_model_desc *model, const char *path,
                                           nax_params **out);

/* The same from memory: values[i] is parameter i, row-major in its declared order and dtype. */
NAX_NODISCARD nax_status naxrt_params_from_memory(nax_context *context, const nax_model_desc *model,
                                                  const void *const *values, nax_params **out);

/* The values of one parameter, row-major in its declared order, as float64: what a reference evaluation reads. */
NAX_NODISCARD nax_status naxrt_params_read(nax_context *context, const nax_params *params, int64_t param, double *out);

/* Frees them; NULL is allowed. */
void naxrt_params_close(nax_params *params);

#ifdef __cplusplus
}
#endif

#endif
