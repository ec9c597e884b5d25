/* SPDX-License-Identifier: Apache-2.0 */
/* llama.cpp and ggml as peers of `./nax bench`, rows of test/bench/cpu/worker.h; linked with what llama.sh builds.
     gemm M N K f32|bf16              ggml_mul_mat
     gemv K F LAYERS                  a vector through LAYERS pairs of matrices
     attention T H HKV D fa|fa16      causal, ggml_flash_attn_ext with f32 or f16 keys and values
     decode S H HKV D COPIES fa|fa16  one query behind S - 1 keys, in each of COPIES caches in turn
     prefill FILE T fa|nofa|mapped    T tokens, the logits of the last; weights in plain memory, where llama.cpp re-packs
                                      them, or mapped, and then by flash attention
     step FILE POSITIONS fa|nofa      one token behind POSITIONS others */
#include "../../bench/cpu/worker.h"

#include <ggml-cpu.h>
#include <ggml.h>
#include <llama.h>
#include <math.h>

static struct ggml_context *graph_context;
static struct ggml_cgraph **graphs;
static struct ggml_cplan *plans;
static struct ggml_threadpool *pool;
static struct ggml_tensor **results, *result; /* of each graph, and of the one computed last */
static int graph_count, turn;
static struct llama_model *model;
static struct llama_context *session;
static int32_t *ids, tokens, behind, vocabulary;

static void about(void) { printf("llama.cpp and ggml of %s, %s\n", NAX_BENCH_VERSION, llama_print_system_info()); }

static void say_nothing(enum ggml_log_level level, const char *text, void *user) {
  (void)user;
  if (level >= GGML_LOG_LEVEL_ERROR)
    fputs(text, stderr);
}

static bool go_on(float progress, void *user) {
  (void)progress, (void)user;
  return true; /* by itself it prints dots */
}

//===-- ggml -------------------------------------------------------------------------------------------------------//

/* A tensor of drawn numbers whose dimension 0 varies slowest where `transposed`: ggml has weights [N][K], and the other
   programs draw them as [K][N]. */
static struct ggml_tensor *drawn(enum ggml_type type, uint32_t number, const int64_t *sizes, bool transposed,
                                 float scale) {
  struct ggml_tensor *t = ggml_new_tensor_4d(graph_context, type, sizes[0], sizes[1], sizes[2], 1);
  int64_t rows = sizes[1] * sizes[2];
  float *row = malloc((size_t)sizes[0] * sizeof *row);
  for (int64_t j = 0; j < rows; ++j) {
    for (int64_t i = 0; i < sizes[0]; ++i)
      row[i] = draw(number, (uint64_t)(transposed ? i * rows + j : j * sizes[0] + i)) * scale;
    void *to = (char *)t->data + (size_t)j * ggml_row_size(type, sizes[0]);
    if (type == GGML_TYPE_F32)
      memcpy(to, row, (size_t)sizes[0] * sizeof *row);
    else if (type == GGML_TYPE_BF16)
      ggml_fp32_to_bf16_row(row, to, sizes[0]);
    else
      ggml_fp32_to_fp16_row(row, to, sizes[0]);
  }
  free(row);
  return t;
}

/* [T,H,D] as the others draw it, seen as ggml wants it: D, T, H. */
static struct ggml_tensor *heads(enum ggml_type type, uint32_t number, int64_t d, int64_t h, int64_t t) {
  struct ggml_tensor *as_drawn = drawn(type, number, (int64_t[]){d, h, t}, false, 1);
  struct ggml_tensor *made = ggml_cont(graph_context, ggml_permute(graph_context, as_drawn, 0, 2, 1, 3));
  struct ggml_cgraph *graph = ggml_new_graph(graph_context);
  ggml_build_forward_expand(graph, made);
  ggml_graph_compute_with_ctx(graph_context, graph, 1);
  made->op = GGML_OP_NONE; /* a plain tensor from here on */
  made->src[0] = NULL;
  return made;
}

