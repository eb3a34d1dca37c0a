// The built-in encodings against published numbers, against independent code
// (tests/cases/make_encodings_golden.py), and against what is known of each: which converge, which keep far
// tokens, which turn.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include "checks/arb/expr_ball.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_parse.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/verdict.h"
#include "theory/score/spec_parse.h"

namespace {

using gpe::checks::Ball;
using gpe::theory::DecisionOptions;
using gpe::theory::Encoding;
using gpe::theory::Expr;
using gpe::theory::Finding;
using gpe::theory::Law;
using gpe::theory::Override;
using gpe::theory::Property;
using gpe::theory::Rational;
using gpe::theory::Setting;
using gpe::theory::Verdict;

constexpr long kBits = 160;
const std::filesystem::path kFolder = std::filesystem::path(GPE_SOURCE_DIR) / "theory" / "encodings";

const gpe::checks::BallOracle& oracle() {
  static const gpe::checks::BallOracle instance;
  return instance;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".toml") result.push_back(entry.path().stem().string());
  }
  std::ranges::sort(result);
  return result;
}

Encoding encoding(const std::string& name) { return gpe::theory::load_encoding(kFolder / (name + ".toml")); }

using Values = std::vector<std::pair<std::string, std::string>>;

Law open_law(const std::string& name, const Setting& setting = {}, const Values& values = {}) {
  std::vector<Override> overrides;
  for (const auto& [parameter, value] : values)
    overrides.push_back({parameter, gpe::theory::parse_expression(value, {})});
  return gpe::theory::instantiate(encoding(name), setting, overrides, oracle());
}

Law law(const std::string& name, const Setting& setting = {}, const Values& values = {}) {
  return gpe::theory::at_values(open_law(name, setting, values));
}

using Point = std::map<std::string, std::int64_t>;

Ball value(const Expr& expression, const Point& point, long bits = kBits) {
  std::map<std::string, Ball> balls;
  for (const auto& [symbol, number] : point) balls.emplace(symbol, Ball(number));
  return gpe::checks::evaluate(expression, balls, bits);
}

Ball ball(const std::string& decimal) { return Ball(*Rational::parse(decimal), kBits); }
Ball root(const Ball& x) { return gpe::checks::sqrt(x, kBits); }
Ball power(const Ball& x, const Ball& y) { return gpe::checks::pow(x, y, kBits); }

