/* Attention on NVIDIA devices (sm_80 and later): a plain C interface, without LibTorch. The library
   libgpe_kernels.so is loaded when a device is there (device_kernels.h).

   Pointers are to memory of the device, unless said otherwise; calls return before the work is done, which
   goes to the given stream. A call returns NULL, or what is wrong, in words that stay valid. */
// Tests: tests/cuda/device_library_test.cpp, tests/cuda/rows_kernel_test.cpp
#ifndef GPE_KERNELS_H
#define GPE_KERNELS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPE_KERNELS_VERSION 3

typedef enum gpe_element { GPE_BFLOAT16 = 0, GPE_FLOAT16 = 1, GPE_FLOAT32 = 2 } gpe_element;

/** [batch][head][token][coordinate]: strides in elements, multiples of 8, as data of 16 bytes; coordinates
   lie side by side. */
typedef struct gpe_tensor {
  void* data;
  int64_t batch, head, token;
} gpe_tensor;

/** Keys stand at positions 0 … keys - 1, queries at the last `queries` of them. */
typedef struct gpe_shape {
  int32_t batch, heads;
  int32_t group; /**< heads of q for each head of k and v */
  int32_t queries, keys;
  int32_t head_dim; /**< a multiple of 8, at most 128 */
} gpe_shape;

/** How contents c = q'W(n)k/√d become scores A = gain(n)·cap(c) + bias(n). Tables are by distance
    n = 0 … length - 1, length >= keys, one for each head, or one for all (table_heads 1). */
typedef struct gpe_score_tables {
  const float* gain;    /**< [table_heads][length], times log2 e */
  const float* bias;    /**< [table_heads][length], times log2 e */
  const float* cosine;  /**< [table_heads][head_dim/2][length], where every pair is turned by its own angle:
                           scale·cos; else NULL, and q and k are turned before (gpe_turn), or never */
  const float* sine;    /**< scale·sin */
  const int32_t* first; /**< [table_heads]: the least distance seen */
  const int32_t*
      last; /**< [table_heads]: the largest; tiles beyond it are not visited. A certified window goes here */
  const float* softcap; /**< [table_heads]; NULL: none */
  const float* sink;    /**< [table_heads], times log2 e; NULL: none */
  int32_t length, table_heads;
  float scale;         /**< 1/√d; 0: without content */
  int32_t interleaved; /**< blocks are coordinates 2j, 2j + 1; else j, j + d/2 */
  const int32_t*
      series_terms; /**< [table_heads][series_tiles][ceil(head_dim/16)], of turn_series.h: tiles of rotations
                       on tensor cores, for elements of 16 bits and head_dim <= 64. NULL: without */
  const float* series; /**< [table_heads][series_tiles][head_dim/2][3] */
  int32_t series_tiles;
  float swap_sign; /**< -1 for rotations, +1 for hyperbolic blocks */
} gpe_score_tables;

/** The keys [begin, end) that a query may see at all, by [batch][query]; NULL: all. */
typedef struct gpe_visible {
  const int32_t *begin, *end;
} gpe_visible;

/** float32, by [batch][head][query]; what is NULL is not wanted. In nats and tokens, as RowStatistics in
    model/attention/statistics.h. */
typedef struct gpe_row_results {
  float *log_normalizer, *entropy, *varentropy, *mean_distance, *largest_weight, *largest_score,
      *largest_content, *sink_weight;
} gpe_row_results;

/** Sums of weights by class of distances [edge b, edge b + 1), the last without an end. count 0: not wanted.
 */
typedef struct gpe_buckets {
  const int32_t* edges; /**< ascending, the first is 0 */
  int32_t count;        /**< at most 32 */
  float* mass;          /**< [batch][head][ceil(queries/64)][count]: sums over the 64 queries of a tile */
} gpe_buckets;

typedef struct gpe_rows_problem {
  gpe_shape shape;
  gpe_tensor q, k, v, out; /**< out.data NULL: the output is not wanted, and v not read */
  gpe_score_tables scores;
  gpe_visible visible;
  gpe_row_results rows;
  gpe_buckets buckets;
} gpe_rows_problem;

