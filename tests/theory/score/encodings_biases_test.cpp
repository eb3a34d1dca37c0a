// Biases of the built-in encodings against published numbers.
#include "tests/theory/score/builtin_encodings.h"

namespace encodings_biases_test {

using namespace gpe::tests;

TEST(Encodings, alibi_has_the_official_slopes_for_any_number_of_heads) {
  const std::map<int, std::vector<std::string>> exponents = {
      {1, {"-8"}},
      {2, {"-4", "-8"}},
      {3, {"-4", "-8", "-2"}},
      {4, {"-2", "-4", "-6", "-8"}},
      {6, {"-2", "-4", "-6", "-8", "-1", "-3"}},
      {8, {"-1", "-2", "-3", "-4", "-5", "-6", "-7", "-8"}},
      {12, {"-1", "-2", "-3", "-4", "-5", "-6", "-7", "-8", "-1/2", "-3/2", "-5/2", "-7/2"}},
      {16,
       {"-1/2", "-1", "-3/2", "-2", "-5/2", "-3", "-7/2", "-4", "-9/2", "-5", "-11/2", "-6", "-13/2", "-7",
        "-15/2", "-8"}},
      {20, {"-1/2",  "-1", "-3/2",  "-2", "-5/2",  "-3", "-7/2", "-4",   "-9/2", "-5",
            "-11/2", "-6", "-13/2", "-7", "-15/2", "-8", "-1/4", "-3/4", "-5/4", "-7/4"}}};
  const gpe::theory::Context context(oracle());
  for (const auto& [heads, logarithms] : exponents) {
    for (int h = 1; h <= heads; ++h) {
      const Expr slope = pow(Expr(2), Expr(*Rational::parse(logarithms[static_cast<std::size_t>(h - 1)])));
      Setting setting;
      setting.heads = heads;
      setting.head = h;
      for (const char* name : {"alibi", "alibi-symmetric"}) {  // exactly, as expressions
        EXPECT_EQ(open_law(name, setting).parameters.front().value, simplify(slope, context))
            << h << " of " << heads;
      }
    }
  }
}

TEST(Encodings, the_text_of_the_alibi_paper_and_the_gpe_paper_agree_at_six_heads_and_differ_from_the_code) {
  for (int h = 1; h <= 6; ++h) {
    Setting setting;
    setting.heads = 6;
    setting.head = h;
    const Expr text = open_law("alibi-paper", setting).parameters.front().value;
    EXPECT_EQ(text, open_law("alibi-vetcha2025", setting).parameters.front().value);
    EXPECT_NE(text, open_law("alibi", setting).parameters.front().value);
  }
}

TEST(Encodings, alibi_has_its_published_sums) {
  const std::vector<std::tuple<std::string, std::int64_t, std::string, std::string>> golden = {
      {"1/2", 100, "2.5414940825", "1.7034991708"},
      {"1/4", 200, "4.5208116642", "2.3888944655"},
      {"1/16", 800, "16.5052079943", "3.7727514668"},
      {"1/64", 3000, "64.5013020780", "5.1588932558"},
      {"1/256", 12000, "256.5003255208", "6.5451780803"}};
  for (const auto& [slope, last, z, entropy] : golden) {
    const Sums here = sums(law("alibi", {}, {{"m", slope}}), last);
    EXPECT_TRUE(agrees(here.z, z)) << slope;
    EXPECT_TRUE(agrees(here.entropy, entropy)) << slope;
  }
  const Sums seed = sums(law("alibi-vetcha2025"), 200);
  EXPECT_TRUE(agrees(seed.z, "3.0528264737"));
  EXPECT_TRUE(agrees(seed.entropy, "1.9307326001"));
  const ScoreFunction slowest = law("alibi");  // one head: 2^-8
  for (const auto& [length, entropy] :
       {std::pair(64, "4.156284"), std::pair(256, "5.504526"), std::pair(1024, "6.452063"),
        std::pair(4096, "6.545176"), std::pair(16384, "6.545178")}) {
    EXPECT_TRUE(agrees(sums(slowest, length - 1).entropy, entropy)) << length;
  }
}

TEST(Encodings, t5_buckets_start_where_the_code_of_t5_starts_them) {
  const std::vector<std::int64_t> edges = {16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113};
  const ScoreFunction t5 = law("t5");
  const auto* table = t5.bias.as<gpe::theory::node::TableAt>();
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->table->values.size(), 32U);
  std::size_t bucket = 0;
  for (std::int64_t n = 0; n <= 300; ++n) {
    if (n > 0 && (n < 16 || (bucket < 31 && n == edges[bucket - 15]))) ++bucket;
    EXPECT_TRUE(same(value(t5.bias, {{"n", n}}), Ball(table->table->values[bucket], kBits))) << n;
  }
  EXPECT_EQ(bucket, 31U);
}

