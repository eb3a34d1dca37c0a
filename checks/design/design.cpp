#include "checks/design/design.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "checks/arb/expr_ball.h"
#include "theory/exact/attempt.h"

namespace gpe::checks {

using theory::Rational;
using theory::Relation;

namespace {

constexpr std::size_t kMaxPoints = 4096;  // kept; those met again are computed again
constexpr int kDeepest = 200;             // boxes; as deep as verifiers read

class Search {
 public:
  Search(const OrderedFamily& family, const DesignProblem& problem, const theory::Context& context)
      : family_(family), problem_(problem), context_(context.within(context.budget().whole())) {}

  Design run(const std::function<void(std::size_t, const Design&)>& progress) {
    ParameterBox whole;
    for (const FreeParameter& one : family_.free()) whole.emplace_back(one.low, one.high);
    design_.nodes.push_back({whole});
    open(0, 0);
    std::size_t started = 0;
    bool late = false;
    while (!queue_.empty()) {
      const Open next = queue_.top();
      queue_.pop();
      if (!problem_.objective && design_.best) break;
      late = context_.budget().is_over() || !theory::attempt<theory::TimeUp>([&] { begin(next); });
      if (late) {
        leave_open();
        break;
      }
      if (++started % 16 == 0) {
        update_bound();
        progress(started, design_);
      }
    }
    update_bound();
    const bool all_closed = queue_.empty() && undecided_.empty();
    design_.closed = all_closed || (!problem_.objective && design_.best);
    if (!design_.closed) design_.reason = reason(late);
    return std::move(design_);
  }

 private:
  struct Open {
    double priority;  // the most promising bound
    int depth;
    std::size_t node;
    bool operator<(const Open& other) const {  // for a queue that gives the largest
      if (priority != other.priority) return priority < other.priority;
      if (depth != other.depth) return depth > other.depth;
      return node > other.node;
    }
  };

  // Every box that is not settled.
  void leave_open() {
    queue_ = {};
    undecided_.clear();
    for (std::size_t i = 0; i < design_.nodes.size(); ++i)
      if (design_.nodes[i].leaf && design_.nodes[i].excluded_by < 0) undecided_.push_back(i);
  }

  std::shared_ptr<DesignPoint> at(const ParameterPoint& point) {
    auto& known = points_[point];
    if (!known) {
      if (points_.size() > kMaxPoints) {
        points_.clear();
        return points_[point] = make(point);
      }
      known = make(point);
    }
    return known;
  }
  std::shared_ptr<DesignPoint> make(const ParameterPoint& point) const {
    return std::make_shared<DesignPoint>(family_.closed_law(point), problem_.digits, context_);
  }

  bool maximize() const { return problem_.objective && problem_.objective->maximize; }
  bool better(const Rational& a, const Rational& b) const { return maximize() ? a > b : a < b; }

  // The pruning threshold of boxes.
  Requirement no_better() const {
    const Rational slack =
        problem_.objective->measure.is_count() ? Rational(0) : problem_.gap * design_.value->abs();
    return {problem_.objective->measure, maximize() ? Relation::less_equal : Relation::greater_equal,
            maximize() ? *design_.value + slack : *design_.value - slack};
  }

  void open(std::size_t node, int depth) {
    double priority = -depth;
    if (problem_.objective) {
      const ParameterBox box = design_.nodes[node].box;
      const auto flat = at(family_.flat(box)), steep = at(family_.steep(box));
      const Measure& measure = problem_.objective->measure;
      const BoxCorners corners{family_, box, *flat, *steep};
      auto bound = bound_of(measure, maximize(), corners);
      if (!bound && !maximize() && !infinite_entropy(measure, corners)) bound = Rational(0);
      bounds_.resize(design_.nodes.size());  // of the first node: the others have one
      bounds_[node] = bound;
      const double size = bound ? bound->approximate() : HUGE_VAL;  // infinite entropy
      priority = maximize() ? size : -size;
    }
    queue_.push({priority, depth, node});
  }

