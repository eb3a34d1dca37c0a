#include "checks/stack/cosine_sum.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "checks/content/steady_rotation.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr long kCosineBits = 96;

// The least n from 0 to last whose sum is not proved to be nonnegative; whether it is negative is asked for
// it.
struct Doubtful {
  std::int64_t n;
  Ball sum;
};
std::optional<Doubtful> first_doubtful(const std::vector<Ball>& frequencies, std::int64_t last,
                                       const theory::Budget& time, bool& in_time) {
  const std::vector<FrozenBlock> ones(frequencies.size(), FrozenBlock{Ball(1), Ball(0)});
  SteadyRotation rotation(ones, frequencies, kCosineBits);
  in_time = true;
  for (std::int64_t n = 0; n <= last; ++n) {
    if (n % 256 == 0 && time.is_over()) {
      in_time = false;
      return std::nullopt;
    }
    const Ball sum = rotation.at(n);
    if (!sum.surely_nonnegative()) return Doubtful{n, sum};
  }
  return std::nullopt;
}

// Covers the bases from 1 on by intervals on each of which one n has a negative sum.
class Covering {
 public:
  Covering(int turning, int still, std::int64_t last, const theory::Budget& time)
      : turning_(turning), still_(still), last_(last), time_(time), n_(std::min<std::int64_t>(3, last)) {}

  LeastBase run() {
    int fails = 0;
    int chosen_at = step_;  // the width for which n was chosen
    while (!is_over() && step_ <= kFinest) {
      const Rational end = beyond(covered_, step_);
      if (negative_on(covered_, end, n_)) {
        covered_ = end;
        step_ = std::max(step_ - 1, 3);
        fails = 0;
        continue;
      }
      ++step_;
      ++fails;
      if (fails == 1) {
        n_ = lowest_near(to_double(end));
      } else if (step_ >= chosen_at + kPatience) {
        if (const auto found = suffices_soon()) return {false, covered_, *found};
        chosen_at = step_;
      }
    }
    return {false, covered_, Rational(0), !time_.is_over()};
  }

 private:
  static constexpr int kFinest = 60;
  static constexpr int kPatience = 5;
  // A step is a cosine of a scan; one of a ball takes as long as some hundred.
  static constexpr std::int64_t kSteps = 600'000'000;
  static constexpr std::int64_t kStepsOfBall = 400;
  bool is_over() const { return steps_ > kSteps || time_.is_over(); }

  static double to_double(const Rational& x) { return Ball(x, 64).approximate(); }

  // b(1 + 2^-step), upwards to a multiple of 2^-80.
  static Rational beyond(const Rational& b, int step) {
    const Rational unit = Rational(2).pow(-80);
    return ((b + b * Rational(2).pow(-step)) / unit).floor() * unit + unit;
  }

  bool negative_on(const Rational& from, const Rational& to, std::int64_t n) {
    steps_ += turning_ * kStepsOfBall;
    const Ball log_base =
        log(Ball::hull(Ball(from, kCosineBits), Ball(to, kCosineBits), kCosineBits), kCosineBits);
    const Ball ratio = exp(neg(div(log_base, Ball(turning_), kCosineBits)), kCosineBits);
    Ball angle(n);
    Ball sum(still_);
    for (int j = 0; j < turning_; ++j) {
      sum = add(sum, cos(angle, kCosineBits), kCosineBits);
      angle = mul(angle, ratio, kCosineBits);
    }
    return sum.surely_negative();
  }

  double sum_at(double base, std::int64_t n) const {
    const double ratio = std::pow(base, -1.0 / turning_);
    double angle = static_cast<double>(n);
    double sum = still_;
    for (int j = 0; j < turning_; ++j, angle *= ratio) sum += std::cos(angle);
    return sum;
  }

  std::int64_t lowest_near(double base) const {
    constexpr std::int64_t around = 24;
    std::int64_t best = n_;
    double least = sum_at(base, n_);
    for (std::int64_t n = std::max<std::int64_t>(1, n_ - around); n <= std::min(last_, n_ + around); ++n) {
      const double here = sum_at(base, n);
      if (here < least) {
        least = here;
        best = n;
      }
    }
    return best;
  }

