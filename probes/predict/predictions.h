// What theory says about a head at a length, to be read beside what was measured.
#pragma once

#include <string>

#include "checks/arb/big_count.h"
#include "checks/content/local_range.h"
#include "probes/measure/measurement.h"
#include "probes/predict/moment_predictor.h"
#include "probes/predict/sphere_predictor.h"

namespace gpe::probes {

/// All that the last query of T tokens can have, from a proved lower to a proved upper end.
struct Band {
  std::optional<double> lower, upper;  ///< rounded outwards
  std::string reason;                  ///< where an end is missing
  std::optional<double> width() const;
};

struct EntropyPredictions {
  Predicted zero;           ///< of the bias alone
  Band of_bound;            ///< of all contents with |c(n)| <= B w(n)
  Band of_ranges;           ///< of all contents in the ranges that were measured on the same queries
  MomentPrediction moment;  ///< from moments at the same length
  Predicted sphere;         ///< log E Z - E Σ A e^A/E Z with |q||k|/√d = scale
};

struct LengthPredictions {
  EntropyPredictions entropy;
  double content_bound = 0;  ///< B
  checks::BigCount reach;    ///< of the weight asked for, in a context of T tokens
};

struct HeadPredictions {
  double scale = 0;  ///< √(E|q|² E|k|²/d)
  std::vector<LengthPredictions> lengths;
  double content_bound = 0;            ///< of the window: the largest of the lengths', or of all rows read
  std::optional<double> content_seen;  ///< no |c|/w(n) of any row read is larger; nothing where w mentions L
  checks::BigCount window;             ///< W(ε): the largest distance kept, in every context
  checks::LocalRange local_range;      ///< of the bias
};

struct PredictionOptions {
  /// B of a head; nothing: at each length, what was measured on the queries tested, and for windows on all
  /// that were read.
  std::optional<double> content_bound;
  theory::Rational epsilon{1, 1000};
  theory::Rational weight{1, 2};
  theory::Rational threshold{1};
};

/// √(E|q|² E|k|²/d).
double norm_scale(const HeadMeasurement& head, int head_dim);
/// The content in each bucket.
std::vector<model::Spread> contents_of(const LengthMeasurement& at);

/// @throws theory::SpecError  a law whose numbers cannot be computed by distance
HeadPredictions predict(const theory::ScoreFunction& law, const HeadMeasurement& head,
                        const model::DistanceBuckets& buckets, const PredictionOptions& options,
                        const theory::ConstantOracle& oracle);

}  // namespace gpe::probes
