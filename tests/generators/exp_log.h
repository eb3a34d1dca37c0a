// Random exp-log functions of n as texts, biased to what expansions get wrong: differences that cancel,
// exponentials close to each other, powers of sums, iterated logarithms, constants that hide a zero.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "tests/generators/expression.h"

namespace gpe::testing {

namespace detail {

inline std::string exp_log_of_depth(int depth) {
  const auto next = [&] { return exp_log_of_depth(depth - 1); };
  if (depth <= 0) {
    return one_of({"n",   "n",       "n",       "log(n)", "log(n)", "log(log(n))", "sqrt(n)",
                   "1/n", "exp(-n)", "exp(n)",  "2",      "3",      "1/2",         "-1",
                   "7/3", "pi",      "sqrt(2)", "log(2)", "n^2",    "n^(1/3)",     "log(n)^2"});
  }
  const std::string small = one_of({"1", "1/n", "exp(-n)", "1/log(n)", "1/n^2", "log(n)", "exp(-2*n)"});
  switch (pick(13)) {
    case 0:
    case 1:
      return next() + " + " + next();
    case 2:
      return next() + " - (" + next() + ")";
    case 3:
    case 4:
      return "(" + next() + ")*(" + next() + ")";
    case 5:
      return "(" + next() + ")/(" + next() + ")";
    case 6:
      return "(" + next() + ")^" + one_of({"2", "3", "(1/2)", "(-1/2)", "(1/3)", "-1", "(3/2)", "sqrt(2)"});
    case 7:
      return "log(" + next() + ")";
    case 8:
      return "exp(" + next() + ")";
    case 9: {  // f(x + small) - f(x)
      const std::string x = next();
      const std::string f = one_of({"log", "exp", "sqrt", "", "1/"});
      return f + "(" + x + " + " + small + ") - " + f + "(" + x + ")";
    }
    case 10: {  // x - sqrt(x^2 + y)
      const std::string x = next();
      return x + " - sqrt((" + x + ")^2 + " + next() + ")";
    }
    case 11: {  // a zero in disguise, times something
      const std::string x = one_of({"n", "log(n)", "n*log(n)"});
      return one_of({"(sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)))", "(log(6) - log(2) - log(3))",
                     "((" + x + " + 1)^2 - (" + x + ")^2 - 2*" + x + " - 1)", "(sqrt(8) - 2*sqrt(2))"}) +
             "*(" + next() + ") + " + next();
    }
    default:
      return one_of({"sin", "cos"}) + "(" + one_of({"1/n", "1/log(n)", "exp(-n)", "1 + 1/n", "pi/6 + 1/n"}) +
             ")*(" + next() + ")";
  }
}

// The same with special functions somewhere.
inline std::string special_of_depth(int depth) {
  const auto argument = [&] {
    return depth > 1 && pick(3) == 0 ? special_of_depth(depth - 1) : exp_log_of_depth(pick(2));
  };
  const std::string f =
      one_of({"atan", "erfc", "erf", "lgamma", "digamma", "polygamma(1, ", "gamma", "asin"});
  const auto of = [&](const std::string& x) { return f + "(" + x + (f.ends_with(" ") ? "))" : ")"); };
  const std::string x = argument();
  const std::string small = one_of({"1", "1/n", "exp(-n)", "1/log(n)", "1/n^2", "exp(-n^2)"});
  switch (pick(6)) {
    case 0:
      return of(x) + " + " + exp_log_of_depth(1);
    case 1:
      return of(x) + "*(" + exp_log_of_depth(1) + ")";
    case 2:
      return of(x + " + " + small) + " - " + of(x);
    case 3:
      return one_of({"log", "exp", "1/"}) + "(" + of(x) + ")";
    case 4:
      return of(x) + "/(" + special_of_depth(1) + ")";
    default:
      return of(x);
  }
}

}  // namespace detail

/// With special functions.
inline rc::Gen<std::string> any_special_text(int depth = 3) {
  return rc::gen::exec([depth] { return detail::special_of_depth(1 + pick(depth)); });
}

/// Of n; may be undefined, constant, or zero.
inline rc::Gen<std::string> any_exp_log_text(int depth = 3) {
  return rc::gen::exec([depth] { return detail::exp_log_of_depth(1 + pick(depth)); });
}

/// Its tree; the text may also mention a.
inline theory::Expr exp_log_expression(const std::string& text) {
  theory::NameScope scope;
  scope.names = {"n", "a"};
  return parsed_or_discarded(text, scope);
}

}  // namespace gpe::testing
