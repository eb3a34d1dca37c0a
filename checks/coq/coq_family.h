// Laws with gates along the path, or a bias linear in the query: verdicts for every member of the family, and
// for some, follow from those on plain laws by the theorems of theory/proofs/Families.v.
// Tests: tests/proofs/missing.py, tests/proofs/exports.cmake
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theory/properties/property.h"

namespace gpe::checks {

/// A claim about a plain law from which the one asked for follows.
struct Detour {
  theory::ScoreFunction law;
  const theory::Reading* reading;
  bool holds;
  std::string before, after;  ///< the steps of Coq around those that prove the claim
};

/// The law whose width is 1, where matrices shrink: what may prove or refute `cn` and `eb` (Widths.v).
std::optional<Detour> wider(const theory::ScoreFunction& law, const theory::Reading& reading, bool holds,
                            const theory::Context& context);

class Family {
 public:
  /// @param law  with its parameters left open, and with gates or a query; outlives this
  explicit Family(const theory::ScoreFunction& law) : law_(law) {}

  /// @throws NotExported  where a member need not exist, in a window, and on both sides
  void require_members(const theory::Context& context) const;
  /// "forall gates : nat -> R, (forall t : nat, gates t < 0) ->", or "exists …, … /\".
  std::string bound_member(bool every) const;
  /// The steps that make a member and its bounds hypotheses.
  std::string introduction() const { return "intros " + name() + " within; of_gates"; }
  std::string law_with_member() const;
  /// What may prove or refute the claim about every member, or some; the most likely first.
  std::vector<Detour> detours(const theory::Reading& reading, bool every, bool holds) const;

 private:
  bool has_gates() const { return law_.path.has_value(); }
  std::string name() const { return has_gates() ? "gates" : "query"; }
  std::string within() const;
  std::string bias_with(const std::string& member) const;
  theory::ScoreFunction with_constant(const theory::Expr& member) const;
  std::vector<theory::Expr> constants() const;
  theory::ScoreFunction end(bool largest) const;
  bool has_end(bool largest) const { return !has_gates() || largest || law_.path->low; }
  std::string within_end(bool largest) const;
  Detour bounded(const std::string& theorem, const theory::Reading& reading, bool holds, bool largest) const;
  std::vector<Detour> for_all(const theory::Reading& reading, bool holds) const;
  Detour constant(const theory::Expr& member, const theory::Reading& reading, bool holds) const;
  Detour tending(bool largest, const theory::Reading& reading, bool holds) const;
  std::vector<Detour> for_one(const theory::Reading& reading, bool holds) const;

  const theory::ScoreFunction& law_;
};

/// "cn_every_content"
std::string name_in_coq(const theory::Reading& reading);

}  // namespace gpe::checks
