// Expr -> its behaviour at infinity: an exact multiseries, or a lower and an upper one where floor,
// oscillation or an unsettled condition leave a gap (docs/asymptotics.md).
// Tests: tests/theory/asymptotics/limits_test.cpp
#pragma once

#include <unordered_map>
#include <vector>

#include "theory/asymptotics/multiseries.h"

namespace gpe::theory {

/// low <= value <= high for all large integers n; the same object when the expansion is exact.
struct AsymptoticEnclosure {
  SeriesPtr low;
  SeriesPtr high;
  bool exact() const { return low == high; }
};

class EnclosureExpander {
 public:
  explicit EnclosureExpander(Multiseries& series) : series_(series) {}

  /// Gives a symbol other than n a enclosure of its own (a distance that ranges over an interval).
  void bind(const std::string& symbol, const AsymptoticEnclosure& enclosure) {
    bound_.emplace_back(symbol, enclosure);
  }

  /// Support, by operation (docs/asymptotics.md): exp-log functions full; floor, min, max, abs, if, tables
  /// full where the condition settles, bounds otherwise; sin and cos full at finite limits, bounds [-1, 1]
  /// otherwise; atan, erfc, lgamma and polygamma full.
  /// @throws SplitRequest, Undecided, Undefined.
  AsymptoticEnclosure expand(const Expr& expression);

 private:
  AsymptoticEnclosure fresh(const Expr& expression);
  AsymptoticEnclosure exact(const SeriesPtr& f) const { return {f, f}; }
  AsymptoticEnclosure add(const AsymptoticEnclosure& a, const AsymptoticEnclosure& b);
  AsymptoticEnclosure multiply(const AsymptoticEnclosure& a, const AsymptoticEnclosure& b);
  AsymptoticEnclosure power(const Expr& whole, const AsymptoticEnclosure& base,
                            const AsymptoticEnclosure& exponent);
  AsymptoticEnclosure sum(const std::vector<Expr>& terms);
  /// Of a whole power of what is negative near infinity; nothing for other powers.
  std::optional<AsymptoticEnclosure> turning_power(const node::Pow& power);
  AsymptoticEnclosure inverse(const AsymptoticEnclosure& a);
  Form leading_polynomial(SeriesPtr f);
  AsymptoticEnclosure floor_of_whole(const AsymptoticEnclosure& a);
  AsymptoticEnclosure floor(const AsymptoticEnclosure& a);
  AsymptoticEnclosure circular(const AsymptoticEnclosure& a, Function function);
  AsymptoticEnclosure extreme(const AsymptoticEnclosure& a, const AsymptoticEnclosure& b, bool smaller);
  AsymptoticEnclosure absolute(const AsymptoticEnclosure& a);
  AsymptoticEnclosure special(const node::Call& call, const AsymptoticEnclosure& argument);
  AsymptoticEnclosure conditional(const node::If& branch);
  AsymptoticEnclosure table_entry(const node::TableAt& at);
  SeriesPtr smaller(const SeriesPtr& a, const SeriesPtr& b) { return pick(a, b, true); }
  SeriesPtr larger(const SeriesPtr& a, const SeriesPtr& b) { return pick(a, b, false); }
  SeriesPtr pick(const SeriesPtr& a, const SeriesPtr& b, bool smaller);
  /// The integer that floor(f) equals near infinity, when f has a finite limit; nothing when f is unbounded.
  std::optional<Rational> eventual_floor(const SeriesPtr& f);

  bool is_constant(const Expr& expression) const;

  Multiseries& series_;
  std::vector<std::pair<std::string, AsymptoticEnclosure>> bound_;
  std::unordered_map<const void*, AsymptoticEnclosure> done_;
  std::vector<Expr> kept_;
};

/// Integer coefficients on whole powers of n: an integer at every integer n.
bool is_integer_valued(const Term& term);
/// A rational number times a whole power of n.
bool is_index_polynomial_term(const Term& term);
/// Drops 2π·k for integer-valued k: sin and cos do not see it at integer n.
Form without_whole_turns(const Form& angle);

/// Whether a power has a whole exponent that depends on n and a base that is negative near infinity.
bool turns(const node::Pow& power, const Context& context);

/// The least M such that n = M·m + r turns every floor of a polynomial in n, every sin and cos of π times
/// one, and every power that `turns`, into an exact expression of m for each r; 1 when there is nothing to
/// split. Capped: moduli above `most` are left to the interval rules, which are sound but may not decide.
std::int64_t residue_modulus(const Expr& expression, const Context& context, std::int64_t most = 720);
/// The expressions in m (written n again) for r = 0 … modulus-1.
std::vector<Expr> residue_classes(const Expr& expression, std::int64_t modulus);

}  // namespace gpe::theory
