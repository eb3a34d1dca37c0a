// The encoding of a whole model: one score for each head of each layer, and the parameters that training
// moves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/position/encoding_files.h"
#include "model/position/score_program.h"
#include "theory/score/encoding.h"

namespace gpe::model {

struct PositionSetting {
  enum class Share { model, head, layer_and_head };
  int layers = 1;
  int heads = 1;
  int head_dim = 64;
  std::vector<std::string> learned;  ///< names of parameters
  Share share = Share::layer_and_head;
};

/// Layers and heads are counted from 0. A learned parameter p is a function of a number r that the optimizer
/// moves freely: p = r; c + log(1 + e^r) with domain p > c (or >=); c - log(1 + e^r) with p < c; a + (b -
/// a)/(1 + e^-r) between a and b.
class Positions {
 public:
  /// @param oracle  must outlive the result
  /// @throws theory::SpecError  an encoding that does not fit the heads; a learned parameter that it does not
  /// have, that begins at its bound, or whose domain is not an interval of numbers
  Positions(const EncodingFiles& files, const PositionSetting& setting, const theory::ConstantOracle& oracle);

  const PositionSetting& setting() const { return setting_; }
  const std::string& name() const { return name_; }
  /// Heads that differ only in learned values, or not at all, share one program.
  const ScoreProgram& program(int layer, int head) const { return *programs_[index(layer, head)]; }
  theory::Normalizer normalizer() const { return programs_.front()->normalizer(); }
  bool measures_entropy() const { return programs_.front()->measures_entropy(); }

  /// What r is at first, in the order [layer][head][parameter], without the dimensions that are shared.
  const std::vector<double>& initial() const { return initial_; }
  /// The learned parameters of one head, in the order of setting().learned.
  std::vector<double> values(int layer, int head, std::span<const double> raw) const;
  /// Adds ∂loss/∂r, given ∂loss/∂p of one head.
  void add_gradient(int layer, int head, std::span<const double> by_value, std::span<const double> raw,
                    std::span<double> raw_gradient) const;

  /// The encoding with the learned values in it, for check-properties.
  /// @param measured  by [layer][head][query], for alpha = "measured"; else empty
  EncodingFiles files(std::span<const double> raw, std::span<const double> measured = {}) const;

 private:
  struct Bounds {
    std::optional<double> low;
    std::optional<double> high;
  };
  std::size_t index(int layer, int head) const {
    return static_cast<std::size_t>(layer * setting_.heads + head);
  }
  std::size_t raw_index(int layer, int head, std::size_t parameter) const;
  static double value_of(const Bounds& bounds, double raw);
  static double slope_of(const Bounds& bounds, double raw);
  static double raw_of(const Bounds& bounds, double value);
  static Bounds bounds_of(const theory::ParameterValue& parameter, const std::string& source);
  void begin(const theory::ScoreFunction& law, int layer, int head);

  EncodingFiles files_;
  PositionSetting setting_;
  std::string name_;
  bool has_alpha0_ = false;
  std::vector<std::shared_ptr<const ScoreProgram>> programs_;
  std::vector<Bounds> bounds_;  ///< by raw number
  std::vector<double> initial_;
};

}  // namespace gpe::model
