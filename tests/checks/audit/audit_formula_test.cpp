// The claim language: what it reads, what it refuses and where, and that every kind of atom is computed both
// ways.
#include "checks/audit/formula_parse.h"

#include <random>

#include "tests/checks/audit_run.h"

namespace gpe::testing {
namespace audit_formula_test {

std::string refusal(const std::string& formula) {
  try {
    checks::parse_formula(formula, {"scores"}, {"mine"});
  } catch (const theory::ParseError& error) {
    return std::to_string(error.begin) + ": " + error.what();
  }
  return "accepted";
}

TEST(AuditFormula, ReadsQuantifiersConnectivesAndChains) {
  using Kind = checks::Formula::Kind;
  const checks::Formula f = checks::parse_formula(
      "for all A in scores, 0 < m <= 1, k in 1..6, e in {1/2, 1/4}, j in 3..:\n cn(A) and not eb=uniform(A) "
      "=> "
      "for some x > 0: 0 < x <= m*k or (gps(alibi) <=> ldcp=signed(mine))",
      {"scores"}, {"mine"});
  ASSERT_EQ(f.kind, Kind::for_all);
  ASSERT_EQ(f.bindings.size(), 5U);
  EXPECT_EQ(f.bindings[1].conditions.size(), 2U);
  EXPECT_EQ(f.bindings[2].high, 6);
  EXPECT_EQ(f.bindings[3].list.size(), 2U);
  EXPECT_FALSE(f.bindings[4].high.has_value());
  const checks::Formula& body = f.parts[0];
  ASSERT_EQ(body.kind, Kind::implication);
  EXPECT_EQ(body.parts[0].kind, Kind::conjunction);
  EXPECT_EQ(body.parts[0].parts[1].parts[0].quantity.words.front(), "uniform");
  ASSERT_EQ(body.parts[1].kind, Kind::for_some);
  const checks::Formula& inner = body.parts[1].parts[0];
  ASSERT_EQ(inner.kind, Kind::disjunction);
  EXPECT_EQ(inner.parts[0].kind, Kind::conjunction) << "0 < x <= m*k is two comparisons";
  EXPECT_EQ(inner.parts[1].kind, Kind::equivalence);
}

TEST(AuditFormula, RefusesWithThePlace) {
  EXPECT_EQ(refusal(""), "0: expected a statement");
  EXPECT_EQ(refusal("cn(alibo)"), "3: unknown encoding 'alibo'; did you mean 'alibi'?");
  EXPECT_EQ(refusal("cn=evry-content(alibi)").substr(0, 39), "2: unknown reading 'evry-content' of cn");
  EXPECT_EQ(refusal("for all A in score: cn(A)"), "13: unknown family 'score'; did you mean 'scores'?");
  EXPECT_EQ(refusal("for all m > 0 cn(alibi)"),
            "0: expected ':' between the variables and the statement about them");
  EXPECT_EQ(refusal("for every m: cn(alibi)"), "4: expected 'for all', 'for some' or 'for which'");
  EXPECT_EQ(refusal("for all n > 0: n > 0"),
            "8: 'n' is the distance inside bias(…) and limit(…); choose another name");
  // "_q0" is what the term's first quantity is called inside: Z + 5 = 7.54 > 9 was read as 5 + 5 > 9, and
  // confirmed
  EXPECT_EQ(refusal("for all _q0 in {5}: Z(alibi(m=1/2)) + _q0 > 9"),
            "8: '_q0' begins with '_'; a name begins with a letter");
  EXPECT_EQ(refusal("Z(alibi(m=1/2)) + _q0 < 6"), "18: unknown name '_q0'") << "it was 2 Z < 6";
  std::string many = "1";
  for (int i = 0; i < 101; ++i) many += "+Z(mine)";
  EXPECT_EQ(refusal(many + " < 6"), "802: more than 100 quantities in one number");
  EXPECT_EQ(refusal("for all m > 0, m > 1: m > 0").substr(0, 4), "15: ");
  EXPECT_EQ(refusal("1 + x < 2").substr(0, 25), "4: unknown name 'x'; know");
  EXPECT_EQ(refusal("Z(alibi"), "7: expected a closing bracket");
  EXPECT_EQ(refusal("1 < 2)"), "5: a closing bracket without an opening one");
  EXPECT_EQ(refusal(std::string(201, '(') + std::string(201, ')')), "200: brackets deeper than 200");
  EXPECT_EQ(refusal(std::string(10001, ' ')), "10000: a formula of more than 10000 characters");
  EXPECT_EQ(refusal("1 + 2"), "0: expected a statement: a property, a predicate, or a comparison");
  EXPECT_EQ(refusal("Z(alibi, 1, 2) < 3"), "11: Z: too many arguments");
  EXPECT_EQ(refusal("window(alibi, 1/2) < 3"), "0: window: too few arguments");
  EXPECT_EQ(refusal("1 + summable(-n) < 2"), "4: summable is a statement, not a number");
  EXPECT_EQ(refusal("for all A in scores: cn(A(m=1))").substr(0, 4), "24: ");
}

TEST(AuditFormula, EveryAtomIsComputedBothWays) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"cn(alibi(m=1/2))", "cn(rope)"},
      {"gps=vector(rope)", "gps=vector(alibi)"},
      {"Z(alibi(m=1/2)) < 2.5415", "Z(alibi(m=1/2)) < 2.5414"},
      {"H(rope) > 10^9", "H(alibi) > 10^9"},
      {"H(alibi(m=1/2), 64) <= H(alibi(m=1/2))", "H(alibi(m=1/2), 2) >= H(alibi(m=1/2))"},
      {"mean(alibi(m=1/256)) > 255", "mean(alibi(m=1/256)) > 256"},
      {"Zmost(alibi(m=1/2), 1) > 6.9", "Zmost(alibi(m=1/2), 1) > 7"},
      {"Zleast(alibi(m=1/2), 1) < 1", "Zleast(alibi(m=1/2), 1) < 1/2"},
      {"Hleast(rope, 1, 64) >= log(65) - 2", "Hleast(rope, 1, 64) >= log(65)"},
      {"Hmost(rope, 1, 64) <= log(66)", "Hmost(rope, 1, 64) <= log(64)"},
      {"Hleast(alibi(m=1/256), 1) > 5.54", "Hleast(alibi(m=1/256), 1) > 5.55"},
      {"Hmost(rope, 1) > 10^9", "Hmost(alibi, 1) > 10^9"},
      {"Zmost(modernbert-local(W=1), 1) > 8.15", "Zmost(modernbert-local(W=1), 1) > 8.16"},
      {"Zleast(nope, 1, 64) > 23.9", "Zleast(nope, 1, 64) > 24"},
      {"Zmost(nope, 1, 64) < 177", "Zmost(nope, 1, 64) < 176"},
      {"bias(alibi(m=1/4), 8) = -2", "bias(alibi(m=1/4), 8) = 2"},
      {"gain(ape(lambda=1), 1) = 1/2", "gain(ape(lambda=1), 1) = 1"},
      {"limit(norm(xpos)) = 0", "limit(norm(rope)) = 0"},
      {"parameter(alibi(h=1, heads=6), m) = 1/4", "parameter(alibi(h=1, heads=8), m) = 1/4"},
      {"var(alibi(d=64), 3) = 1/64", "var(alibi(d=128), 3) = 1/64"},
      {"P(alibi(m=1/16), 1, 1/100) > 0.28", "P(alibi(m=1/16), 1, 1/100) > 0.29"},
      {"within(alibi(m=1/2), 4) = 8", "within(alibi(m=1/2), 4) = 7"},
      {"defined(within(alibi, 1))", "defined(literal(alibi, 1))"},
      {"defined(log(2))", "defined(log(-1))"},
      {"defined(1 + sqrt(2))", "defined(1 + sqrt(-1))"},
      {"defined(atan(2))", "defined(asin(2))"},
      {"defined(lgamma(1/2))", "defined(lgamma(-1/2))"},
      {"for all k in 3..5: defined(log(k - 2))", "for all k in 1..3: defined(log(k - 2))"},
      {"sphere_tail(2, 3) = 0", "sphere_tail(2, 3) < 0"},
      {"sphere_tail(2, 5) = 0", "sphere_tail(2, 5) > 1"},
      {"sphere_tail(-1/2, 3) = 1", "sphere_tail(-1/2, 3) < 1"},
      {"for all e in {1/2, 1, 2}: sphere_tail(e, 3) >= 0", "sphere_tail(0, 3) < 1"},
      {"window(alibi(m=1/2), 1/1000, 1) = 17", "window(alibi(m=1/2), 1/1000, 1) = 16"},
      {"reach(alibi(m=1/2), 1/2, 1) = 2", "reach(alibi(m=1/2), 1/2, 1) = 3"},
      {"selfreach(nope, 1/2, 1) = 7", "selfreach(nope, 1/2, 1) = 8"},
      {"limit(growth(nope)/log(n)) = 1", "limit(growth(nope)/log(n)) = 2"},
      {"limsup(sin(n)/n) = 0", "limsup(1 + 1/n) = 0"},
      {"sphere_tail(1/10, 64) > 0.4", "sphere_tail(1/10, 64) > 0.5"},
      {"sphere_moment(4, 64) = 3/(64*66)", "sphere_moment(4, 64) = 1/64^2"},
      {"choose(5, 2) = 10", "choose(5, 2) = 20"},
      {"summable(-2*log(n))", "summable(-log(n))"},
      {"bounded_above(-n)", "bounded_above(log(n))"},
      {"disperses_gaussian(sqrt(log(n)), 1)", "disperses_gaussian(log(n), 1)"},
      {"disperses_edge(log(n), 1)", "disperses_edge(n, 1)"},
      {"disperses_exponential(1/2, 1)", "disperses_exponential(2, 1)"},
      {"disperses_worst(sqrt(log(n)), 1)", "disperses_worst(log(n), 1)"},
      {"disperses_one_above(log(n), 1)", "disperses_one_above(2*log(n), 1)"},
      {"fits(rope)", "fits(fire)"},
      {"agree(Z(alibi(m=1/2)), 1/(1 - exp(-1/2)), 30)", "agree(Z(alibi(m=1/2)), 2.5414941, 10)"},
      {"acyclic(a <- b, b <- c)", "acyclic(a <- b, b <- a)"},
      {"for some 0 < x < 1: x^2 < 1/10", "for all 0 < x < 1: x^2 < 1/10"},
      {"for all x > 0, y > 0: x + y > 0", "for all x > 0, y > 0: x > y"},
      {"for which x > 0: x + 1 > 0", "for which x > 0: x + 1 < 0"},
  };
  for (const auto& [yes, no] : pairs) {
    EXPECT_EQ(verdict_of(yes), "confirmed") << yes;
    EXPECT_EQ(verdict_of(yes, "", true), "refuted") << "not: " << yes;
    EXPECT_EQ(verdict_of(no), "refuted") << no;
    EXPECT_EQ(verdict_of(no, "", true), "confirmed") << "not: " << no;
  }
}

