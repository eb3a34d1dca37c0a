// No verdict is stored: the opposite of a claim gets the opposite verdict, and so does a claim with another
// number.
#include <algorithm>
#include <set>

#include "checks/audit/formula_parse.h"
#include "tests/checks/audit_run.h"
#include "tests/in_time.h"
#include "tests/many.h"
#include "theory/source/text_file.h"

namespace gpe::testing {
namespace audit_flips_test {

// In the formula of the reading, or where it has no such text, in the families and encodings of its file.
struct Change {
  std::string reading;
  std::string from;
  std::string to;
  std::string becomes = {};  ///< empty: the opposite
};

const std::vector<Change> kNumbersOfVetcha2025 = {
    {"T1.i: as stated", "most = 3", "most = 1"},
    {"T1.i: step: e^A <= C/n^(1+eps)", "(1 + eps)*log(n)", "(1 - eps)*log(n)"},
    {"T1.i: step: sum of log n/n^eps", "eps > 0", "eps > 1"},
    {"T1.i repair: limsup A/log n < -1", "< -1", "< -1/2"},
    {"T1.i repair: sum of |A| e^A", "+ log(abs(bias(A)))", "+ 0*log(abs(bias(A)))"},
    {"T1.i repair: the last step from eps > 1", "eps > 1", "eps > 1/2"},
    {"T1.ii: as stated", "most = 3", "most = 0"},
    {"T1.ii: step: H_L ~ log L", "most = 3", "most = 0"},
    {"T1.ii repair: A bounded above", "bounded_above(bias(A))", "bounded_above(bias(A)/n)"},
    {"L1: literal", "most = 3", "most = 0"},
    {"L1: probability", "most = 3", "most = 0"},
    {"L1: content", "most = 3", "most = 0"},
    {"L1: weight, some content", "\"log(n+2)\", \"sqrt(n)\"]", "\"log(0*n+2)\", \"sqrt(0*n+2)\"]"},
    {"L1 repair: some content, bounded gain", "bounded_above(gain(A))", "bounded_above(0*gain(A))"},
    {"L1: step: e^(E A) >= e^C", "most = 3", "most = 0"},
    {"P1: H_L >= log(L+1) - 2B", "2*B", "B/2"},
    {"P1: step: R(n) preserves norms", "= x^2 + y^2", "= x^2 + 2*y^2"},
    {"P1: step: it preserves products", "cos(s - t)", "cos(s + t)"},
    {"P1: step: |q||k| cos(n theta - phi)", "(v - u)", "(u - v)"},
    {"P3: step: Var q'R(n)k = Var q'k", "= var(nope, k)", "= 2*var(nope, k)"},
    {"P1: Z_L >= (L+1) e^-B", "(L + 1)", "(L + 2)"},
    {"A1: as stated", "= 1/d", "= 2/d"},
    {"P2: LDCP literal", "m > 0", "0 <= m <= 0"},
    {"P2: LDCP weight", "m > 0", "m >= 0"},
    {"P3: step: Chebyshev", "{1/20, 1/4, 1/2, 9/10}", "{1/20, 1/10}"},
    {"P3: step: 'this probability is small'", "0 < t < 1", "1 < t < 2"},
    {"P3 repair: Chebyshev", "64*eps^2", "6400*eps^2"},
    {"P4: convergent normalization", "m > 0", "m >= 0"},
    {"P4: entropy boundedness", "m > 0", "m >= 0"},
    {"P4: Z = 1/(1 - e^-m)", "exp(-m)", "exp(-2*m)"},
    {"P4: H = m/(e^m - 1) - log(1 - e^-m)", "m/(exp(m)", "2*m/(exp(m)"},
    {"P5: convergent normalization", "delta > 0, beta > 0, gamma > 0", "delta >= 0, beta >= 0, gamma >= 0"},
    {"P5: entropy boundedness", "delta > 0, beta > 0, gamma > 0", "delta >= 0, beta >= 0, gamma >= 0"},
    {"P5: step: e^A <= C0/(1+lambda n) e^b", "+ log(1 + lambda*n)", "+ 0*log(1 + lambda*n)"},
    {"P5 repair: e^A <= e^B e^b", "B/(1 + lambda*n)", "B/(1 + lambda*n)^(-1)"},
    {"P5 repair: sharp condition", "beta > 1", "beta > 2"},
    {"P6: weight", "delta > 0, beta > 0, gamma > 0", "delta >= 0, beta >= 0, gamma >= 0"},
    {"P6: weight, penalties that may vanish", "delta >= 0", "delta > 0", "confirmed"},
    {"R1: the bias decays slower", "beta > 0, gamma > 0", "0 <= beta <= 0, 0 <= gamma <= 0"},
    {"R1: heavier tail", "beta > 0, gamma > 0", "0 <= beta <= 0, 0 <= gamma <= 0"},
    {"R1: higher entropy, m = 1/16", "delta=1/16", "delta=1/32"},
    {"R1 repair: smaller entropy", "delta=m", "delta=m/100"},
    {"R1 repair: smaller E|n|", "delta=m", "delta=m/100"},
    {"R1 repair: lighter tail", "delta=m", "delta=m/100"},
    {"R1 repair: delta* to ten digits", "0.0452439836", "0.0452439837"},
    {"R2: b(n)/n -> 0", "/n)", "/n^2)"},
    {"R2 repair: b(n)/n -> -delta", "= -delta", "= -2*delta"},
    {"D1: it belongs to the weights", "bias = \"1 - n/16\"", "bias = \"0 - n/16\""},
    {"D1 repair: within exists", "1/100", "-1"},
    {"L2: within", "beta > 0, gamma > 0", "0 <= beta <= 0, 0 <= gamma <= 0"},
    {"L2: within, m = 1/256, C1 = 4", "delta=1/256", "delta=1/600"},
    {"L2: within, m = 1/2, C1 = 4", "delta=1/2", "delta=1/100"},
    {"L2 repair: at most", "delta=m", "delta=m/100"},
    {"L3: the lower bound, where P > 0", "/((bias", "/100/((bias"},
    {"L3: more probable, where P > 0", "P(alibi(m=1/16), 1, 1/100)", "P(alibi(m=1/16), 20, 1/100)"},
    {"L3: higher variance", "var(alibi, k)", "0*var(alibi, k)"},
    {"L3: step: Chebyshev", ">= 1 - ", ">= 0 - "},
    {"L3 repair: P = 0 beyond", "> gain(ape, k)", "> gain(ape, k)/100"},
    {"L3 repair: lower variance", "var(alibi, k)", "var(alibi, k)/2"},
    {"S1: theta(n) = n/alpha(n) exists", "0..64", "1..64"},
    {"S1 repair: theta(n) exists", "1 + H", "0 + H"},
    {"X1: 12 sequences a step", "10 <=", "1/2 <="},
    {"X1: 12 x 40 sequences a step", "<= 40", "<= 110"},
    {"X1: the whole corpus", "<= 40", "<= 15"},
    {"X1 repair: 12 sequences a step", "< 0.65", "< 0.641"},
    {"X1 repair: 12 x 40, context 64", "<= 40", "<= 25"},
    {"X1 repair: 12 x 40 sequences a step", "25.7", "25.67"},
    {"X1 repair: the whole corpus", "15.8 <=", "15.9 <="},
    {"X2: by the table's numbers", "3.63 >", "5.63 >"},
    {"X2 repair: two of three", "3.63 < 4.83", "3.63 < 3.48"},
    {"X3: by ALiBi's text", "heads=6", "heads=8"},
    {"X3: by ALiBi's code", "1..6: parameter(alibi(h=h, heads=6), m) = 2^(-4*h/3)",
     "1..4: parameter(alibi(h=h, heads=6), m) = 2^(-6*h/3)"},
    {"X3 repair: the code's six slopes", "2^(-3)", "2^(-4)"},
    {"X4: 12 d^2 per layer, GPT-2's vocabulary", "50257", "32000"},
    {"X4: with the weights of 13 norms", "50257", "32000"},
    {"N1: n >= 0", "exp(-m)", "exp(-2*m)"},
    {"N1: all integers", "1/(1 - exp(-m))", "1/(1 - exp(-m)) + 1/(exp(m) - 1)"},
    {"N1 repair: all integers", "(1 + exp(-m))", "(2 + exp(-m))"},
    {"N2: by the equivalence", "most = 3", "most = 0"},
    {"N2 repair: for scores bounded above", "bounded_above(bias(A))", "bounded_above(bias(A)/n)"},
};

const std::vector<Change> kNumbersOfPublished = {
    {"rope-decay: the bound falls at every step", "0..63:", "0..3:"},
    {"rope-decay repair: the content stays", "= 1", "= 2"},
    {"pi-constant: 32 log c = 294.73", "294.735", "294.73"},
    {"pi-extrapolation: s up to 16, d = 128", ">= 1", ">= 100"},
    {"pi-extrapolation: beyond 8,000, d = 128", ">= 1", ">= 1/100"},
    {"rope-base-4k: as rounded in the table", "4095", "4078"},
    {"rope-base-4k repair: base 26,955, m from 4,064", "26955", "10000"},
    {"rope-base-llama: some m < 4096 has a negative sum", "4095", "1706"},
    {"rope-base-llama: 1,707 is the first", "0..1706", "0..1707"},
    {"rope-turns: slowest frequency 1/10,000", "2.045", "2.035"},
    {"rope-turns: slowest frequency of d = 128", "-126/128", "-128/128"},
    {"rope-turns repair: d = 128", "2.36", "2.352"},
    {"ntk-slowest: for every base, s and d", "s^(d/(d-2))", "s^(d/(d-1))"},
    {"yarn-temperature: the quoted value", "1.2085", "1.2079"},
    {"yarn-temperature: the gain of the scores is its square", "^2", "^3"},
    {"alibi-slopes: 8 heads, the code", "-8*h/8", "-4*h/8"},
    {"alibi-slopes: 16 heads, the code", "-8*h/16", "-4*h/16"},
    {"alibi-slopes: 12 heads, the code", "1..12: parameter(alibi(h=h, heads=12), m) = 2^(-8*h/12)",
     "1..8: parameter(alibi(h=h, heads=12), m) = 2^(-12*h/12)"},
    {"t5-128: all beyond 128 are equal", "129..1024", "100..1024"},
    {"t5-128: the last range begins at 128", "bias(t5, 127) = bias(t5, 128)",
     "bias(t5, 112) = bias(t5, 113)"},
    {"t5-128 repair: 113", "bias(t5, 112)", "bias(t5, 114)"},
    {"qin-criterion: ALiBi", "m > 0", "m >= 0"},
    {"qin-criterion: KERPLE, power", "bias(kerple-power)", "bias(kerple-power)/n^2"},
    {"qin-criterion: KERPLE, logarithmic", "p > 0", "p > 1", "confirmed"},
    {"qin-criterion: Sandwich", "bias(sandwich)", "bias(sandwich) - 2*log(n)"},
    {"qin-criterion: ALiBi's field at 1/100 is log(100)/m", "window(alibi, 1/100, 0)",
     "window(alibi, 1/10, 0)"},
    {"qin-criterion: none where the sum diverges", "p=1", "p=2"},
    {"qin-entropy: as stated", "most = 2", "most = 1"},
    {"qin-entropy repair: limsup b/log n < -1", "< -1", "< -1/2"},
    {"fox-alibi: the gate's logarithm", "= -1/T", "= -2/T"},
    {"acp-bound: N tokens at the threshold", "exp(2*U", "exp(3*U"},
    {"acp-bound: the example's threshold", "< -35.704", "< -35.7041"},
    {"entropy-collapse: one logit above the others attains it", "= sigma", "= 2*sigma"},
    {"entropy-collapse: the entropy itself, summed", "log(1 + 99", "log(2 + 99"},
    {"entropy-collapse: sigma = 10, T = 100: 0.047", "0.0470349 <", "0.048 <"},
    {"dispersion: entropy of bounded biases diverges", "\"n/(1+n)\"", "\"n/(1+0*n)\""},
    {"dispersion: H_L >= log(L+1) - 2B without position", "2*B", "B/2"},
    {"dispersion: any bias", "most = 2", "most = 0"},
    {"ssmax-threshold: exactly then", "z > 1/s", "z > 2/s"},
    {"ssmax-threshold: the learned s = 0.43 needs 2.33", "0.43", "0.44"},
    {"ssmax-threshold: the entropy is then bounded", "bounded_above(log(n)", "bounded_above(0*log(n)"},
    {"critical-logn: sharp above", "gamma > 1/(1 - rho)", "gamma > 1/(2 - rho)"},
    {"critical-logn: dispersed below", "gamma < 1/(1 - rho)", "gamma < 2/(1 - rho)"},
    {"critical-logn: sharp at the point itself", ">= 1/(1 - rho)", ">= 2/(1 - rho)"},
    {"position-bias-peak: t = 12, m = 1/256: 3066", "choose(12 + 3066, 3066)*exp(-3066/256)",
     "choose(12 + 3000, 3000)*exp(-3000/256)"},
    {"position-bias-peak: t/(e^m - 1) rounds to it", "3066.5", "3066.002"},
    {"critical-dimension: b = 10,000, T = 4,096", "= 92", "= 90"},
    {"critical-dimension: the last of them turns, the next does not", "-45/64", "-46/64"},
    {"abf: mean score at distances 1,024, 2,048, 4,096", "500000", "5000"},
    {"abf: at every distance up to 64", "500000", "5000"},
    {"streaming-sink: Z and H stay bounded", "cn(streaming-llm)", "cn(rope)"},
    {"streaming-sink: tokens beyond the window keep a weight", "streaming-llm", "rope"},
    {"resonance: the fastest block repeats after 6", "= 6 and", "= 7 and"},
    {"resonance: every block, trained on 4,096 tokens, d = 128", "4096", "65536"},
    {"resonance repair: 46 of 64", "0..45", "0..46"},
    {"head-scale: one temperature for every length", "nope-head-scale", "swan, 10"},
    {"head-scale: at 4 times 2,048, the same least entropy as in training", "1.2", "1.1"},
    {"softcap: content of any size", "exp(2*x/50) - 1", "exp(2*x/50) + 3"},
    {"string-thirds: an offset of one third", "- 131072/3", "- 131072/4"},
    {"string-thirds: the code's offset, 0.33", "43253", "43691"},
    {"infoscale-entropy: for some content of B = 1", "for all train > 1: eb=some-content(infoscale)",
     "eb=some-content(swan, 10)"},
    {"infoscale-entropy: for some content of B = 10", "for all train > 1: eb=some-content(infoscale",
     "eb=some-content(swan"},
    {"infoscale-entropy repair: the factor at d = 128, T = 512", "< 3.3", "< 3.25"},
    {"swan-scaling: B = 10, T = 8,192", "swan, 10", "swan, 5"},
    {"swan-scaling: B = 1, T = 8,192", "swan, 1", "swan, 10"},
    {"swan-scaling: every content", "uniform", "some-content"},
    {"scale-invariance: E e^A is of order 1/n", "tau*exp(1/2)", "2*tau*exp(1/2)"},
    {"scale-invariance: so E Z is finite", "- 2*log", "- 3*log"},
    {"scale-invariance: E Z is bounded below variance 1", "s < 1", "s < 2"},
    {"scale-invariance: Z and H, bounded content", "cn(scale-invariant)", "cn(rope)"},
    {"critical-scale: sqrt(log n): independent normal scores", "(t < 1 =>", "(t < 2 =>"},
    {"critical-scale: log n: one score above equal ones", "(t <= 1 =>", "(t <= 2 =>"},
    {"critical-scale: log n: the worst scores in [-1, 1]", "(t < 1/2 =>", "(t < 1 =>"},
    {"critical-scale: bounded scores with an edge: no power of log n", "log(n)^a", "n^a"},
    {"critical-scale: uniform scores: n^kappa", "n^kappa", "log(n)^kappa", "confirmed"},
    {"bam-prior: shape 1 is ALiBi, but for eps", "100000", "1000"},
    {"bam-prior: shape 0 removes position", "= -a", "= -2*a"},
    {"bam-prior: every shape makes Z finite", "p >= 0", "p > 0"},
    {"bam-prior repair: p > 0", "p > 0", "p >= 0"},
    {"entmax-dispersion: logits within M of each other", "+ n)", "+ 1)"},
    {"entmax-dispersion: logits that differ by log n", "+ n)", "+ n^2)"},
    {"tapa-bias: parallel queries and keys score less far away", "64/2", "64/64"},
    {"rope-imaginary: mean scores at 64, 512 and 4,096", "> sum", "< sum"},
    {"rope-imaginary: mean scores at 4,096, base 10,000", "> sum", "< sum"},
    {"mimo-cache: five of six layers", "5.9", "6.1"},
    {"mimo-cache: the configuration: 9 of 48 layers see all keys", "5.9", "5.3"},
    {"inverse-square: the inverse square: Z and H are finite", "-2*log", "-1*log"},
    {"inverse-square: which powers have a finite Z", "p > 0", "p > 1", "confirmed"},
};

// What has no number has other words.
const std::vector<Change> kWords = {
    {"S1: no circle in the definition", ", alpha <- entropy", ""},
    {"S1 repair: no circle", "cut_entropy <- bias", "cut_entropy <- score"},
    {"S2 repair: those that fit", "of-the-form", "beyond-the-form"},
    {"S2 repair: those that do not", "beyond-the-form", "of-the-form"},
    {"S2: every encoding of the library", "library", "of-the-form"},
    {"S2: the two that are named", "fits(alibi)", "fits(fire)"},
};

// Numbers only say which values a variable takes, and the verdict is the same for all that its domain allows
// (or, in L3 and R1, is found at some of any range, and cannot be proved of all of a smaller one).
const std::set<std::string> kSameForEveryValue = {
    "L1: signed",
    "L1: weight",
    "L1: signed, expected Z",
    "L1: weight, expected Z",
    "P1: convergent normalization",
    "P1: entropy boundedness",
    "P2: LDCP probability",
    "P2: LDCP content",
    "P2: LDCP signed",
    "P2: GPS, every reading",
    "P3: LDCP literal",
    "P3: LDCP signed",
    "P3: LDCP probability",
    "P3: LDCP content",
    "P3: LDCP weight",
    "P3: GPS scalar",
    "P3: GPS norm",
    "P3: GPS vector",
    "P5: GPS scalar",
    "P5: GPS norm",
    "P5: GPS vector",
    "P6: literal",
    "P6: probability",
    "P6: signed",
    "P6: content",
    "R1: larger E|n|",
    "R1: higher entropy",
    "D1: it exists",
    "L2: literal",
    "L3: the lower bound",
    "L3: more probable than with ALiBi",
    "L3: ALiBi is suppressed",
    "N2: the conclusion",
    "rope-decay: the content tends to 0",
    "rope-decay: weights of far tokens tend to 0",
    "xpos-decay: the content tends to 0",
    "xpos-decay: weights of far tokens tend to 0",
    "xpos-decay: Z converges",
    "xpos-decay repair: Z and H diverge",
    "hope-monotone: the content tends to 0",
    "hope-monotone: weights of far tokens tend to 0",
    "hope-monotone repair: Z diverges",
    "abf: another verdict",
    "softcap: so attention disperses",
    "tapa-bias: for every content",
    "rope-imaginary: some property tells them apart",
    "clipped-rope: content stays with clipping",
    "clipped-rope: content fades with RoPE",
};
// Claims all of whose readings are such.
const std::set<std::string> kClaimsWithoutAChange = {"xpos-decay", "hope-monotone", "clipped-rope"};

class AuditFlips : public ::testing::TestWithParam<std::string> {
 protected:
  using Verdict = checks::AuditVerdict;

