// Random expressions in n built from + * ^ log exp sin cos atan erfc lgamma polygamma alone: differentiable
// wherever they are defined.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "tests/checks/parsed.h"
#include "theory/expression/derivative.h"

namespace gpe::testing {

inline rc::Gen<std::string> analytic_text(int depth) {
  return rc::gen::exec([depth]() -> std::string {
    if (depth == 0) return *rc::gen::element<std::string>("n", "n", "n", "1", "2", "-3", "1/2", "0.1", "pi");
    std::string text = *rc::gen::element<std::string>(
        "@ + @", "@ + @", "@*@", "@*@", "@ - @", "@/@", "@^2", "@^(-1)", "@^(1/2)", "@^(-2/3)", "@^3", "@^@",
        "log(@)", "log(1 + @)", "exp(@)", "exp(-@)", "sin(@)", "cos(@)", "atan(@)", "erfc(@)", "lgamma(@)",
        "digamma(@)", "polygamma(2, @)");
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at)) {
      std::string part = *analytic_text(depth - 1);
      part.insert(0, 1, '(');
      part.push_back(')');
      text.replace(at, 1, part);
      at += part.size();
    }
    return text;
  });
}

/// The same, read; texts that the reader refuses ("1/(2 - 2)") are passed over.
inline rc::Gen<theory::Expr> analytic_expression(int depth) {
  return rc::gen::exec([depth] {
    for (;;) {
      const std::string text = *analytic_text(depth);
      try {
        return parsed(text);
      } catch (const theory::ParseError&) {
        continue;
      }
    }
  });
}

inline theory::Expr derivative_of(const theory::Expr& expression) {
  return theory::derivative(expression, "n");
}

}  // namespace gpe::testing
