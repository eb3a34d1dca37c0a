#include "theory/properties/property.h"

#include <algorithm>

namespace gpe::theory {

const std::vector<Reading>& readings() {
  using enum Property;
  static const std::vector<Reading> all = {
      {convergent_normalization, "every-content", true, "Z < inf for every content with |c(n)| <= B w(n)"},
      {convergent_normalization, "some-content", true, "Z < inf for some content with |c(n)| <= B w(n)"},
      {convergent_normalization, "expected", true,
       "E Z < inf for q, k uniform on spheres, |q||k|/sqrt(d) = B"},
      {entropy_boundedness, "limit", true, "Z < inf and H < inf for every content"},
      {entropy_boundedness, "some-content", true, "Z < inf and H < inf for some content"},
      {entropy_boundedness, "uniform", true, "sup_L H_L < inf for every content"},
      {ldcp, "literal", false, "|E A(n)| >= C > 0 for infinitely many n"},
      {ldcp, "signed", false, "E A(n) >= C > 0 for infinitely many n"},
      {ldcp, "probability", false, "P(|A(n)| >= eps) >= pi > 0 for infinitely many n"},
      {ldcp, "content", false, "P(|f(n) c(n)| >= eps) >= pi > 0 for infinitely many n"},
      {ldcp, "weight", false, "limsup b(n) > -inf: far tokens keep a weight bounded below"},
      {gps, "scalar", false, "dA/dq = g(n) R k with one matrix R and g not constant"},
      {gps, "norm", false, "|dA/dq| not constant in n"},
      {gps, "vector", false, "dA/dq not constant in n"},
  };
  return all;
}

const Reading* find_reading(Property property, std::string_view name) {
  const auto found = std::ranges::find_if(readings(), [&](const Reading& reading) {
    return reading.property == property && reading.name == name;
  });
  return found == readings().end() ? nullptr : &*found;
}

std::string_view usual_reading(Property property) {
  for (const auto& [known, reading] : kUsualReadings) {
    if (known == property) return reading;
  }
  return "";
}

std::string_view name_of(Property property) {
  switch (property) {
    case Property::convergent_normalization:
      return "convergent-normalization";
    case Property::entropy_boundedness:
      return "entropy-boundedness";
    case Property::ldcp:
      return "ldcp";
    case Property::gps:
      return "gps";
  }
  return "";
}

std::string_view short_name_of(Property property) {
  switch (property) {
    case Property::convergent_normalization:
      return "cn";
    case Property::entropy_boundedness:
      return "eb";
    case Property::ldcp:
      return "ldcp";
    case Property::gps:
      return "gps";
  }
  return "";
}

Decision decide(const Reading& reading, const Law& law, const Expr& bound, const Context& context) {
  switch (reading.property) {
    case Property::convergent_normalization:
      return decide_normalization(reading.name, law, bound, context);
    case Property::entropy_boundedness:
      return decide_entropy(reading.name, law, bound, context);
    case Property::ldcp:
      return decide_ldcp(reading.name, law, context);
    case Property::gps:
      return decide_gps(reading.name, law, context);
  }
  return {};
}

}  // namespace gpe::theory
