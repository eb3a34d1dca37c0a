// Rotations and temperatures of the built-in encodings against published numbers.
#include "tests/theory/score/builtin_encodings.h"

namespace encodings_rotations_test {

using namespace gpe::tests;

TEST(Encodings, rope_with_all_ones_has_its_published_sums) {
  const ScoreFunction rope = law("rope");
  const Sums here = sums(rope, 1023, all_ones(rope));
  EXPECT_TRUE(agrees(here.log_z, "10.1231"));
  EXPECT_TRUE(agrees(here.entropy, "5.3589"));
}

TEST(Encodings, xpos_has_its_published_factors_and_sums) {
  Setting wide;
  wide.head_dim = 128;
  const ScoreFunction xpos = law("xpos", wide);
  EXPECT_TRUE(agrees(value(xpos.rotation.scale, {{"n", 512}, {"j", 0}}), ".285714"));
  EXPECT_TRUE(agrees(value(xpos.rotation.scale, {{"n", 512}, {"j", 63}}), ".988839"));
  const std::vector<std::pair<std::int64_t, std::string>> means = {
      {512, ".637277"}, {2048, ".271763"}, {8192, ".074773"}, {131072, "9.34e-4"}};
  for (const auto& [n, mean] : means) {
    Ball total;
    for (std::int64_t j = 0; j < 64; ++j)
      total = gpe::checks::add(total, value(xpos.rotation.scale, {{"n", n}, {"j", j}}), kBits);
    EXPECT_TRUE(agrees(gpe::checks::div(total, Ball(64), kBits), mean)) << n;
  }
  const ScoreFunction narrow = law("xpos");
  const Sums here = sums(narrow, 1023, all_ones(narrow));
  EXPECT_TRUE(agrees(here.log_z, "9.9963"));
  EXPECT_TRUE(agrees(here.entropy, "5.1518"));
}

TEST(Encodings, the_hyperbolic_mean_kernel_takes_its_published_values) {
  const std::vector<std::tuple<std::string, std::int64_t, std::string>> golden = {
      {"1.0001", 1, ".431093"}, {"1.0001", 10, ".034371"}, {"1.0001", 100, ".030939"},
      {"1.5", 1, ".261497"},    {"1.5", 10, "2.318e-4"},   {"1.5", 100, "6.03e-24"}};
  for (const auto& [decay, n, mean] : golden) {
    const ScoreFunction hope = law("hope-hyperbolic", {}, {{"decay", decay}});
    Ball total;  // all ones: e^{-decay n}(cosh + sinh)(rate n)
    for (std::int64_t j = 0; j < 32; ++j) {
      const Ball rate = value(hope.hyperbolic.rate, {{"j", j}});
      const Ball exponent =
          gpe::checks::mul(Ball(n), gpe::checks::sub(rate, value(hope.hyperbolic.decay, {}), kBits), kBits);
      total = gpe::checks::add(total, gpe::checks::exp(exponent, kBits), kBits);
    }
    EXPECT_TRUE(agrees(gpe::checks::div(total, Ball(32), kBits), mean)) << decay << " " << n;
  }
}

TEST(Encodings, ntk_scaling_gives_the_published_bases) {
  Setting wide;
  wide.head_dim = 128;
  const auto base_of = [](const Ball& second_frequency) { return power(second_frequency, Ball(-64)); };
  for (const auto& [factor, base] :
       {std::pair("2", "20221.26"), std::pair("4", "40889.94"), std::pair("8", "82684.62")}) {
    EXPECT_TRUE(agrees(base_of(angle(law("ntk-aware", wide, {{"factor", factor}}), 1)), base)) << factor;
  }
  const ScoreFunction dynamic = law("dynamic-ntk", wide);
  for (const auto& [length, base] :
       {std::pair(2048, "10000.00"), std::pair(4096, "30527.74"), std::pair(8192, "72195.86")}) {
    EXPECT_TRUE(agrees(base_of(value(dynamic.rotation.angle, {{"n", 1}, {"j", 1}, {"L", length - 1}})), base))
        << length;
  }
}

// Blocks with the plain frequency, and with the plain frequency over `factor`.
std::pair<int, int> kept_and_interpolated(const ScoreFunction& scaled, const ScoreFunction& plain,
                                          std::int64_t factor) {
  int kept = 0;
  int interpolated = 0;
  for (std::int64_t j = 0; j < scaled.head_dim / 2; ++j) {
    const Ball ratio = gpe::checks::div(angle(scaled, j), angle(plain, j), kBits);
    kept += same(ratio, Ball(1)) ? 1 : 0;
    interpolated += same(ratio, Ball(Rational(1, factor), kBits)) ? 1 : 0;
  }
  return {kept, interpolated};
}

TEST(Encodings, yarn_blends_between_the_published_blocks) {
  struct Case {
    int d;
    std::string base;
    std::string train;
    int low;
    int high;
  };
  for (const Case& one : {Case{128, "10000", "4096", 20, 46}, Case{128, "10000", "2048", 16, 41},
                          Case{128, "1000000", "32768", 23, 40}, Case{64, "10000", "4096", 10, 23}}) {
    Setting setting;
    setting.head_dim = one.d;
    const ScoreFunction yarn =
        law("yarn", setting, {{"base", one.base}, {"train", one.train}, {"factor", "8"}});
    const auto [kept, interpolated] =
        kept_and_interpolated(yarn, law("rope", setting, {{"base", one.base}}), 8);
    EXPECT_EQ(kept, one.low + 1) << one.base << " " << one.train;
    EXPECT_EQ(interpolated, one.d / 2 - one.high) << one.base << " " << one.train;
  }
  Setting deep;
  deep.head_dim = 192;
  const ScoreFunction deepseek = law("deepseek-v3", deep);
  Setting narrow;
  const ScoreFunction plain = law("rope", narrow);
  for (std::int64_t j = 0; j < 32; ++j) {
    const Ball ratio = gpe::checks::div(angle(deepseek, j), angle(plain, j), kBits);
    EXPECT_EQ(static_cast<bool>(same(ratio, Ball(1))), j <= 10);
    EXPECT_EQ(static_cast<bool>(same(ratio, Ball(Rational(1, 40), kBits))), j >= 23);
  }
  EXPECT_TRUE(angle(deepseek, 32).surely_zero());
}

TEST(Encodings, yarn_has_the_published_frequencies_and_temperatures) {
  Setting wide;
  wide.head_dim = 128;
  const ScoreFunction yarn = law("yarn", wide, {{"factor", "8"}});
  const std::vector<std::pair<std::int64_t, std::string>> frequencies = {
      {0, "1"}, {20, ".05623413"}, {33, ".004871049"}, {46, "1.66690e-4"}, {63, "1.44348e-5"}};
  for (const auto& [j, frequency] : frequencies) EXPECT_TRUE(agrees(angle(yarn, j), frequency)) << j;
  const std::vector<std::tuple<std::string, std::string, std::string>> temperatures = {
      {"8", "1.20794415", "1.45913"},
      {"16", "1.27726", "1.63139"},
      {"32", "1.34657", "1.81326"},
      {"40", "1.36889", "1.87385"}};
  for (const auto& [factor, mscale, gain] : temperatures) {
    for (const char* name : {"yarn", "gpt-oss-sink", "deepseek-v3"}) {
      const Ball here = value(law(name, {}, {{"factor", factor}}).gain, {});
      EXPECT_TRUE(agrees(here, gain)) << name << " " << factor;
      EXPECT_TRUE(agrees(root(here), mscale)) << name << " " << factor;
    }
  }
}

TEST(Encodings, gpt_oss_blends_between_its_published_bounds_without_rounding) {
  const ScoreFunction oss = law("gpt-oss-sink");
  const auto [kept, interpolated] = kept_and_interpolated(oss, law("rope", {}, {{"base", "150000"}}), 32);
  EXPECT_EQ(kept, 9);           // 0 … 8
  EXPECT_EQ(interpolated, 14);  // 18 … 31
  // the ramp is linear in j: two of its blocks give both ends
  const ScoreFunction plain = law("rope", {}, {{"base", "150000"}});
  const auto ramp = [&](std::int64_t j) {
    const Ball ratio = gpe::checks::div(angle(oss, j), angle(plain, j), kBits);
    return gpe::checks::mul(gpe::checks::sub(Ball(1), ratio, kBits), Ball(Rational(32, 31), kBits), kBits);
  };
  const Ball slope = gpe::checks::div(gpe::checks::sub(ramp(17), ramp(9), kBits), Ball(8), kBits);
  const Ball low = gpe::checks::sub(Ball(9), gpe::checks::div(ramp(9), slope, kBits), kBits);
  EXPECT_TRUE(agrees(low, "8.0928"));
  EXPECT_TRUE(agrees(gpe::checks::add(low, gpe::checks::div(Ball(1), slope, kBits), kBits), "17.3980"));
}

TEST(Encodings, longrope_has_its_published_temperature_and_its_shipped_factors) {
  const ScoreFunction longrope = law("longrope");
  EXPECT_TRUE(agrees(root(value(longrope.gain, {})), "1.190238"));
  const ScoreFunction plain = law("rope");
  EXPECT_TRUE(same(angle(longrope, 0), angle(plain, 0)));
  EXPECT_TRUE(same(gpe::checks::mul(Ball(32), angle(longrope, 31), kBits), angle(plain, 31)));
  for (std::int64_t j = 1; j < 32; ++j) {  // slower and slower
    const Ball before = gpe::checks::div(angle(longrope, j - 1), angle(plain, j - 1), kBits);
    EXPECT_TRUE(gpe::checks::div(angle(longrope, j), angle(plain, j), kBits).surely_less(before)) << j;
  }
}

TEST(Encodings, llama3_keeps_blends_and_scales_the_published_blocks) {
  Setting wide;
  wide.head_dim = 128;
  const ScoreFunction llama = law("llama3", wide);
  const auto [kept, interpolated] = kept_and_interpolated(llama, law("rope", wide, {{"base", "500000"}}), 8);
  EXPECT_EQ(kept, 29);
  EXPECT_EQ(interpolated, 29);
  const std::vector<std::pair<std::int64_t, std::string>> frequencies = {
      {29, ".0021665708"}, {32, "5.24846e-4"}, {34, "1.785078e-4"}, {35, "9.556212e-5"}};
  for (const auto& [j, frequency] : frequencies) EXPECT_TRUE(agrees(angle(llama, j), frequency)) << j;
  // high = low leaves no blend, and no division by zero
  const ScoreFunction scout = law("llama3", wide, {{"factor", "16"}, {"high", "1"}});
  const auto [all_kept, all_interpolated] =
      kept_and_interpolated(scout, law("rope", wide, {{"base", "500000"}}), 16);
  EXPECT_EQ(all_kept + all_interpolated, 64);
}

TEST(Encodings, p_rope_and_partial_rotary_turn_as_many_blocks_at_other_frequencies) {
  for (const auto& [fraction, turning] : {std::pair("1/4", 8), std::pair("3/4", 24), std::pair("1", 32)}) {
    const ScoreFunction p_rope = law("p-rope", {}, {{"p", fraction}});
    const ScoreFunction partial = law("partial-rotary", {}, {{"fraction", fraction}});
    for (std::int64_t j = 0; j < 32; ++j) {
      EXPECT_EQ(angle(p_rope, j).surely_zero(), j >= turning) << fraction << " " << j;
      EXPECT_EQ(angle(partial, j).surely_zero(), j >= turning) << fraction << " " << j;
    }
    // the last turning block: base^(-2j/d) against base^(-2j/(fraction d))
    const bool equal_frequencies = same(angle(p_rope, turning - 1), angle(partial, turning - 1));
    EXPECT_EQ(equal_frequencies, turning == 32) << fraction;
  }
}

TEST(Encodings, rectified_angles_stop_or_slow_down_at_the_cutoff) {
  const ScoreFunction stop = law("rerope");
  const ScoreFunction slow = law("leaky-rerope");
  EXPECT_TRUE(same(angle(stop, 0, 511), Ball(511)));
  EXPECT_TRUE(same(angle(stop, 0, 100000), Ball(512)));
  EXPECT_TRUE(same(angle(slow, 0, 511), Ball(511)));
  EXPECT_TRUE(same(angle(slow, 0, 512), Ball(512)));
  EXPECT_TRUE(same(angle(slow, 0, 528), Ball(513)));
}

TEST(Encodings, shifted_and_clipped_rotations_begin_and_end_where_their_code_says) {
  const ScoreFunction shifted = law("string");
  EXPECT_TRUE(same(angle(shifted, 0, 43252), Ball(43252)));
  EXPECT_TRUE(same(angle(shifted, 0, 43253), Ball(128)));
  EXPECT_TRUE(same(angle(shifted, 0, 131071), Ball(87946)));
  Setting wide;
  wide.head_dim = 128;
  const ScoreFunction clipped = law("cope-clipped", wide, {{"base", "10000"}});
  const ScoreFunction rope = law("rope", wide);
  EXPECT_TRUE(same(angle(clipped, 44), angle(rope, 44)));  // the first of the last 20 keeps its frequency
  EXPECT_TRUE(angle(clipped, 45).surely_less(angle(rope, 45)));
  EXPECT_TRUE(same(angle(clipped, 63), Ball(0)));
}

TEST(Encodings, ramps_of_mixed_radices_meet_yarn_at_both_ends) {
  const ScoreFunction yarn = law("yarn");
  for (const char* name : {"mrrope-uni", "mrrope-pro"}) {
    const ScoreFunction mixed = law(name);
    for (const std::int64_t j : {0, 10, 23, 31})
      EXPECT_TRUE(same(angle(mixed, j), angle(yarn, j))) << name << j;
    EXPECT_FALSE(same(angle(mixed, 16), angle(yarn, 16))) << name;
  }
}

TEST(Encodings, imaginary_heads_are_a_quarter_turn_behind) {
  const Values base = {{"base", "10000"}};
  const Ball turned = angle(law("ropepp-imaginary", {}, base), 5, 7);
  EXPECT_TRUE(agrees(gpe::checks::sub(angle(law("rope"), 5, 7), turned, kBits), "1.5707963"));
}

TEST(Encodings, scalable_softmax_keeps_its_needle) {
  const ScoreFunction ssmax = law("ssmax");
  const std::vector<std::tuple<std::int64_t, std::string, std::string>> golden = {
      {10, ".942826", ".940101"},
      {100, ".599860", ".995063"},
      {1000, ".129346", ".999646"},
      {10000, ".014626", ".999975"},
      {100000, ".001482", ".999998"}};
  for (const auto& [keys, plain, scaled] : golden) {
    const auto needle = [&, count = keys](const Ball& gain) {  // one logit of 3 among logits of -2
      const Ball rest = gpe::checks::exp(gpe::checks::mul(Ball(-5), gain, kBits), kBits);
      return gpe::checks::div(
          Ball(1), gpe::checks::add(Ball(1), gpe::checks::mul(Ball(count - 1), rest, kBits), kBits), kBits);
    };
    EXPECT_TRUE(agrees(needle(value(law("nope").gain, {})), plain)) << keys;
    EXPECT_TRUE(agrees(needle(value(ssmax.gain, {{"L", keys - 1}})), scaled)) << keys;
  }
}

TEST(Encodings, temperatures_of_llama4_ministral_and_qwen_change_where_their_code_changes_them) {
  const ScoreFunction llama4 = law("llama4");
  for (const auto& [position, gain] :
       {std::pair(8190, "1"), std::pair(8191, "1.0693147"), std::pair(131072, "1.2833213")}) {
    EXPECT_TRUE(agrees(value(llama4.gain, {{"L", position}}), gain)) << position;
  }
  const ScoreFunction ministral = law("ministral3");
  for (const auto& [position, gain] :
       {std::pair(16383, "1"), std::pair(16384, "1.0693147"), std::pair(131072, "1.2197225")}) {
    EXPECT_TRUE(agrees(value(ministral.gain, {{"L", position}}), gain)) << position;
  }
  const ScoreFunction qwen = law("qwen");
  EXPECT_TRUE(same(value(qwen.gain, {{"L", 8191}}), Ball(1)));
  EXPECT_TRUE(Ball(1).surely_less(value(qwen.gain, {{"L", 8192}})));
  // alpha = 2^ceil(log2(tokens/train) + 1) - 1: 1, 3 and 7, with steps past whole doublings
  const auto alpha = [&](std::int64_t tokens) {
    return power(value(qwen.rotation.angle, {{"n", 1}, {"j", 31}, {"L", tokens - 1}}), Ball(-1));
  };
  const Ball one = power(Ball(10000), Ball(Rational(31, 32), kBits));
  for (const auto& [tokens, expected] :
       {std::pair(8192, 1), std::pair(8193, 3), std::pair(16384, 3), std::pair(16385, 7)}) {
    EXPECT_TRUE(same(gpe::checks::div(alpha(tokens), one, kBits), Ball(expected))) << tokens;
  }
}

}  // namespace encodings_rotations_test
