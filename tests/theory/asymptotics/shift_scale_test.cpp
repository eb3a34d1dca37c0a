// What moving and scaling a score does to its verdicts.
//
//   A(n + c), n >= first      is A(n), n >= first + c: every verdict; and those about n → ∞ are A's own
//   A + c                     no weight changes; literal, signed and probability speak of A itself
//   c·A, c > 0                the signs that LDCP and GPS ask for stay; c·f at B is f at c·B; decay only
//   helps A(c·n), A exp-log         e^A is monotone in the end, so sums and limits keep their kind
#include <functional>

#include "tests/generators/subjects.h"
#include "tests/in_time.h"
#include "tests/theory/findings.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/decision.h"

namespace shift_scale_test {

using gpe::testing::key_of;
using gpe::testing::oracle;
using gpe::theory::Context;
using gpe::theory::Encoding;
using gpe::theory::Expr;
using gpe::theory::Finding;
using gpe::theory::Limit;
using gpe::theory::Property;
using gpe::theory::Rational;
using gpe::theory::ScoreFunction;
using gpe::theory::Transform;
using Change = std::function<Expr(const Expr&)>;

const std::vector<Encoding>& subjects() {
  static const std::vector<Encoding> all = [] {
    std::vector<Encoding> result = gpe::testing::built_in_encodings();
    for (Encoding& one : gpe::testing::instance_encodings()) result.push_back(std::move(one));
    // three keys, before, across or after the change of the gain
    for (const char* from : {"3", "4", "7"}) {
      result.push_back(gpe::testing::encoding_with(
          "",
          "window = \"3\"\ngain = \"if(n < " + std::string(from) + ", 1, 2)\"\ntransform = \"identity\""));
    }
    return result;
  }();
  return all;
}

ScoreFunction at_defaults(const Encoding& encoding) {
  return at_values(gpe::theory::instantiate(encoding, {}, {}, oracle()));
}

std::vector<Finding> verdicts(const Encoding& encoding, const Rational& bound = 1) {
  return find_all(at_defaults(encoding), {bound}, gpe::testing::in_time());
}

// In every reading that `applies` accepts.
void expect_equal(
    const Encoding& encoding, const std::string& change, const std::vector<Finding>& before,
    const std::vector<Finding>& after,
    const std::function<bool(const std::string&)>& applies = [](const std::string&) { return true; }) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string key = key_of(*before[i].reading);
    if (!applies(key)) continue;
    EXPECT_EQ(name_of(after[i].verdict), name_of(before[i].verdict))
        << encoding.name << " " << change << ", " << key << "\n  " << before[i].reason << "\n  "
        << after[i].reason;
  }
}

// Every function of n; H(n) stays, as the entropy of the moved law cut at its own n.
Encoding with_functions(const Encoding& encoding, const Change& change) {
  const auto around_entropy = [&](const Expr& e) {
    const Expr open = rewrite(e, [](const Expr& part) {
      return part.as<gpe::theory::node::CutEntropy>() == nullptr ? part : Expr::symbol("entropy");
    });
    const Expr entropy = Expr::raw(gpe::theory::node::CutEntropy{Expr::symbol("n")});
    return substitute(change(open), "entropy", entropy);
  };
  Encoding result = encoding;
  result.bias = change(encoding.bias);
  result.gain = change(encoding.gain);
  result.rotation.angle = around_entropy(encoding.rotation.angle);
  result.rotation.scale = change(encoding.rotation.scale);
  return result;
}

Change moved_by(std::int64_t c) {
  return [c](const Expr& e) {
    return substitute(substitute(e, "n", Expr::symbol("n") + Expr(c)), "L", Expr::symbol("L") + Expr(c));
  };
}

TEST(Shift, of_the_distance_is_a_later_first_distance) {
  for (const Encoding& encoding : subjects()) {
    if (encoding.transform == Transform::hyperbolic) continue;  // W(n) is fixed by its rate and decay
    const auto own = verdicts(encoding);
    for (const std::int64_t c : {1, 5}) {
      const std::string change = "n -> n + " + std::to_string(c);
      const auto moved = verdicts(with_functions(encoding, moved_by(c)));
      Encoding later = encoding;
      later.first += c;
      expect_equal(encoding, change, verdicts(later), moved);
      if (!encoding.window) {
        expect_equal(encoding, change, own, moved,
                     [](const std::string& key) { return !key.starts_with("gps/"); });
      }
    }
  }
}

bool speaks_of_weights(const std::string& key) {
  return key != "ldcp/literal" && key != "ldcp/signed" && key != "ldcp/probability";
}

std::optional<Limit> settled_limit(const Expr& e) {
  try {
    const auto bounds = limit(e, Context(oracle()));
    return bounds.settled() ? std::optional(bounds.low) : std::nullopt;
  } catch (const gpe::theory::Undecided&) {
    return std::nullopt;
  }
}

