// The statistics of attention against plain loops over all pairs, in parts against the whole, and packed
// documents against each document alone; gradients of entropies against differences.
#include "model/attention/statistics.h"
#include "model/attention/attention_kernel.h"

#include <cmath>
#include <optional>

#include "tests/model/attention_problem.h"
#include "theory/source/spec_error.h"

namespace statistics_test {

using namespace gpe;
using namespace gpe::model;
using namespace gpe::tests;

template <class Real>
AttentionStatistics measure(const Problem& p, const DistanceBuckets* buckets, const VisibleKeys& visible = {},
                            const Parallel& parallel = one_thread()) {
  const std::vector<Real> q(p.q.begin(), p.q.end());
  const std::vector<Real> k(p.k.begin(), p.k.end());
  const ProblemHeads<Real> heads(p);
  return attention_statistics<Real, Real>(p.shape, heads.get(), p.strided(q.data(), p.shape.queries),
                                          p.strided(k.data(), p.shape.keys), visible, buckets, parallel);
}

// All pairs of one head, one by one, in double precision.
struct Plain {
  std::vector<RowStatistics> rows;
  std::vector<BucketStatistics> buckets;
};
Plain plain_loops(const Problem& p, std::int64_t b, std::int64_t h, const DistanceBuckets& buckets) {
  const ReferenceHead head = p.reference(b, h);
  const ReferenceOutput forward = reference_forward(head);
  Plain result;
  result.buckets.resize(buckets.size());
  for (std::int64_t i = 0; i < p.shape.queries; ++i) {
    RowStatistics row;
    row.log_normalizer = forward.log_normalizer[static_cast<std::size_t>(i)];
    row.entropy = forward.entropy[static_cast<std::size_t>(i)];
    row.largest_score = -INFINITY;
    double tokens = 0;
    double squares = 0;
    const auto at = [&](std::int64_t j) { return static_cast<std::size_t>(i * p.shape.keys + j); };
    for (std::int64_t j = 0; j < p.shape.keys; ++j) tokens += forward.weights[at(j)];
    for (std::int64_t j = 0; j < p.shape.keys; ++j) {
      const double score = forward.scores[at(j)];
      if (std::isinf(score)) continue;
      const std::int64_t n = p.shape.offset() + i - j;
      const double weight = forward.weights[at(j)];
      const double content = forward.contents[at(j)];
      ++row.keys;
      row.mean_distance += weight / tokens * static_cast<double>(n);
      if (weight > 0) squares += weight / tokens * std::pow(std::log(weight / tokens) + row.entropy, 2);
      row.largest_weight = std::max(row.largest_weight, weight);
      row.largest_score = std::max(row.largest_score, score);
      row.largest_content = std::max(row.largest_content, std::abs(content));
      BucketStatistics one;
      one.mass = weight;
      one.content = {1, content, 0};
      one.score = {1, score, 0};
      one.least_content = one.largest_content = content;
      result.buckets[buckets.of(n)].merge(one);
    }
    row.varentropy = squares;
    row.sink_weight = std::isinf(row.log_normalizer) ? 0 : 1 - tokens;
    result.rows.push_back(row);
  }
  return result;
}

template <class Real>
constexpr double kTolerance = sizeof(Real) == 4 ? 4e-5 : 1e-12;

template <class Real>
void expect_near(double found, double expected, const std::string& what) {
  if (std::isinf(expected)) {
    EXPECT_EQ(found, expected) << what;
    return;
  }
  EXPECT_NEAR(found, expected, kTolerance<Real> * (1 + std::abs(expected))) << what;
}

template <class Real>
void expect_near(const Spread& found, const Spread& expected, const std::string& what) {
  EXPECT_EQ(found.count, expected.count) << what;
  expect_near<Real>(found.mean, expected.mean, what + " mean");
  expect_near<Real>(found.variance(), expected.variance(), what + " variance");
}

template <class Real>
void agrees_with_plain_loops(const Case& c, std::int64_t queries, std::int64_t keys, int head_dim,
                             const DistanceBuckets& buckets) {
  const Problem p(c, queries, keys, head_dim);
  const AttentionStatistics fast = measure<Real>(p, &buckets);
  for (std::int64_t which = 0; which < kBatch * kHeads; ++which) {
    const Plain plain = plain_loops(p, which / kHeads, which % kHeads, buckets);
    for (std::int64_t i = 0; i < queries; ++i) {
      const RowStatistics& found = fast.rows[static_cast<std::size_t>(which * queries + i)];
      const RowStatistics& expected = plain.rows[static_cast<std::size_t>(i)];
      const std::string name = c.name + " row " + std::to_string(i) + ' ';
      EXPECT_EQ(found.keys, expected.keys) << name;
      expect_near<Real>(found.log_normalizer, expected.log_normalizer, name + "log normalizer");
      expect_near<Real>(found.entropy, expected.entropy, name + "entropy");
      expect_near<Real>(found.varentropy, expected.varentropy, name + "varentropy");
      expect_near<Real>(found.mean_distance, expected.mean_distance, name + "mean distance");
      expect_near<Real>(found.largest_weight, expected.largest_weight, name + "largest weight");
      expect_near<Real>(found.largest_score, expected.largest_score, name + "largest score");
      expect_near<Real>(found.largest_content, expected.largest_content, name + "largest content");
      expect_near<Real>(found.sink_weight, expected.sink_weight, name + "sink weight");
    }
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      const BucketStatistics& found = fast.buckets[static_cast<std::size_t>(which) * buckets.size() + b];
      const BucketStatistics& expected = plain.buckets[b];
      const std::string name = c.name + " bucket " + std::to_string(b) + ' ';
      expect_near<Real>(found.mass, expected.mass, name + "mass");
      expect_near<Real>(found.content, expected.content, name + "content");
      expect_near<Real>(found.score, expected.score, name + "score");
      expect_near<Real>(found.least_content, expected.least_content, name + "least content");
      expect_near<Real>(found.largest_content, expected.largest_content, name + "largest content");
    }
  }
}