  // The n that should cover most, and the least sum.
  struct Lowest {
    std::int64_t n = 1;
    double gain = 0;
    double least = 1;
  };
  // Of the n from `from` to `to`.
  Lowest lowest(double base, std::int64_t from, std::int64_t to) {
    steps_ += (to - from) * turning_;
    const auto blocks = static_cast<std::size_t>(turning_);
    std::vector<double> c(blocks);
    std::vector<double> s(blocks);
    std::vector<double> step_c(blocks);
    std::vector<double> step_s(blocks);
    for (std::size_t j = 0; j < blocks; ++j) {
      const double angle = std::pow(base, -static_cast<double>(j) / turning_);
      step_c[j] = std::cos(angle);
      step_s[j] = std::sin(angle);
      c[j] = std::cos(angle * static_cast<double>(from - 1));
      s[j] = std::sin(angle * static_cast<double>(from - 1));
    }
    Lowest result;
    for (std::int64_t n = from; n <= to; ++n) {
      double sum = still_;
      for (std::size_t j = 0; j < blocks; ++j) {
        const double turned = c[j] * step_c[j] - s[j] * step_s[j];
        s[j] = s[j] * step_c[j] + c[j] * step_s[j];
        c[j] = turned;
        sum += turned;
      }
      result.least = std::min(result.least, sum);
      const double gain = -sum / static_cast<double>(n + 4);
      if (gain > result.gain) {
        result.gain = gain;
        result.n = n;
      }
      if (n % 4096 == 0 && time_.is_over()) break;
    }
    return result;
  }

  // Where no n fails any more: a base just beyond, proved to suffice. Otherwise continues with a better n.
  std::optional<Rational> suffices_soon() {
    const double here = to_double(covered_);
    if (continues_with(lowest(here, std::max<std::int64_t>(1, n_ - n_ / 32), std::min(last_, n_ + n_ / 32))))
      return std::nullopt;
    const Lowest of_all = lowest(here, 1, last_);
    if (continues_with(of_all)) return std::nullopt;
    for (int step = 36; step >= 14 && !is_over(); step -= 2) {
      const Rational base = beyond(covered_, step);
      if (lowest(to_double(base), 1, last_).least < 0) continue;
      bool in_time = false;
      if (!first_doubtful(frequencies(base), last_, time_, in_time) && in_time) return base;
    }
    n_ = of_all.n;
    return std::nullopt;
  }
  bool continues_with(const Lowest& found) {
    if (found.least >= -1e-6 || (found.n == n_ && step_ >= kFinest / 2)) return false;
    if (found.n != n_) step_ = std::max(step_ - 6, 3);
    n_ = found.n;
    return true;
  }

  std::vector<Ball> frequencies(const Rational& base) const {
    const Ball ratio =
        exp(neg(div(log(Ball(base, kCosineBits), kCosineBits), Ball(turning_), kCosineBits)), kCosineBits);
    std::vector<Ball> result(static_cast<std::size_t>(still_), Ball(0));
    Ball one(1);
    for (int j = 0; j < turning_; ++j) {
      result.push_back(one);
      one = mul(one, ratio, kCosineBits);
    }
    return result;
  }

  int turning_;
  int still_;
  std::int64_t last_;
  const theory::Budget& time_;
  Rational covered_ = Rational(1);
  int step_ = 5;
  std::int64_t n_;
  std::int64_t steps_ = 0;
};

}  // namespace

BigCount first_negative(const std::vector<Ball>& frequencies, std::int64_t last, const theory::Budget& time) {
  bool in_time = false;
  const std::optional<Doubtful> found = first_doubtful(frequencies, last, time, in_time);
  if (!in_time) return BigCount::unknown("not settled in time");
  if (!found) return BigCount::unbounded();
  if (found->sum.surely_negative()) return BigCount::of(Rational(found->n));
  return BigCount::unknown("a sum too close to 0 at n = " + std::to_string(found->n));
}

LeastBase least_base(int turning, int still, std::int64_t last, const theory::Budget& time) {
  if (turning <= still || last < 2) return {true, Rational(1), Rational(1)};
  return Covering(turning, still, last, time).run();
}

}  // namespace gpe::checks