// |x - golden| is at most one unit of the last digit that the golden number shows.
testing::AssertionResult agrees(const Ball& x, const std::string& golden) {
  const std::size_t mark = golden.find_first_of("eE");
  const std::string mantissa = golden.substr(0, mark);
  const std::size_t point = mantissa.find('.');
  std::int64_t last =
      point == std::string::npos ? 0 : -static_cast<std::int64_t>(mantissa.size() - point - 1);
  if (mark != std::string::npos) last += std::stoll(golden.substr(mark + 1));
  const Ball unit(Rational(10).pow(last), kBits);
  const Ball distance = gpe::checks::abs(gpe::checks::sub(x, ball(golden), kBits));
  if (distance.surely_at_most(unit)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << x.approximate() << " is not " << golden;
}

// Equal to about 40 digits.
testing::AssertionResult same(const Ball& x, const Ball& golden) {
  const Ball scale = gpe::checks::add(gpe::checks::abs(golden), Ball(Rational(1, 1000000), kBits), kBits);
  const Ball bound = gpe::checks::mul(scale, Ball(Rational(10).pow(-36), kBits), kBits);
  if (gpe::checks::abs(gpe::checks::sub(x, golden, kBits)).surely_at_most(bound))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << x.approximate() << " is not " << golden.approximate();
}

Ball angle(const Law& closed, std::int64_t j, std::int64_t n = 1) {
  return value(closed.rotation.angle, {{"n", n}, {"j", j}, {"L", n}});
}

struct Sums {
  Ball z;
  Ball log_z;
  Ball entropy;
};

// Z and H of the distances 0 … last under the score bias + content.
Sums sums(const Law& closed, std::int64_t last, const std::function<Ball(std::int64_t)>& content = nullptr) {
  Ball z;
  Ball weighted;
  for (std::int64_t n = 0; n <= last; ++n) {
    Ball score = value(closed.bias, {{"n", n}, {"L", last}});
    if (content) score = gpe::checks::add(score, content(n), kBits);
    const Ball weight = gpe::checks::exp(score, kBits);
    z = gpe::checks::add(z, weight, kBits);
    weighted = gpe::checks::add(weighted, gpe::checks::mul(weight, score, kBits), kBits);
  }
  const Ball log_z = gpe::checks::log(z, kBits);
  return {z, log_z, gpe::checks::sub(log_z, gpe::checks::div(weighted, z, kBits), kBits)};
}

// q = k = (1, …, 1): each block of a rotation gives 2 cos(angle), times its factor.
std::function<Ball(std::int64_t)> all_ones(const Law& closed) {
  return [&closed](std::int64_t n) {
    Ball total;
    for (std::int64_t j = 0; j < closed.head_dim / 2; ++j) {
      const Ball turned = gpe::checks::cos(angle(closed, j, n), kBits);
      const Ball scale = value(closed.rotation.scale, {{"n", n}, {"j", j}});
      total = gpe::checks::add(total, gpe::checks::mul(turned, scale, kBits), kBits);
    }
    return gpe::checks::div(gpe::checks::mul(Ball(2), total, kBits), root(Ball(closed.head_dim)), kBits);
  };
}

std::map<std::string, const Finding*> by_reading(const std::vector<Finding>& findings) {
  std::map<std::string, const Finding*> result;
  for (const Finding& finding : findings) {
    result[std::string(short_name_of(finding.reading->property)) + "/" + std::string(finding.reading->name)] =
        &finding;
  }
  return result;
}

Finding find(const std::string& name, Property property, std::string_view reading) {
  return gpe::theory::find(*gpe::theory::find_reading(property, reading), open_law(name), Rational(1), {},
                           oracle());
}

// ---------------------------------------------------------------------------------------------------- the
// files

TEST(Encodings, every_file_loads_under_its_own_name_and_says_where_it_comes_from) {
  const std::vector<std::string> all = names();
  EXPECT_GE(all.size(), 40U);
  std::set<std::string> titles;
  for (const std::string& name : all) {
    const Encoding one = encoding(name);
    EXPECT_EQ(one.name, name);
    EXPECT_TRUE(titles.insert(one.title).second) << name << ": a second \"" << one.title << "\"";
    EXPECT_TRUE(std::regex_search(one.reference, std::regex("20[0-9][0-9]|\\.py")))
        << name << ": " << one.reference;
    for (const auto& parameter : one.parameters)
      EXPECT_FALSE(parameter.doc.empty()) << name << "." << parameter.name;
    EXPECT_NO_THROW(open_law(name)) << name;
  }
}

TEST(Encodings, the_documentation_names_every_one_of_them_and_no_other) {
  std::ifstream file(std::filesystem::path(GPE_SOURCE_DIR) / "docs" / "encodings.md");
  ASSERT_TRUE(file.good());
  std::set<std::string> documented;
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    if (std::regex_search(line, match, std::regex("^\\| `([a-z0-9.-]+)` \\|"))) documented.insert(match[1]);
  }
  const std::vector<std::string> all = names();
  EXPECT_EQ(std::vector<std::string>(documented.begin(), documented.end()), all);
}

// ---------------------------------------------------------------------------------------------------- values

struct GoldenRow {
  std::string name;
  Setting setting;
  Values values;
  std::string quantity;
  Point point;
  std::string golden;
  std::string line;
};

std::vector<GoldenRow> golden_rows() {
  std::ifstream file(std::filesystem::path(GPE_SOURCE_DIR) / "tests" / "cases" / "encodings_golden.csv");
  std::vector<GoldenRow> rows;
  std::string line;
  std::getline(file, line);  // titles
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
    GoldenRow row;
    row.name = cells.at(0);
    row.setting.head_dim = std::stoi(cells.at(1));
    row.setting.heads = std::stoi(cells.at(2));
    row.setting.head = std::stoi(cells.at(3));
    std::istringstream settings(cells.at(4));
    for (std::string one; std::getline(settings, one, ';');) {
      row.values.emplace_back(one.substr(0, one.find('=')), one.substr(one.find('=') + 1));
    }
    row.quantity = cells.at(5);
    const std::vector<std::string> symbols = {"L", "n", "j"};
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      if (!cells.at(6 + i).empty()) row.point[symbols[i]] = std::stoll(cells.at(6 + i));
    }
    row.golden = cells.at(9);
    row.line = line;
    rows.push_back(std::move(row));
  }
  return rows;
}

