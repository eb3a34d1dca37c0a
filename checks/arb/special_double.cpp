#include "checks/arb/special_double.h"

#include <arb_fpwrap.h>

#include <cmath>

namespace gpe::checks {

using theory::Function;

double special_double(Function function, int order, double x) {
  double result = 0;
  switch (function) {
    case Function::atan:
      return std::atan(x);
    case Function::erfc:
      return std::erfc(x);
    case Function::lgamma:
      if (!(x > 0) || arb_fpwrap_double_lgamma(&result, x, 0) != 0) return std::nan("");
      return result;
    default:
      if (!(x > 0) || arb_fpwrap_double_polygamma(&result, order, x, 0) != 0) return std::nan("");
      return result;
  }
}

double special_slope(Function function, int order, double x) {
  switch (function) {
    case Function::atan:
      return 1 / (1 + x * x);
    case Function::erfc:
      return -1.1283791670955126 * std::exp(-x * x);  // 2/sqrt(pi)
    case Function::lgamma:
      return special_double(Function::polygamma, 0, x);
    default:
      return special_double(Function::polygamma, order + 1, x);
  }
}

}  // namespace gpe::checks
