// Attacks on what the audit confirms for families: random encodings, random weights, and random numbers, by
// other means.
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <set>

#include "checks/sums/general_sum.h"
#include "tests/checks/audit_run.h"
#include "tests/generators/encoding.h"
#include "theory/score/spec_parse.h"

namespace gpe::testing {
namespace audit_attack_test {

// What is said of every encoding: implications that hold in general, by the proofs in docs/theorems.md.
const std::vector<std::string>& general_statements() {
  static const std::vector<std::string> statements = {
      "limsup(bias(X)/log(n)) < -1 and bounded_above(gain(X)) => eb(X, 1)",
      "bounded_above(bias(X)) and bounded_above(gain(X)) and eb=uniform(X, 1) => cn(X, 1)",
      "ldcp=signed(X) => not cn(X, 1)",
      "ldcp=weight(X) => not cn(X, 1)",
      "ldcp=weight(X) => not cn=expected(X, 1)",
      "bounded_above(gain(X)) and ldcp=weight(X) => not cn=some-content(X, 1)",
      "eb(X, 1) => cn(X, 1)",
      "cn(X, 1) => cn=some-content(X, 1)",
      "cn(X, 1) => cn=expected(X, 1)",
      "not cn(X, 1) and bounded_above(bias(X)) and bounded_above(gain(X)) => not eb=uniform(X, 1)",
  };
  return statements;
}

// One encoding against every statement; counts what was settled.
struct Attack {
  int settled = 0;
  int tested = 0;  // settled with a hypothesis that held
  std::string counterexample;
};

void attack_with(const std::string& spec, Attack& attack) {
  const std::string head = "[encodings.X]\nspec = '''\n" + spec + "'''\n";
  for (const std::string& statement : general_statements()) {
    const checks::ReadingResult result = audit_one(statement, head, false, std::chrono::seconds(2));
    const bool confirmed = result.verdict == checks::AuditVerdict::confirmed;
    if (confirmed) ++attack.settled;
    if (confirmed && !result.reason.starts_with("vacuous")) ++attack.tested;
    if (result.verdict == checks::AuditVerdict::refuted)
      attack.counterexample = statement + "\n" + spec + "\n" + result.reason;
  }
}

#ifdef GPE_ATTACKS
constexpr int kAttacks = GPE_ATTACKS;
#else
constexpr int kAttacks = 1000;
#endif

TEST(AuditAttack, RandomEncodingsFindNoCounterexample) {
  Attack attack;
  const auto encodings = any_encoding_text();
  rc::Random random(20251);
  int made = 0;
  std::set<std::string> different;
  for (int i = 0; i < kAttacks && attack.counterexample.empty(); ++i) {
    const std::string spec = encodings(random.split(), 20).value();
    try {
      theory::parse_encoding(spec, "random.toml", ".");
    } catch (const theory::SpecError&) {
      continue;  // a default outside its domain
    }
    ++made;
    different.insert(spec);
    attack_with(spec, attack);
  }
  std::printf(
      "%d encodings, %zu of them different, %zu statements each: %d settled, %d with a hypothesis that "
      "held\n",
      made, different.size(), general_statements().size(), attack.settled, attack.tested);
  EXPECT_EQ(attack.counterexample, "");
  EXPECT_GE(made, kAttacks / 2);
  EXPECT_GE(attack.settled, 7 * made) << "of " << 10 * made;
  EXPECT_GE(attack.tested, made) << "of " << attack.settled;
}

// A statement that is false is found false by the same attack.
TEST(AuditAttack, FindsWhatIsFalse) {
  Attack attack;
  int refuted = 0;
  const auto encodings = any_encoding_text();
  rc::Random random(7);
  for (int i = 0; i < 100; ++i) {
    const std::string spec = encodings(random.split(), 20).value();
    const std::string head = "[encodings.X]\nspec = '''\n" + spec + "'''\n";
    try {
      refuted +=
          audit_one("ldcp=literal(X) => not cn(X, 1)", head).verdict == checks::AuditVerdict::refuted ? 1 : 0;
    } catch (const theory::SpecError&) {
    }
  }
  EXPECT_GE(refuted, 10);
}

double entropy(const std::vector<double>& weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double h = 0;
  for (const double w : weights) h -= w > 0 ? w / total * std::log(w / total) : 0;
  return h;
}

double mean(const std::vector<double>& weights) {
  double total = 0;
  double sum = 0;
  for (std::size_t n = 0; n < weights.size(); ++n) {
    total += weights[n];
    sum += static_cast<double>(n) * weights[n];
  }
  return sum / total;
}

// O3: falling weights times a falling ratio. Without one of the two the entropy may rise, which is found too.
TEST(AuditAttack, FallingRatiosLowerEntropyAndMean) {
  std::mt19937_64 random(3);
  const auto unit = [&] { return std::uniform_real_distribution<double>(0.05, 1)(random); };
  int broken = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<double> y;
    std::vector<double> x;
    std::vector<double> unordered;
    double weight = 1;
    double ratio = 1;
    const int size = 2 + round % 12;
    for (int n = 0; n < size; ++n) {
      y.push_back(weight);
      x.push_back(weight * ratio);
      unordered.push_back(weight * unit());
      weight *= unit();
      ratio *= unit();
    }
    ASSERT_LE(entropy(x), entropy(y) + 1e-12);
    ASSERT_LE(mean(x), mean(y) + 1e-12);
    broken += entropy(unordered) > entropy(y) + 1e-9 ? 1 : 0;
  }
  EXPECT_GE(broken, 100);
}

// The orders that O1 to O3 prove for all parameters, at random ones, by enclosures.
TEST(AuditAttack, OrdersHoldAtRandomParameters) {
  std::mt19937_64 random(11);
  const auto number = [&](int low, int high) {
    return std::to_string(std::uniform_int_distribution<int>(low, high)(random)) + "/100";
  };
  for (int round = 0; round < 100; ++round) {
    const std::string m = number(1, 200);
    const std::string ape = "ape(delta=" + m + ", beta=" + number(1, 300) + ", gamma=" + number(1, 300) + ")";
    const std::string alibi = "alibi(m=" + m + ")";
    const std::string c1 = number(1, 900);
    const std::string eps = number(1, 40);
    for (const std::string& claim :
         {"H(" + ape + ") < H(" + alibi + ")", "mean(" + ape + ") < mean(" + alibi + ")",
          "Z(" + ape + ") < Z(" + alibi + ")",
          "within(" + ape + ", " + c1 + ") <= within(" + alibi + ", " + c1 + ")",
          "window(" + ape + ", " + eps + ", 0) <= window(" + alibi + ", " + eps + ", 0)"})
      EXPECT_EQ(verdict_of(claim), "confirmed") << claim;
  }
}

TEST(AuditAttack, OrdersNeedTheirHypotheses) {
  // a bias that is larger somewhere, a ratio that rises: nothing is proved
  EXPECT_NE(verdict_of("for all m > 0, p >= 1/100: H(alibi) <= H(kerple-log(p=p, a=1))"), "confirmed");
  EXPECT_EQ(verdict_of("for all m > 0: H(alibi) <= H(alibi(m=m/2))"), "confirmed");
  EXPECT_NE(verdict_of("for all m > 0: H(alibi) <= H(alibi(m=2*m))"), "confirmed");
  EXPECT_NE(verdict_of("for all m > 0: H(alibi) < H(alibi(m=m/2))"), "confirmed")
      << "O3 gives no strict order";
  EXPECT_NE(verdict_of("for all m > 0: Z(alibi(m=m)) <= Z(alibi(m=2*m))"), "confirmed");
  // Where they have a derivative these fall; between two integers they have a pole.
  const auto spec = [](const std::string& name, const std::string& bias) {
    return "[encodings." + name + "]\nspec = '''\nschema = 1\nname = \"" + name +
           "\"\n[parameters.c]\ndefault = \"1/100\"\ndomain = \"c > 0\"\n[score]\ntransform = \"none\"\nbias "
           "= \"" +
           bias + "\"\n'''\n";
  };
  const std::string poles = spec("plain", "-n") + spec("pole", "-n + c/(2*n - 1)") +
                            spec("tanp", "-n - c*tan(n)") + spec("steeper", "-n - c*sqrt(n)");
  for (const std::string other : {"pole", "tanp"}) {
    for (const std::string& claim : {"H(" + other + ") <= H(plain)", "mean(" + other + ") <= mean(plain)",
                                     "window(" + other + ", 1/10, 0) <= window(plain, 1/10, 0)"})
      EXPECT_NE(verdict_of("for all c > 0: " + claim, poles), "confirmed") << claim;
  }
  EXPECT_EQ(verdict_of("for all c > 0: H(steeper) <= H(plain)", poles), "confirmed");
}

}  // namespace audit_attack_test
}  // namespace gpe::testing
