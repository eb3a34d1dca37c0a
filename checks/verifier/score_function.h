// The score of an encoding at one head, A(n) = f(n) c(n) + b(n) with |c(n)| <= B w(n), from its formulas.
#pragma once

#include <set>

#include "checks/verifier/evaluate.h"
#include "checks/verifier/form.h"

namespace gpe::verifier {

class ScoreFunction {
 public:
  /// @pre it has the form of a law
  explicit ScoreFunction(const Json& json);

  Json json;
  std::string transform;
  long head_dim, first;
  bool windowed;

  const Json& parameters() const { return json["parameters"]; }
  bool has(const char* formula) const { return !json[formula].is_null(); }
  std::string formula(const char* name) const { return has(name) ? json[name].get<std::string>() : ""; }
  /// Knows the parameters (those of `free` as symbols, the others by value), tables, and by name $f, $w, $a,
  /// $b ... the parts of the score at n and L.
  Evaluator evaluator(const Calculus& calculus, const std::set<std::string>& free) const;
  bool depends_on_length() const;
  long keys() const;  ///< in the window, at the values of the parameters
};

}  // namespace gpe::verifier
