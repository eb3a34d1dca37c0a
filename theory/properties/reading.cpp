#include "theory/properties/reading.h"

#include <algorithm>

namespace gpe::theory {

const std::vector<Reading>& readings() {
  using enum Property;
  using Cn = NormalizationReading;
  using Eb = EntropyReading;
  using Ldcp = CorrelationReading;
  using Gps = GradientReading;
  static const std::vector<Reading> all = {
      {Cn::every_content, convergent_normalization, "every-content", true,
       "Z < inf for every content with |c(n)| <= B w(n)"},
      {Cn::some_content, convergent_normalization, "some-content", true,
       "Z < inf for some content with |c(n)| <= B w(n)"},
      {Cn::expected, convergent_normalization, "expected", true,
       "E Z < inf for q, k uniform on spheres, |q||k|/sqrt(d) = B"},
      {Eb::limit, entropy_boundedness, "limit", true, "Z < inf and H < inf for every content"},
      {Eb::some_content, entropy_boundedness, "some-content", true, "Z < inf and H < inf for some content"},
      {Eb::uniform, entropy_boundedness, "uniform", true, "sup_L H_L < inf for every content"},
      {Ldcp::literal, ldcp, "literal", false, "|E A(n)| >= C > 0 for infinitely many n"},
      {Ldcp::with_sign, ldcp, "signed", false, "E A(n) >= C > 0 for infinitely many n"},
      {Ldcp::probability, ldcp, "probability", false, "P(|A(n)| >= eps) >= pi > 0 for infinitely many n"},
      {Ldcp::content, ldcp, "content", false, "P(|f(n) c(n)| >= eps) >= pi > 0 for infinitely many n"},
      {Ldcp::weight, ldcp, "weight", false, "limsup b(n) > -inf: far tokens keep a weight bounded below"},
      {Gps::scalar, gps, "scalar", false, "dA/dq = g(n) R k with one matrix R and g not constant"},
      {Gps::norm, gps, "norm", false, "|dA/dq| not constant in n"},
      {Gps::vector, gps, "vector", false, "dA/dq not constant in n"},
  };
  return all;
}

const Reading* find_reading(Property property, std::string_view name) {
  const auto found = std::ranges::find_if(readings(), [&](const Reading& reading) {
    return reading.property == property && reading.name == name;
  });
  return found == readings().end() ? nullptr : &*found;
}

const Reading& reading(ReadingOf which) { return *std::ranges::find(readings(), which, &Reading::which); }

const Reading& usual_reading(Property property) {
  return reading(kUsualReadings[static_cast<std::size_t>(property)]);
}

bool asks_for_bias(const Reading& reading) {
  return reading.property != Property::gps && reading.which != ReadingOf(CorrelationReading::content);
}

std::string_view name_of(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::none:
      return "";
    case Quantifier::every:
      return "every";
    case Quantifier::some:
      return "some";
    case Quantifier::random:
      return "random";
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

}  // namespace gpe::theory
