// The built-in encodings against what is known of each: which converge, which keep far tokens, which turn.
#include "tests/in_time.h"
#include "tests/theory/score/builtin_encodings.h"

namespace encodings_verdicts_test {

using namespace gpe::tests;

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
      {"bam", true, true, false, true, false},
      {"beam", false, false, true, true, false},
      {"cable", false, false, false, true, false},  // for every gate
      {"cope-clipped", false, false, true, true, true},
      {"deepseek-v3", false, false, true, true, true},
      {"drope", false, false, true, true, false},
      {"dynamic-ntk", false, false, true, true, true},
      {"entmax-nape", true, true, false, true, false},
      {"entropy-abf", false, false, true, true, true},
      {"fire", false, false, true, true, false},
      {"fox", false, false, false, true, false},  // for every gate
      {"fox-fixed", true, true, false, true, false},
      {"gemma2-global", false, false, true, true, true},
      {"gemma2-local", true, true, false, false, true},
      {"gpt-oss-sink", false, false, true, true, true},
      {"grape-a-query", true, true, false, true, true},
      {"grape-ap", true, true, false, true, false},
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
      {"mimo-v2-local", true, true, false, false, true},
      {"ministral3", false, false, true, true, true},
      {"mistral4", false, false, true, true, true},
      {"modernbert-local", true, true, false, false, true},
      {"mrrope-pro", false, false, true, true, true},
      {"mrrope-uni", false, false, true, true, true},
      {"ms-poe", false, false, true, true, true},
      {"nope", false, false, true, true, false},
      {"nope-head-scale", false, false, true, true, false},
      {"nope-ssmax", false, false, true, true, false},
      {"ntk-aware", false, false, true, true, true},
      {"p-rope", false, false, true, true, true},
      {"partial-rotary", false, false, true, true, true},
      {"position-interpolation", false, false, true, true, true},
      {"privacy-filter", true, true, false, false, true},
      {"qwen", false, false, true, true, true},
      {"recurrent-gemma", true, true, false, false, true},
      {"rerope", false, false, true, true, true},
      {"resonance-rope", false, false, true, true, true},
      {"resonance-yarn", false, false, true, true, true},
      {"rope", false, false, true, true, true},
      {"ropepp-imaginary", false, false, true, true, true},
      {"sandwich", false, false, true, true, false},
      {"sigmoid-alibi", true, true, false, true, false},
      {"sinusoidal", false, false, true, true, false},
      {"sliding-window", true, true, false, false, true},
      {"softmax1", false, false, true, true, false},
      {"ssmax", false, false, true, true, true},
      {"ssmax-bias", false, false, true, true, true},
      {"stick-breaking", true, true, false, true, false},
      {"streaming-llm", true, true, false, false, true},
      {"string", false, false, true, true, true},
      {"swat", true, true, false, false, true},
      {"t5", false, false, true, true, false},
      {"telechat", false, false, true, true, true},
      {"theta-scale", false, false, true, true, true},
      {"xpos", false, false, true, false, true},
      {"yarn", false, false, true, true, true},
  };
  return table;
}

TEST(Encodings, verdicts_at_the_defaults_are_what_is_known_of_each) {
  std::vector<std::string> covered;
  for (const Known& one : known()) {
    covered.push_back(one.name);
    const std::vector<Finding> findings =
        gpe::theory::find_all(law(one.name), {Rational(1)}, gpe::testing::in_time());
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
    for (const Finding& finding :
         gpe::theory::find_all(open_law(name), {Rational(1)}, gpe::testing::in_time())) {
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
      const Finding here = gpe::theory::find(reading, law(name), bound, gpe::testing::in_time());
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
      {"bam", Property::convergent_normalization, "every-content", "p > 0"},
      {"bam", Property::ldcp, "weight", "p = 0"},
      {"mimo-v2-local", Property::gps, "vector", "W >= 2"},
      {"nope-ssmax", Property::convergent_normalization, "some-content", "s >= 1"},
      {"nope-ssmax", Property::entropy_boundedness, "some-content", "s > 1"},
      {"ssmax-bias", Property::entropy_boundedness, "limit", "never"},
  };
  for (const auto& [name, property, reading, region] : regions) {
    EXPECT_EQ(find(name, property, reading).region, region)
        << name << " " << short_name_of(property) << "/" << reading;
  }
}

// What P1, Q1 and N1 to N5 (docs/theorems.md) say of each, worked out by hand. In the order of the readings,
// for every gate or query and for some: A is always, N never.
TEST(Encodings, gates_queries_and_other_normalizers_have_the_regions_of_the_theorems) {
  const std::string forgetting = "NA NA NA NA NA NA AA NN AA A NA NNN";
  const std::string falling = "AA AA AA AA AA AA AA NN AA A NN ";
  const std::map<std::string, std::string> expected = {
      {"fox", forgetting},
      {"cable", forgetting},
      {"grape-ap", falling + "NNN"},
      {"grape-a-query", falling + "NAA"},
      {"stick-breaking", "AAA AAA NNAAN NNN"},
      {"swat", "AAA AAA NNNNN NN(W >= 2)"},
      {"entmax-nape", "AAA (m > 0)A(m > 0) (m > 0)NAA(m = 0) NNN"},
      {"sigmoid-alibi", "AAA AAA ANAAN NNN"}};
  for (const auto& [name, regions] : expected) {
    std::string found;
    for (const Finding& finding :
         gpe::theory::find_all(open_law(name), {Rational(1)}, gpe::testing::in_time())) {
      const std::string& region = finding.region;
      const std::string other = region == "never" ? "N" : "(" + region + ")";
      found += region == "always" ? "A" : other;
    }
    EXPECT_EQ(found, std::regex_replace(regions, std::regex("([AN)]) +"), "$1")) << name;
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
  EXPECT_TRUE(law("modernbert-local").two_sided);
  EXPECT_EQ(law("modernbert-local").last(), 64);
  EXPECT_EQ(law("privacy-filter").last(), 128);
  EXPECT_TRUE(value(*law("privacy-filter").sink, {}).surely_zero());
  EXPECT_EQ(law("mimo-v2-local").last(), 128);
  EXPECT_EQ(law("recurrent-gemma").last(), 2047);
  EXPECT_EQ(law("swat").last(), 127);
  EXPECT_EQ(law("stick-breaking").first, 1);
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
      {"xpos", "scale_base", "-512"},
      {"bam", "a", "0"},
      {"cope-clipped", "clip", "33"},
      {"ms-poe", "low", "1/2"},
      {"string", "W", "50000"},
      {"theta-scale", "turns", "1"},
      {"grape-ap", "g", "0"},
      {"entmax-nape", "a", "1"}};
  for (const auto& [name, parameter, bad] : outside) {
    EXPECT_THROW(open_law(name, {}, {{parameter, bad}}), gpe::theory::SpecError) << name << " " << parameter;
  }
}

TEST(Encodings, tables_of_another_head_dimension_say_so) {
  Setting wide;
  wide.head_dim = 128;
  EXPECT_THROW(angle(law("longrope", wide), 40), gpe::theory::EvaluationError);
}

}  // namespace encodings_verdicts_test