TEST(Statistics, of_doubles_agree_with_plain_loops) {
  for (const Case& c : cases()) {
    agrees_with_plain_loops<double>(c, 90, 90, 8, DistanceBuckets::doubling(90));
    agrees_with_plain_loops<double>(c, 1, 1, 8, DistanceBuckets::doubling(1));
    agrees_with_plain_loops<double>(c, 2, 2, 8, DistanceBuckets::doubling(2));
    agrees_with_plain_loops<double>(c, 67, 150, 20, DistanceBuckets({0, 3, 65, 66, 128}));
  }
}

TEST(Statistics, of_floats_agree_with_plain_loops) {
  for (const Case& c : cases()) agrees_with_plain_loops<float>(c, 90, 90, 16, DistanceBuckets::each(90));
}

TEST(Statistics, every_set_of_kernels_agrees_with_plain_loops) {
  for (const char* name : {"generic", "avx2", "avx512"}) {
    setenv("GPE_KERNELS", name, 1);
    try {
      kernels<float>();
    } catch (const theory::SpecError&) {
      continue;  // not on this CPU
    }
    for (const Case& c : cases()) {
      agrees_with_plain_loops<float>(c, 65, 130, 48, DistanceBuckets::doubling(130));
      agrees_with_plain_loops<double>(c, 65, 130, 48, DistanceBuckets::doubling(130));
    }
  }
  unsetenv("GPE_KERNELS");
}

TEST(Statistics, do_not_depend_on_the_number_of_threads) {
  const DistanceBuckets buckets = DistanceBuckets::doubling(200);
  for (const Case& c : cases()) {
    const Problem p(c, 200, 200, 8);
    const AttentionStatistics one = measure<float>(p, &buckets);
    const AttentionStatistics three = measure<float>(p, &buckets, {}, several_threads(3));
    for (std::size_t i = 0; i < one.rows.size(); ++i)
      EXPECT_EQ(one.rows[i].entropy, three.rows[i].entropy) << c.name;
    for (std::size_t b = 0; b < one.buckets.size(); ++b) {
      EXPECT_EQ(one.buckets[b].mass, three.buckets[b].mass) << c.name;
      EXPECT_EQ(one.buckets[b].score.squares, three.buckets[b].score.squares) << c.name;
    }
  }
}