// Nothing is said of numbers that are left open, or do not exist.
TEST(AuditFormula, WhatIsDefinedIsLookedAt) {
  EXPECT_EQ(verdict_of("for all x: defined(x^2 - 3*x)"), "confirmed");
  EXPECT_NE(verdict_of("for all x: defined(log(x))"), "confirmed");
  EXPECT_NE(verdict_of("for some x: not defined(log(x))"), "refuted");
  EXPECT_NE(verdict_of("for all C: not defined(literal(alibi, C))"), "confirmed") << "|b| >= -1 everywhere";
  EXPECT_EQ(verdict_of("for all C > 0: not defined(literal(alibi, C))"), "confirmed");
  EXPECT_EQ(verdict_of("sphere_tail(1/2, 1) = 1/2"), "undecided");
  EXPECT_EQ(verdict_of("sphere_moment(2, -1) = -1"), "undecided");
  // Z is infinite, and H_L tends to 2 log 2.
  const std::string grow =
      "[encodings.grow]\nspec = '''\nschema = 1\nname = \"grow\"\n[score]\ntransform = \"none\"\nbias = "
      "\"n*log(2)\"\n'''\n";
  EXPECT_EQ(verdict_of("H(grow) > 100", grow), "undecided");
  EXPECT_EQ(verdict_of("H(grow, 1000) < 2", grow), "confirmed");
}

