// Encodings of every kind, and random tokens of two heads, for the tests of attention and of its statistics.
#pragma once

#include "model/attention/attention.h"
#include "tests/model/score_cases.h"

namespace gpe::tests {

using namespace gpe::model;

struct Case {
  std::string name;
  theory::Encoding encoding;
  std::vector<std::string> learned;
};

inline std::vector<Case> cases() {
  const std::string rotation = "transform = \"rotation\"\n";
  return {
      {"nope", library_encoding("nope"), {}},
      {"rope", library_encoding("rope"), {}},
      {"rope, learned base", library_encoding("rope"), {"base"}},
      {"alibi", library_encoding("alibi"), {"m"}},
      {"ape", library_encoding("ape"), {"base", "alpha0", "lambda", "delta", "beta", "gamma"}},
      {"ape, one schedule",
       encoding_of_text(
           "gain = \"1/(1 + n/50)\"\nbias = \"-n/20\"\n" + rotation +
               "[score.rotation]\nangle = \"100^(-2*j/d)*n/alpha\"\nalpha = \"1 + a*log(1 + n)\"",
           "a = { default = \"1/2\" }"),
       {"a"}},
      {"ape, interleaved",
       encoding_of_text(rotation +
                        "[score.rotation]\nangle = \"n/(1 + H(n))/(1 + j)\"\nlayout = \"interleaved\""),
       {}},
      {"rope, interleaved",
       encoding_of_text(rotation + "[score.rotation]\nangle = \"n*30^(-2*j/d)\"\nlayout = \"interleaved\""),
       {}},
      {"xpos", library_encoding("xpos"), {}},
      {"scaled, learned",
       encoding_of_text("transform = \"scaled-rotation\"\n[score.rotation]\nangle = \"n/(1 + j)\"\nscale = "
                        "\"exp(-r*n*(1 + j))\"",
                        "r = { default = \"1/100\" }"),
       {"r"}},
      {"hyperbolic", library_encoding("hope-hyperbolic"), {}},
      {"window", encoding_of_text("bias = \"-n/9\"\nwindow = \"37\""), {}},
      {"first", encoding_of_text("bias = \"-n/9\"\nfirst = 2\nwindow = \"70\""), {}},
      {"sink", encoding_of_text("bias = \"-n/9\"\nsink = \"s\"", "s = { default = \"1/2\" }"), {"s"}},
      {"sink that moves, first",
       encoding_of_text("sink = \"s*log(L + 1)\"\nfirst = 1", "s = { default = \"1/2\" }"),
       {"s"}},
      {"soft cap",
       encoding_of_text("bias = \"-n/30\"\ngain = \"1 + g*n\"\nsoftcap = \"c\"",
                        "c = { default = \"3/2\" }\ng = { default = \"1/100\" }"),
       {"c", "g"}},
      {"no content",
       encoding_of_text("bias = \"-p*log(1 + n)\"\ntransform = \"none\"", "p = { default = \"3/2\" }"),
       {"p"}},
      {"fire", library_encoding("fire"), {"c"}},
      {"ssmax", library_encoding("ssmax"), {"s"}},
      {"dynamic-ntk", library_encoding("dynamic-ntk"), {}},
      {"turns that depend on L",
       encoding_of_text(rotation + "[score.rotation]\nangle = \"n*(1 + j)*w/log(3 + L)\"",
                        "w = { default = \"1/3\" }"),
       {"w"}},
      {"streaming-llm", library_encoding("streaming-llm"), {"s"}},
  };
}

inline constexpr std::int64_t kHeads = 2;
inline constexpr std::int64_t kBatch = 2;

// Random q, k, v, ∂loss/∂out for all heads of a batch, as [batch][token][head][coordinate].
struct Problem {
  Problem(const Case& c, std::int64_t queries, std::int64_t keys, int head_dim)
      : shape{.batch = kBatch, .heads = kHeads, .queries = queries, .keys = keys, .head_dim = head_dim} {
    for (int h = 1; h <= kHeads; ++h) {
      const theory::ScoreFunction law = law_of(c.encoding, head_dim, h, static_cast<int>(kHeads));
      programs.push_back(std::make_unique<ScoreProgram>(law, c.learned, oracle()));
      parameters.push_back(values_of(law, c.learned));
    }
    const auto size = [&](std::int64_t tokens) {
      return static_cast<std::size_t>(kBatch * kHeads * tokens * head_dim);
    };
    q = normal_numbers(size(queries), 1, 1.5);
    k = normal_numbers(size(keys), 2, 1.5);
    v = normal_numbers(size(keys), 3);
    g = normal_numbers(size(queries), 4);
  }

  std::size_t at(std::int64_t b, std::int64_t h, std::int64_t t, std::int64_t tokens) const {
    return static_cast<std::size_t>(((b * tokens + t) * kHeads + h) * shape.head_dim);
  }
  std::vector<double> part(const std::vector<double>& all, std::int64_t b, std::int64_t h,
                           std::int64_t tokens) const {
    std::vector<double> result;
    for (std::int64_t t = 0; t < tokens; ++t) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(at(b, h, t, tokens));
      result.insert(result.end(), from, from + shape.head_dim);
    }
    return result;
  }
  ReferenceHead reference(std::int64_t b, std::int64_t h) const {
    return {programs[static_cast<std::size_t>(h)].get(),
            parameters[static_cast<std::size_t>(h)],
            {},
            shape.queries,
            shape.keys,
            shape.head_dim,
            part(q, b, h, shape.queries),
            part(k, b, h, shape.keys),
            part(v, b, h, shape.keys)};
  }

  /// Tokens laid out like q, k and v here.
  template <class T>
  Strided<T> strided(T* data, std::int64_t tokens) const {
    return {data, tokens * kHeads * shape.head_dim, shape.head_dim, kHeads * shape.head_dim};
  }

  AttentionShape shape;
  std::vector<std::unique_ptr<ScoreProgram>> programs;
  std::vector<std::vector<double>> parameters;
  std::vector<double> q, k, v, g;
};

/// The scores of all heads at the problem's parameters.
template <class Real>
class ProblemHeads {
 public:
  explicit ProblemHeads(const Problem& p) {
    for (std::size_t h = 0; h < p.programs.size(); ++h) {
      heads_.push_back(std::make_unique<HeadScores<Real>>(*p.programs[h], p.parameters[h], p.shape.keys));
      pointers_.push_back(heads_.back().get());
    }
  }
  std::span<const HeadScores<Real>* const> get() const { return pointers_; }

 private:
  std::vector<std::unique_ptr<HeadScores<Real>>> heads_;
  std::vector<const HeadScores<Real>*> pointers_;
};

}  // namespace gpe::tests