TEST(Statistics, without_buckets_rows_are_the_same) {
  const DistanceBuckets buckets = DistanceBuckets::doubling(90);
  for (const Case& c : cases()) {
    const Problem p(c, 90, 90, 8);
    const AttentionStatistics with = measure<double>(p, &buckets);
    const AttentionStatistics without = measure<double>(p, nullptr);
    EXPECT_TRUE(without.buckets.empty());
    for (std::size_t i = 0; i < with.rows.size(); ++i) {
      EXPECT_NEAR(with.rows[i].entropy, without.rows[i].entropy, 1e-13) << c.name;
      EXPECT_NEAR(with.rows[i].mean_distance, without.rows[i].mean_distance, 1e-11) << c.name;
    }
  }
}

// Two documents in one sequence, and padding on both sides, are what each is alone; L counts from its first
// token.
TEST(Statistics, of_packed_documents_are_those_of_each_alone) {
  constexpr std::int64_t kLeft = 5, kFirst = 70, kSecond = 93, kRight = 9;
  constexpr std::int64_t kAll = kLeft + kFirst + kSecond + kRight;
  const DistanceBuckets buckets = DistanceBuckets::doubling(kAll);
  for (const Case& c : cases()) {
    const Problem packed(c, kAll, kAll, 8);
    std::vector<std::int64_t> begin, end;
    for (std::int64_t b = 0; b < kBatch; ++b) {
      for (std::int64_t i = 0; i < kAll; ++i) {
        const bool second = i >= kLeft + kFirst;
        const bool padding = i < kLeft || i >= kAll - kRight;
        const std::int64_t from = second ? kLeft + kFirst : kLeft;
        begin.push_back(padding ? i : from);
        end.push_back(padding ? i : kAll - kRight);
      }
    }
    const AttentionStatistics together = measure<double>(packed, &buckets, {begin, end});
    std::vector<BucketStatistics> sum(together.buckets.size());
    for (const auto& [from, count] : {std::pair{kLeft, kFirst}, std::pair{kLeft + kFirst, kSecond}}) {
      Problem alone(c, count, count, 8);
      for (std::int64_t b = 0; b < kBatch; ++b) {
        for (std::int64_t h = 0; h < kHeads; ++h) {
          for (std::int64_t t = 0; t < count; ++t) {
            for (std::int64_t x = 0; x < 8; ++x) {
              const auto to = alone.at(b, h, t, count) + static_cast<std::size_t>(x);
              const auto at = packed.at(b, h, from + t, kAll) + static_cast<std::size_t>(x);
              alone.q[to] = packed.q[at];
              alone.k[to] = packed.k[at];
            }
          }
        }
      }
      const AttentionStatistics by_itself = measure<double>(alone, &buckets);
      for (std::int64_t which = 0; which < kBatch * kHeads; ++which) {
        for (std::int64_t t = 0; t < count; ++t) {
          const RowStatistics& found = together.rows[static_cast<std::size_t>(which * kAll + from + t)];
          const RowStatistics& expected = by_itself.rows[static_cast<std::size_t>(which * count + t)];
          EXPECT_EQ(found.keys, expected.keys) << c.name << ' ' << t;
          expect_near<double>(found.entropy, expected.entropy, c.name);
          expect_near<double>(found.log_normalizer, expected.log_normalizer, c.name);
          expect_near<double>(found.mean_distance, expected.mean_distance, c.name);
        }
      }
      for (std::size_t b = 0; b < sum.size(); ++b) sum[b].merge(by_itself.buckets[b]);
    }
    for (std::size_t b = 0; b < sum.size(); ++b) {
      expect_near<double>(together.buckets[b].mass, sum[b].mass, c.name);
      expect_near<double>(together.buckets[b].content, sum[b].content, c.name);
      expect_near<double>(together.buckets[b].score, sum[b].score, c.name);
    }
    for (std::int64_t i = 0; i < kLeft; ++i) EXPECT_EQ(together.rows[static_cast<std::size_t>(i)].keys, 0);
    EXPECT_EQ(together.rows[0].entropy, 0);
    EXPECT_EQ(together.rows[0].largest_weight, 0);
  }
}

