#include "probes/predict/contradictions.h"
// Tests: tests/probes/run/transformer_probe_test.cpp
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace gpe::probes {

namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

class Examination {
 public:
  Examination(int layer, int head, const HeadMeasurement& measured, const HeadPredictions& predicted)
      : layer_(layer), head_(head), measured_(measured), predicted_(predicted) {}

  void contents(double allowance) {
    for_each([&](const LengthMeasurement& at, const LengthPredictions& says) {
      if (at.tested.content_bound > says.content_bound * (1 + allowance)) {
        found(at, Contradiction::Kind::content, at.tested.content_bound, says.content_bound,
              "|c(n)|/w(n) is " + number(at.tested.content_bound) +
                  ", above the bound B = " + number(says.content_bound));
      }
    });
  }

  void bands() {
    for_each([&](const LengthMeasurement& at, const LengthPredictions& says) {
      band(at, says.entropy.of_bound, Contradiction::Kind::bound_band,
           "the content bound B = " + number(says.content_bound));
      band(at, says.entropy.of_ranges, Contradiction::Kind::ranges_band, "its own measured ranges");
    });
  }

  void reach(const theory::Rational& weight, const HeadColumns& columns_of) {
    for_each([&](const LengthMeasurement& at, const LengthPredictions& says) {
      const ScoreColumns columns = columns_of.at(at.length - 1);
      const std::vector<double> allowed = reachable_weights(columns, says.content_bound);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const double seen = at.tested.largest_weight[i];
        if (seen < std::numeric_limits<double>::min()) continue;  // no digit of it is certain
        if (seen <= allowed[i] * (1 + kRelativeAllowance)) continue;
        found(at, Contradiction::Kind::reach, seen, allowed[i],
              "weight " + number(seen) + " at distance " + std::to_string(columns.distance(i)) +
                  ", where a content with B = " + number(says.content_bound) + " gives at most " +
                  number(allowed[i]));
        break;
      }
      const auto far = farthest(at, columns, weight.approximate() * (1 + kRelativeAllowance));
      const bool none = says.reach.kind == checks::BigCount::Kind::none;
      if (!far || !(none || says.reach.kind == checks::BigCount::Kind::number)) return;
      if (!none && theory::Rational(*far) <= says.reach.number) return;
      found(at, Contradiction::Kind::reach, static_cast<double>(*far),
            none ? -1 : says.reach.number.approximate(),
            "weight " + weight.str() + " at distance " + std::to_string(*far) + ", beyond its reach, " +
                (none ? "none" : says.reach.number.str()));
    });
  }

  void window(const theory::Rational& epsilon) {
    const checks::BigCount& w = predicted_.window;
    const auto last = w.kind == checks::BigCount::Kind::number ? w.number.to_int64() : std::nullopt;
    if (!last) return;
    for_each([&](const LengthMeasurement& at, const LengthPredictions&) {
      const auto index = static_cast<std::size_t>(std::max<std::int64_t>(0, *last - at.tested.first));
      if (index >= at.tested.largest_beyond.size()) return;
      const double beyond = at.tested.largest_beyond[index];
      if (beyond <= epsilon.approximate() * (1 + kRelativeAllowance)) return;
      found(at, Contradiction::Kind::window, beyond, epsilon.approximate(),
            "weight " + number(beyond) + " beyond the window W(" + epsilon.str() + ") = " + w.number.str());
    });
  }

  std::vector<Contradiction> result() { return std::move(result_); }

 private:
  template <class F>
  void for_each(const F& f) {
    for (std::size_t i = 0; i < measured_.lengths.size(); ++i) {
      if (!measured_.lengths[i].tested.largest_weight.empty()) f(measured_.lengths[i], predicted_.lengths[i]);
    }
  }
  static std::optional<std::int64_t> farthest(const LengthMeasurement& at, const ScoreColumns& columns,
                                              double weight) {
    for (std::size_t i = columns.size(); i-- > 0;) {
      if (at.tested.largest_weight[i] >= weight) return columns.distance(i);
    }
    return std::nullopt;
  }

  void band(const LengthMeasurement& at, const Band& ends, Contradiction::Kind kind, const std::string& of) {
    const TestedRows& rows = at.tested;
    const double slack = kRelativeAllowance * (1 + std::log(static_cast<double>(at.length)));
    const auto outside = [&](double entropy, double limit, const std::string& side) {
      found(at, kind, entropy, limit,
            "entropy " + number(entropy) + " is " + side + " the band of " + of + ", which ends at " +
                number(limit));
    };
    if (ends.lower && rows.least_entropy < *ends.lower - slack)
      outside(rows.least_entropy, *ends.lower, "below");
    if (ends.upper && rows.largest_entropy > *ends.upper + slack)
      outside(rows.largest_entropy, *ends.upper, "above");
  }

  void found(const LengthMeasurement& at, Contradiction::Kind kind, double measured, double limit,
             const std::string& what) {
    const std::string where = "layer " + std::to_string(layer_ + 1) + ", head " + std::to_string(head_ + 1) +
                              ", T = " + std::to_string(at.length) + ": ";
    result_.push_back({layer_, head_, at.length, kind, measured, limit, where + what});
  }

  int layer_;
  int head_;
  const HeadMeasurement& measured_;
  const HeadPredictions& predicted_;
  std::vector<Contradiction> result_;
};

}  // namespace

std::string name_of(Contradiction::Kind kind) {
  switch (kind) {
    case Contradiction::Kind::content:
      return "content";
    case Contradiction::Kind::bound_band:
      return "bound-band";
    case Contradiction::Kind::ranges_band:
      return "ranges-band";
    case Contradiction::Kind::reach:
      return "reach";
    case Contradiction::Kind::window:
      return "window";
  }
  return "";
}

std::vector<Contradiction> contradictions(int layer, int head, const theory::ScoreFunction& law,
                                          const HeadMeasurement& measured, const HeadPredictions& predicted,
                                          const PredictionOptions& options, double content_allowance,
                                          const theory::ConstantOracle& oracle) {
  Examination examination(layer, head, measured, predicted);
  examination.contents(content_allowance);
  examination.bands();
  examination.reach(options.weight, HeadColumns(law, oracle));
  examination.window(options.epsilon);
  return examination.result();
}

}  // namespace gpe::probes