/** What the loss reads of a row, by [batch][head][query], float32; NULL where it does not. */
typedef struct gpe_loss_gradients {
  const float *log_normalizer, *entropy;
} gpe_loss_gradients;

typedef struct gpe_gradient_problem {
  gpe_shape shape;                               /**< group 1, queries = keys */
  gpe_tensor q, k, v, out, out_gradient;         /**< out_gradient.data NULL: the loss reads rows alone */
  gpe_tensor q_gradient, k_gradient, v_gradient; /**< written */
  gpe_score_tables scores;
  const float* log_normalizer; /**< what forward left */
  const float* entropy;        /**< what forward left, where row_gradients.entropy is given */
  gpe_loss_gradients row_gradients;
  float* workspace;    /**< gpe_gradient_workspace floats */
  double *gain, *bias; /**< [table_heads][length]: ∂loss/∂gain(n), ∂loss/∂bias(n); NULL: not wanted */
  double* transform;   /**< [table_heads][cosine, sine][head_dim/2][length]: ∂loss/∂cosine_j(n),
                        ∂loss/∂sine_j(n), with   scores.cosine alone; NULL: not wanted */
} gpe_gradient_problem;

/** Rows of logits side by side, of elements of one type. */
typedef struct gpe_cross_entropy_problem {
  void* logits;           /**< [rows][vocabulary]; become scale·∂loss/∂logits, unless scale is 0 */
  const int64_t* targets; /**< [rows] */
  float* losses;          /**< [rows]: -log softmax(logits)[target], in nats */
  int64_t rows, vocabulary;
  float scale;
} gpe_cross_entropy_problem;

int32_t gpe_kernels_version(void);
/** How many devices can run the kernels; 0 without a driver. */
int32_t gpe_device_count(void);
const char* gpe_attention_rows(const gpe_rows_problem* problem, gpe_element element, void* stream);
/** Of the pairs of each of problem->buckets: count, mean content, Σ squared differences from it, mean score,
   Σ squared differences, minus the least content, the largest one; content before a soft cap. Parts to be
    merged, of 16 queries each; a count is exact up to 2^20 keys. Neither v, rows nor the buckets' mass are
    read or written, and series not used.
    @param moments  float32, [batch][head][ceil(queries/64)][4][count][GPE_MOMENTS] */
#define GPE_MOMENTS 7
const char* gpe_attention_moments(const gpe_rows_problem* problem, float* moments, gpe_element element,
                                  void* stream);
/** By exact distance n = 0 … length - 1, of the pairs of all queries: the sum of weights, how many, the sum
   of contents and of their squares; content before a soft cap. A second pass: rows.log_normalizer is read, as
    gpe_attention_rows left it, and v and all other results are neither read nor written.
    @param workspace  gpe_distances_workspace floats
    @param sums       float64, [batch][head][GPE_DISTANCE_SUMS][length] */
#define GPE_DISTANCE_SUMS 4
int64_t gpe_distances_workspace(const gpe_rows_problem* problem);
const char* gpe_attention_distances(const gpe_rows_problem* problem, float* workspace, double* sums,
                                    gpe_element element, void* stream);
int64_t gpe_gradient_workspace(const gpe_gradient_problem* problem);
const char* gpe_attention_gradients(const gpe_gradient_problem* problem, gpe_element element, void* stream);
const char* gpe_cross_entropy(const gpe_cross_entropy_problem* problem, gpe_element element, void* stream);
/** Turns every block j of token t by angles[j]·(first + t) radians, in place; backwards with sign -1. Angles:
    [head_dim/2]. */
const char* gpe_turn(const gpe_shape* shape, const gpe_tensor* tokens, int32_t heads, int32_t count,
                     int32_t first, const double* angles, int32_t interleaved, int32_t sign,
                     gpe_element element, void* stream);

/* Memory of the device, for callers without CUDA's own headers. */
const char* gpe_allocate(void** to, int64_t bytes);
const char* gpe_release(void* memory);
const char* gpe_copy_in(void* to, const void* from, int64_t bytes);
const char* gpe_copy_out(void* to, const void* from, int64_t bytes); /**< waits for all work before */

#ifdef __cplusplus
}
#endif
#endif