static void begin_graphs(size_t bytes, int count) {
  graph_context = ggml_init((struct ggml_init_params){.mem_size = bytes + ((size_t)64 << 20)});
  graphs = calloc((size_t)count, sizeof *graphs);
  plans = calloc((size_t)count, sizeof *plans);
  results = calloc((size_t)count, sizeof(struct ggml_tensor *));
  struct ggml_threadpool_params options = ggml_threadpool_params_default((int)threads);
  pool = ggml_threadpool_new(&options);
  graph_count = 0;
  turn = 0;
}

static void add_graph(struct ggml_tensor *out) {
  struct ggml_cgraph *graph = ggml_new_graph(graph_context);
  ggml_build_forward_expand(graph, out);
  struct ggml_cplan plan = ggml_graph_plan(graph, (int)threads, pool);
  plan.work_data = malloc(plan.work_size + 64);
  graphs[graph_count] = graph;
  results[graph_count] = out;
  plans[graph_count++] = plan;
}

static void open_gemm(int64_t m, int64_t n, int64_t k, bool is_bf16) {
  begin_graphs((size_t)(n * k + m * k + 2 * m * n) * sizeof(float), 1);
  struct ggml_tensor *w =
      drawn(is_bf16 ? GGML_TYPE_BF16 : GGML_TYPE_F32, 1, (int64_t[]){k, n, 1}, true, sqrtf(12.0f / (float)k));
  add_graph(ggml_mul_mat(graph_context, w, drawn(GGML_TYPE_F32, 2, (int64_t[]){k, m, 1}, false, 1)));
}

static void open_gemv(int64_t k, int64_t f, int64_t layers) {
  begin_graphs((size_t)(2 * layers * k * f) * sizeof(float), 1);
  struct ggml_tensor *x = drawn(GGML_TYPE_F32, 2, (int64_t[]){k, 1, 1}, false, 1);
  for (int64_t i = 0; i < layers; ++i) {
    struct ggml_tensor *up = drawn(GGML_TYPE_F32, 1, (int64_t[]){k, f, 1}, true, sqrtf(12.0f / (float)k));
    struct ggml_tensor *down = drawn(GGML_TYPE_F32, 1, (int64_t[]){f, k, 1}, true, sqrtf(12.0f / (float)f));
    x = ggml_mul_mat(graph_context, down, ggml_mul_mat(graph_context, up, x));
  }
  add_graph(x);
}

/* `t` queries at the end of `s` keys, in `copies` caches. */
static void open_attention(int64_t t, int64_t s, int64_t h, int64_t kv, int64_t d, int copies, bool is_f16) {
  size_t numbers = (size_t)(4 * t * h * d + 6 * copies * s * kv * d) + (size_t)(t * s);
  begin_graphs(numbers * sizeof(float) + ((size_t)copies << 20), copies);
  struct ggml_tensor *mask = ggml_new_tensor_2d(graph_context, GGML_TYPE_F16, s, t);
  for (int64_t i = 0; i < t; ++i)
    for (int64_t j = 0; j < s; ++j)
      ((ggml_fp16_t *)mask->data)[i * s + j] = ggml_fp32_to_fp16(j <= i + s - t ? 0 : -INFINITY);
  struct ggml_tensor *q = heads(GGML_TYPE_F32, 2, d, h, t);
  enum ggml_type type = is_f16 ? GGML_TYPE_F16 : GGML_TYPE_F32;
  for (int i = 0; i < copies; ++i) {
    struct ggml_tensor *out = ggml_flash_attn_ext(graph_context, q, heads(type, 3, d, kv, s), heads(type, 4, d, kv, s),
                                                  mask, 1 / sqrtf((float)d), 0, 0);
    add_graph(out);
  }
}

//===-- llama.cpp --------------------------------------------------------------------------------------------------//

static const char *decode(int32_t count) {
  return llama_decode(session, llama_batch_get_one(ids, count)) ? "llama_decode failed" : NULL;
}

static void draw_ids(int32_t from, int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    ids[i] = (int32_t)((int64_t)(from + i) * 7919 % vocabulary);
}

