// The n-gram model against the definitions, computed with maps over all grams.
#include "model/data/ngram.h"

#include <cmath>
#include <map>
#include <set>

#include "model/data/random.h"

namespace gpe::model {
namespace ngram_test {

using Tokens = std::vector<std::uint16_t>;

// p(w | context) straight from the equations: counts by going through the text again and again.
class Definition {
 public:
  Definition(Tokens text, int order, int vocabulary) : order_(order), vocabulary_(vocabulary) {
    std::set<Tokens> types;
    for (std::size_t i = 0; i + static_cast<std::size_t>(order) <= text.size(); ++i) {
      const Tokens gram(text.begin() + static_cast<std::ptrdiff_t>(i),
                        text.begin() + static_cast<std::ptrdiff_t>(i) + order);
      ++counts_[order][gram];
      types.insert(gram);
    }
    for (int k = order - 1; k >= 1; --k) {
      std::set<Tokens> shorter;
      for (const Tokens& gram : types) {
        const Tokens rest(gram.begin() + 1, gram.end());
        ++counts_[k][rest];  // one more token that was seen before it
        shorter.insert(rest);
      }
      types = shorter;
    }
  }

  double discount(int k, int count) const {
    std::map<int, double> n;
    for (const auto& [gram, c] : counts_.at(k)) ++n[c];
    if (n[1] == 0 || n[2] == 0) return 0.5;
    const double y = n[1] / (n[1] + 2 * n[2]);
    if (n[3] == 0 || n[4] == 0) return y;
    const double d1 = 1 - 2 * y * n[2] / n[1];
    const double d2 = 2 - 3 * y * n[3] / n[2];
    const double d3 = 3 - 4 * y * n[4] / n[3];
    if (d1 <= 0 || d2 <= 0 || d3 <= 0 || d1 > 1 || d2 > 2 || d3 > 3) return y;
    if (count == 1) return d1;
    return count == 2 ? d2 : d3;
  }

  double p(Tokens context, std::uint16_t token) const {
    while (context.size() >= static_cast<std::size_t>(order_)) context.erase(context.begin());
    const int k = static_cast<int>(context.size()) + 1;
    const double shorter =
        context.empty() ? 1.0 / vocabulary_ : p(Tokens(context.begin() + 1, context.end()), token);
    double total = 0;
    double left = 0;
    double own = 0;
    for (const auto& [gram, c] : counts_.at(k)) {
      if (!std::equal(context.begin(), context.end(), gram.begin())) continue;
      total += c;
      left += discount(k, c);
      if (gram.back() == token) own = c - discount(k, c);
    }
    return total == 0 ? shorter : own / total + left / total * shorter;
  }

 private:
  int order_;
  int vocabulary_;
  std::map<int, std::map<Tokens, int>> counts_;
};

Tokens skewed_text(std::size_t size, std::uint64_t vocabulary, std::uint64_t seed) {
  Random random(seed);
  Tokens text;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t limit = 1 + random.below(vocabulary);  // small tokens are frequent, as words are
    text.push_back(static_cast<std::uint16_t>(random.below(limit)));
  }
  return text;
}

TEST(Ngram, is_the_one_of_the_definitions) {
  for (int order = 1; order <= 4; ++order) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Tokens text = skewed_text(seed == 1 ? 12 : 300, 7, seed);
      constexpr int kVocabulary = 8;  // one of them never seen
      const NgramModel model(text, order, kVocabulary);
      const Definition definition(text, order, kVocabulary);
      Random random(99, seed);
      for (int i = 0; i < 60; ++i) {
        Tokens context;
        for (std::uint64_t k = random.below(5); k > 0; --k)
          context.push_back(static_cast<std::uint16_t>(random.below(8)));
        double sum = 0;
        for (std::uint16_t token = 0; token < kVocabulary; ++token) {
          const double p = std::exp(model.log_probability(context, token));
          EXPECT_NEAR(p, definition.p(context, token), 1e-12) << "order " << order << " seed " << seed;
          sum += p;
        }
        EXPECT_NEAR(sum, 1, 1e-12);
      }
    }
  }
}

// By hand: in "0 1 0 1 0" the bigrams 01 and 10 occur twice each, so no discount can be estimated and D =
// 1/2. Each of 0 and 1 follows one other token: p(0) = p(1) = (1 - 1/2)/2 + (1/2 + 1/2)/2 * 1/4 = 3/8 over a
// vocabulary of 4, and p(1 | 0) = (2 - 1/2)/2 + 1/2/2 * 3/8 = 27/32.
TEST(Ngram, is_the_one_worked_out_by_hand) {
  const Tokens text = {0, 1, 0, 1, 0};
  const NgramModel model(text, 2, 4);
  EXPECT_EQ(model.discounts(2), (std::array<double, 3>{0.5, 0.5, 0.5}));
  EXPECT_NEAR(std::exp(model.log_probability({}, 0)), 3.0 / 8, 1e-15);
  EXPECT_NEAR(std::exp(model.log_probability(Tokens{0}, 1)), 27.0 / 32, 1e-15);
  EXPECT_NEAR(std::exp(model.log_probability(Tokens{0}, 3)), 1.0 / 4 * 1.0 / 8, 1e-15);
  EXPECT_NEAR(std::exp(model.log_probability(Tokens{3}, 1)), 3.0 / 8, 1e-15);
}

TEST(Ngram, longer_contexts_help_on_text_that_has_them) {
  Tokens text;
  Random random(5);
  for (int i = 0; i < 4000; ++i) {  // two tokens decide the third, 3 times in 4
    const bool follows = text.size() >= 2 && random.below(4) != 0;
    text.push_back(static_cast<std::uint16_t>(
        follows ? (3 * text[text.size() - 1] + text[text.size() - 2]) % 11 : random.below(11)));
  }
  const auto half = std::span(text).first(2000);
  std::array<double, 4> loss{};
  for (int order = 1; order <= 3; ++order) {
    const NgramModel model(half, order, 11);
    for (std::size_t i = 2000; i < 4000; ++i) {
      loss.at(static_cast<std::size_t>(order)) -=
          model.log_probability(std::span(text).subspan(i - 2, 2), text[i]) / 2000;
    }
  }
  // The entropy of the source: 3/4 + 1/44 for the token that follows, 1/44 for each other.
  const double sure = 0.75 + 0.25 / 11;
  const double entropy = -sure * std::log(sure) - 10 * 0.25 / 11 * std::log(0.25 / 11);
  EXPECT_GT(loss[3], entropy - 0.05);
  EXPECT_LT(loss[3], entropy + 0.2);
  EXPECT_GT(loss[1], std::log(11) - 0.05);
}

}  // namespace ngram_test
}  // namespace gpe::model
