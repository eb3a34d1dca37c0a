// How a family falls with n and with its free parameters, read off the formulas of its score
// (docs/certificates.md, D1).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "theory/exact/context.h"
#include "theory/exact/decision.h"

namespace gpe::checks {

struct FreeParameter {
  std::string name;
  theory::Rational low;
  theory::Rational high;
  bool whole = false;  ///< takes whole numbers only: it is the number of keys of a window
};

/// The bias falls with a parameter in one place, and rises with it in another.
struct BothWays : theory::Undecided {
  explicit BothWays(const std::string& parameter)
      : theory::Undecided("the bias falls with " + parameter + " in one term, and rises in another"),
        name(parameter) {}
  std::string name;
};

struct FamilyOrder {
  /// 1: it grows with the parameter (−b, and the more so at larger n; or |f| w B); −1: the contrary.
  /// Parameters that it does not mention are not there.
  std::map<std::string, int> direction;
  bool falls = true;  ///< nowhere in the intervals of the parameters it rises with n
};

/// |f| w B, at least 0, without absolute values of what depends on n or on free parameters; and how it moves
/// with them, as in FamilyOrder.
struct ContentOrder {
  theory::Expr amplitude;
  std::map<std::string, int> direction;
};

/// @param bias  with symbols for the free parameters, the others put in
/// @param first  the least n
/// @throws BothWays; theory::Undecided  when another order is not seen, naming the term
FamilyOrder order_of_bias(const theory::Expr& bias, const std::vector<FreeParameter>& free,
                          std::int64_t first, const theory::Context& context);

/// @param amplitude  |f| w B, in the same way; f may be negative at all n
/// @throws theory::Undecided  when it is not seen that it falls with n
ContentOrder order_of_amplitude(const theory::Expr& amplitude, const std::vector<FreeParameter>& free,
                                std::int64_t first, const theory::Context& context);

}  // namespace gpe::checks