  void begin(const Open& next) {
    const ParameterBox box = design_.nodes[next.node].box;
    const ParameterPoint low = family_.flat(box), high = family_.steep(box);
    const auto flat = at(low), steep = at(high);
    const BoxCorners corners{family_, box, *flat, *steep};
    for (std::size_t i = 0; i < problem_.requirements.size(); ++i) {
      if (!surely_met(negation(problem_.requirements[i]), corners)) continue;
      design_.nodes[next.node].excluded_by = static_cast<int>(i);
      return;
    }
    for (ParameterPoint corner : {low, high}) {
      corner.resize(box.size());  // without twins
      try_point(corner);
    }
    ParameterPoint middle;
    for (const auto& [from, to] : box) middle.push_back(from < to ? middle_of(from, to) : from);
    for (std::size_t i = 0; i < box.size(); ++i) {
      if (family_.free()[i].whole) middle[i] = middle[i].floor();
    }
    try_point(middle);
    if (problem_.objective && design_.value && surely_met(no_better(), corners)) {
      design_.nodes[next.node].excluded_by = static_cast<int>(problem_.requirements.size());
      return;
    }
    if (!problem_.objective && design_.best) return;
    const auto parameter = to_split(box);
    if (!parameter || next.depth >= kDeepest) {
      undecided_.push_back(next.node);
      return;
    }
    split(next, *parameter, middle[*parameter]);
  }

  void split(const Open& next, std::size_t parameter, const Rational& place) {
    const std::size_t below = design_.nodes.size();
    DesignNode one{design_.nodes[next.node].box}, other = one;
    one.box[parameter].second = place;
    other.box[parameter].first = family_.free()[parameter].whole ? place + Rational(1) : place;
    DesignNode& node = design_.nodes[next.node];
    node.leaf = false;
    node.parameter = parameter;
    node.at = place;
    node.below = below;
    design_.nodes.push_back(std::move(one));
    design_.nodes.push_back(std::move(other));
    if (problem_.objective) bounds_.resize(below + 2, bounds_[next.node]);
    open(below, next.depth + 1);
    open(below + 1, next.depth + 1);
  }

  // Why the search ended with boxes left.
  std::string reason(bool late) {
    const std::size_t left = undecided_.empty() ? queue_.top().node : undecided_.front();
    const ParameterBox& box = design_.nodes[left].box;
    const auto flat = at(family_.flat(box)), steep = at(family_.steep(box));
    const auto is_reach = [](const Measure& measure) { return measure.quantity == DesignQuantity::reach; };
    const bool reach = std::ranges::any_of(problem_.requirements, is_reach, &Requirement::measure) ||
                       (problem_.objective && is_reach(problem_.objective->measure));
    return std::string(late ? "the time limit" : "boxes too small to be split in which nothing is proved") +
           (reach && !theory::attempt([&] {
                        return BoxCorners{family_, box, *flat, *steep}.falls();
                      }).value_or(false)
                ? "; where biases may rise with n, no box can be ruled out by reach"
                : "");
  }

  // The value of the objective at a point, rounded to its worse side.
  void try_point(const ParameterPoint& point) {
    ParameterBox alone;
    for (const Rational& value : point) alone.emplace_back(value, value);
    const auto here = at(point);
    const BoxCorners corners{family_, alone, *here, *here};
    if (problem_.objective && design_.best && *design_.best == point) return;
    const bool meets = std::ranges::all_of(problem_.requirements,
                                           [&](const Requirement& r) { return surely_met(r, corners); });
    if (!meets) return;
    if (!problem_.objective) {
      design_.best = point;
      design_.at_best = here;
      return;
    }
    const auto value = bound_of(problem_.objective->measure, !maximize(), corners);
    if (!value || (design_.value && !better(*value, *design_.value))) return;
    design_.value = value;
    design_.best = point;
    design_.at_best = here;
  }