  const std::string text = theory::read_text_file(GPE_SOURCE_DIR "/checks/claims/" + GetParam() + ".toml");
  const checks::ClaimFile file = checks::parse_claims(text, GetParam());

  // Every reading by its name; those that wait for measurements left out.
  static std::map<std::string, checks::ClaimReading> readings_of(const checks::ClaimFile& claims) {
    std::map<std::string, checks::ClaimReading> all;
    for (const checks::Claim& claim : claims.claims) {
      for (const checks::ClaimReading& one : claim.readings) all.emplace(claim.id + ": " + one.name, one);
      for (const checks::ClaimReading& one : claim.repairs)
        all.emplace(claim.id + " repair: " + one.name, one);
    }
    std::erase_if(all,
                  [](const auto& one) { return one.second.text.find("measured(") != std::string::npos; });
    return all;
  }

  std::vector<Change> changes() const {
    std::vector<Change> all = GetParam() == "vetcha2025" ? kNumbersOfVetcha2025 : kNumbersOfPublished;
    for (const Change& change : kWords) {
      if (readings_of(file).contains(change.reading)) all.push_back(change);
    }
    return all;
  }

  checks::ReadingResult verdict_of(const checks::ClaimReading& reading,
                                   const checks::ClaimFile& where) const {
    return checks::audit_reading(reading, where, {}, gpe::testing::in_time());
  }

