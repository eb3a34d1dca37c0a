// The score of an encoding at one head, A(n) = f(n) c(n) + b(n) with |c(n)| <= B w(n), from its formulas.
#pragma once

#include <nlohmann/json.hpp>
#include <set>

#include "checks/verifier/evaluate.h"

namespace gpe::verifier {

using Json = nlohmann::json;

/// Whether readers may recurse: no text of ours has many brackets in one another, or dots in one key.
bool is_shallow(const std::string& text, std::size_t most_dots);
/// @throws NotShown  for what is no JSON, or has a key twice
Json read_json(const std::string& text);
/// @throws NotShown  unless it is an object with these keys and no others
void require_keys(const Json& object, std::set<std::string> keys);
/// A whole number from 0 to 10^9. @throws NotShown
long count(const Json& number);

class ScoreFunction {
 public:
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
