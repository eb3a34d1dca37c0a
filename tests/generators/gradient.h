// Random encoding files whose gain, angle, scale, rate, soft cap and window aim at the side conditions of
// gps: factors that are 0, that undo each other, that are signs, that settle only for all large n.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "tests/generators/expression.h"

namespace gpe::testing {

namespace detail {

inline std::string gradient_factor() {
  const std::string factor = one_of({"1",
                                     "1",
                                     "0",
                                     "-1",
                                     "s",
                                     "s - 1",
                                     "2^n",
                                     "2^(-n)",
                                     "2^(s*n)",
                                     "1/(1 + n)",
                                     "1 + n",
                                     "1/(1 + m*n)",
                                     "cos(pi*n)",
                                     "cos(pi*n/2)",
                                     "sin(pi*n)",
                                     "1 + cos(pi*n)",
                                     "if(n == 3, 2, 1)",
                                     "if(n == 0, 1, 0)",
                                     "if(n < 5, 1, s)",
                                     "max(4, n)",
                                     "max(4, n) - n",
                                     "1 + abs(n - 20) - (n - 20)",
                                     "floor(n/7)",
                                     "1 + floor(n/7)*0",
                                     "min(n, 1)",
                                     "cos(2*pi*n)",
                                     "exp(-n/3)",
                                     "steps(n)",
                                     "abs(cos(pi*n))",
                                     "1 + sqrt((n - 19)^2) - (n - 19)",
                                     "cos(n)",
                                     "sqrt(1 + n^2)",
                                     "log(1 + n)",
                                     "1 - n/(n + 1) - 1/(n + 1)",
                                     "log(2 + L)",
                                     "n/(1 + L)",
                                     "max(1, log(1 + L)/9)",
                                     "(L + n)/(1 + L)",
                                     "if(n < L, 1, 2)",
                                     "if((n - 5)^11 > 0, 1, 2)",
                                     "sign((2*n - 9)^13)",
                                     "if((n - 3)^12 == 0, 2, 1)",
                                     "(s - 1)^11",
                                     "(s - 1/2)^12"});
  switch (pick(6)) {
    case 0:
      return "(" + factor + ")*(" + one_of({"cos(pi*n)", "2^n", "2^(-n)", "s", "if(n < 2, 0, 1)", "-1"}) +
             ")";
    case 1:
      return one_of({"sqrt(", "abs(", "-(", "1/(1 + "}) + "(" + factor + ")^2)";
    default:
      return factor;
  }
}

inline std::string gradient_scale() {
  return one_of({gradient_factor(), gradient_factor(), "((j + 1)/(j + 2))^n", "(j + 1)/(1 + n)", "j + 1",
                 "if(j == 0, 1, 0)", "if(n == j, 1, 0)", "cos(pi*n*j)",
                 "if(j == 0, 2 + cos(pi*n), 2 - cos(pi*n))", "1 + j*m*n"});
}

inline std::string gradient_angle() {
  return one_of({"n",
                 "0",
                 "pi*n",
                 "pi*n",
                 "2*pi*n",
                 "pi*n*j",
                 "2*pi*n*j",
                 "pi*n*(1 + 2*j)",
                 "pi*n^2",
                 "pi*n*(n + 1)/2",
                 "100^(-2*j/d)*n",
                 "if(j == 0, n, 0)",
                 "if(j == 0, 0, pi*n)",
                 "2*pi*floor(n/2)",
                 "pi*floor(n/4)",
                 "m*n",
                 "m*pi*n",
                 "max(n, 5) - n",
                 "if(n == 9, pi, 0)",
                 "2*pi*n/3",
                 "n/(1 + H(n))",
                 "pi*steps(n)",
                 "n*(j - j)",
                 "2*pi*cos(pi*n)",
                 "pi*cos(pi*n)",
                 "pi*n/2"});
}

}  // namespace detail

/// The text of a file; head dimension 4 is enough for two blocks.
inline rc::Gen<std::string> any_gradient_text() {
  return rc::gen::exec([] {
    using detail::one_of;
    std::string text =
        "schema = 1\nname = \"random\"\n[parameters]\n"
        "s = { default = \"" +
        one_of({"1", "0", "-1", "1/3"}) + "\" }\n" + "m = { default = \"" + one_of({"0", "1", "2", "1/2"}) +
        "\", domain = \"m >= 0\" }\n" + "W = { default = \"" + one_of({"1", "2", "5", "30"}) +
        "\", domain = \"W >= 1\" }\n" +
        "[tables]\nsteps = { values = [\"1\", \"1\", \"1\", \"0\"], index = \"n\", beyond = \"constant\" "
        "}\n" +
        "[score]\nbias = \"-n/2\"\ngain = \"" + detail::gradient_factor() + "\"\n";
    if (pick(3) == 0) text += "first = " + one_of({"1", "2", "6"}) + "\n";
    if (pick(4) == 0) text += "window = \"W\"\n";
    if (pick(3) == 0) text += "softcap = \"" + one_of({"1", "5"}) + "\"\n";
    switch (pick(5)) {
      case 0:
        break;
      case 1:
        text += "transform = \"rotation\"\n[score.rotation]\nangle = \"" + detail::gradient_angle() + "\"\n";
        break;
      case 2:
        text += "transform = \"hyperbolic\"\n[score.hyperbolic]\nrate = \"" +
                one_of({"0", "m", "s", "1", "j", "s - 1"}) + "\"\ndecay = \"" +
                one_of({"0", "m", "s", "1", "j", "1/2"}) + "\"\n";
        break;
      default:
        text += "transform = \"scaled-rotation\"\n[score.rotation]\nangle = \"" + detail::gradient_angle() +
                "\"\nscale = \"" + detail::gradient_scale() + "\"\n";
    }
    return text;
  });
}

}  // namespace gpe::testing