TEST(AuditFormula, TakesValuesOfBoundNumbersAtOnce) {
  // a and p swap their values: neither is put into the other
  EXPECT_EQ(verdict_of("for all a in {2}, p in {3}: bias(kerple-log(p=a, a=p), 1) = -2*log(4)"), "confirmed");
  // a parameter without a value takes the bound number of its name
  EXPECT_EQ(verdict_of("for all m in {3}: bias(alibi, 2) = -6"), "confirmed");
  EXPECT_EQ(verdict_of("for which p > 0: cn(kerple-log(p=p, a=1))"), "depends");
  EXPECT_EQ(audit_one("for which p > 0: cn(kerple-log(p=p, a=1))").region, "p > 1");
  EXPECT_EQ(audit_one("for which p > 0: cn(kerple-log(p=p, a=1))", "", true).region, "p <= 1");
}

TEST(AuditFormula, SaysUndecidedWithTheReason) {
  EXPECT_EQ(audit_one("for all m > 0: Z(alibi) > 1").reason.substr(0, 25), "Z(alibi) needs a value of");
  EXPECT_EQ(
      verdict_of("agree(Z(alibi(m=1/2)), 1/(1 - exp(-1/2)), 30) and Z(alibi(m=1/2)) = 1/(1 - exp(-1/2))"),
      "undecided")
      << "no enclosure proves an equality";
  EXPECT_EQ(audit_one("measured(perplexity, rope, 64) > 1").reason,
            "not measured yet: needs perplexity.json: rope.64 (--results DIR)");
  EXPECT_EQ(audit_one("literal(alibi, 1) >= literal(rope, 1)").reason.substr(0, 8), "vacuous:");
  EXPECT_EQ(audit_one("for all m > 0: gps(alibi) => cn(alibi)").reason.substr(0, 8), "vacuous:");
}

