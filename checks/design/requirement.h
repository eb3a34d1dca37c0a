// What is asked of an encoding: one of its quantities, compared with a number (docs/design.md).
#pragma once

#include <optional>
#include <string>

#include "checks/report/json_number.h"
#include "theory/expression/expr.h"
#include "theory/source/rational.h"

namespace gpe::checks {

enum class DesignQuantity { parameter, convergence, entropy, range, cache, reach };

struct Measure {
  DesignQuantity quantity = DesignQuantity::entropy;
  /// range: the threshold C1 > 0; cache: ε and reach: the weight, in (0, 1); entropy: the length L, where
  /// there is one.
  std::optional<theory::Rational> at;
  std::string parameter;  ///< its name, for DesignQuantity::parameter

  /// Takes whole numbers.
  bool is_count() const {
    return quantity == DesignQuantity::range || quantity == DesignQuantity::cache ||
           quantity == DesignQuantity::reach;
  }
  friend bool operator==(const Measure&, const Measure&) = default;
};

/// measure <relation> value. Counts are compared by <= and >=; Z with infinity: `less` says that it is
/// finite, `greater_equal` that it is not.
struct Requirement {
  Measure measure;
  theory::Relation relation = theory::Relation::less_equal;
  theory::Rational value;
};

Requirement negation(const Requirement& requirement);

/// "AT <= VALUE", as in --cache '1e-3 <= 4096'; without AT for --entropy; of --cache the number of keys
/// alone, for all weight but 1/1000.
/// @throws theory::SpecError naming the option
Requirement requirement_option(DesignQuantity quantity, const std::string& option, const std::string& text);

/// "entropy", "entropy=16384", "cache=1e-3", "range", "reach=1/2", or the name of a parameter. `at` is that
/// of `otherwise`, where it is of the same quantity, or a usual one. @throws theory::SpecError naming the
/// option
Measure measure_option(const std::string& option, const std::string& text,
                       const std::vector<Requirement>& otherwise);

std::string to_text(const Measure& measure);          ///< "reach(1/2)"
std::string to_text(const Requirement& requirement);  ///< "reach(1/2) >= 500"
Json measure_json(const Measure& measure);
Json requirement_json(const Requirement& requirement);

}  // namespace gpe::checks
