// Families of encodings whose free parameters all make the bias fall more, or all less (docs/design.md, D1).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checks/ball.h"
#include "theory/law.h"

namespace gpe::checks {

struct FreeParameter {
  std::string name;
  theory::Rational low;
  theory::Rational high;
  bool whole = false;  ///< takes whole numbers only: it is the number of keys of a window
};

/// A value of each free parameter, and an interval of each.
using ParameterPoint = std::vector<theory::Rational>;
using ParameterBox = std::vector<std::pair<theory::Rational, theory::Rational>>;

class OrderedFamily {
 public:
  /// @param fixed  values of parameters that are not free
  /// @param bound  of the content; it must say the same at every n and for all parameters
  /// @throws theory::Undecided  when the family is not seen to be ordered, saying which part of the law is in
  ///   the way; theory::SpecError  when a corner of the box is outside of the domains
  OrderedFamily(theory::Encoding encoding, const theory::Setting& setting,
                std::vector<theory::Override> fixed, std::vector<FreeParameter> free,
                const theory::Rational& bound, const theory::ConstantOracle& oracle);

  const theory::Encoding& encoding() const { return encoding_; }
  const theory::Setting& setting() const { return setting_; }
  const std::vector<FreeParameter>& free() const { return free_; }
  std::vector<std::string> names() const;
  const theory::Rational& bound() const { return bound_; }
  /// |f| w B, the same at every n.
  const Ball& amplitude() const { return amplitude_; }

  /// The corner of the box at which the bias falls least, and the one at which it falls most.
  ParameterPoint flat(const ParameterBox& box) const { return corner(box, true); }
  ParameterPoint steep(const ParameterBox& box) const { return corner(box, false); }
  /// Whether the bias falls more where the parameter is larger.
  bool falls_with(std::size_t parameter) const { return direction_[parameter] > 0; }

  /// With the values of the parameters, and with them put in.
  theory::Law law(const ParameterPoint& point) const;
  theory::Law closed_law(const ParameterPoint& point) const { return theory::at_values(law(point)); }
  /// The bias with symbols for the free parameters.
  const theory::Expr& bias() const { return bias_; }

 private:
  ParameterPoint corner(const ParameterBox& box, bool flat) const;

  theory::Encoding encoding_;
  theory::Setting setting_;
  std::vector<theory::Override> fixed_;
  std::vector<FreeParameter> free_;
  theory::Rational bound_;
  const theory::ConstantOracle* oracle_;
  std::vector<int> direction_;
  theory::Expr bias_ = theory::Expr(0);
  Ball amplitude_;
};

}  // namespace gpe::checks
