// Σ e^A and Σ A e^A over ranges of n for a score that is smooth in each residue class, or between the steps
// of its floors: asked many times, at few places, and remembered.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "checks/sums/series_sum.h"

namespace gpe::checks {

inline constexpr std::int64_t kMaxClasses = 64;  ///< residue classes that are summed one by one

enum class Steps { none, floors };

class RangeSums {
 public:
  /// @param scores  [r] is that of n = M k + r as a function of k, written n, M = scores.size(); smooth for
  /// n >= first >= 0, or first < 0 and M = 1 (monotone_tail); where it is stepped, M = 1 (SteppedSum)
  /// @param last     the last n there is; none: infinitely many
  /// @param wants_s  whether Σ A e^A is wanted too
  RangeSums(const std::vector<theory::Expr>& scores, std::int64_t first, std::optional<theory::Rational> last,
            bool wants_s, int digits, const theory::Context& context, Steps steps = Steps::none);

  /// Σ over first … min(n, last); nothing for n < first. D is not computed.
  Moments up_to(const theory::Rational& n);
  /// Σ over n' > n. @pre the infinite sums wanted converge, or `last` is given.
  Moments beyond(const theory::Rational& n);
  Moments total() { return beyond(theory::Rational(first_ - 1)); }
  /// A(n).
  Ball value(const theory::Rational& n) const;

  std::int64_t first() const { return first_; }
  const std::optional<theory::Rational>& last() const { return last_; }
  bool steps() const { return classes_.size() > 1 || steps_ == Steps::floors; }
  long bits() const { return bits_; }

 private:
  struct Class {
    theory::Expr score;
    std::int64_t first;  ///< k
    SeriesSum sum;
  };
  const Moments& prefix(std::int64_t count);
  Moments class_up_to(Class& one, const theory::Rational& k);
  Moments class_beyond(Class& one, const theory::Rational& k);
  /// The sum of what `sum` gives of each class for the last k that does not lie beyond n.
  template <class Sum>
  Moments over_classes(const theory::Rational& n, const Sum& sum);
  theory::Rational modulus() const { return theory::Rational(static_cast<std::int64_t>(classes_.size())); }
  /// Class and k of n.
  std::pair<const Class&, theory::Rational> place(const theory::Rational& n) const;

  std::int64_t first_;
  std::optional<theory::Rational> last_;
  std::vector<Class> classes_;
  Steps steps_;
  int digits_;
  theory::Context context_;
  long bits_;
  WantedMoments wanted_;
  std::vector<Moments> prefix_;  ///< [k]: the first k terms
  std::map<theory::Rational, Moments> up_to_;
  std::map<theory::Rational, Moments> beyond_;
};

}  // namespace gpe::checks
