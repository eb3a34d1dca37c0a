// The loops of kernel.h over vectors of GPE_VECTOR_BYTES bytes, in the namespace GPE_KERNELS_OF. Included
// once by each file that is compiled for an instruction set; calls nothing that another file could be
// compiled with. Tests: tests/model/attention/attention_test.cpp
#include "model/attention/attention_kernel.h"
#include "model/attention/attention_kernel_product.h"

namespace gpe::model::GPE_KERNELS_OF {
namespace {

constexpr int kTurnedRows = GPE_VECTOR_BYTES == 64 ? 4 : 2;

template <class Real>
void turned_scores(const TileRows<Real>& tile, Int blocks, const Real* q, Int q_row, const Real* k, Int k_row,
                   Real* s, Int s_row) {
  constexpr int R = kTurnedRows;
  for (Int i = 0; i < tile.rows; i += R) {
    for (Int col = 0; col < tile.cols; col += kLanes<Real>) {
      V<Real> sum[R] = {};
      for (Int j = 0; j < blocks; ++j) {
        const V<Real> k1 = load(k + j * k_row + col);
        const V<Real> k2 = load(k + (blocks + j) * k_row + col);
        for (int r = 0; r < R; ++r) {
          const Real q1 = q[(i + r) * q_row + j];
          const Real q2 = q[(i + r) * q_row + blocks + j];
          const V<Real> cosine = load(tile.cosine[i + r] + j * tile.block_stride + col);
          const V<Real> sine = load(tile.sine[i + r] + j * tile.block_stride + col);
          sum[r] += cosine * (q1 * k1 + q2 * k2) + sine * (q1 * k2 + (tile.swap_sign * q2) * k1);
        }
      }
      for (int r = 0; r < R; ++r) store(s + (i + r) * s_row + col, sum[r]);
    }
  }
}

template <class Real>
void turned_gradients(const TileRows<Real>& tile, Int blocks, const Real* q, Int q_row, const Real* k,
                      Int k_row, const Real* g, Int g_row, Real* dq, Int dq_row, Real* dk, Int dk_row,
                      const TileAdjoints<Real>& adjoints) {
  constexpr int R = kTurnedRows;
  const bool learned = adjoints.cosine[0] != nullptr;
  for (Int i = 0; i < tile.rows; i += R) {
    for (Int j = 0; j < blocks; ++j) {
      V<Real> dq1[R] = {};
      V<Real> dq2[R] = {};
      for (Int col = 0; col < tile.cols; col += kLanes<Real>) {
        const V<Real> k1 = load(k + j * k_row + col);
        const V<Real> k2 = load(k + (blocks + j) * k_row + col);
        V<Real> dk1 = load(dk + j * dk_row + col);
        V<Real> dk2 = load(dk + (blocks + j) * dk_row + col);
        for (int r = 0; r < R; ++r) {
          const Real q1 = q[(i + r) * q_row + j];
          const Real q2 = q[(i + r) * q_row + blocks + j];
          const Int at = j * tile.block_stride + col;
          const V<Real> gradient = load(g + (i + r) * g_row + col);
          const V<Real> cosine = gradient * load(tile.cosine[i + r] + at);
          const V<Real> sine = gradient * load(tile.sine[i + r] + at);
          dq1[r] += cosine * k1 + sine * k2;
          dq2[r] += cosine * k2 + (sine * tile.swap_sign) * k1;
          dk1 += cosine * q1 + sine * (tile.swap_sign * q2);
          dk2 += cosine * q2 + sine * q1;
          if (learned) {
            Real* to_cosine = adjoints.cosine[i + r] + at;
            Real* to_sine = adjoints.sine[i + r] + at;
            store(to_cosine, load(to_cosine) + gradient * (q1 * k1 + q2 * k2));
            store(to_sine, load(to_sine) + gradient * (q1 * k2 + (tile.swap_sign * q2) * k1));
          }
        }
        store(dk + j * dk_row + col, dk1);
        store(dk + (blocks + j) * dk_row + col, dk2);
      }
      for (int r = 0; r < R; ++r) {
        dq[(i + r) * dq_row + j] += total<Real>(dq1[r]);
        dq[(i + r) * dq_row + blocks + j] += total<Real>(dq2[r]);
      }
    }
  }
}

// tanh(content/cap)
template <class Real>
inline __attribute__((always_inline)) V<Real> saturation(const V<Real>& content, Real cap) {
  V<Real> twice = content * (Real(2) / cap);
  twice = twice > Real(80) ? splat(Real(80)) : twice;
  return Real(1) - Real(2) / (exponential(twice) + Real(1));
}

// A = gain·cap(content) + bias of row i.
template <class Real>
inline __attribute__((always_inline)) V<Real> score_of(const TileRows<Real>& tile, Int i, Int col,
                                                       V<Real> content) {
  if (tile.softcap != 0) content = tile.softcap * saturation<Real>(content, tile.softcap);
  if (tile.gain[i] != nullptr) content *= load(tile.gain[i] + col);
  if (tile.bias[i] != nullptr) content += load(tile.bias[i] + col);
  return content;
}

// For lanes from `col` on: whether the key is one of [begin, end).
template <class Real>
inline __attribute__((always_inline)) typename Lanes<Real>::Integers inside(Int col, Int begin, Int end) {
  using Integer = typename Lanes<Real>::Integer;
  const auto key = lane_numbers<Real>() + static_cast<Integer>(col);
  return (key >= static_cast<Integer>(begin)) & (key < static_cast<Integer>(end));
}

template <class Real>
void weights(const TileRows<Real>& tile, Real* s, Int s_row, Real* max, Real* sum, Real* moment,
             Real* factor) {
  constexpr Real lowest = -__builtin_huge_val();
  for (Int i = 0; i < tile.rows; ++i) {
    Real* row = s + i * s_row;
    V<Real> high = splat(lowest);
    for (Int col = 0; col < tile.cols; col += kLanes<Real>) {
      V<Real> a = score_of(tile, i, col, load(row + col));
      a = inside<Real>(col, tile.begin[i], tile.end[i]) ? a : splat(lowest);
      high = a > high ? a : high;
      store(row + col, a);
    }
    const Real seen = largest<Real>(high);
    const Real before = max[i];
    const Real now = seen > before ? seen : before;
    const Real base = now == lowest ? Real(0) : now;
    const Real shift = before == lowest ? Real(0) : before - base;
    factor[i] = before == lowest ? Real(0) : exponential(splat(shift))[0];
    V<Real> mass{};
    V<Real> first{};
    for (Int col = 0; col < tile.cols; col += kLanes<Real>) {
      const V<Real> x = load(row + col) - base;
      const V<Real> weight = exponential(x);
      mass += weight;
      if (moment != nullptr) first += weight == V<Real>{} ? V<Real>{} : weight * x;
      store(row + col, weight);
    }
    if (moment != nullptr) moment[i] = factor[i] * (moment[i] + shift * sum[i]) + total<Real>(first);
    sum[i] = sum[i] * factor[i] + total<Real>(mass);
    max[i] = now;
  }
}

// The part [begin, end) of row i, whose keys are of one class, if any: w, and what is summed up with it.
template <class Real, bool kBuckets, bool kMasked>
inline __attribute__((always_inline)) void observe_part(const Real* content, const Real* score, Int begin,
                                                        Int end, Int distance, Real base, Int i,
                                                        TileSums<Real>& sums, double* mass_of_class,
                                                        BucketTotals* totals) {
  const V<Real> ramp = __builtin_convertvector(lane_numbers<Real>(), V<Real>);
  V<Real> mass{}, first{}, second{}, far{};
  V<Real> contents{}, content_squares{}, scores{}, score_squares{};
  V<Real> low = splat(Real(__builtin_huge_val()));
  V<Real> high = splat(Real(-__builtin_huge_val()));
  Real content_near = 0;
  Real score_near = 0;
  if constexpr (kBuckets) {
    if (totals->count == 0) {
      totals->content_near = static_cast<double>(content[begin]);
      totals->score_near = static_cast<double>(score[begin]);
      totals->least_content = __builtin_huge_val();
      totals->largest_content = -__builtin_huge_val();
    }
    content_near = static_cast<Real>(totals->content_near);
    score_near = static_cast<Real>(totals->score_near);
  }
  for (Int col = begin / kLanes<Real> * kLanes<Real>; col < end; col += kLanes<Real>) {
    const V<Real> a = load(score + col);
    V<Real> x = a - base;
    x = x < Real(-100) ? splat(Real(-100)) : x;  // its weight is 0: not 0 times infinity
    V<Real> w = exponential(x);
    const auto of_part = inside<Real>(col, begin, end);
    if constexpr (kMasked) w = of_part ? w : V<Real>{};
    const V<Real> wx = w * x;
    mass += w;
    first += wx;
    second += wx * x;
    far += w * (static_cast<Real>(distance - col) - ramp);
    if constexpr (kBuckets) {
      const V<Real> c = load(content + col);
      V<Real> dc = c - content_near;
      V<Real> ds = a - score_near;
      if constexpr (kMasked) {
        dc = of_part ? dc : V<Real>{};
        ds = of_part ? ds : V<Real>{};
        low = (c < low) & of_part ? c : low;
        high = (c > high) & of_part ? c : high;
      } else {
        low = c < low ? c : low;
        high = c > high ? c : high;
      }
      contents += dc;
      content_squares += dc * dc;
      scores += ds;
      score_squares += ds * ds;
    }
  }
  const auto part_mass = static_cast<double>(total<Real>(mass));
  sums.mass[i] += part_mass;
  sums.first[i] += static_cast<double>(total<Real>(first));
  sums.second[i] += static_cast<double>(total<Real>(second));
  sums.distance[i] += static_cast<double>(total<Real>(far));
  if constexpr (kBuckets) {
    *mass_of_class += part_mass;
    totals->count += static_cast<double>(end - begin);
    totals->content += static_cast<double>(total<Real>(contents));
    totals->content_squares += static_cast<double>(total<Real>(content_squares));
    totals->score += static_cast<double>(total<Real>(scores));
    totals->score_squares += static_cast<double>(total<Real>(score_squares));
    const auto least = -static_cast<double>(largest<Real>(-low));
    const auto most = static_cast<double>(largest<Real>(high));
    if (least < totals->least_content) totals->least_content = least;
    if (most > totals->largest_content) totals->largest_content = most;
  }
}

// Scores of row i, from its contents.
template <class Real, bool kMasked>
inline __attribute__((always_inline)) void observe_scores(const TileRows<Real>& tile, Int i,
                                                          const Real* content, Real* score, V<Real>& high,
                                                          V<Real>& size) {
  constexpr Real lowest = -__builtin_huge_val();
  const Int begin = kMasked ? tile.begin[i] : 0;
  const Int end = kMasked ? tile.end[i] : tile.cols;
  for (Int col = begin / kLanes<Real> * kLanes<Real>; col < end; col += kLanes<Real>) {
    const V<Real> c = load(content + col);
    V<Real> a = score_of(tile, i, col, c);
    V<Real> of_content = c < Real(0) ? -c : c;
    if constexpr (kMasked) {
      const auto seen = inside<Real>(col, begin, end);
      a = seen ? a : splat(lowest);
      of_content = seen ? of_content : V<Real>{};
    }
    high = a > high ? a : high;
    size = of_content > size ? of_content : size;
    store(score + col, a);
  }
}

template <class Real>
void observe(const TileRows<Real>& tile, const Real* s, Real* scores, Int s_row, const Int* distance,
             TileSums<Real>& sums, TileBuckets<Real>& buckets) {
  constexpr Real lowest = -__builtin_huge_val();
  for (Int i = 0; i < tile.rows; ++i) {
    const Int begin = tile.begin[i];
    const Int end = tile.end[i];
    if (begin >= end) continue;
    const Real* content = s + i * s_row;
    Real* score = scores + i * s_row;
    V<Real> high = splat(lowest);
    V<Real> size{};
    if (begin == 0 && end == tile.cols) {
      observe_scores<Real, false>(tile, i, content, score, high, size);
    } else {
      observe_scores<Real, true>(tile, i, content, score, high, size);
    }
    const Real of_tile = largest<Real>(high);
    const Real content_size = largest<Real>(size);
    if (content_size > sums.content[i]) sums.content[i] = content_size;
    if (of_tile > sums.max[i]) {
      if (sums.max[i] != lowest) {  // Σ w (A - new) = Σ w (A - old) + (old - new) Σ w, and so on
        const double shift = static_cast<double>(sums.max[i]) - static_cast<double>(of_tile);
        const double factor = exponential(splat(shift))[0];
        sums.second[i] = factor * (sums.second[i] + 2 * shift * sums.first[i] + shift * shift * sums.mass[i]);
        sums.first[i] = factor * (sums.first[i] + shift * sums.mass[i]);
        sums.mass[i] *= factor;
        sums.distance[i] *= factor;
        if (buckets.edges != nullptr) {
          double* mass = buckets.mass + i * buckets.count;
          for (Int b = buckets.at[i]; b < buckets.count; ++b) mass[b] *= factor;
        }
      }
      sums.max[i] = of_tile;
    }
    const Real base = sums.max[i];
    if (buckets.edges == nullptr) {  // scores that are not seen have weight 0
      observe_part<Real, false, false>(content, score, begin, end, distance[i], base, i, sums, nullptr,
                                       nullptr);
      continue;
    }
    for (Int from = begin; from < end;) {
      Int& at = buckets.at[i];
      while (buckets.edges[at] > distance[i] - from) --at;
      const Int last = distance[i] - buckets.edges[at] + 1;
      const Int to = last < end ? last : end;
      double* mass = buckets.mass + i * buckets.count + at;
      if (from % kLanes<Real> == 0 && to % kLanes<Real> == 0) {
        observe_part<Real, true, false>(content, score, from, to, distance[i], base, i, sums, mass,
                                        buckets.totals + at);
      } else {
        observe_part<Real, true, true>(content, score, from, to, distance[i], base, i, sums, mass,
                                       buckets.totals + at);
      }
      from = to;
    }
  }
}

template <class Real>
void weight_gradients(const TileRows<Real>& tile, Real* s, Int s_row, Real* dp, Int dp_row, const Real* lse,
                      const Real* delta, const Real* by_score, const TileAdjoints<Real>& adjoints) {
  V<Real> cap_sum{};
  for (Int i = 0; i < tile.rows; ++i) {
    Real* row = s + i * s_row;
    Real* gradient_row = dp + i * dp_row;
    for (Int col = 0; col < tile.cols; col += kLanes<Real>) {
      V<Real> content = load(row + col);
      V<Real> slope = splat(Real(1));
      V<Real> by_cap{};
      if (tile.softcap != 0) {
        const V<Real> t = saturation<Real>(content, tile.softcap);
        slope = Real(1) - t * t;
        by_cap = t - content * (Real(1) / tile.softcap) * slope;
        content = tile.softcap * t;
      }
      const V<Real> gain = tile.gain[i] != nullptr ? load(tile.gain[i] + col) : splat(Real(1));
      V<Real> a = content * gain - lse[i];
      if (tile.bias[i] != nullptr) a += load(tile.bias[i] + col);
      const auto visible = inside<Real>(col, tile.begin[i], tile.end[i]);
      const V<Real> p = visible ? exponential(a) : V<Real>{};
      const V<Real> da = visible ? p * (load(gradient_row + col) - delta[i] + by_score[i] * a) : V<Real>{};
      if (adjoints.bias[i] != nullptr) store(adjoints.bias[i] + col, load(adjoints.bias[i] + col) + da);
      if (adjoints.gain[i] != nullptr)
        store(adjoints.gain[i] + col, load(adjoints.gain[i] + col) + da * content);
      if (tile.softcap != 0) cap_sum += da * gain * by_cap;
      store(row + col, p);
      store(gradient_row + col, da * gain * slope);
    }
  }
  if (adjoints.softcap != nullptr) *adjoints.softcap += total<Real>(cap_sum);
}

// Vectors first, then what is left one by one, through the same exponential.
template <class Real>
Real cross_entropy(Int count, Real* logits, Int target, Real scale) {
  constexpr Int lanes = kLanes<Real>;
  const Int whole = count / lanes * lanes;
  const auto rest = [&](Int from) {  // a vector whose missing lanes are as low as can be
    V<Real> result = splat(Real(-__builtin_huge_val()));
    for (Int i = from; i < count; ++i) result[i - from] = logits[i];
    return result;
  };
  V<Real> high = rest(whole);
  for (Int i = 0; i < whole; i += lanes) {
    const V<Real> x = load(logits + i);
    high = x > high ? x : high;
  }
  const Real base = largest<Real>(high);
  const Real of_target = logits[target] - base;
  V<Real> mass = exponential(rest(whole) - base);
  for (Int i = 0; i < whole; i += lanes) {
    const V<Real> weight = exponential(load(logits + i) - base);
    mass += weight;
    if (scale != 0) store(logits + i, weight);
  }
  const Real sum = total<Real>(mass);
  if (scale != 0) {
    const Real factor = scale / sum;
    const V<Real> last = exponential(rest(whole) - base) * factor;
    for (Int i = 0; i < whole; i += lanes) store(logits + i, load(logits + i) * factor);
    for (Int i = whole; i < count; ++i) logits[i] = last[i - whole];
    logits[target] -= scale;
  }
  return static_cast<Real>(__builtin_log(static_cast<double>(sum))) - of_target;
}

}  // namespace

// Internal linkage would hide it; attention_kernel.cpp declares it for each set.
template <class Real>
const Kernels<Real>& kernels_of_set() {
  static constexpr Kernels<Real> instance{GPE_KERNELS_NAME,       multiply<Real>,     turned_scores<Real>,
                                          turned_gradients<Real>, weights<Real>,      observe<Real>,
                                          weight_gradients<Real>, cross_entropy<Real>};
  return instance;
}
template const Kernels<float>& kernels_of_set<float>();
template const Kernels<double>& kernels_of_set<double>();

}  // namespace gpe::model::GPE_KERNELS_OF