TEST(Shift, of_the_score_changes_no_weight_and_moves_the_limit_of_its_mean) {
  for (const Encoding& encoding : subjects()) {
    const auto before = verdicts(encoding);
    for (const int c : {-2, 3}) {
      const std::string change = "A + " + std::to_string(c);
      Encoding moved = encoding;
      moved.bias = encoding.bias + Expr(c);
      const auto after = verdicts(moved);
      expect_equal(encoding, change, before, after, speaks_of_weights);
      const ScoreFunction law = at_defaults(moved);
      const auto far = law.window || law.depends_on_length() ? std::nullopt : settled_limit(law.bias);
      if (!far) continue;
      const int sign = gpe::theory::sign(*far, Context(oracle()));
      for (const Finding& finding : after) {
        const std::string key = key_of(*finding.reading);
        if (speaks_of_weights(key)) continue;
        const bool content =
            gpe::testing::finding(encoding, "ldcp/content").verdict == gpe::theory::Verdict::holds;
        const bool expected =
            key == "ldcp/signed" ? sign > 0 : sign != 0 || (key == "ldcp/probability" && content);
        EXPECT_EQ(name_of(finding.verdict), expected ? "holds" : "fails")
            << encoding.name << " " << change << ", " << key;
      }
    }
  }
}

TEST(Scale, keeps_the_signs_that_correlation_and_gradient_ask_for) {
  for (const Encoding& encoding : subjects()) {
    const auto before = verdicts(encoding);
    for (const Rational& c : {Rational(1, 3), Rational(7, 2)}) {
      Encoding scaled = encoding;
      scaled.bias = Expr(c) * encoding.bias;
      scaled.gain = Expr(c) * encoding.gain;
      const auto after = verdicts(scaled);
      expect_equal(encoding, c.str() + " A", before, after, [](const std::string& key) {
        return key.starts_with("ldcp/") || key.starts_with("gps/");
      });
      if (encoding.softcap) continue;  // the cap is on the content, before the gain
      scaled.gain = encoding.gain;
      expect_equal(encoding, c.str() + " f at B and f at " + c.str() + " B", after, verdicts(scaled, c),
                   [](const std::string& key) { return key.starts_with("cn/") || key.starts_with("eb/"); });
    }
  }
}

// Where A < 0 in the end, e^(cA) falls as c grows: what converges at c = 1 converges at c > 1.
TEST(Scale, a_steeper_fall_converges_where_a_gentler_one_does) {
  for (const Encoding& encoding : subjects()) {
    const auto before = verdicts(encoding);
    Encoding steeper = encoding;
    steeper.bias = Expr(Rational(3, 2)) * encoding.bias;
    steeper.gain = Expr(Rational(3, 2)) * encoding.gain;
    const auto after = verdicts(steeper);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i].reading->property != Property::convergent_normalization ||
          before[i].verdict != gpe::theory::Verdict::holds)
        continue;
      EXPECT_EQ(name_of(after[i].verdict), "holds") << encoding.name << " " << key_of(*before[i].reading);
    }
  }
}

// Thresholds in c, by hand: Σ n^(-cβ) and the iterated-logarithm scale at cβ = 1.
TEST(Scale, moves_thresholds_as_the_ladder_says) {
  const auto region = [](const std::string& score, const std::string& key) {
    return gpe::testing::finding(
               gpe::testing::encoding_with("c = { default = \"1\", domain = \"c > 0\" }", score), key)
        .region;
  };
  const std::vector<std::array<std::string, 3>> known = {
      // score; where Z is finite; where H is
      {"bias = \"-c*log(1 + n)\"", "c > 1", "c > 1"},
      {"bias = \"-3*c*log(1 + n)\"", "c > 1/3", "c > 1/3"},
      {"bias = \"-c*n\"", "always", "always"},
      {"bias = \"-c*sqrt(log(1 + n))\"", "never", "never"},
      {"bias = \"-c*(log(2 + n) + 2*log(log(2 + n)))\"", "c >= 1", "c > 1"},
      {"bias = \"-c*(log(2 + n) + 3*log(log(2 + n)))\"", "c >= 1", "c >= 1"},
      {"bias = \"c*(log(2 + n) - log(2 + n)^2)\"", "always", "always"},
      {"bias = \"-c*log(1 + n)\"\ngain = \"c\"", "c > 1", "c > 1"},
      // c·A with content: Σ n^(-2c + cB)
      {"bias = \"-2*c*log(1 + n)\"\ngain = \"c*log(1 + n)\"", "c > 1", "c > 1"},
  };
  for (const auto& [score, z, h] : known) {
    EXPECT_EQ(region(score, "cn/every-content"), z) << score;
    EXPECT_EQ(region(score, "eb/limit"), h) << score;
  }
}

bool is_exp_log(const Encoding& encoding) {
  const ScoreFunction law = at_defaults(encoding);
  if (law.window || law.depends_on_length() || encoding.transform == Transform::hyperbolic) return false;
  try {
    for (const Expr& part : {law.bias, law.gain, law.norm}) {
      if (!has_expansion(part, Context(oracle()))) return false;
    }
  } catch (const gpe::theory::Undecided&) {
    return false;
  }
  return true;
}

TEST(Scale, of_the_distance_keeps_sums_and_limits_of_their_kind) {
  int compared = 0;
  for (const Encoding& encoding : subjects()) {
    if (!is_exp_log(encoding)) continue;
    ++compared;
    const auto before = verdicts(encoding);
    const auto after = verdicts(with_functions(
        encoding, [](const Expr& e) { return substitute(e, "n", Expr(3) * Expr::symbol("n")); }));
    expect_equal(encoding, "n -> 3 n", before, after,
                 [](const std::string& key) { return !key.starts_with("gps/"); });
  }
  EXPECT_GT(compared, 60);
}

}  // namespace shift_scale_test
