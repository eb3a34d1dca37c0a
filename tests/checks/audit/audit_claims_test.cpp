// The audit of Vetcha 2025 against the table of its verdicts that was derived by hand, with witnesses.
#include <algorithm>

#include "checks/configs/encoding_library.h"
#include "tests/checks/audit_run.h"
#include "tests/in_time.h"

namespace gpe::testing {
namespace audit_claims_test {

const checks::AuditResult& vetcha() {
  static const checks::AuditResult result = [] {
    return checks::audit(checks::find_claims("vetcha2025"), {}, {}, gpe::testing::in_time());
  }();
  return result;
}

using Verdicts = std::vector<std::pair<std::string, std::string>>;

Verdicts expected_of_theorems() {
  return {
      {"T1.i: as stated", "refuted"},
      {"T1.i: step: e^A <= C/n^(1+eps)", "refuted"},
      {"T1.i: step: sum of log n/n^eps", "refuted"},
      {"T1.ii: as stated", "refuted"},
      {"T1.ii: step: H_L ~ log L", "refuted"},
      {"L1: literal", "refuted"},
      {"L1: probability", "refuted"},
      {"L1: content", "refuted"},
      {"L1: signed", "confirmed"},
      {"L1: weight", "confirmed"},
      {"L1: signed, expected Z", "confirmed"},
      {"L1: weight, expected Z", "confirmed"},
      {"L1: weight, some content", "refuted"},
      {"L1: step: e^(E A) >= e^C", "refuted"},
      {"P1: convergent normalization", "confirmed"},
      {"P1: entropy boundedness", "confirmed"},
      {"P1: Z_L >= (L+1) e^-B", "confirmed"},
      {"P1: H_L >= log(L+1) - 2B", "confirmed"},
      {"P1: step: R(n) preserves norms", "confirmed"},
      {"P1: step: it preserves products", "confirmed"},
      {"P1: step: |q||k| cos(n theta - phi)", "confirmed"},
      {"A1: as stated", "confirmed"},
      {"P2: LDCP literal", "refuted"},
      {"P2: LDCP probability", "refuted"},
      {"P2: LDCP content", "refuted"},
      {"P2: LDCP signed", "confirmed"},
      {"P2: LDCP weight", "confirmed"},
      {"P2: GPS, every reading", "confirmed"},
      {"P3: LDCP literal", "refuted"},
      {"P3: LDCP signed", "refuted"},
      {"P3: LDCP probability", "confirmed"},
      {"P3: LDCP content", "confirmed"},
      {"P3: LDCP weight", "confirmed"},
      {"P3: GPS scalar", "refuted"},
      {"P3: GPS norm", "refuted"},
      {"P3: GPS vector", "confirmed"},
      {"P3: step: Var q'R(n)k = Var q'k", "confirmed"},
      {"P3: step: Chebyshev", "refuted"},
      {"P3: step: 'this probability is small'", "refuted"},
      {"P4: convergent normalization", "confirmed"},
      {"P4: entropy boundedness", "confirmed"},
      {"P4: Z = 1/(1 - e^-m)", "confirmed"},
      {"P4: H = m/(e^m - 1) - log(1 - e^-m)", "confirmed"},
      {"P5: convergent normalization", "confirmed"},
      {"P5: entropy boundedness", "confirmed"},
      {"P5: GPS scalar", "refuted"},
      {"P5: GPS norm", "confirmed"},
      {"P5: GPS vector", "confirmed"},
      {"P5: step: e^A <= C0/(1+lambda n) e^b", "refuted"},
      {"P6: literal", "refuted"},
      {"P6: probability", "refuted"},
      {"P6: signed", "confirmed"},
      {"P6: weight", "confirmed"},
      {"P6: content", "confirmed"},
      {"P6: weight, penalties that may vanish", "depends"},
      {"R1: the bias decays slower", "refuted"},
      {"R1: heavier tail", "refuted"},
      {"R1: larger E|n|", "refuted"},
      {"R1: higher entropy", "refuted"},
      {"R1: higher entropy, m = 1/16", "refuted"},
      {"R2: b(n)/n -> 0", "refuted"},
      {"D1: it exists", "refuted"},
      {"D1: it belongs to the weights", "refuted"},
      {"L2: within", "refuted"},
      {"L2: within, m = 1/256, C1 = 4", "refuted"},
      {"L2: within, m = 1/2, C1 = 4", "refuted"},
      {"L2: literal", "confirmed"},
      {"L3: the lower bound", "refuted"},
      {"L3: the lower bound, where P > 0", "refuted"},
      {"L3: more probable than with ALiBi", "refuted"},
      {"L3: more probable, where P > 0", "refuted"},
      {"L3: ALiBi is suppressed", "refuted"},
      {"L3: higher variance", "refuted"},
      {"L3: step: Chebyshev", "refuted"},
  };
}

Verdicts expected_of_the_rest() {
  return {
      {"S1: no circle in the definition", "refuted"},
      {"S1: theta(n) = n/alpha(n) exists", "refuted"},
      {"S2: the two that are named", "confirmed"},
      {"S2: every encoding of the library", "refuted"},
      {"X1: 12 sequences a step", "refuted"},
      {"X1: 12 x 40 sequences a step", "refuted"},
      {"X1: the whole corpus", "confirmed"},
      {"X2: by the table's numbers", "refuted"},
      {"X3: by ALiBi's text", "confirmed"},
      {"X3: by ALiBi's code", "refuted"},
      {"X4: 12 d^2 per layer, GPT-2's vocabulary", "confirmed"},
      {"X4: with the weights of 13 norms", "confirmed"},
      {"N1: n >= 0", "confirmed"},
      {"N1: all integers", "refuted"},
      {"N2: the conclusion", "confirmed"},
      {"N2: by the equivalence", "refuted"},
  };
}

Verdicts expected() {
  Verdicts all = expected_of_theorems();
  std::ranges::copy(expected_of_the_rest(), std::back_inserter(all));
  return all;
}

TEST(AuditClaims, AgreeWithTheTable) {
  const auto found = by_name(vetcha());
  for (const auto& [name, verdict] : expected()) {
    ASSERT_TRUE(found.contains(name)) << name;
    EXPECT_EQ(name_of(found.at(name).verdict), verdict) << name << ": " << found.at(name).reason;
  }
  for (const auto& [name, result] : found) {
    const bool repair = name.find(" repair: ") != std::string::npos;
    if (name.front() == 'M') {
      EXPECT_TRUE(result.reason.starts_with("not measured yet: ")) << name << ": " << result.reason;
    } else if (repair) {
      EXPECT_EQ(name_of(result.verdict), "confirmed") << name << ": " << result.reason;
    } else {
      EXPECT_TRUE(std::ranges::any_of(expected(), [&](const auto& one) { return one.first == name; }))
          << name;
    }
  }
}

TEST(AuditClaims, ClaimsWithOneVerdictAndClaimsThatDepend) {
  std::map<std::string, std::string> overall;
  for (const checks::ClaimResult& claim : vetcha().claims) overall[claim.id] = name_of(claim.overall());
  for (const std::string id : {"T1.i", "T1.ii", "R1", "R2", "D1", "L3", "S1", "X2"})
    EXPECT_EQ(overall[id], "refuted") << id;
  for (const std::string id : {"P1", "A1", "P4", "X4"}) EXPECT_EQ(overall[id], "confirmed") << id;
  for (const std::string id : {"L1", "P2", "P3", "P5", "P6", "L2", "S2", "X1", "X3", "N1", "N2"})
    EXPECT_EQ(overall[id], "depends") << id;
  for (int i = 1; i <= 14; ++i) EXPECT_EQ(overall["M" + std::to_string(i)], "undecided") << i;
}

std::string value_in(const checks::ReadingResult& result, const std::string& name) {
  for (const auto& list : {result.witness->point, result.witness->values}) {
    for (const auto& [key, value] : list) {
      if (key == name) return value;
    }
  }
  return "no " + name;
}

// The first seven digits or so of each come from a second computation with mpmath or by hand.
TEST(AuditClaims, FindTheSimplestWitnesses) {
  const auto found = by_name(vetcha());
  EXPECT_EQ(value_in(found.at("T1.i: as stated"), "A"), "A(n) = -log(n + 2) - 2*log(log(n + 2))");
  EXPECT_EQ(value_in(found.at("T1.ii: as stated"), "A"), "A(n) = n");
  EXPECT_EQ(value_in(found.at("T1.ii: step: H_L ~ log L"), "limit(growth(A)/log(n))"), "1/2");
  EXPECT_EQ(value_in(found.at("L1: weight, some content"), "B"), "2");
  const checks::ReadingResult& entropy = found.at("R1: higher entropy, m = 1/16");
  EXPECT_EQ(value_in(entropy, "H(alibi(m=1/16))"), "3.772751467");
  EXPECT_EQ(value_in(entropy, "H(ape(delta=1/16, beta=1/10, gamma=1/10))"), "3.484221179");
  const checks::ReadingResult& range = found.at("L2: within, m = 1/256, C1 = 4");
  EXPECT_EQ(value_in(range, "within(ape(delta=1/256, beta=1/10, gamma=1/20), 4)"), "559");
  EXPECT_EQ(value_in(range, "within(alibi(m=1/256), 4)"), "1024");
  const checks::ReadingResult& chance = found.at("L3: the lower bound, where P > 0");
  EXPECT_EQ(
      value_in(chance, "P(ape(delta=1/16, beta=1/10, gamma=1/10, lambda=1/100), 1, 1/100)").substr(0, 6),
      "0.0249");
  const checks::ReadingResult& nearer = found.at("L3: more probable, where P > 0");
  EXPECT_EQ(value_in(nearer, "P(alibi(m=1/16), 1, 1/100)").substr(0, 6), "0.2830");
  // as many digits as tell them apart
  const checks::ReadingResult& star = found.at("R1 repair: delta* to ten digits");
  EXPECT_EQ(value_in(star, "H(ape(delta=0.0452439836, beta=1/10, gamma=1/10))"), "3.77275146691185");
  EXPECT_EQ(value_in(star, "H(alibi(m=1/16))"), "3.77275146676352");
  EXPECT_EQ(found.at("P6: weight, penalties that may vanish").region,
            "delta > 0, or delta = 0 and gamma > 0, or delta = gamma = 0 and beta > 0");
  EXPECT_EQ(found.at("D1: it exists").reason.substr(0, 10), "ill-posed:");
  EXPECT_EQ(found.at("S1: no circle in the definition").reason.substr(0, 10), "ill-posed:");
  EXPECT_EQ(found.at("L2: literal").reason.substr(0, 8), "vacuous:");
}

TEST(AuditClaims, EveryEncodingOfTheLibraryFitsOrDoesNot) {
  const checks::ClaimFile file = checks::find_claims("vetcha2025");
  std::vector<std::string> members;
  for (const checks::ClaimFamily& family : file.families)
    members.insert(members.end(), family.members.begin(), family.members.end());
  std::ranges::sort(members);
  EXPECT_EQ(members, checks::softmax_library_names());
}

}  // namespace audit_claims_test
}  // namespace gpe::testing