Expr quantity_of(const Law& closed, const std::string& quantity) {
  if (quantity == "gain") return closed.gain;
  if (quantity == "bias") return closed.bias;
  if (quantity == "angle") return closed.rotation.angle;
  if (quantity == "scale") return closed.rotation.scale;
  if (quantity == "rate") return closed.hyperbolic.rate;
  return closed.bias.as<gpe::theory::node::TableAt>()->index;  // "index"
}

TEST(Encodings, values_are_those_of_independent_code_to_36_digits) {
  const std::vector<GoldenRow> rows = golden_rows();
  EXPECT_GT(rows.size(), 1000U);
  std::map<std::tuple<std::string, int, int, int, Values>, Law> laws;
  for (const GoldenRow& row : rows) {
    const auto key =
        std::tuple(row.name, row.setting.head_dim, row.setting.heads, row.setting.head, row.values);
    if (!laws.contains(key)) laws.emplace(key, law(row.name, row.setting, row.values));
    const Ball here = value(quantity_of(laws.at(key), row.quantity), row.point, 2 * kBits);
    EXPECT_TRUE(same(here, ball(row.golden))) << row.line;
  }
}

// ---------------------------------------------------------------------------------------------------- ALiBi

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
  const Law slowest = law("alibi");  // one head: 2^-8
  for (const auto& [length, entropy] :
       {std::pair(64, "4.156284"), std::pair(256, "5.504526"), std::pair(1024, "6.452063"),
        std::pair(4096, "6.545176"), std::pair(16384, "6.545178")}) {
    EXPECT_TRUE(agrees(sums(slowest, length - 1).entropy, entropy)) << length;
  }
}

// ---------------------------------------------------------------------------------------------------- biases

