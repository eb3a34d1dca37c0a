// Random expressions in n as text: what a user could write into `bias`, defined or not.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "tests/checks/parsed.h"

namespace gpe::testing {

/// Small integers, fractions, decimals, pi; zeros and negative numbers among them.
inline rc::Gen<std::string> number_text() {
  return rc::gen::element<std::string>("0", "1", "2", "3", "7", "1/2", "3/2", "1/3", "0.1", "2.75", "1e3",
                                       "1e-3", "(-1)", "(-2)", "(-3/2)", "pi");
}

/// Of the given depth; every function of the grammar but tables and H.
inline rc::Gen<std::string> expression_text(int depth) {
  return rc::gen::exec([depth]() -> std::string {
    if (depth == 0) {
      return *rc::gen::weightedOneOf<std::string>({{3, rc::gen::just<std::string>("n")}, {2, number_text()}});
    }
    // A pattern, with a smaller expression for every @.
    std::string text = *rc::gen::element<std::string>(
        "@ + @", "@ + @", "@*@", "@*@", "@ - @", "@/@", "@^2", "@^3", "@^(-1)", "@^(-2)", "@^(1/2)",
        "@^(1/3)", "@^(-1/2)", "@^(5/2)", "@^0", "@^@", "log(@)", "log(@)", "exp(@)", "abs(@)", "floor(@)",
        "sin(@)", "cos(@)", "atan(@)", "erfc(@)", "lgamma(@)", "polygamma(1, @)", "polygamma(2, @)",
        "min(@, @)", "max(@, @)", "min(@, @, @)", "if(@ < @, @, @)", "if(@ <= @, @, @)", "if(@ > @, @, @)",
        "if(@ >= @, @, @)", "if(@ = @, @, @)", "if(@ != @, @, @)", "sum(k, -1, 2, k*@)", "sum(k, 1, 0, @)");
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at)) {
      std::string part = *expression_text(depth - 1);
      part.insert(0, 1, '(');
      part.push_back(')');
      text.replace(at, 1, part);
      at += part.size();
    }
    return text;
  });
}

/// The same, read; texts that the reader refuses ("0^(-1)") are passed over. Shows the text when a property
/// fails.
inline rc::Gen<theory::Expr> expression(int depth) {
  return rc::gen::exec([depth] {
    for (;;) {
      const std::string text = *expression_text(depth);
      try {
        return parsed(text);
      } catch (const theory::ParseError&) {
        continue;
      }
    }
  });
}

}  // namespace gpe::testing