// Queries in two halves, each with all keys that it can see, give together what one call gives.
TEST(Statistics, of_halves_merge_to_the_whole) {
  const DistanceBuckets buckets = DistanceBuckets::doubling(140);
  for (const Case& c : cases()) {
    const Problem whole(c, 140, 140, 8);
    const AttentionStatistics all = measure<double>(whole, &buckets);
    const ProblemHeads<double> heads(whole);
    AttentionShape early = whole.shape;
    early.queries = early.keys = 61;
    AttentionShape late = whole.shape;
    late.queries = 140 - 61;
    const auto q = whole.strided(whole.q.data(), 140);
    const auto k = whole.strided(whole.k.data(), 140);
    const auto q_late = Strided<const double>{whole.q.data() + 61 * q.token, q.batch, q.head, q.token};
    const Strided<const double> q_all{q.data, q.batch, q.head, q.token};
    const Strided<const double> k_all{k.data, k.batch, k.head, k.token};
    const auto first =
        attention_statistics<double, double>(early, heads.get(), q_all, k_all, {}, &buckets, one_thread());
    const auto second =
        attention_statistics<double, double>(late, heads.get(), q_late, k_all, {}, &buckets, one_thread());
    for (std::size_t b = 0; b < all.buckets.size(); ++b) {
      BucketStatistics sum = first.buckets[b];
      sum.merge(second.buckets[b]);
      expect_near<double>(sum.mass, all.buckets[b].mass, c.name);
      expect_near<double>(sum.score, all.buckets[b].score, c.name);
      EXPECT_EQ(sum.least_content, all.buckets[b].least_content) << c.name;
    }
    for (std::int64_t which = 0; which < kBatch * kHeads; ++which) {
      for (std::int64_t i = 0; i < 140; ++i) {
        const double part = i < 61 ? first.rows[static_cast<std::size_t>(which * 61 + i)].entropy
                                   : second.rows[static_cast<std::size_t>(which * 79 + i - 61)].entropy;
        EXPECT_NEAR(part, all.rows[static_cast<std::size_t>(which * 140 + i)].entropy, 1e-12) << c.name;
      }
    }
  }
}

// Maxima and comparisons pass over NaN: rows that see it must not look like others.
TEST(Statistics, of_rows_that_are_no_numbers_are_none) {
  const DistanceBuckets buckets = DistanceBuckets::doubling(90);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Problem p({"nope", library_encoding("nope"), {}}, 90, 90, 8);
    p.k[p.at(0, 1, 40, 90) + 3] = bad;
    p.k[p.at(0, 1, 41, 90) + 3] = -bad;  // products of both signs: a score of +infinity in every row
    const AttentionStatistics found = measure<float>(p, &buckets);
    for (std::int64_t query = 0; query < 90; ++query) {
      const RowStatistics& row = found.rows[static_cast<std::size_t>(90 + query)];
      const bool sees = query > 40;
      if (query == 40) continue;  // a score of -infinity alone is a weight of 0
      for (const double number :
           {row.entropy, row.varentropy, row.mean_distance, row.largest_weight, row.log_normalizer})
        EXPECT_EQ(std::isnan(number), sees) << query;
      EXPECT_TRUE(std::isfinite(found.rows[static_cast<std::size_t>(query)].entropy));
    }
  }
}

TEST(Statistics, heads_may_share_keys) {
  const DistanceBuckets buckets = DistanceBuckets::doubling(90);
  for (const Case& c : cases()) {
    Problem own(c, 90, 90, 8);
    for (std::int64_t b = 0; b < kBatch; ++b) {  // both heads get the keys of the first
      for (std::int64_t t = 0; t < 90; ++t) {
        for (std::size_t x = 0; x < 8; ++x) own.k[own.at(b, 1, t, 90) + x] = own.k[own.at(b, 0, t, 90) + x];
      }
    }
    const AttentionStatistics expected = measure<double>(own, &buckets);
    own.shape.key_heads = 1;
    const AttentionStatistics found = measure<double>(own, &buckets);
    for (std::size_t i = 0; i < expected.rows.size(); ++i)
      EXPECT_EQ(found.rows[i].entropy, expected.rows[i].entropy) << c.name;
  }
}

