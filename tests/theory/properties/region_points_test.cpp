// A region says for which parameters a reading holds: at points drawn at random, and at its own edges, it
// agrees with the verdict decided there.
#include <algorithm>
#include <array>
#include <random>

#include "tests/generators/encoding.h"
#include "tests/generators/gradient.h"
#include "tests/generators/subjects.h"
#include "tests/in_time.h"
#include "tests/many.h"
#include "tests/theory/engine.h"

namespace region_points_test {

using gpe::testing::oracle;
using gpe::theory::Context;
using gpe::theory::Encoding;
using gpe::theory::Expr;
using gpe::theory::Finding;
using gpe::theory::Form;
using gpe::theory::Override;
using gpe::theory::Rational;
using gpe::theory::Region;
using gpe::theory::ScoreFunction;
using gpe::theory::Truth;
using gpe::theory::Verdict;

// Values where regions like to end, and a few others.
const std::vector<Rational>& values() {
  static const std::vector<Rational> list = {
      Rational(0),          Rational(1),         Rational(-1),    Rational(1, 2), Rational(2),
      Rational(3, 2),       Rational(1, 32),     Rational(1, 16), Rational(3, 4), Rational(-1, 3),
      Rational(1001, 1000), Rational(999, 1000), Rational(64),    Rational(512),  Rational(5, 7),
      Rational(10000),      Rational(3)};
  return list;
}

struct Pick {
  std::mt19937_64 random;
  std::size_t operator()(std::size_t count) { return random() % count; }
};

// Some parameters at other values, inside their domains.
std::optional<ScoreFunction> at_random_point(const Encoding& encoding, Pick& pick) {
  for (int attempt = 0; attempt < 60; ++attempt) {
    std::vector<Override> overrides;
    for (const auto& parameter : encoding.parameters) {
      if (pick(4) != 0) overrides.push_back({parameter.name, Expr(values()[pick(values().size())])});
    }
    try {
      return gpe::theory::instantiate(encoding, {}, overrides, oracle());
    } catch (const gpe::theory::SpecError&) {  // outside a domain: draw again
    }
  }
  return std::nullopt;
}

struct Agreement {
  int compared = 0;
  std::vector<std::string> contradictions;
};

// Whether the region of every reading contains the point exactly where the reading holds at the point.
constexpr std::chrono::milliseconds kEach{300};  // some random laws would take minutes

Agreement compare(const Encoding& encoding, int points, Pick& pick) {
  const ScoreFunction open = gpe::theory::instantiate(encoding, {}, {}, oracle());
  std::vector<std::string> free;
  for (const auto& parameter : open.parameters) free.push_back(parameter.name);
  const Context context = gpe::theory::context_for(open, free, oracle());
  const std::vector<Finding> findings = find_all(open, {Rational(1)}, gpe::testing::in_time(kEach));
  Agreement result;
  for (int i = 0; i < points; ++i) {
    const auto here = at_random_point(encoding, pick);
    if (!here) continue;
    std::vector<std::pair<std::string, Form>> point;
    std::string where;
    for (const auto& parameter : here->parameters) {
      point.emplace_back(parameter.name, to_form(parameter.value, context));
      where += " " + parameter.name + " = " + to_text(parameter.value);
    }
    const std::vector<Finding> found =
        find_all(at_values(*here), {Rational(1)}, gpe::testing::in_time(kEach));
    for (std::size_t k = 0; k < findings.size(); ++k) {
      // for making regions shorter, not for asking what they contain
      const Context hurried = context.within(gpe::theory::Budget(std::chrono::seconds(1)).question());
      const Region holds = region_of(findings[k].cases, Truth::holds, hurried, free);
      const Region undecided = region_of(findings[k].cases, Truth::undecided, hurried, free);
      if (found[k].verdict == Verdict::undecided || contains(undecided, point, context)) continue;
      ++result.compared;
      const bool inside = contains(holds, point, context);
      if (inside == (found[k].verdict == Verdict::holds)) continue;
      result.contradictions.push_back(encoding.name + " " + gpe::testing::key_of(*findings[k].reading) +
                                      " at" + where + ": " + std::string(name_of(found[k].verdict)) + " (" +
                                      found[k].reason + "), region: " + findings[k].region);
    }
  }
  return result;
}

TEST(RegionPoints, built_in_encodings_agree_with_their_regions) {
  const int points = gpe::testing::cases(3, 40);
  int compared = 0;
  for (const Encoding& encoding : gpe::testing::built_in_encodings()) {
    if (encoding.parameters.empty()) continue;
    Pick pick{std::mt19937_64(7)};
    const Agreement agreement = compare(encoding, points, pick);
    compared += agreement.compared;
    for (const std::string& contradiction : agreement.contradictions) ADD_FAILURE() << contradiction;
  }
  EXPECT_GT(compared, 300 * points);
}

// A power of what may be 0 or negative is not exp(exponent log(base)).
TEST(RegionPoints, powers_of_what_may_vanish_agree_with_their_regions) {
  struct Law {
    const char* score;
    std::array<const char*, 3> domains = {"", "", ""};  // of a, b and p
  };
  for (const Law& law : {Law{"bias = \"-(a + b - 1)^7*n\""},
                         Law{"bias = \"-(a + b - 1)^6*n\""},
                         Law{"bias = \"-(1 - a)^10*n\""},
                         Law{"bias = \"-(1 - a)^64*n\""},
                         Law{"bias = \"-(1 - a)^11*n\""},
                         Law{"bias = \"-(1 - a)^101*n\""},
                         Law{"bias = \"-(1 - a/10)^12*n\"", {"0 <= a <= 10", "", ""}},
                         Law{"bias = \"-(2 - a)^(21/2)*n\"", {"a <= 2", "", ""}},
                         Law{"bias = \"-n\"\ngain = \"(a - 1)^n\"\nfirst = 12"},
                         Law{"bias = \"-(a^b)*n\"", {"a >= 0", "b > 0", ""}},
                         Law{"bias = \"-(a^b)*n\""},
                         Law{"bias = \"-(a^2 + b^2)^p*n\"", {"", "", "p > 0"}},
                         Law{"bias = \"-(a^2)^p*n\"", {"", "", "p > 0"}},
                         Law{"bias = \"-(1 - a)^p*n\"", {"a <= 1", "", "p > 0"}},
                         Law{"bias = \"-(a - b)^p*n\"", {"", "b <= a", "p > 0"}},
                         Law{"bias = \"-n*sqrt(a)^p\"", {"a >= 0", "", "p > 0"}},
                         Law{"bias = \"-n*(1 - exp(-a))^p\"", {"a >= 0", "", "p > 0"}},
                         Law{"bias = \"-n*a^pi\"", {"a >= 0", "", ""}},
                         Law{"bias = \"-n*log(1 + a^p)\"", {"a >= 0", "", "p > 0"}},
                         Law{"bias = \"-log(1 - a^p)*n\"", {"0 <= a < 1", "", "p > 0"}},
                         Law{"bias = \"-n\"\ngain = \"(1 - a)^p*n\"", {"a <= 1", "", "p > 0"}}}) {
    std::string text = "schema = 1\nname = \"powers\"\n";
    for (std::size_t i = 0; i < law.domains.size(); ++i) {
      const std::string name(1, "abp"[i]), domain = law.domains[i];
      text += "[parameters." + name + "]\ndefault = \"" + (name == "p" ? "2" : "1/2") + "\"\n";
      if (!domain.empty()) text += "domain = \"" + domain + "\"\n";
    }
    text += std::string("[score]\n") + law.score + "\n";
    Pick pick{std::mt19937_64(11)};
    const Agreement agreement = compare(gpe::theory::parse_encoding(text, law.score, {}), 40, pick);
    for (const std::string& contradiction : agreement.contradictions)
      ADD_FAILURE() << law.score << ": " << contradiction;
    EXPECT_GT(agreement.compared, 20) << law.score;
  }
}

// Values of a parameter for which there is no score at the first distance are not part of what holds or
// fails.
TEST(RegionPoints, values_without_a_score_are_undecided) {
  struct Law {
    const char* score;
    Rational without;  ///< p
  };
  for (const Law& law :
       {Law{"bias = \"-n^p\"", 0}, Law{"bias = \"-n*log(p)\"", 0}, Law{"bias = \"-n*(1 + sqrt(2 - p))\"", 3},
        Law{"bias = \"-n\"\ngain = \"1/(p - 1 + n)\"", 1}, Law{"bias = \"-log(p + n)*2\"", 0},
        Law{"bias = \"-n\"\ngain = \"p^n\"", 0}}) {
    const Encoding encoding = gpe::theory::parse_encoding(
        std::string(
            "schema = 1\nname = \"x\"\n[parameters.p]\ndefault = \"1/2\"\ndomain = \"p >= 0\"\n[score]\n") +
            law.score + "\n",
        law.score, {});
    const ScoreFunction open = gpe::theory::instantiate(encoding, {}, {}, oracle());
    const Context context = gpe::theory::context_for(open, {"p"}, oracle());
    const std::vector<std::pair<std::string, Form>> point{{"p", to_form(Expr(law.without), context)}};
    for (const Finding& finding : find_all(open, {Rational(1)}, gpe::testing::in_time())) {
      const Region undecided = region_of(finding.cases, Truth::undecided, context, {"p"});
      EXPECT_TRUE(contains(undecided, point, context)) << law.score << ": " << finding.region;
      EXPECT_NE(finding.verdict, Verdict::undecided) << law.score << ": " << finding.reason;
    }
  }
}

RC_GTEST_PROP(RegionPoints, random_encodings_agree_with_their_regions, ()) {
  const std::string text = *gpe::testing::any_encoding_text();
  const Encoding encoding = gpe::theory::parse_encoding(text, "random", {});
  Pick pick{std::mt19937_64(*rc::gen::arbitrary<std::uint64_t>())};
  const Agreement agreement = compare(encoding, 3, pick);
  RC_LOG() << text << "\n";
  for (const std::string& contradiction : agreement.contradictions) RC_LOG() << contradiction << "\n";
  RC_ASSERT(agreement.contradictions.empty());
  RC_TAG(agreement.compared >= 30 ? "nearly all decided" : "some undecided");
}

// Of factors that are 0, undo each other, or are signs for some values only.
RC_GTEST_PROP(RegionPoints, random_gradients_agree_with_their_regions, ()) {
  const std::string text = *gpe::testing::any_gradient_text();
  const Encoding encoding = gpe::theory::parse_encoding(text, "random", {});
  Pick pick{std::mt19937_64(*rc::gen::arbitrary<std::uint64_t>())};
  const Agreement agreement = compare(encoding, 3, pick);
  RC_LOG() << text << "\n";
  for (const std::string& contradiction : agreement.contradictions) RC_LOG() << contradiction << "\n";
  RC_ASSERT(agreement.contradictions.empty());
  RC_TAG(agreement.compared >= 30 ? "nearly all decided" : "some undecided");
}

}  // namespace region_points_test
