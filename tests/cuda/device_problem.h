// The problems of tests/model/attention_problem.h as the kernels of model/cuda take them.
#pragma once

#include "model/cuda/head_tables.h"
#include "model/cuda/online_rows.h"
#include "model/cuda/turn_series.h"
#include "tests/cuda/machine.h"
#include "tests/model/attention_problem.h"

namespace gpe::tests {

/// Numbers as an element type stores them, and back.
template <class Element>
struct Stored {
  explicit Stored(const std::vector<double>& from) {
    for (const double x : from) {
      bits.push_back(cuda::Planes<Element>::rounded(static_cast<float>(x)));
      exact.push_back(static_cast<double>(cuda::Planes<Element>::value(bits.back())));
    }
  }
  std::vector<Element> bits;
  std::vector<double> exact;
};

/// The scores of all heads, in memory that the kernels read.
class DeviceScores {
 public:
  DeviceScores(std::span<const HeadScores<double>* const> heads, int head_dim, Machine& machine)
      : tables_(head_tables(heads)),
        result{.gain = machine.in(tables_.gain),
               .bias = machine.in(tables_.bias),
               .cosine = machine.in(tables_.cosine),
               .sine = machine.in(tables_.sine),
               .first = machine.in(tables_.first),
               .last = machine.in(tables_.last),
               .softcap = machine.in(tables_.softcap),
               .sink = machine.in(tables_.sink),
               .length = static_cast<int>(tables_.length),
               .table_heads = static_cast<int>(heads.size()),
               .scale = tables_.no_content ? 0.0F : static_cast<float>(1 / std::sqrt(head_dim)),
               .interleaved = tables_.interleaved ? 1 : 0,
               .series_terms = nullptr,
               .series = nullptr,
               .series_tiles = 0,
               .swap_sign = tables_.hyperbolic ? 1.0F : -1.0F} {}
  /// Lets tiles be computed by series of this tolerance.
  void use_series(double tolerance, int head_dim, Machine& machine) {
    const std::int64_t blocks = head_dim / 2, size = blocks * tables_.length;
    for (std::size_t head = 0; head * static_cast<std::size_t>(size) < tables_.cosine.size(); ++head) {
      const auto of_head = [&](const std::vector<float>& all) {
        return std::span(all).subspan(head * static_cast<std::size_t>(size), static_cast<std::size_t>(size));
      };
      const TurnSeries series = turn_series(of_head(tables_.cosine), of_head(tables_.sine), blocks,
                                            tables_.length, tolerance, head_dim / 8);
      terms_.insert(terms_.end(), series.terms.begin(), series.terms.end());
      coefficients_.insert(coefficients_.end(), series.coefficients.begin(), series.coefficients.end());
      result.series_tiles = static_cast<int>(series.tiles);
    }
    result.series_terms = machine.in(terms_);
    result.series = machine.in(coefficients_);
  }
  const std::vector<std::int32_t>& series_terms() const { return terms_; }
  DeviceScores(const DeviceScores&) = delete;
  DeviceScores& operator=(const DeviceScores&) = delete;
  float sink(std::int64_t head) const {
    return tables_.sink.empty() ? cuda::kMasked : tables_.sink[static_cast<std::size_t>(head)];
  }

 private:
  HeadTables tables_;
  std::vector<std::int32_t> terms_;
  std::vector<float> coefficients_;

 public:
  gpe_score_tables result;
};

// q and k turned by position where an encoding can be computed that way, as the device's own kernel does
// before.
inline std::vector<double> turned(const Problem& p, const ProblemHeads<double>& heads,
                                  const std::vector<double>& tokens, std::int64_t count) {
  std::vector<double> result = tokens;
  for (std::int64_t b = 0; b < kBatch; ++b) {
    for (std::int64_t h = 0; h < kHeads; ++h) {
      const HeadScores<double>& head = *heads.get()[static_cast<std::size_t>(h)];
      if (!head.turns_separately()) continue;
      const std::int64_t blocks = p.shape.head_dim / 2;
      const bool interleaved = head.program().layout() == theory::Layout::interleaved;
      for (std::int64_t t = 0; t < count; ++t) {
        double* x = result.data() + p.at(b, h, t, count);
        const std::int64_t position = p.shape.keys - count + t;
        for (std::int64_t j = 0; j < blocks; ++j) {
          double& first = x[interleaved ? 2 * j : j];
          double& second = x[interleaved ? 2 * j + 1 : blocks + j];
          const double c = head.position_cosine(position)[j], s = head.position_sine(position)[j];
          const double before = first;
          first = before * c - second * s;
          second = before * s + second * c;
        }
      }
    }
  }
  return result;
}

/// |found - expected| <= tolerance·(1 + |expected|)
inline void expect_near(double found, double expected, double tolerance, const std::string& what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found)) << what << ": " << found;
  } else if (std::isinf(expected)) {
    EXPECT_EQ(found, expected) << what;
  } else {
    EXPECT_NEAR(found, expected, tolerance * (1 + std::abs(expected))) << what;
  }
}

// Which cases the device can compute: not those that depend on L.
inline bool has_tables(const Case& c) {
  const Problem p(c, 4, 4, 16);
  return std::ranges::none_of(p.programs, [](const auto& program) {
    for (std::size_t k = 0; k < ScoreProgram::kOutputs; ++k)
      if (program->program().depends_on_length(k)) return true;
    return false;
  });
}
inline bool turns_pairs(const Case& c) {
  return ProblemHeads<double>(Problem(c, 4, 4, 16)).get()[0]->turns_pairs();
}
inline bool turns(const Case& c) {
  return turns_pairs(c) || ProblemHeads<double>(Problem(c, 4, 4, 16)).get()[0]->turns_separately();
}

/// Tokens laid out as in Problem.
template <class T>
gpe_tensor tensor_of(const Problem& p, T* data, std::int64_t tokens) {
  return {data, tokens * kHeads * p.shape.head_dim, p.shape.head_dim, kHeads * p.shape.head_dim};
}
inline gpe_shape shape_of(const Problem& p) {
  return {kBatch,
          kHeads,
          1,
          static_cast<int>(p.shape.queries),
          static_cast<int>(p.shape.keys),
          static_cast<int>(p.shape.head_dim)};
}

}  // namespace gpe::tests