// loss = Σ g_H H + g_Z log Z, its derivative in one number by differences.
TEST(Statistics, gradients_of_entropies_agree_with_differences) {
  for (const Case& c : cases()) {
    Problem p(c, 70, 70, 4);
    const auto rows = static_cast<std::size_t>(kBatch * kHeads * 70);
    const std::vector<double> by_entropy = normal_numbers(rows, 8);
    const std::vector<double> by_log = normal_numbers(rows, 9);
    const auto loss = [&] {
      const AttentionStatistics found = measure<double>(p, nullptr);
      double sum = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        sum += by_entropy[i] * found.rows[i].entropy;
        if (!std::isinf(found.rows[i].log_normalizer)) sum += by_log[i] * found.rows[i].log_normalizer;
      }
      return sum;
    };
    const AttentionStatistics now = measure<double>(p, nullptr);
    std::vector<double> entropies, log_normalizers;
    for (const RowStatistics& row : now.rows) {
      entropies.push_back(row.entropy);
      log_normalizers.push_back(row.log_normalizer);
    }
    std::vector<double> dq(p.q.size()), dk(p.k.size()), dv(p.v.size());
    std::vector<std::vector<double>> parameters;
    std::vector<std::span<double>> spans;
    for (const auto& values : p.parameters) parameters.emplace_back(values.size(), 0.0);
    for (auto& values : parameters) spans.emplace_back(values);
    const ProblemHeads<double> heads(p);
    const std::vector<double>& q = p.q;
    const std::vector<double>& k = p.k;
    attention_backward<double, double>(
        p.shape, heads.get(), p.strided(q.data(), 70), p.strided(k.data(), 70), {}, {}, {},
        log_normalizers.data(),
        {p.strided(dq.data(), 70), p.strided(dk.data(), 70), p.strided(dv.data(), 70)}, spans, one_thread(),
        {by_log.data(), by_entropy.data(), entropies.data()});
    for (const std::size_t at : {0UL, 5UL, 300UL, 777UL, p.q.size() - 1}) {
      EXPECT_NEAR(dq[at], difference(loss, p.q[at]), 1e-7) << c.name << " q " << at;
      EXPECT_NEAR(dk[at], difference(loss, p.k[at]), 1e-7) << c.name << " k " << at;
      EXPECT_EQ(dv[at], 0) << c.name;
    }
    for (std::size_t h = 0; h < kHeads; ++h) {
      for (std::size_t i = 0; i < c.learned.size(); ++i) {
        const double expected = difference(loss, p.parameters[h][i]);
        EXPECT_NEAR(parameters[h][i], expected, 1e-6 * (1 + std::abs(expected)))
            << c.name << ' ' << c.learned[i];
      }
    }
  }
}

// 16,384 keys, scores of deviation 8, and the same 100 higher, in single precision beside double.
TEST(Statistics, of_long_rows_in_single_precision) {
  constexpr std::int64_t kKeys = 16384;
  for (const double offset : {0.0, 100.0}) {
    const Case c{"nope", library_encoding("nope"), {}};
    Problem p(c, 8, kKeys, 64);
    for (std::int64_t b = 0; b < kBatch; ++b) {
      for (std::int64_t h = 0; h < kHeads; ++h) {
        for (std::int64_t t = 0; t < kKeys; ++t) {
          for (std::size_t x = 0; x < 64; ++x) {
            double& key = p.k[p.at(b, h, t, kKeys) + x];
            key = static_cast<double>(static_cast<float>(x == 63 ? 1.0 : key / 1.5));
            if (t >= 8) continue;
            double& query = p.q[p.at(b, h, t, 8) + x];
            query = static_cast<double>(static_cast<float>(x == 63 ? 8 * offset : query / 1.5 * 8));
          }
        }
      }
    }
    const AttentionStatistics fast = measure<float>(p, nullptr);
    const AttentionStatistics exact = measure<double>(p, nullptr);
    for (std::size_t i = 0; i < exact.rows.size(); ++i) {
      EXPECT_NEAR(fast.rows[i].entropy, exact.rows[i].entropy, offset == 0 ? 2e-5 : 1e-4);
      EXPECT_NEAR(fast.rows[i].log_normalizer, exact.rows[i].log_normalizer, offset == 0 ? 2e-5 : 1e-4);
    }
  }
}

}  // namespace statistics_test