  // The parameter whose interval moves the bias most, at the distances that matter.
  std::optional<std::size_t> to_split(const ParameterBox& box) const {
    std::vector<double> share(box.size(), 0);
    for (const std::int64_t n : {std::int64_t{1}, std::int64_t{16}, std::int64_t{256}})
      add_shares(box, n, share);
    for (const Requirement& r : problem_.requirements) {
      const bool length = r.measure.quantity == DesignQuantity::entropy;
      if (r.measure.is_count() || (length && r.measure.at)) {
        const auto n = (length ? *r.measure.at : r.value).to_int64();
        if (n && *n > 0) {
          add_shares(box, *n, share);
          add_shares(box, *n, share);
        }
      }
    }
    std::optional<std::size_t> widest;
    for (std::size_t i = 0; i < box.size(); ++i) {
      if (box[i].first == box[i].second) continue;
      if (problem_.objective && problem_.objective->measure.parameter == family_.free()[i].name)
        share[i] += 0.5;
      if (!widest || share[i] > share[*widest]) widest = i;
    }
    return widest;
  }
  void add_shares(const ParameterBox& box, std::int64_t n, std::vector<double>& share) const {
    std::vector<double> moved(box.size(), 0);
    double all = 0;
    for (std::size_t i = 0; i < box.size(); ++i) {
      const auto& [from, to] = box[i];
      if (family_.free()[i].whole) {
        moved[i] = std::log(to.approximate() / from.approximate());
      } else {
        std::map<std::string, Ball> values = {{theory::kIndex, Ball(n)}};
        for (std::size_t k = 0; k < box.size(); ++k)
          values[family_.free()[k].name] = Ball(family_.flat(box)[k], 64);
        values[family_.free()[i].name] = Ball(from, 64);
        const double one = evaluate(family_.bias(), values, 64).approximate();
        values[family_.free()[i].name] = Ball(to, 64);
        moved[i] = std::abs(evaluate(family_.bias(), values, 64).approximate() - one);
      }
      all += moved[i];
    }
    for (std::size_t i = 0; i < box.size() && all > 0; ++i) share[i] += moved[i] / all;
  }

  // The worst that is still possible: over the leaves that the objective excludes, and those left open.
  void update_bound() {
    if (!problem_.objective) return;
    design_.bound = design_.value;
    std::vector<std::size_t> left = undecided_;
    for (auto queue = queue_; !queue.empty(); queue.pop()) left.push_back(queue.top().node);
    for (std::size_t i = 0; i < design_.nodes.size(); ++i) {
      if (design_.nodes[i].leaf &&
          design_.nodes[i].excluded_by == static_cast<int>(problem_.requirements.size()))
        left.push_back(i);
    }
    for (const std::size_t i : left) {
      if (!bounds_[i]) {
        if (maximize()) {  // nothing is proved of it
          design_.bound.reset();
          return;
        }
        continue;  // infinite
      }
      if (!design_.bound || better(*bounds_[i], *design_.bound)) design_.bound = bounds_[i];
    }
  }

  const OrderedFamily& family_;
  const DesignProblem& problem_;
  const theory::Context context_;
  Design design_;
  std::vector<std::optional<Rational>> bounds_;  // of the objective, by node
  std::priority_queue<Open> queue_;
  std::vector<std::size_t> undecided_;
  std::map<ParameterPoint, std::shared_ptr<DesignPoint>> points_;
};

}  // namespace

std::size_t Design::leaves_excluded_by(int requirement) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      nodes, [&](const DesignNode& node) { return node.leaf && node.excluded_by == requirement; }));
}

Rational middle_of(const Rational& low, const Rational& high) {
  const Rational width = high - low;
  Rational from = low + width / Rational(4), to = high - width / Rational(4);
  if (low.sign() > 0 && high > low * Rational(4)) {  // about the square root of low·high, by powers of two
    Rational root = low;
    while (root * root < low * high) root *= Rational(2);
    const Rational less = root / Rational(2);
    from = std::max(low * Rational(5, 4), less);
    to = std::min(high * Rational(4, 5), root * Rational(5, 4));
  }
  for (Rational step = Rational(10).pow(width.numerator().bits() / 3 + 1);; step /= Rational(10)) {
    const Rational rounded = ((from + to) / (step + step)).floor() * step;
    for (const Rational& one : {rounded, rounded + step}) {
      if (one >= from && one <= to && one > low && one < high) return one;
    }
  }
}

Design design(const OrderedFamily& family, const DesignProblem& problem, const theory::Context& context,
              const std::function<void(std::size_t, const Design&)>& progress) {
  return Search(family, problem, context).run(progress);
}

}  // namespace gpe::checks
