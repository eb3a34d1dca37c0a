// Certificates of designs: what is proved is accepted, what is forged is not.
#include "checks/design/design.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "checks/arb/expr_ball.h"
#include "checks/certificate/number_certificate.h"
#include "checks/certificate/proof_json.h"
#include "checks/design/design_certificate.h"
#include "tests/certificates/attacks.h"
#include "tests/many.h"
#include "theory/expression/expr_parse.h"
#include "theory/score/spec_parse.h"

namespace design_test {

using namespace gpe::checks;
using gpe::testing::accepted;
using gpe::theory::Rational;
using gpe::verifier::read_json;
using Document = gpe::verifier::Json;
using enum gpe::theory::Relation;

const BallOracle& oracle() {
  static const BallOracle instance;
  return instance;
}

// The largest slope m in [1/100, 1] with an entropy of at least 3 nats.
Document certificate() {
  static const std::string text = [] {
    const OrderedFamily family(
        gpe::theory::parse_encoding(
            "schema = 1\nname = \"slope\"\n[parameters]\nm = { default = \"1\", domain = "
            "\"m > 0\" }\n[score]\nbias = \"-m*n\"\n",
            "slope", "."),
        {}, {}, {{"m", {1, 100}, 1}}, 1, oracle());
    DesignProblem problem{{{{DesignQuantity::entropy, std::nullopt, ""}, greater_equal, 3}},
                          Objective{{DesignQuantity::parameter, std::nullopt, "m"}, true}};
    problem.gap = Rational(1, 4);
    return design_certificate(family, problem, design(family, problem, oracle()), oracle()).dump();
  }();
  return read_json(text);
}

double entropy(double m) { return -std::log1p(-std::exp(-m)) + m / std::expm1(m); }
double number(const Document& text) {
  gpe::theory::NameScope none;
  return evaluate(gpe::theory::parse_expression(text.get<std::string>(), none), {}, 64).approximate();
}

// Whether what an accepted document says of slopes is so.
bool is_true(const Document& top) {
  const Document& claim = top["claim"];
  const std::string bias = top["law"]["bias"];
  if (bias != "-m*n" || top["law"]["first"] != 0 || claim["requirements"].size() != 1)
    return true;  // not looked at
  const Document& r = claim["requirements"][0];
  if (r["quantity"] != "entropy" || !r["at"].is_null()) return true;
  const double low = number(claim["box"]["m"][0]), high = number(claim["box"]["m"][1]),
               x = number(r["value"]);
  const bool least = r["relation"] == ">=" || r["relation"] == ">";
  const auto meets = [&](double m) { return least ? entropy(m) > x - 1e-9 : entropy(m) < x + 1e-9; };
  if (claim["found"].is_null()) return !meets(least ? low : high);
  const double found = number(claim["found"]["parameters"]["m"]);
  if (!meets(found) || found < low || found > high) return false;
  const Document& o = claim["objective"];
  if (o.is_null() || o["quantity"] != "parameter") return true;
  const bool maximize = o["goal"] == "maximize";
  const double value = number(claim["found"]["value"]);
  if (maximize ? found < value : found > value) return false;
  if (o["bound"].is_null()) return true;
  const double bound = number(o["bound"]);
  for (int i = 0; i <= 4000; ++i) {
    const double m = low + (high - low) * i / 4000;
    if (meets(m) && (maximize ? m > bound + 1e-9 : m < bound - 1e-9)) return false;
  }
  return true;
}

TEST(DesignCertificate, is_accepted) {
  const Document top = certificate();
  EXPECT_TRUE(accepted(top));
  EXPECT_TRUE(is_true(top));
}

TEST(DesignCertificate, every_damage_is_noticed_or_leaves_something_true) {
  const Document top = certificate();
  int kept = 0;
  int first = 0;  // every way at every place, or one way at each, in turns
  for (const auto& place : gpe::testing::places(top)) {
    first = (first + 1) % gpe::testing::damage_count;
    const int end = gpe::testing::cases(first + 1, gpe::testing::damage_count);
    for (int way = gpe::testing::cases(first, 0); way < end; ++way) {
      const Document other = gpe::testing::damaged(top, place, way);
      if (other == top || !accepted(other)) continue;
      ++kept;
      EXPECT_TRUE(is_true(other)) << place << ", damage " << way << ": " << other["claim"].dump();
    }
  }
  RecordProperty("accepted", kept);
}

// A better bound, a larger box, a point that does not meet the requirement: with any leaf changed to suit.
TEST(DesignCertificate, forgeries_are_not_accepted) {
  const auto forged = [](const auto& change) {
    Document top = certificate();
    change(top);
    return top;
  };
  const Document top = certificate();
  const std::string found = top["claim"]["found"]["parameters"]["m"];
  const auto refused = [&](const char* what, const auto& change) {
    const Document other = forged(change);
    EXPECT_NE(other, top) << what;
    EXPECT_FALSE(accepted(other)) << what;
  };
  refused("a bound below the best", [](Document& t) { t["claim"]["objective"]["bound"] = "1/100"; });
  refused("a value that is not reached", [](Document& t) { t["claim"]["found"]["value"] = "1"; });
  refused("a harder requirement", [](Document& t) { t["claim"]["requirements"][0]["value"] = "4"; });
  refused("an easier one, with more points",
          [](Document& t) { t["claim"]["requirements"][0]["value"] = "2"; });
  refused("the contrary", [](Document& t) { t["claim"]["requirements"][0]["relation"] = "<="; });
  refused("a split at the end", [](Document& t) { t["cases"]["at"] = "1"; });
  refused("a point outside of the box", [](Document& t) { t["claim"]["box"]["m"] = {"1/2", "1"}; });
  refused("another goal", [](Document& t) { t["claim"]["objective"]["goal"] = "minimize"; });
  refused("nothing found", [](Document& t) { t["claim"]["found"] = nullptr; });
  refused("no cases", [](Document& t) { t["cases"] = nullptr; });
  refused("half of the cases", [](Document& t) { t["cases"] = t["cases"]["below"]; });
  refused("a requirement that is not there", [](Document& t) { t["cases"] = {{"excluded_by", 2}}; });
  refused("one leaf", [](Document& t) { t["cases"] = {{"excluded_by", 0}}; });
  refused("no sums", [](Document& t) { t["proof"]["points"] = Document::array(); });
  refused("the law of another point", [](Document& t) { t["law"]["parameters"][0]["value"] = "1/7"; });
  refused("a point outside of its domain",
          [](Document& t) { t["law"]["parameters"][0]["domain"] = "m > 1"; });
  refused("a bias that rises", [](Document& t) { t["law"]["bias"] = "m*n"; });
  refused("a bias without an order", [](Document& t) { t["law"]["bias"] = "-m*n + m*sqrt(n)"; });
  refused("sums that are said to diverge", [](Document& t) {
    for (Document& one : t["proof"]["points"]) {
      one["direct"] = nullptr;
      one["tail"] = {{"rule", "sum-diverges"},
                     {"score", "above"},
                     {"k", 0},
                     {"C", "1"},
                     {"threshold", {{"depth", 1}, {"ell", "3"}, {"from", "21"}}}};
    }
  });
}

// Not more than what D1 says of families: what else is said of them is refused.
OrderedFamily wide_family() {
  return {gpe::theory::parse_encoding(
              "schema = 1\nname = \"wide\"\n[parameters]\nc = { default = \"1\", domain = "
              "\"c > 0\" }\np = { default = \"1/2\" }\n[score]\ngain = \"1/(1 + "
              "n/9)\"\nbias = \"-n^p/(10*c) - c*sqrt(n)\"\n",
              "wide", "."),
          {},
          {},
          {{"c", 1, 2}, {"p", {1, 2}, 1}},
          1,
          oracle()};
}
Document wide_certificate() {
  const OrderedFamily family = wide_family();
  const DesignProblem problem{{{{DesignQuantity::cache, Rational(1, 100), ""}, less_equal, 30}},
                              Objective{{DesignQuantity::parameter, std::nullopt, "c"}, false}};
  return read_json(design_certificate(family, problem, design(family, problem, oracle()), oracle()).dump());
}

TEST(DesignCertificate, twins_exponents_and_contents_are_those_of_the_law) {
  const Document top = wide_certificate();
  ASSERT_TRUE(accepted(top)) << top;
  const auto refused = [&](const char* what, const auto& change) {
    Document other = top;
    change(other);
    EXPECT_NE(other, top) << what;
    EXPECT_FALSE(accepted(other)) << what;
  };
  refused("another bias", [](Document& t) { t["proof"]["bias"] = "-n^p/(20*c) - c_2*sqrt(n)"; });
  refused("a place of the wrong twin", [](Document& t) { t["proof"]["twins"]["c_2"] = "p"; });
  refused("a twin of nothing", [](Document& t) { t["proof"]["twins"]["c_2"] = "q"; });
  refused("a twin of a parameter's name", [](Document& t) { t["proof"]["twins"]["p"] = "c"; });
  refused("no twins", [](Document& t) {
    t["proof"]["bias"] = nullptr;
    t["proof"]["twins"] = Document::object();
  });
  refused("both places as one", [](Document& t) {
    t["proof"]["bias"] = t["law"]["bias"];
    t["proof"]["twins"] = Document::object();
  });
  refused("an exponent that may be 0", [](Document& t) { t["claim"]["box"]["p"][0] = "0"; });
  refused("another value at 0", [](Document& t) {
    t["law"]["bias"] = "if(n > 0, -n^p/(10*c), 1) - c*sqrt(n)";
    t["proof"]["bias"] = "if(n > 0, -n^p/(10*c), 1) - c_2*sqrt(n)";
  });
  refused("a content that rises", [](Document& t) { t["law"]["gain"] = "1 + n/9"; });
  refused("a larger content", [](Document& t) { t["claim"]["content_bound"] = "3"; });
  refused("a content without a bound", [](Document& t) { t["law"]["gain"] = "1/(1 - n/9)"; });
}

// sqrt(m + n) - sqrt(m) falls with m: the entropy is largest at m = 100, and a proof at m = 0 proves nothing.
TEST(DesignCertificate, parameters_inside_of_roots_are_not_overlooked) {
  const auto law = [](const char* bias, const char* m) {
    return gpe::theory::at_values(gpe::theory::instantiate(
        gpe::theory::parse_encoding("schema = 1\nname = \"root\"\n[parameters]\nm = { default = \"" +
                                        std::string(m) + "\" }\n[score]\nbias = \"" + bias + "\"\n",
                                    "root", "."),
        {}, {}, oracle()));
  };
  const char* const bias = "-n/5 - sqrt(m + n)";
  const auto proof = design_sum_proof(law(bias, "0"), oracle());
  ASSERT_TRUE(proof);
  const auto h = [&](const char* m) {
    return enclose_sums(law(bias, m), {}, oracle()).entropy.value.approximate();
  };
  ASSERT_LT(h("0"), 2);
  ASSERT_GT(h("100"), 2);
  Document top = certificate();
  top["law"]["bias"] = bias;
  top["claim"]["box"]["m"] = {"0", "100"};
  top["claim"]["requirements"][0]["value"] = "2";
  top["claim"]["found"] = nullptr;
  top["claim"]["objective"] = nullptr;
  top["cases"] = {{"excluded_by", 0}};
  for (const char* m : {"0", "100"}) {
    Document point = read_json(proof_json(*proof).dump());
    point["at"] = {{"m", m}};
    top["proof"]["points"] = Document::array({point});
    EXPECT_FALSE(accepted(top)) << m;
  }
}

// b = -m n + (a saw of n): it rises at the teeth.
TEST(DesignCertificate, what_is_known_within_bounds_only_is_not_taken_to_fall) {
  Document top = certificate();
  top["law"]["bias"] = "-m*n - n/7 - floor(-n/7)";
  EXPECT_FALSE(accepted(top));
}

}  // namespace design_test
