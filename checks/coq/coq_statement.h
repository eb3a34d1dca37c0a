// The statement of an exported verdict: quantifiers, domains, law and property as terms of Coq, over
// theory/proofs/Definitions.v. Tests: tests/proofs/formulas.py, tests/proofs/exports.cmake
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "checks/coq/coq_family.h"
#include "theory/properties/property.h"
#include "theory/source/table.h"

namespace gpe::checks {

class CoqStatement {
 public:
  /// @param law  with its parameters left open
  CoqStatement(theory::ScoreFunction law, const theory::Reading& reading, const theory::Context& context);

  /// The parameters in file order, and B.
  const std::vector<std::string>& free() const { return free_; }
  /// @throws NotExported  where Definitions.v has no words for the law
  void require_exported() const;

  /// "forall m B : R, m > 0 -> 0 < B ->", and the tables.
  std::string quantifiers() const;
  /// Where the law has values (coq_defined.h); empty where it needs no words.
  std::string defined(const theory::Context& context, bool by_form) const;
  /// The steps that make the quantifiers hypotheses.
  std::string introductions() const;
  /// The property of the law, with gates and query by name.
  std::string property() const;
  /// @pre neither "always" nor "never"
  std::string region_text(const std::string& region) const;
  /// What may prove or refute a reading of random content under a soft cap: readings of the law without the
  /// cap.
  /// @pre there is a soft cap
  std::vector<Detour> without_cap(bool holds) const;
  /// Whether it is about all contents within the bound, or some, and not about random ones.
  bool is_of_every_content() const;
  /// With the window's parameter as a natural number.
  theory::Expr counted(const theory::Expr& e) const;

 private:
  bool uses_bound() const;
  void require_plain_cap() const;
  std::string capped_property(const std::string& name, const std::string& law, const std::string& cap) const;
  std::string under_cap(const std::string& theorem) const;
  std::string at_cap() const;
  bool speaks_of_all_members() const;
  void require_counted_keys() const;
  std::string law_text() const;
  std::string one_side() const;
  std::string law_text(bool mentions_length) const;
  std::vector<std::shared_ptr<const theory::Table>> tables() const;
  std::string table_texts() const;
  std::string window_parameter() const;
  bool is_window(const std::string& parameter) const;
  std::string text_of(const theory::Condition& condition) const;
  std::string matrices() const;
  std::string matrices_of_one_side() const;
  theory::Expr angle() const;
  std::vector<theory::Expr> formulas() const;

  theory::ScoreFunction law_;
  const theory::Reading& reading_;
  const theory::Context& context_;
  std::vector<std::string> symbols_, free_;
};

}  // namespace gpe::checks
