#include "checks/audit/region_points.h"
// Tests: tests/checks/audit/audit_claims_test.cpp
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Form;
using theory::Rational;

namespace {

std::vector<Rational> candidates(const OpenNumber& number) {
  if (!number.integer) {
    static const std::vector<Rational> simple = {1,        2,       {1, 2},  0,        3,   -1,       {1, 4},
                                                 4,        {3, 2},  {1, 10}, -2,       10,  {1, 16},  {-1, 2},
                                                 {1, 100}, {9, 10}, 100,     {1, 256}, -10, {1, 1000}};
    return simple;
  }
  std::vector<Rational> result;
  const auto add = [&](std::int64_t value) {
    if (!number.high || value <= *number.high) result.emplace_back(value);
  };
  constexpr int kEach = 8;
  for (int i = 0; i < kEach; ++i) add(number.low + i);
  for (std::int64_t step = kEach; step <= (std::int64_t{1} << 20); step *= 2) add(number.low + step);
  return result;
}

// True or false at the point; nothing where it is not decided or a name has no value yet.
template <class Left>
std::optional<bool> decided_at(const Left& difference, theory::Relation relation, const Context& context) {
  return theory::attempt<theory::Undecided, theory::Undefined, theory::SplitRequest>(
             [&] { return satisfies(relation, context.sign(difference())); })
      .if_known();
}

bool mentions_any(const std::function<bool(const std::string&)>& mentions,
                  const std::vector<OpenNumber>& open, std::size_t from) {
  for (std::size_t i = from; i < open.size(); ++i) {
    if (mentions(open[i].name)) return true;
  }
  return false;
}

class Walk {
 public:
  Walk(const ClaimRegion& region, const Context& context, int most,
       const std::function<bool(const ClaimPoint&)>& visit)
      : region_(region), context_(context), left_(most), visit_(visit) {
    for (const OpenNumber& number : region.open) candidates_.push_back(candidates(number));
  }

  bool run() {
    std::size_t most = 0;
    for (const auto& list : candidates_) most += list.size() - 1;
    for (std::size_t sum = 0; sum <= most; ++sum) {
      if (place(sum)) return true;
      if (left_ <= 0) return false;
    }
    return false;
  }

 private:
  // Gives values to the numbers from point_.size() on, with places that add up to `sum`.
  bool place(std::size_t sum) {
    if (left_ <= 0) return false;
    const std::size_t at = point_.size();
    if (at == candidates_.size()) return sum == 0 && visit_(point_);
    const bool last = at + 1 == candidates_.size();
    for (std::size_t i = last ? sum : 0; i <= sum && i < candidates_[at].size(); ++i) {
      --left_;
      point_.emplace_back(region_.open[at].name, candidates_[at][i]);
      const bool found = inside() && place(sum - i);
      point_.pop_back();
      if (found) return true;
    }
    return false;
  }

  // Conditions whose last name just got its value.
  bool inside() const {
    const std::size_t known = point_.size();
    const std::string& newest = point_.back().first;
    for (const theory::Condition& condition : region_.conditions) {
      const Expr difference = condition.left - condition.right;
      const auto mentions = [&](const std::string& name) { return difference.mentions(name); };
      if (!mentions(newest) || mentions_any(mentions, region_.open, known)) continue;
      const auto value = [&] {
        Expr at = difference;
        for (const auto& [name, number] : point_) at = substitute(at, name, Expr(number));
        return to_form(at, context_);
      };
      if (decided_at(value, condition.relation, context_) != true) return false;
    }
    for (const theory::Constraint& sign : region_.signs) {
      const auto mentions = [&](const std::string& name) { return sign.form.mentions(name); };
      if (!mentions(newest) || mentions_any(mentions, region_.open, known)) continue;
      const auto value = [&] {
        Expr at = to_expr(sign.form);
        for (const auto& [name, number] : point_) at = substitute(at, name, Expr(number));
        return to_form(at, context_);
      };
      if (decided_at(value, sign.relation, context_) != true) return false;
    }
    return true;
  }

  const ClaimRegion& region_;
  const Context& context_;
  int left_;
  const std::function<bool(const ClaimPoint&)>& visit_;
  std::vector<std::vector<Rational>> candidates_;
  ClaimPoint point_;
};

}  // namespace

bool visit_points(const ClaimRegion& region, const Context& context, int most,
                  const std::function<bool(const ClaimPoint&)>& visit) {
  return Walk(region, context, most, visit).run();
}

}  // namespace gpe::checks
