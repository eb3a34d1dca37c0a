// Random encoding files: sums of penalties on different scales, gains that fade, stay or grow, rotations;
// with parameters of either sign or of one.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "tests/generators/expression.h"

namespace gpe::testing {

/// The text of a file with the parameters p0, p1, …
inline rc::Gen<std::string> any_encoding_text() {
  return rc::gen::exec([] {
    const std::vector<std::string> scales = {"n",
                                             "sqrt(n)",
                                             "log(1 + n)",
                                             "log(1 + log(1 + n))",
                                             "n^(1/3)",
                                             "log(1 + n)^2",
                                             "floor(n/2)",
                                             "1",
                                             "1/(1 + n)",
                                             "min(n, 40)",
                                             "sin(n)/(1 + n)",
                                             "n*log(1 + n)",
                                             "sqrt(log(1 + n))"};
    const std::vector<std::string> gains = {"1",          "1",           "1/(1 + n)",     "exp(-n)",
                                            "2 + sin(n)", "g*n/(1 + n)", "1 + g*sqrt(n)", "1 + g*log(1 + n)",
                                            "g"};
    const std::vector<std::string> domains = {"", ">= 0", "> 0", ">= 0", "<= 2"};
    std::string parameters;
    std::string bias = detail::one_of({"0", "-n", "-2*log(1 + n)", "0"});
    int count = 1 + pick(3);
    const auto declare = [&](const std::string& name) {
      const std::string domain = detail::one_of(domains);
      parameters.append(name)
          .append(" = { default = \"")
          .append(detail::one_of({"1", "1/2", "2"}))
          .append("\"");
      if (!domain.empty())
        parameters.append(", domain = \"").append(name).append(" ").append(domain).append("\"");
      parameters.append(" }\n");
    };
    for (int i = 0; i < count; ++i) {
      const std::string name = detail::one_of({"p", "q", "r", "s"}) + std::to_string(i);
      declare(name);
      const std::string coefficient = detail::one_of(
          {name, name, name, name, "(1 - " + name + ")^10", "(" + name + " - 1)^11", "2^" + name});
      bias += detail::one_of({" - ", " - ", " + "}) + coefficient + "*" + detail::one_of(scales);
    }
    const std::string gain = detail::one_of(gains);
    if (gain == "g" || gain.find("g*") != std::string::npos) declare("g");
    const bool rotates = pick(2) == 0;
    std::string text = "schema = 1\nname = \"random\"\n[parameters]\n";
    text.append(parameters)
        .append("[score]\nbias = \"")
        .append(bias)
        .append("\"\ngain = \"")
        .append(gain)
        .append("\"\n");
    if (rotates) text.append("transform = \"rotation\"\n[score.rotation]\nangle = \"100^(-2*j/d)*n\"\n");
    return text;
  });
}

}  // namespace gpe::testing
