#include "checks/verifier/waves.h"

#include <algorithm>

namespace gpe::verifier {

namespace {

bool turns_partly(const Calculus& calculus, const Constant& angle) {  // 0 < |angle| < 2π
  const Constant full_turn = 2 * atom_pi();
  return calculus.follows(angle, "!=") && calculus.positive(full_turn - angle) &&
         calculus.positive(full_turn + angle);
}

}  // namespace

bool oscillates(const Calculus& calculus, Evaluator law, bool literal) {
  law.names["n"] = Form(single(1), 1);
  const Form b = law("$b");
  if (b.zero() || Growth() < b.terms.rbegin()->first) return false;
  for (const auto& [growth, c] : b.terms)
    if (any_atom(c, [](const Atom& one) { return one.kind == Atom::Kind::more; })) return false;
  Constant mean;
  std::vector<std::pair<Constant, Constant>> waves;  // a, ω
  for (const auto& [powers, coefficient] :
       (b.terms.rbegin()->first == Growth() ? b.terms.rbegin()->second : Constant()).terms) {
    Powers rest = powers;
    const Form* angle = nullptr;
    for (const auto& [atom, exponent] : powers) {
      if (atom->kind != Atom::Kind::error || !law.waves.contains(atom->name)) continue;
      if (angle != nullptr || exponent != 1) return false;
      angle = &law.waves.at(atom->name);
      rest.erase(atom);
    }
    if (any_atom(Constant(rest, 1), is_unknown)) return false;  // a wave inside of another function
    if (angle == nullptr) mean += Constant(rest, coefficient);
    if (angle == nullptr) continue;
    for (const auto& [growth, c] : angle->terms)
      if (any_atom(c, is_unknown) || !(growth == Growth() || growth == single(1))) return false;
    if (!(angle->terms.rbegin()->first == single(1))) return false;
    waves.emplace_back(Constant(rest, coefficient), angle->terms.rbegin()->second);
    if (!turns_partly(calculus, waves.back().second)) return false;
  }
  if (calculus.positive(mean) || (literal && calculus.positive(-mean))) return true;
  if (!calculus.follows(mean, "=")) return false;
  return std::ranges::any_of(waves, [&](const auto& one) {
    return calculus.follows(one.first, "!=") && turns_partly(calculus, 2 * one.second) &&
           std::ranges::all_of(waves, [&](const auto& other) {
             return one.second == other.second ? &one == &other
                                               : turns_partly(calculus, one.second - other.second) &&
                                                     turns_partly(calculus, one.second + other.second);
           });
  });
}

}  // namespace gpe::verifier