TEST(Encodings, sandwich_takes_its_published_values) {
  Setting last;
  last.head_dim = 128;
  last.heads = 8;
  last.head = 8;
  const ScoreFunction slow = law("sandwich", last);
  const std::vector<std::pair<std::int64_t, std::string>> golden = {
      {1, "-1.4466185"},     {10, "-19.3409061"},    {100, "-33.3189142"},
      {1000, "-53.3896468"}, {10000, "-64.2927442"}, {245666, "-44.4649"}};
  for (const auto& [n, expected] : golden) {
    EXPECT_TRUE(agrees(gpe::checks::mul(Ball(8), value(slow.bias, {{"n", n}}), kBits), expected)) << n;
  }
  EXPECT_TRUE(agrees(sums(slow, 1024).entropy, "5.382"));
  Setting first = last;
  first.head = 1;
  EXPECT_TRUE(agrees(sums(law("sandwich", first), 1024).entropy, ".5138"));
}

TEST(Encodings, kerple_log_has_its_published_entropies) {
  EXPECT_TRUE(agrees(sums(law("kerple-log", {}, {{"p", "1"}, {"a", "1"}}), 1000).entropy, "5.191"));
  EXPECT_TRUE(agrees(sums(law("kerple-log", {}, {{"p", "1/2"}, {"a", "1"}}), 1000).entropy, "6.668"));
}

TEST(Encodings, ape_has_its_published_sums) {
  const Sums here = sums(law("ape", {}, {{"delta", "0.01"}, {"beta", "0.1"}, {"gamma", "0.05"}}), 4000);
  EXPECT_TRUE(agrees(here.log_z, "3.8238"));
  EXPECT_TRUE(agrees(here.entropy, "5.2650"));
  const Sums alibi = sums(law("alibi", {}, {{"m", "0.01"}}), 4000);
  EXPECT_TRUE(agrees(alibi.entropy, "5.6052"));
  EXPECT_TRUE(
      agrees(sums(law("ape", {}, {{"delta", "0.3969"}, {"beta", "1"}, {"gamma", "1"}}), 400).log_z, ".1689"));
}

TEST(Encodings, a_fixed_forget_gate_is_an_alibi_slope) {
  const std::vector<std::pair<std::string, std::string>> gates = {
      {"2", ".432752"}, {"10", "2.252168"}, {"100", "4.600166"}, {"1000", "6.907255"}};
  for (const auto& [time, gate] : gates) {
    // log sigmoid(c) = bias(1) gives c = -log(exp(-bias(1)) - 1)
    const Ball log_gate = value(law("fox-fixed", {}, {{"T", time}}).bias, {{"n", 1}});
    const Ball c = gpe::checks::neg(gpe::checks::log(
        gpe::checks::sub(gpe::checks::exp(gpe::checks::neg(log_gate), kBits), Ball(1), kBits), kBits));
    EXPECT_TRUE(agrees(c, gate)) << time;
  }
}

TEST(Encodings, a_bayesian_prior_of_shape_1_is_alibi_up_to_its_epsilon) {
  const Values slope = {{"a", "1/8"}};
  const Ball bam = value(law("bam", {}, slope).bias, {{"n", 100}});
  const Ball alibi = value(law("alibi", {}, {{"m", "1/8"}}).bias, {{"n", 100}});
  EXPECT_TRUE(agrees(gpe::checks::sub(alibi, bam, kBits), "1.25e-6"));
}

TEST(Encodings, fire_interpolates_its_example_and_forgets_length_past_the_threshold) {
  const ScoreFunction fire = law("fire");
  for (const std::int64_t query : {1, 100, 512}) {  // below the threshold: one function of n
    EXPECT_TRUE(
        same(value(fire.bias, {{"n", 100}, {"L", query}}), value(fire.bias, {{"n", 100}, {"L", 512}})));
  }
  EXPECT_TRUE(agrees(value(fire.bias, {{"n", 512}, {"L", 512}}), "-4.0000"));
  EXPECT_TRUE(
      value(fire.bias, {{"n", 512}, {"L", 512}}).surely_less(value(fire.bias, {{"n", 512}, {"L", 5000}})));
}

}  // namespace encodings_biases_test
