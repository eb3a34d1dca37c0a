// Random expressions as texts of the specification's grammar, biased to what printers and parsers get wrong:
// signs, chains of powers and divisions, fractions under powers, ones and zeros, conditions and sums.
#pragma once

#include <rapidcheck.h>

#include <memory>
#include <string>
#include <vector>

#include "theory/expression/expr_parse.h"

namespace gpe::testing {

/// The names that the texts use, a table `slopes`, and H(n).
inline const theory::NameScope& whole_scope() {
  static const theory::NameScope scope = [] {
    theory::NameScope result;
    result.names = {"n", "L", "d", "beta", "factor", "E", "alpha0"};
    result.tables["slopes"] = std::make_shared<theory::Table>(
        theory::Table{"slopes", {theory::Rational(1), theory::Rational(-1, 2)}, 0, theory::Beyond::constant});
    result.no_cut_entropy.clear();
    return result;
  }();
  return scope;
}

/// 0 … count-1, evenly at every size (RapidCheck's own ranges grow with the size of a test).
inline int pick(int count) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, count)); }

namespace detail {

inline std::string one_of(const std::vector<std::string>& texts) { return *rc::gen::elementOf(texts); }

inline std::string leaf_text(bool closed) {
  static const std::vector<std::string> numbers = {
      "0", "1", "2", "3", "10", "1/2", "1/3", "2/3", "0.1", "1e-3", "2.5e2", "7/16", "12345678901234567890"};
  static const std::vector<std::string> names = {"n",    "n",      "n", "L",      "d",
                                                 "beta", "factor", "E", "alpha0", "pi"};
  if (pick(2) == 0) return one_of(numbers);
  return closed ? "pi" : one_of(names);
}

inline std::string text_of_depth(int depth, const std::string& summation) {
  const auto next = [&] { return text_of_depth(depth - 1, summation); };
  if (depth <= 0) {
    return !summation.empty() && pick(3) == 0 ? summation : leaf_text(false);
  }
  switch (pick(14)) {
    case 0:
      return next() + " + " + next();
    case 1:
      return next() + " - " + next();
    case 2:
      return next() + " - (" + next() + " - " + next() + ")";
    case 3:
      return next() + "*" + next();
    case 4:
      return next() + "/(" + next() + ")";
    case 5:
      return "(" + next() + ")*(" + next() + ")/n/3";
    case 6:
      return "(" + next() + ")^" + one_of({"2", "-1", "(1/2)", "(-1/2)", "2^3", "(2/3)", "n", "-n", "-1/2"});
    case 7:
      return "-" + one_of({"", "-", "2*", "2^"}) + "(" + next() + ")";
    case 8:
      return one_of({"log", "exp", "sqrt", "abs", "floor", "sin", "cos", "log", "exp", "sqrt", "atan", "erfc",
                     "lgamma", "digamma"}) +
             "(" + next() + ")";
    case 9:
      return one_of({"min", "max"}) + "(" + next() + ", " + next() + one_of({")", ", -n)"});
    case 10:
      return "if(" + next() + " " + one_of({"<", "<=", ">", ">=", "==", "=", "!="}) + " " + next() + ", " +
             next() + ", " + next() + ")";
    case 11: {
      if (!summation.empty()) return next();
      return "sum(k, " + one_of({"0", "-2", "1"}) + ", " + one_of({"1", "L", "d/2 - 1"}) + ", " +
             text_of_depth(depth - 1, "k") + ")";
    }
    case 12:
      return one_of({"slopes(" + next() + ")", "H(n)"});
    default:
      return one_of({"1*", "0*", "(-1)*", "(1/2)*", "2^", "n^", "1/", "(-2/3)*", "n/", "n - -"}) + "(" +
             next() + ")";
  }
}

}  // namespace detail

/// Parses in `whole_scope`, unless a literal division by zero comes about.
inline rc::Gen<std::string> any_expression_text(int depth = 4) {
  return rc::gen::exec([depth] { return detail::text_of_depth(pick(depth + 1), ""); });
}

/// The tree of a random text; a literal division by zero, which the parser refuses, discards the test case.
inline theory::Expr parsed_or_discarded(const std::string& text, const theory::NameScope& scope) {
  try {
    return theory::parse_expression(text, scope);
  } catch (const theory::ParseError& error) {
    if (std::string(error.what()) != "division by zero") throw;
    RC_DISCARD("division by zero");
  }
}

}  // namespace gpe::testing
