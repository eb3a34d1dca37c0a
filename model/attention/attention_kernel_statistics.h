// Sums over the weights of a row for statistics.h (mass, entropy, distance, classes of distances), in the
// namespace GPE_KERNELS_OF.
// Tests: tests/model/attention/statistics_test.cpp
#pragma once

#include "model/attention/attention_kernel_score.h"

namespace gpe::model::GPE_KERNELS_OF {
namespace {

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

}  // namespace
}  // namespace gpe::model::GPE_KERNELS_OF
