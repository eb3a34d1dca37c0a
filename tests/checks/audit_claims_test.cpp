// The audit of Vetcha 2025 against the table of its verdicts that was derived by hand, with witnesses; and
// that no verdict is stored: negating a claim or changing a number turns it.
#include <algorithm>

#include "tests/checks/audit_run.h"
#include "theory/spec_parse.h"

namespace gpe::testing {
namespace {

const checks::AuditResult& vetcha() {
  static const checks::AuditResult result = [] {
    const checks::BallOracle oracle;
    return checks::audit(checks::find_claims("vetcha2025"), {}, {}, oracle);
  }();
  return result;
}

const std::vector<std::pair<std::string, std::string>>& expected() {
  static const std::vector<std::pair<std::string, std::string>> table = {
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
      {"P1: convergent normalization", "confirmed"},
      {"P1: entropy boundedness", "confirmed"},
      {"P1: H_L >= log(L+1) - 2B", "confirmed"},
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
      {"P3: step: Chebyshev", "refuted"},
      {"P3: step: 'this probability is small'", "refuted"},
      {"P4: convergent normalization", "confirmed"},
      {"P4: entropy boundedness", "confirmed"},
      {"P4: Z = 1/(1 - e^-m)", "confirmed"},
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
      {"R1: higher entropy, at the default", "refuted"},
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
      {"L3: ALiBi is suppressed", "refuted"},
      {"L3: higher variance", "refuted"},
      {"L3: step: Chebyshev", "refuted"},
      {"S1: no circle in the definition", "refuted"},
      {"S1: theta(n) = n/alpha(n) exists", "refuted"},
      {"S2: the two that are named", "confirmed"},
      {"S2: every encoding of the library", "refuted"},
      {"X1: 12 sequences a step", "refuted"},
      {"X1: 12 x 40 sequences a step", "refuted"},
      {"X2: by the table's numbers", "refuted"},
      {"X3: by ALiBi's text", "confirmed"},
      {"X3: by ALiBi's code", "refuted"},
      {"X4: 12 d^2 a layer, GPT-2's vocabulary", "confirmed"},
      {"N1: n >= 0", "confirmed"},
      {"N1: all integers", "refuted"},
      {"N2: the conclusion", "confirmed"},
      {"N2: by the equivalence", "refuted"},
      {"M1: tenfold at 16,384", "undecided"},
      {"M2: at most doubled", "undecided"},
      {"M3: at 16,384 tokens", "undecided"},
      {"M4: speeds", "undecided"},
      {"M4: memory", "undecided"},
      {"M5: 0.29 to 0.39 of the memory", "undecided"},
      {"M6: at 16,384 tokens", "undecided"},
      {"M7: at 16,384 tokens", "undecided"},
  };
  return table;
}

TEST(AuditClaims, AgreeWithTheTable) {
  const auto found = by_name(vetcha());
  for (const auto& [name, verdict] : expected()) {
    ASSERT_TRUE(found.contains(name)) << name;
    EXPECT_EQ(name_of(found.at(name).verdict), verdict) << name << ": " << found.at(name).reason;
  }
  for (const auto& [name, result] : found) {
    const bool repair = name.find(" repair: ") != std::string::npos;
    if (repair) {
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
  for (const std::string id : {"T1.i", "T1.ii", "R1", "R2", "D1", "L3", "S1", "X1", "X2"})
    EXPECT_EQ(overall[id], "refuted") << id;
  for (const std::string id : {"P1", "A1", "P4", "X4"}) EXPECT_EQ(overall[id], "confirmed") << id;
  for (const std::string id : {"L1", "P2", "P3", "P5", "P6", "L2", "S2", "X3", "N1", "N2"})
    EXPECT_EQ(overall[id], "depends") << id;
  for (const std::string id : {"M1", "M2", "M3", "M4", "M5", "M6", "M7"})
    EXPECT_EQ(overall[id], "undecided") << id;
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
  const checks::ReadingResult& entropy = found.at("R1: higher entropy, at the default");
  EXPECT_EQ(value_in(entropy, "H(alibi(m=1/16))"), "3.772751467");
  EXPECT_EQ(value_in(entropy, "H(ape(delta=1/16, beta=1/10, gamma=1/10))"), "3.484221179");
  const checks::ReadingResult& range = found.at("L2: within, m = 1/256, C1 = 4");
  EXPECT_EQ(value_in(range, "within(ape(delta=1/256, beta=1/10, gamma=1/20), 4)"), "559");
  EXPECT_EQ(value_in(range, "within(alibi(m=1/256), 4)"), "1024");
  const checks::ReadingResult& chance = found.at("L3: the lower bound, where P > 0");
  EXPECT_EQ(
      value_in(chance, "P(ape(delta=1/16, beta=1/10, gamma=1/10, lambda=1/100), 1, 1/100)").substr(0, 6),
      "0.0249");
  EXPECT_EQ(found.at("P6: weight, penalties that may vanish").region,
            "delta > 0, or delta = 0 and gamma > 0, or delta = gamma = 0 and beta > 0");
  EXPECT_EQ(found.at("D1: it exists").reason.substr(0, 10), "ill-posed:");
  EXPECT_EQ(found.at("S1: no circle in the definition").reason.substr(0, 10), "ill-posed:");
  EXPECT_EQ(found.at("L2: literal").reason.substr(0, 8), "vacuous:");
}

TEST(AuditClaims, NegationTurnsEveryVerdict) {
  const checks::ClaimFile file = checks::find_claims("vetcha2025");
  const checks::BallOracle oracle;
  const auto found = by_name(vetcha());
  for (const checks::Claim& claim : file.claims) {
    for (const auto* list : {&claim.readings, &claim.repairs}) {
      for (checks::ClaimReading reading : *list) {
        const std::string name = claim.id + (list == &claim.repairs ? " repair: " : ": ") + reading.name;
        const checks::ReadingResult& plain = found.at(name);
        reading.negated = !reading.negated;
        const checks::ReadingResult turned = checks::audit_reading(reading, file, {}, oracle);
        using Verdict = checks::AuditVerdict;
        const Verdict wanted = plain.verdict == Verdict::confirmed ? Verdict::refuted
                               : plain.verdict == Verdict::refuted ? Verdict::confirmed
                                                                   : plain.verdict;
        EXPECT_EQ(name_of(turned.verdict), name_of(wanted)) << name << ": " << turned.reason;
        if (plain.verdict == Verdict::depends) {
          EXPECT_NE(turned.region, plain.region) << name;
        }
      }
    }
  }
}

// What is changed in the file, and the reading whose verdict it turns.
struct Change {
  std::string from;
  std::string to;
  std::string name;
};

TEST(AuditClaims, ChangedNumbersTurnVerdicts) {
  const std::string text = theory::read_text_file(GPE_SOURCE_DIR "/checks/claims/vetcha2025.toml");
  const std::vector<Change> changes = {
      {"terms = [\"log(n+2)\", \"log(log(n+2))\", \"log(log(log(n+16)))\", \"sqrt(n)\", \"n\"]\nmost = 3",
       "terms = [\"log(n+2)\", \"log(log(n+2))\", \"log(log(log(n+16)))\", \"sqrt(n)\", \"n\"]\nmost = 1",
       "T1.i: as stated"},
      {"for all eps > 0: summable", "for all eps > 1: summable", "T1.i: step: sum of log n/n^eps"},
      {"bias(A) + (1 + eps)*log(n)", "bias(A) + (1 - eps)*log(n)", "T1.i: step: e^A <= C/n^(1+eps)"},
      {"\"sqrt(n)\", \"n\"]\nmost = 3", "\"sqrt(n)\"]\nmost = 3", "T1.ii: as stated"},
      {"< -1 => eb(A)", "<= -1 => eb(A)", "T1.i repair: limsup A/log n < -1"},
      {">= log(L + 1) - 2*B", ">= log(L + 1) - B/2", "P1: H_L >= log(L+1) - 2B"},
      {"sphere_moment(2, d) = 1/d", "sphere_moment(2, d) = 2/d", "A1: as stated"},
      {"for all m > 0: not ldcp=weight(alibi)", "for all m >= 0: not ldcp=weight(alibi)", "P2: LDCP weight"},
      {"for all 0 < t < 1, d >= 1", "for all 1 < t < 2, d >= 1", "P3: step: 'this probability is small'"},
      {"for all m > 0, B > 0: cn(alibi, B)", "for all m >= 0, B > 0: cn(alibi, B)",
       "P4: convergent normalization"},
      {"agree(Z(alibi), 1/(1 - exp(-m)), 30)\"\n\n[[claim]]\nid = \"P5\"",
       "agree(Z(alibi), 1/(1 - exp(-2*m)), 30)\"\n\n[[claim]]\nid = \"P5\"", "P4: Z = 1/(1 - e^-m)"},
      {"gamma > 0, lambda > 0: gps=norm(ape)",
       "gamma > 0, lambda > 0: gps=norm(ape(lambda=lambda)) and lambda < 1", "P5: GPS norm"},
      {"bounded_above(B/(1 + lambda*n) + log(1 + lambda*n))",
       "bounded_above(B/(1 + lambda*n) - log(1 + lambda*n))", "P5: step: e^A <= C0/(1+lambda n) e^b"},
      {"(delta > 0 or gamma > 0 or beta > 1)", "(delta > 0 or gamma > 0 or beta > 2)",
       "P5 repair: sharp condition"},
      {"H(ape(delta=1/16, beta=1/10, gamma=1/10)) > H(alibi(m=1/16))\"",
       "H(ape(delta=1/32, beta=1/10, gamma=1/10)) > H(alibi(m=1/16))\"",
       "R1: higher entropy, at the default"},
      {"delta=0.0452439836, beta=1/10, gamma=1/10)) > H", "delta=0.0452439837, beta=1/10, gamma=1/10)) > H",
       "R1 repair: delta* to ten digits"},
      {"limit(bias(ape)/n) = 0", "limit(bias(ape)/n^2) = 0", "R2: b(n)/n -> 0"},
      {"bias = \"1 - n/16\"", "bias = \"-n/16\"", "D1: it belongs to the weights"},
      {"within(ape(delta=1/256, beta=1/10, gamma=1/20), 4) >=",
       "within(ape(delta=1/600, beta=1/10, gamma=1/20), 4) >=", "L2: within, m = 1/256, C1 = 4"},
      {"var(ape, k) <= var(alibi, k)", "var(ape, k) <= var(alibi, k)/2", "L3 repair: lower variance"},
      {"for all k in 0..64: H(ape, k) > 0", "for all k in 1..64: H(ape, k) > 0",
       "S1: theta(n) = n/alpha(n) exists"},
      {"score <- bias, rotation <- alpha, alpha <- entropy", "score <- bias, rotation <- alpha",
       "S1: no circle in the definition"},
      {"fits(rope) and fits(alibi)", "fits(rope) and fits(fire)", "S2: the two that are named"},
      {"10 <= context*12*25000/29915520 <= 40", "1/2 <= context*12*25000/29915520 <= 40",
       "X1: 12 sequences a step"},
      {"3.63 > 4.83", "5.63 > 4.83", "X2: by the table's numbers"},
      {"parameter(alibi-paper(h=h, heads=6), m) = 2^(-4*h/3)",
       "parameter(alibi-paper(h=h, heads=8), m) = 2^(-4*h/3)", "X3: by ALiBi's text"},
      {"50257*384 <", "32000*384 <", "X4: 12 d^2 a layer, GPT-2's vocabulary"},
      {"agree(Z(alibi-symmetric), 1/(1 - exp(-m)), 30)",
       "agree(Z(alibi-symmetric), 1/(1 - exp(-m)) + 1/(exp(m) - 1), 30)", "N1: all integers"},
      {"name = \"the conclusion\"\nformula = \"for all base > 1, B > 0: not eb=uniform(rope, B)",
       "name = \"the conclusion\"\nformula = \"for all base > 1, B > 0: eb=uniform(rope, B)",
       "N2: the conclusion"},
  };
  const auto plain = by_name(vetcha());
  const checks::BallOracle oracle;
  for (const Change& change : changes) {
    const std::size_t at = text.find(change.from);
    ASSERT_NE(at, std::string::npos) << change.from;
    std::string changed = text;
    changed.replace(at, change.from.size(), change.to);
    const checks::ClaimFile file = checks::parse_claims(changed, "changed.toml");
    const std::string id = change.name.substr(0, change.name.find_first_of(": "));
    const auto found = by_name(checks::audit(file, {id}, {}, oracle));
    const auto turned = [](checks::AuditVerdict verdict) {
      return verdict == checks::AuditVerdict::confirmed ? "refuted" : "confirmed";
    };
    EXPECT_EQ(name_of(found.at(change.name).verdict), turned(plain.at(change.name).verdict))
        << change.name << ": " << found.at(change.name).reason;
  }
}

}  // namespace
}  // namespace gpe::testing