  checks::ReadingResult changed(const Change& change) const {
    checks::ClaimReading reading = readings_of(file).at(change.reading);
    if (const std::size_t at = reading.text.find(change.from); at != std::string::npos) {
      std::vector<std::string> families;
      std::vector<std::string> encodings;
      for (const checks::ClaimFamily& family : file.families) families.push_back(family.name);
      for (const theory::Encoding& encoding : file.encodings) encodings.push_back(encoding.name);
      const std::string formula = std::string(reading.text).replace(at, change.from.size(), change.to);
      reading.formula = checks::parse_formula(formula, families, encodings);
      return verdict_of(reading, file);
    }
    const std::size_t claims = text.find("[[claim]]");
    std::string other = text;
    std::size_t at = other.find(change.from);
    EXPECT_LT(at, claims) << change.reading << ": no '" << change.from << "'";
    other.replace(at, change.from.size(), change.to);
    return verdict_of(reading, checks::parse_claims(other, "changed.toml"));
  }

  static std::string opposite(const checks::ReadingResult& result) {
    if (result.verdict == Verdict::confirmed) return "refuted";
    return result.verdict == Verdict::refuted ? "confirmed" : std::string(name_of(result.verdict));
  }
};

TEST_P(AuditFlips, NegationTurnsEveryVerdict) {
  int number = 0;
  for (auto [name, reading] : readings_of(file)) {
    if (!gpe::testing::drawn(number++, 6)) continue;
    const checks::ReadingResult plain = verdict_of(reading, file);
    reading.negated = !reading.negated;
    const checks::ReadingResult turned = verdict_of(reading, file);
    EXPECT_NE(plain.verdict, Verdict::undecided) << name;
    EXPECT_EQ(name_of(turned.verdict), opposite(plain)) << name << ": " << turned.reason;
    if (plain.verdict == Verdict::depends) {
      EXPECT_NE(turned.region, plain.region) << name;
    }
  }
}

TEST_P(AuditFlips, ChangedNumbersTurnVerdicts) {
  const auto all = readings_of(file);
  int number = 0;
  for (const Change& change : changes()) {
    ASSERT_TRUE(all.contains(change.reading)) << change.reading;
    if (!gpe::testing::drawn(number++, 4)) continue;
    const checks::ReadingResult plain = verdict_of(all.at(change.reading), file);
    const checks::ReadingResult turned = changed(change);
    EXPECT_EQ(name_of(turned.verdict), change.becomes.empty() ? opposite(plain) : change.becomes)
        << change.reading << ", '" << change.from << "' -> '" << change.to << "': " << turned.reason;
    EXPECT_NE(turned.verdict, plain.verdict) << change.reading;
  }
}

TEST_P(AuditFlips, EveryReadingHasAChangeOrIsTheSameForEveryValue) {
  std::set<std::string> listed;
  std::set<std::string> claims;
  for (const Change& change : changes()) {
    EXPECT_TRUE(listed.insert(change.reading).second) << "twice: " << change.reading;
    claims.insert(change.reading.substr(0, change.reading.find_first_of(": ")));
  }
  for (const auto& [name, reading] : readings_of(file)) {
    EXPECT_NE(listed.contains(name), kSameForEveryValue.contains(name)) << name << ": " << reading.text;
    const std::string id = name.substr(0, name.find_first_of(": "));
    EXPECT_NE(claims.contains(id), kClaimsWithoutAChange.contains(id)) << id;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, AuditFlips, ::testing::Values("vetcha2025", "published"),
                         [](const auto& file) { return file.param; });

}  // namespace audit_flips_test
}  // namespace gpe::testing
