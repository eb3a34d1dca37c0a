// Tests: tests/checks/config_test.py
#include "checks/configs/config_bias.h"

namespace gpe::checks {

using theory::Rational;

namespace {

std::string power_of_half(const Rational& exponent) { return "2^(-" + exponent.str() + ")"; }

std::vector<std::string> official_slopes(int heads) {
  int whole = 1;
  while (2 * whole <= heads) whole *= 2;
  std::vector<std::string> result;
  for (int h = 1; h <= whole; ++h) result.push_back(power_of_half(Rational(8 * h, whole)));
  for (int i = 1; whole + i <= heads; ++i) result.push_back(power_of_half(Rational(4 * (2 * i - 1), whole)));
  return result;
}

// 2^(-k·most/P), P the least power of two that is not below `heads`: for fewer heads, even k before odd ones.
std::vector<std::string> mpt_slopes(int heads, const Rational& most) {
  int whole = 1;
  while (whole < heads) whole *= 2;
  std::vector<std::string> result;
  for (int h = 1; h <= heads; ++h) {
    int k = h;
    if (whole != heads) k = 2 * h <= whole ? 2 * h : 2 * h - whole - 1;
    result.push_back(power_of_half(most * Rational(k, whole)));
  }
  return result;
}

}  // namespace

void add_alibi(EncodingText& text, const JsonConfig& config, const ModelFamily& family, int heads,
               int head_dim) {
  std::vector<std::string> slopes;
  if (family.position == Position::alibi_mpt) {
    Rational most = 8;
    if (config.has("attn_config")) {
      const JsonConfig attention = config.object("attn_config");
      if (attention.has("alibi") && !attention.flag("alibi"))
        attention.fail("alibi", "true: without it MPT has learned absolute positions");
      if (attention.has("alibi_bias_max")) most = attention.exact("alibi_bias_max", 1e-6, 1e6);
    }
    slopes = mpt_slopes(heads, most);
  } else {
    slopes = official_slopes(heads);
  }
  text.parameters.push_back({"m", slopes, "m > 0", "slope: penalty per token"});
  text.bias =
      family.position == Position::alibi_by_option ? "-m*n/sqrt(" + std::to_string(head_dim) + ")" : "-m*n";
}

void add_buckets(EncodingText& text, const JsonConfig& config) {
  const auto integer_or = [&](const char* key, std::int64_t by_default, std::int64_t low) {
    return config.has(key) ? config.integer(key, low, 1 << 20) : by_default;
  };
  const std::int64_t buckets = integer_or("relative_attention_num_buckets", 32, 4);
  const std::int64_t exact = buckets / 2;
  const std::int64_t farthest = integer_or("relative_attention_max_distance", 128, exact + 1);
  const std::string half = std::to_string(exact);
  text.tables.push_back({"values", std::vector<Rational>(static_cast<std::size_t>(buckets)), "k"});
  text.bias = "values(if(n < " + half + ", n, if(n < " + std::to_string(farthest) + ", " + half +
              " + floor(" + std::to_string(buckets - exact) + "*log(n/" + half + ")/log(" +
              Rational(farthest, exact).str() + ")), " + std::to_string(buckets - 1) + ")))";
}

}  // namespace gpe::checks
