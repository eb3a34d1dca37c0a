// Families of encodings whose free parameters make the bias fall more, or less (docs/certificates.md, D1).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checks/design/family_order.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

/// A value of each free parameter (at corners also of each twin), and an interval of each parameter.
using ParameterPoint = std::vector<theory::Rational>;
using ParameterBox = std::vector<std::pair<theory::Rational, theory::Rational>>;

/// A name of its own for one place of a free parameter in the formula of the bias. Where the parameter acts
/// in both ways, corners take it from different ends in different places.
struct Twin {
  std::string name;
  std::size_t of;  ///< index of the free parameter
};

class OrderedFamily {
 public:
  /// @param fixed  values of parameters that are not free
  /// @param bound  of the content: |f| w B must fall with n, or be the same at every n
  /// @throws theory::Undecided  when the family is not seen to be ordered, saying which part of the law is in
  ///   the way; theory::SpecError  when a corner of the box is outside of the domains
  OrderedFamily(theory::Encoding encoding, const theory::Setting& setting,
                std::vector<theory::Override> fixed, std::vector<FreeParameter> free,
                const theory::Rational& bound, const theory::Context& context);

  const theory::Encoding& encoding() const { return encoding_; }
  const theory::Setting& setting() const { return setting_; }
  const std::vector<FreeParameter>& free() const { return free_; }
  std::vector<std::string> names() const;
  const theory::Rational& bound() const { return bound_; }
  /// |f| w B as a function of n, where it is largest in the box, or least.
  theory::Expr amplitude(const ParameterBox& box, bool largest) const;
  /// Whether the bias rises with n nowhere, at any parameters.
  bool falls() const { return falls_; }

  /// The corner of the box at which the bias falls least, and the one at which it falls most.
  ParameterPoint flat(const ParameterBox& box) const { return corner(box, true); }
  ParameterPoint steep(const ParameterBox& box) const { return corner(box, false); }
  /// 1: the bias falls more where the parameter is larger, or shows later; -1: where it is smaller; 0: it
  /// does not depend on it. Of a parameter with twins: of its first place.
  int direction(std::size_t parameter) const { return direction_[parameter]; }
  const std::vector<Twin>& twins() const { return twins_; }
  /// The formula of the bias, with the twins in it.
  const std::string& bias_text() const { return wide_.formulas.at("bias"); }
  /// The bias as a sum of terms, where its order is read off that and not off the formula of the file; else
  /// empty.
  const std::string& written_out() const { return written_out_; }

  /// With the values of the parameters (and twins), and with them put in.
  theory::ScoreFunction law(const ParameterPoint& point) const;
  theory::ScoreFunction closed_law(const ParameterPoint& point) const {
    return theory::at_values(law(point));
  }
  /// The bias with symbols for the free parameters.
  const theory::Expr& bias() const { return bias_; }

 private:
  void read_order();
  void write_out();
  bool give_twins(const std::string& name);
  ParameterPoint corner(const ParameterBox& box, bool flat) const;

  theory::Encoding encoding_;
  theory::Encoding wide_;  // with the twins
  theory::Setting setting_;
  std::vector<theory::Override> fixed_;
  std::vector<FreeParameter> free_;
  theory::Rational bound_;
  theory::Context context_;
  std::vector<Twin> twins_;
  std::string written_out_;
  std::vector<int> direction_;  // of the free parameters, then of the twins
  bool falls_ = true;
  theory::Expr bias_ = theory::Expr(0);
  theory::Expr amplitude_ = theory::Expr(0);
  std::map<std::string, int> amplitude_direction_;
};

}  // namespace gpe::checks