TEST(Encodings, t5_buckets_start_where_the_code_of_t5_starts_them) {
  const std::vector<std::int64_t> edges = {16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113};
  const Law t5 = law("t5");
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
  const Law slow = law("sandwich", last);
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

TEST(Encodings, fire_interpolates_its_example_and_forgets_length_past_the_threshold) {
  const Law fire = law("fire");
  for (const std::int64_t query : {1, 100, 512}) {  // below the threshold: one function of n
    EXPECT_TRUE(
        same(value(fire.bias, {{"n", 100}, {"L", query}}), value(fire.bias, {{"n", 100}, {"L", 512}})));
  }
  EXPECT_TRUE(agrees(value(fire.bias, {{"n", 512}, {"L", 512}}), "-4.0000"));
  EXPECT_TRUE(
      value(fire.bias, {{"n", 512}, {"L", 512}}).surely_less(value(fire.bias, {{"n", 512}, {"L", 5000}})));
}

// ----------------------------------------------------------------------------------------------------
// rotations

TEST(Encodings, rope_with_all_ones_has_its_published_sums) {
  const Law rope = law("rope");
  const Sums here = sums(rope, 1023, all_ones(rope));
  EXPECT_TRUE(agrees(here.log_z, "10.1231"));
  EXPECT_TRUE(agrees(here.entropy, "5.3589"));
}

TEST(Encodings, xpos_has_its_published_factors_and_sums) {
  Setting wide;
  wide.head_dim = 128;
  const Law xpos = law("xpos", wide);
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
  const Law narrow = law("xpos");
  const Sums here = sums(narrow, 1023, all_ones(narrow));
  EXPECT_TRUE(agrees(here.log_z, "9.9963"));
  EXPECT_TRUE(agrees(here.entropy, "5.1518"));
}

TEST(Encodings, the_hyperbolic_mean_kernel_takes_its_published_values) {
  const std::vector<std::tuple<std::string, std::int64_t, std::string>> golden = {
      {"1.0001", 1, ".431093"}, {"1.0001", 10, ".034371"}, {"1.0001", 100, ".030939"},
      {"1.5", 1, ".261497"},    {"1.5", 10, "2.318e-4"},   {"1.5", 100, "6.03e-24"}};
  for (const auto& [decay, n, mean] : golden) {
    const Law hope = law("hope-hyperbolic", {}, {{"decay", decay}});
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
  const Law dynamic = law("dynamic-ntk", wide);
  for (const auto& [length, base] :
       {std::pair(2048, "10000.00"), std::pair(4096, "30527.74"), std::pair(8192, "72195.86")}) {
    EXPECT_TRUE(agrees(base_of(value(dynamic.rotation.angle, {{"n", 1}, {"j", 1}, {"L", length - 1}})), base))
        << length;
  }
}

// Blocks with the plain frequency, and with the plain frequency over `factor`.
std::pair<int, int> kept_and_interpolated(const Law& scaled, const Law& plain, std::int64_t factor) {
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
    const Law yarn = law("yarn", setting, {{"base", one.base}, {"train", one.train}, {"factor", "8"}});
    const auto [kept, interpolated] =
        kept_and_interpolated(yarn, law("rope", setting, {{"base", one.base}}), 8);
    EXPECT_EQ(kept, one.low + 1) << one.base << " " << one.train;
    EXPECT_EQ(interpolated, one.d / 2 - one.high) << one.base << " " << one.train;
  }
  Setting deep;
  deep.head_dim = 192;
  const Law deepseek = law("deepseek-v3", deep);
  Setting narrow;
  const Law plain = law("rope", narrow);
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
  const Law yarn = law("yarn", wide, {{"factor", "8"}});
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
  const Law oss = law("gpt-oss-sink");
  const auto [kept, interpolated] = kept_and_interpolated(oss, law("rope", {}, {{"base", "150000"}}), 32);
  EXPECT_EQ(kept, 9);           // 0 … 8
  EXPECT_EQ(interpolated, 14);  // 18 … 31
  // the ramp is linear in j: two of its blocks give both ends
  const Law plain = law("rope", {}, {{"base", "150000"}});
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
  const Law longrope = law("longrope");
  EXPECT_TRUE(agrees(root(value(longrope.gain, {})), "1.190238"));
  const Law plain = law("rope");
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
  const Law llama = law("llama3", wide);
  const auto [kept, interpolated] = kept_and_interpolated(llama, law("rope", wide, {{"base", "500000"}}), 8);
  EXPECT_EQ(kept, 29);
  EXPECT_EQ(interpolated, 29);
  const std::vector<std::pair<std::int64_t, std::string>> frequencies = {
      {29, ".0021665708"}, {32, "5.24846e-4"}, {34, "1.785078e-4"}, {35, "9.556212e-5"}};
  for (const auto& [j, frequency] : frequencies) EXPECT_TRUE(agrees(angle(llama, j), frequency)) << j;
  // high = low leaves no blend, and no division by zero
  const Law scout = law("llama3", wide, {{"factor", "16"}, {"high", "1"}});
  const auto [all_kept, all_interpolated] =
      kept_and_interpolated(scout, law("rope", wide, {{"base", "500000"}}), 16);
  EXPECT_EQ(all_kept + all_interpolated, 64);
}

TEST(Encodings, p_rope_and_partial_rotary_turn_as_many_blocks_at_other_frequencies) {
  for (const auto& [fraction, turning] : {std::pair("1/4", 8), std::pair("3/4", 24), std::pair("1", 32)}) {
    const Law p_rope = law("p-rope", {}, {{"p", fraction}});
    const Law partial = law("partial-rotary", {}, {{"fraction", fraction}});
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
  const Law stop = law("rerope");
  const Law slow = law("leaky-rerope");
  EXPECT_TRUE(same(angle(stop, 0, 511), Ball(511)));
  EXPECT_TRUE(same(angle(stop, 0, 100000), Ball(512)));
  EXPECT_TRUE(same(angle(slow, 0, 511), Ball(511)));
  EXPECT_TRUE(same(angle(slow, 0, 512), Ball(512)));
  EXPECT_TRUE(same(angle(slow, 0, 528), Ball(513)));
}

// ----------------------------------------------------------------------------------------------------
// temperatures

TEST(Encodings, scalable_softmax_keeps_its_needle) {
  const Law ssmax = law("ssmax");
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
  const Law llama4 = law("llama4");
  for (const auto& [position, gain] :
       {std::pair(8190, "1"), std::pair(8191, "1.0693147"), std::pair(131072, "1.2833213")}) {
    EXPECT_TRUE(agrees(value(llama4.gain, {{"L", position}}), gain)) << position;
  }
  const Law ministral = law("ministral3");
  for (const auto& [position, gain] :
       {std::pair(16383, "1"), std::pair(16384, "1.0693147"), std::pair(131072, "1.2197225")}) {
    EXPECT_TRUE(agrees(value(ministral.gain, {{"L", position}}), gain)) << position;
  }
  const Law qwen = law("qwen");
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

// ----------------------------------------------------------------------------------------------------
// verdicts

struct Known {
  std::string name;
  bool normalizes;  ///< CN every-content
  bool bounds;      ///< EB limit
  bool weight;      ///< LDCP weight
  bool content;     ///< LDCP content
  bool turns;       ///< GPS vector
};

const std::vector<Known>& known() {
  static const std::vector<Known> table = {
      {"alibi", true, true, false, true, false},
      {"alibi-paper", true, true, false, true, false},
      {"alibi-vetcha2025", true, true, false, true, false},
      {"alibi-symmetric", true, true, false, true, false},
      {"ape", true, true, false, false, true},
      {"deepseek-v3", false, false, true, true, true},
      {"drope", false, false, true, true, false},
      {"dynamic-ntk", false, false, true, true, true},
      {"entropy-abf", false, false, true, true, true},
      {"fire", false, false, true, true, false},
      {"fox-fixed", true, true, false, true, false},
      {"gemma2-global", false, false, true, true, true},
      {"gemma2-local", true, true, false, false, true},
      {"gpt-oss-sink", false, false, true, true, true},
      {"hope", false, false, true, true, true},
      {"hope-hyperbolic", false, false, true, false, true},
      {"kerple-log", true, true, false, true, false},  // p = 2
      {"kerple-power", true, true, false, true, false},
      {"kerple-weight", true, true, false, false, true},
      {"leaky-rerope", false, false, true, true, true},
      {"llama3", false, false, true, true, true},
      {"llama4", false, false, true, true, false},
      {"log-n", false, false, true, true, true},
      {"longrope", false, false, true, true, true},
      {"ministral3", false, false, true, true, true},
      {"nope", false, false, true, true, false},
      {"ntk-aware", false, false, true, true, true},
      {"p-rope", false, false, true, true, true},
      {"partial-rotary", false, false, true, true, true},
      {"position-interpolation", false, false, true, true, true},
      {"qwen", false, false, true, true, true},
      {"rerope", false, false, true, true, true},
      {"resonance-rope", false, false, true, true, true},
      {"rope", false, false, true, true, true},
      {"sandwich", false, false, true, true, false},
      {"sinusoidal", false, false, true, true, false},
      {"sliding-window", true, true, false, false, true},
      {"softmax1", false, false, true, true, false},
      {"ssmax", false, false, true, true, true},
      {"streaming-llm", true, true, false, false, true},
      {"t5", false, false, true, true, false},
      {"xpos", false, false, true, false, true},
      {"yarn", false, false, true, true, true},
  };
  return table;
}

TEST(Encodings, verdicts_at_the_defaults_are_what_is_known_of_each) {
  std::vector<std::string> covered;
  for (const Known& one : known()) {
    covered.push_back(one.name);
    const std::vector<Finding> findings = gpe::theory::find_all(law(one.name), {Rational(1)}, {}, oracle());
    const auto found = by_reading(findings);
    const auto expect = [&](const std::string& reading, bool holds) {
      const Finding& finding = *found.at(reading);
      EXPECT_EQ(name_of(finding.verdict), name_of(holds ? Verdict::holds : Verdict::fails))
          << one.name << " " << reading << ": " << finding.reason;
    };
    expect("cn/every-content", one.normalizes);
    expect("eb/limit", one.bounds);
    expect("ldcp/weight", one.weight);
    expect("ldcp/content", one.content);
    expect("gps/vector", one.turns);
  }
  std::ranges::sort(covered);
  EXPECT_EQ(covered, names());
}

TEST(Encodings, nothing_is_undecided_in_any_reading_nor_in_any_region) {
  for (const std::string& name : names()) {
    for (const Finding& finding : gpe::theory::find_all(open_law(name), {Rational(1)}, {}, oracle())) {
      const std::string which = name + " " + std::string(short_name_of(finding.reading->property)) + "/" +
                                std::string(finding.reading->name);
      EXPECT_NE(finding.verdict, Verdict::undecided) << which << ": " << finding.reason;
      EXPECT_EQ(finding.region.find("undecided"), std::string::npos) << which << ": " << finding.region;
    }
  }
}

TEST(Encodings, verdicts_hold_at_every_content_bound_unless_the_gain_grows) {
  for (const char* name : {"alibi", "kerple-log", "ape", "rope", "yarn", "xpos", "fox-fixed", "sandwich"}) {
    for (const Rational& bound : {Rational(1, 8), Rational(50)}) {
      const auto& reading = *gpe::theory::find_reading(Property::convergent_normalization, "every-content");
      const Finding here = gpe::theory::find(reading, law(name), bound, {}, oracle());
      const auto expected = std::ranges::find(known(), std::string(name), &Known::name);
      EXPECT_EQ(here.verdict == Verdict::holds, expected->normalizes) << name << " " << bound.str();
    }
  }
}

TEST(Encodings, regions_read_as_they_are_known) {
  const std::vector<std::tuple<std::string, Property, std::string, std::string>> regions = {
      {"alibi", Property::convergent_normalization, "every-content", "m > 0"},
      {"alibi", Property::entropy_boundedness, "limit", "m > 0"},
      {"alibi", Property::ldcp, "weight", "m = 0"},
      {"alibi-symmetric", Property::convergent_normalization, "every-content", "m > 0"},
      {"ape", Property::convergent_normalization, "every-content",
       "delta > 0, or delta = 0 and gamma > 0, or delta = gamma = 0 and beta > 1"},
      {"ape", Property::entropy_boundedness, "limit",
       "delta > 0, or delta = 0 and gamma > 0, or delta = gamma = 0 and beta > 1"},
      {"ape", Property::ldcp, "weight", "delta = beta = gamma = 0"},
      {"ape", Property::ldcp, "content", "never"},
      {"ape", Property::gps, "vector", "always"},
      {"kerple-log", Property::convergent_normalization, "every-content", "p > 1"},
      {"kerple-log", Property::entropy_boundedness, "limit", "p > 1"},
      {"kerple-log", Property::ldcp, "weight", "never"},
      {"kerple-power", Property::convergent_normalization, "every-content", "always"},
      {"kerple-power", Property::entropy_boundedness, "limit", "always"},
      {"kerple-weight", Property::convergent_normalization, "every-content", "always"},
      {"kerple-weight", Property::ldcp, "content", "never"},
      {"fox-fixed", Property::convergent_normalization, "every-content", "always"},
      {"rope", Property::convergent_normalization, "every-content", "never"},
      {"rope", Property::gps, "vector", "always"},
      {"yarn", Property::gps, "vector", "always"},
      {"p-rope", Property::gps, "vector", "p >= 1/32"},
      {"xpos", Property::ldcp, "content", "never"},
      {"hope-hyperbolic", Property::convergent_normalization, "every-content", "never"},
      {"hope-hyperbolic", Property::ldcp, "content", "never"},
      {"sliding-window", Property::entropy_boundedness, "limit", "always"},
      {"gpt-oss-sink", Property::convergent_normalization, "every-content", "never"},
  };
  for (const auto& [name, property, reading, region] : regions) {
    EXPECT_EQ(find(name, property, reading).region, region)
        << name << " " << short_name_of(property) << "/" << reading;
  }
}

TEST(Encodings, windows_count_keys_and_sinks_and_caps_are_read) {
  EXPECT_EQ(law("sliding-window").last(), 4095);
  EXPECT_EQ(law("gemma2-local").last(), 4095);
  EXPECT_EQ(law("streaming-llm").last(), 1999);
  EXPECT_FALSE(law("gemma2-global").window.has_value());
  EXPECT_TRUE(same(value(*law("gemma2-global").softcap, {}), Ball(50)));
  EXPECT_TRUE(value(*law("softmax1").sink, {}).surely_zero());
  EXPECT_TRUE(same(gpe::checks::exp(value(*law("streaming-llm").sink, {}), kBits), Ball(4)));
  EXPECT_TRUE(law("alibi-symmetric").two_sided);
  EXPECT_FALSE(law("alibi").two_sided);
  EXPECT_THROW(open_law("sliding-window", {}, {{"W", "1/2"}}), gpe::theory::SpecError);
}

TEST(Encodings, values_outside_a_domain_are_refused) {
  const std::vector<std::tuple<std::string, std::string, std::string>> outside = {
      {"alibi", "m", "-1/8"},
      {"rope", "base", "1"},
      {"kerple-log", "a", "0"},
      {"kerple-power", "p", "5/2"},
      {"hope-hyperbolic", "decay", "1"},
      {"p-rope", "p", "3/2"},
      {"partial-rotary", "fraction", "0"},
      {"fox-fixed", "T", "0"},
      {"yarn", "factor", "1/2"},
      {"log-n", "train", "1"},
      {"gemma2-global", "cap", "0"},
      {"xpos", "scale_base", "-512"}};
  for (const auto& [name, parameter, bad] : outside) {
    EXPECT_THROW(open_law(name, {}, {{parameter, bad}}), gpe::theory::SpecError) << name << " " << parameter;
  }
}

TEST(Encodings, tables_of_another_head_dimension_say_so) {
  Setting wide;
  wide.head_dim = 128;
  EXPECT_THROW(angle(law("longrope", wide), 40), gpe::theory::EvaluationError);
}

}  // namespace
