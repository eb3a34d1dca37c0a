#include "theory/properties/property.h"

#include "theory/expression/overloaded.h"

namespace gpe::theory {

Decision decide(const Reading& reading, const ScoreFunction& law, const Expr& bound, const Context& context) {
  if (law.normalizer != Normalizer::softmax) return decide_normalizer(reading, law, bound, context);
  return std::visit(
      Overloaded{[&](NormalizationReading which) { return decide_normalization(which, law, bound, context); },
                 [&](EntropyReading which) { return decide_entropy(which, law, bound, context); },
                 [&](CorrelationReading which) { return decide_ldcp(which, law, context); },
                 [&](GradientReading which) { return decide_gps(which, law, context); }},
      reading.which);
}

}  // namespace gpe::theory