static const char *open_model(const char *file, const char *way) {
  struct llama_model_params options = llama_model_default_params();
  options.load_mode = strcmp(way, "mapped") == 0 ? LLAMA_LOAD_MODE_MMAP : LLAMA_LOAD_MODE_NONE;
  options.progress_callback = go_on;
  llama_log_set(say_nothing, NULL);
  llama_backend_init();
  model = llama_model_load_from_file(file, options);
  if (!model)
    return "llama.cpp can not read the file";
  struct llama_context_params wanted = llama_context_default_params();
  wanted.n_ctx = (uint32_t)(behind + tokens + 256);
  wanted.n_batch = wanted.n_ubatch = 512;
  wanted.n_threads = wanted.n_threads_batch = (int32_t)threads;
  wanted.flash_attn_type = strcmp(way, "nofa") == 0 ? LLAMA_FLASH_ATTN_TYPE_DISABLED : LLAMA_FLASH_ATTN_TYPE_ENABLED;
  session = llama_init_from_model(model, wanted);
  if (!session)
    return "llama.cpp can not make a context";
  vocabulary = llama_vocab_n_tokens(llama_model_get_vocab(model));
  ids = calloc(512, sizeof *ids);
  if (behind > 512 || tokens > 512)
    return "more than 512 tokens at once";
  draw_ids(0, behind);
  const char *reason = behind ? decode(behind) : NULL;
  draw_ids(behind, tokens);
  return reason;
}

//===-- rows -------------------------------------------------------------------------------------------------------//

static const char *open_row(int count, char **words, double *work) {
  (void)work;
  const char *kind = count ? words[0] : "", *last = count ? words[count - 1] : "";
  int64_t sizes[MOST_WORDS];
  for (int i = 0; i < count; ++i)
    sizes[i] = atoll(words[i]);
  ggml_cpu_init();
  if (strcmp(kind, "gemm") == 0 && count == 5) {
    open_gemm(sizes[1], sizes[2], sizes[3], strcmp(last, "bf16") == 0);
  } else if (strcmp(kind, "gemv") == 0 && count == 4) {
    open_gemv(sizes[1], sizes[2], sizes[3]);
  } else if (strcmp(kind, "attention") == 0 && count == 6) {
    open_attention(sizes[1], sizes[1], sizes[2], sizes[3], sizes[4], 1, strcmp(last, "fa16") == 0);
  } else if (strcmp(kind, "decode") == 0 && count == 7) {
    open_attention(1, sizes[1], sizes[2], sizes[3], sizes[4], (int)sizes[5], strcmp(last, "fa16") == 0);
  } else if (strcmp(kind, "prefill") == 0 && count == 4) {
    behind = 0;
    tokens = (int32_t)sizes[2];
    return open_model(words[1], last);
  } else if (strcmp(kind, "step") == 0 && count == 4) {
    behind = (int32_t)sizes[2];
    tokens = 1;
    return open_model(words[1], last);
  } else {
    return "not a row of llama.cpp";
  }
  return NULL;
}

static void call_row(void) {
  if (session) {
    llama_memory_seq_rm(llama_get_memory(session), 0, behind, -1);
    if (decode(tokens))
      exit(1);
    llama_synchronize(session);
    return;
  }
  int i = turn++ % graph_count;
  ggml_graph_compute(graphs[i], &plans[i]);
  result = results[i];
}

static void check_row(double *sum, double *absolute) {
  if (session)
    sum_up(llama_get_logits_ith(session, -1), (size_t)vocabulary, sum, absolute);
  else
    sum_up(result->data, (size_t)ggml_nelements(result), sum, absolute);
}

static void close_row(void) {
  for (int i = 0; i < graph_count; ++i)
    free(plans[i].work_data);
  if (pool)
    ggml_threadpool_free(pool);
  if (graph_context)
    ggml_free(graph_context);
  if (session)
    llama_free(session);
  if (model)
    llama_model_free(model);
  free(graphs);
  free(plans);
  free(results);
  free(ids);
  graph_context = NULL, pool = NULL, session = NULL, model = NULL, graphs = NULL, plans = NULL, results = NULL,
  ids = NULL;
  graph_count = 0;
}