// Damaged texts are refused with a place inside them, or are read; nothing else happens.
TEST(AuditFormula, DamagedTextsAreRefused) {
  const std::vector<std::string> texts = {
      "for all A in scores, 0 < m <= 1, k in 1..6: cn(A) and not eb=uniform(A) => for some x > 0: 0 < x <= "
      "m*k",
      "agree(H(mine, 99), log(1 + 99*exp(-2*sqrt(100/99))), 20) or limit(bias(alibi(m=1/2, heads=6))/n) = "
      "-1/2",
      "for which delta >= 0, beta in {1/2, 3}: (gps(rope) <=> delta > 0) and acyclic(a <- b, b <- c)"};
  const std::string characters = "()[]{}<>=:,.+-*/^ \n\"'_nAxm09af\xc3\xa9";
  std::mt19937_64 random(5);
  const auto below = [&](std::size_t most) { return static_cast<std::size_t>(random() % most); };
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = texts[below(texts.size())];
    for (std::size_t i = 0; i <= below(3); ++i) {
      const std::size_t at = below(text.size());
      switch (below(3)) {
        case 0:
          text[at] = characters[below(characters.size())];
          break;
        case 1:
          text.erase(at, 1 + below(5));
          break;
        default:
          text.insert(at, 1, characters[below(characters.size())]);
      }
    }
    try {
      checks::parse_formula(text, {"scores"}, {"mine"});
    } catch (const theory::ParseError& error) {
      ++refused;
      ASSERT_LE(error.begin, text.size()) << text;
      ASSERT_LE(error.end, text.size() + 1) << text;
      ASSERT_NE(std::string(error.what()), "") << text;
    }
  }
  EXPECT_GE(refused, 2000);
}

TEST(AuditFormula, NamesWrongSettings) {
  EXPECT_THROW(audit_one("cn(alibi(slope=1))"), theory::SpecError);
  EXPECT_THROW(audit_one("cn(alibi(m=-1))"), theory::SpecError);
  EXPECT_THROW(audit_one("bias(alibi) < bias(rope)"), theory::SpecError);
  EXPECT_THROW(audit_one("not for which m > 0: cn(alibi)"), theory::SpecError) << "for which is outermost";
}

}  // namespace audit_formula_test
}  // namespace gpe::testing
