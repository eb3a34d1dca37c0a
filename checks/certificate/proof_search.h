// Finds proofs for certificates: the rule of docs/certificates.md that proves an answer, its constants, and
// the first n. It decides nothing: verify-certificate checks again whatever it finds.
// Tests: tests/certificates/library.cmake
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/certificate/proof_term.h"
#include "theory/properties/property.h"

namespace gpe::checks {

/// Thresholds for claims outside of what checks/halfline/tail_form.h encloses, which are not proved here: a
/// proof has the first of them, and may be true from another one on.
std::vector<Threshold> far_thresholds();

/// Whether a sine or cosine stands in it.
bool has_wave(const theory::Expr& expression);

class ProofSearch {
 public:
  /// @param explicit_n  whether claims must hold beyond a stated n (closed laws), not just near infinity
  ProofSearch(const theory::ScoreFunction& law, const theory::Expr& bound, const theory::Context& context,
              bool explicit_n);

  /// The proof, or nothing when no rule was seen to apply.
  /// @throws theory::SplitRequest, theory::Undecided  as theory::decide
  std::optional<ProofTerm> prove(const theory::Reading& reading, bool holds) const;

 private:
  using Found = std::optional<ProofTerm>;
  using Exprs = std::vector<theory::Expr>;

  Found normalization(theory::NormalizationReading reading, bool holds) const;
  Found entropy(theory::EntropyReading reading, bool holds) const;
  Found expected(bool holds) const;
  Found unbounded_entropy() const;
  Found last_tokens() const;
  Found in_any_window() const { return ProofTerm{.rule = Rule::window}; }

  // proof_length.cpp
  struct LengthSum {
    bool weighted;  ///< the entropy's sum, and not Z_L
    bool every;     ///< for every content, and not for some
  };
  Found with_length(theory::NormalizationReading reading, bool holds) const;
  Found with_length(theory::EntropyReading reading, bool holds) const;
  Found length_sum(Score score, LengthSum of, bool holds) const;
  Found window_sum(Score score, bool holds) const;
  Found length_spread() const;
  theory::Limit lowest(const theory::Expr& claim) const;
  const theory::Expr& score_called(Score score) const;
  Found long_distance(theory::CorrelationReading reading, bool holds) const;
  Found gradient(theory::GradientReading reading, bool holds) const;

  // proof_distance.cpp
  struct InClass {
    theory::Expr e;          ///< in a class of n
    theory::Limit low;       ///< its lower limit there
    Residues in_class = {};  ///< which class; absent where there is but one
  };
  struct AwayFromZero {
    InClass of;
    theory::Expr least;  ///< a number > 0 below it
  };
  template <class Wanted>
  std::optional<InClass> class_whose_low(const theory::Expr& e, const Wanted& wanted) const;
  template <class Claim>
  Found in_every_class(Rule rule, const Exprs& functions, const Claim& claim) const;
  Found bounded_below(const theory::Expr& b) const;
  Found reaches_far(theory::CorrelationReading reading) const;
  Found fades(theory::CorrelationReading reading) const;
  Found stays(ProofTerm proof, const theory::Expr& e) const;
  Found oscillates(bool is_positive) const;
  Found stays_likely() const;
  std::optional<AwayFromZero> away_from_zero(const theory::Expr& e) const;
  theory::Expr diagonal(const theory::Expr& e) const;
  theory::Expr content_size() const;

  // proof_sums.cpp; `score` is what `a` is
  Found sum(Score score, const theory::Expr& a, bool converges) const;
  Found weighted_sum(Score score, const theory::Expr& a, bool converges, bool every = false) const;
  Found by_iterated_logs(ProofTerm proof, const theory::Expr& a, bool converges, const Exprs& claims,
                         const Exprs& weak, bool every = false) const;

  // proof_gradient.cpp
  Found no_factor() const;
  Found size_changes() const;
  Found factor_changes() const;
  Found turns(bool scalar) const;
  Found turns_by_entropy() const;
  Found stretches() const;
  Found flips() const;
  Found cap_changes() const;
  std::optional<std::int64_t> one_matrix() const;
  bool is_steady(bool length) const;
  bool shows_steady(bool length) const;
  std::vector<std::int64_t> distances() const;

  /// The proof, when near infinity all claims are positive and the weak ones nonnegative; with its threshold.
  Found far(ProofTerm proof, const Exprs& claims, const Exprs& weak = {}) const;
  /// With the first far threshold; the verifier decides whether the claims hold beyond it.
  ProofTerm with_far_threshold(ProofTerm proof) const;
  bool eventually(const theory::Expr& claim, bool strict) const;
  /// The first i in 1 … 5 for which the claim made from log^i(n) holds, put in as `i`.
  template <class Make>
  Found with_level(ProofTerm proof, const Make& make) const {
    for (int i = 1; i <= 5; ++i) {
      proof.i = i;
      if (Found found = far(proof, make(iterated_log(i)))) return found;
    }
    return std::nullopt;
  }
  static theory::Expr iterated_log(int i);  ///< log^i(n)
  /// A number above the limit superior, or below it, as an expression.
  std::optional<theory::Expr> number_above(const theory::Expr& e) const;

  const theory::ScoreFunction& law_;
  const theory::Context& context_;
  bool explicit_n_;
  theory::Expr above_, below_, amplitude_;
};

}  // namespace gpe::checks
