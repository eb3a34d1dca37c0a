// Tokens drawn from logits, and text read with a bounded cache.
#include "model/evaluation/sample.h"

#include <cmath>
#include <map>

#include "tests/model/small_model.h"
#include "theory/source/spec_error.h"

namespace sample_test {

using namespace gpe;
using namespace gpe::model;
using tests::oracle;
using tests::small;

TEST(Draw, follows_the_probabilities_of_the_likeliest) {
  // e^(x/2) = 8, 4, 2, 1 for the first four; the fifth is not a token
  const double unit = 2 * std::log(2.0);
  const at::Tensor logits =
      at::tensor({2 * unit, 3 * unit, 0.0, unit, 9 * unit}, at::kDouble).to(at::kFloat).contiguous();
  SampleOptions options;
  options.temperature = 2;
  options.top_k = 3;
  std::map<Token, int> count;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) ++count[draw(logits, 4, options, static_cast<std::uint64_t>(i))];
  EXPECT_EQ(count.size(), 3U);
  for (const auto& [token, share] : {std::pair{1, 8.0 / 14}, {0, 4.0 / 14}, {3, 2.0 / 14}}) {
    // five standard deviations
    EXPECT_NEAR(count[static_cast<Token>(token)] / double{kDraws}, share,
                5 * std::sqrt(share * (1 - share) / kDraws));
  }
  options.temperature = 0;
  EXPECT_EQ(draw(logits, 4, options, 7), 1);
  options.temperature = 1;
  options.seed = 5;
  EXPECT_EQ(draw(logits, 4, options, 7), draw(logits, 4, options, 7));
}

// A model whose scores fall by 1/2 per token.
LoadedModel alibi(double factor) {
  TsmConfig config = small("alibi");
  config.position.set = {"m=1/2"};
  LoadedModel model = new_model(config, oracle());
  tests::stretch(*model.transformer, factor);
  return model;
}

TEST(BoundedReader, keeps_few_keys_and_stays_near_the_logits_of_all) {
  const LoadedModel whole = alibi(8);
  for (const bool of_text : {false, true}) {
    std::optional<std::vector<std::vector<double>>> bounds;
    if (!of_text) bounds = content_bounds(whole);
    BoundedReader bounded(whole, alibi(8), theory::Rational(1, 100), bounds, oracle());
    KeyValueCache cache;
    double difference = 0;
    constexpr std::int64_t kLength = 400;
    const at::Tensor text = (tests::some_tokens(1, kLength, 1).square() * 3).remainder(11);
    for (std::int64_t t = 0; t < kLength; ++t) {
      const at::Tensor next = text.narrow(1, t, 1);
      const at::Tensor expected = whole.transformer->next_logits(next, cache);
      difference = std::max(difference, (bounded.next_logits(next) - expected).abs().max().item<double>());
    }
    EXPECT_LT(bounded.most_keys(), kLength);
    EXPECT_GT(difference, 0) << "nothing was left out: the test says little";
    EXPECT_LT(difference, 1e-2);
    const auto seen = content_bounds(whole, cache);
    for (std::size_t layer = 0; layer < 2; ++layer) {
      for (std::size_t head = 0; head < 2; ++head) {
        EXPECT_LE(seen[layer][head], bounded.bounds()[layer][head] * 1.001);
        EXPECT_EQ(bounded.keys()[layer][head],
                  certified_keys(whole, theory::Rational(1, 100), bounded.bounds(), oracle())[layer][head]);
      }
    }
    EXPECT_EQ(bounded.times_read_again() > 0, of_text);
  }
}

TEST(BoundedReader, what_reads_the_length_is_refused) {
  const LoadedModel whole = new_model(small("ssmax"), oracle());
  EXPECT_THROW(BoundedReader(whole, new_model(small("ssmax"), oracle()), theory::Rational(1, 100),
                             content_bounds(whole), oracle()),
               theory::SpecError);
}

TEST(Sample, stops_at_the_end_token_and_repeats_itself) {
  const LoadedModel model = alibi(30);
  const auto text = [&](const SampleOptions& options) {
    std::vector<Token> tokens;
    sample(*model.transformer, nullptr, {1, 2, 3}, options, [&](const SampleStep& step) {
      EXPECT_FALSE(step.logits_difference.has_value());
      tokens.push_back(step.token);
    });
    return tokens;
  };
  SampleOptions options;
  options.tokens = 50;
  const std::vector<Token> tokens = text(options);
  EXPECT_EQ(tokens.size(), 50U);
  EXPECT_EQ(text(options), tokens);
  options.end = tokens[20];
  const auto first = std::ranges::find(tokens, tokens[20]);
  EXPECT_EQ(text(options), std::vector<Token>(tokens.begin(), first + 1));
  options.end.reset();
  options.seed = 2;
  EXPECT_NE(text(options), tokens);
}

}  // namespace sample_test
