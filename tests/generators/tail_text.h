// Random expressions in n that are usually defined for all large n: built from growing and decaying parts.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "tests/checks/parsed.h"

namespace gpe::testing {

inline rc::Gen<std::string> tail_text(int depth) {
  return rc::gen::exec([depth]() -> std::string {
    if (depth == 0) {
      return *rc::gen::element<std::string>("n", "n", "n", "log(n)", "sqrt(n)", "1/n", "exp(-n)", "1", "2",
                                            "-3", "1/2", "log(log(n))", "n^2", "n*log(n)", "log(2)",
                                            "sqrt(3)", "log(1 + n)");
    }
    std::string text = *rc::gen::element<std::string>(
        "@ + @", "@ + @", "@ - @", "@*@", "@*@", "@/@", "-@", "@^2", "@^(-1)", "@^(1/2)", "@^(-3/2)",
        "@^(5/3)", "log(@)", "log(1 + @)", "log(2 + @^2)", "exp(@)", "exp(-@)", "exp(1/@)", "sqrt(1 + @)",
        "1/(1 + @)", "min(@, @)", "max(@, @)", "abs(@)", "floor(@)", "sin(1/@)", "cos(1/@)", "sin(@)",
        "if(@ < @, @, @)", "if(@ >= @, @, @)", "@^@", "sum(k, 1, 3, @/k)");
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at)) {
      std::string part = *tail_text(depth - 1);
      part.insert(0, 1, '(');
      part.push_back(')');
      text.replace(at, 1, part);
      at += part.size();
    }
    return text;
  });
}

/// The same, read; texts that the reader refuses are passed over.
inline rc::Gen<theory::Expr> tail_expression(int depth) {
  return rc::gen::exec([depth] {
    for (;;) {
      const std::string text = *tail_text(depth);
      try {
        return parsed(text);
      } catch (const theory::ParseError&) {
        continue;
      }
    }
  });
}

}  // namespace gpe::testing
