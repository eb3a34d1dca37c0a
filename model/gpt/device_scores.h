// The scores of all heads as tables in the memory of a device, brought there when they change; and what the
// backward pass collects of them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/cuda/head_tables.h"
#include "model/gpt/accelerator.h"
#include "model/position/score_cache.h"

namespace gpe::model {

/// One layer. Tensors by head; what is undefined is not there.
struct DeviceLayer {
  LayerScores<double> heads;  ///< what the tables were made of
  at::Tensor gain, bias;      ///< [head][n], times log2 e
  at::Tensor cosine, sine;    ///< [head][block][n], where every pair is turned by its own angle
  at::Tensor angles;          ///< [head][block], where q and k are turned each by its own position
  at::Tensor first, last, softcap, sink;      ///< [head]
  at::Tensor series_terms, series;            ///< where pairs are turned on tensor cores (turn_series.h)
  at::Tensor by_gain, by_bias, by_transform;  ///< ∂loss/∂ the tables, float64, added up
  std::int64_t length = 0, series_tiles = 0;
  bool same_angles = true;  ///< in all heads
  bool interleaved = false, hyperbolic = false, no_content = false;

  gpe_score_tables tables(std::int64_t head_dim) const;
  void clear_gradients();
};

class DeviceScores {
 public:
  /// @param positions  must outlive the result
  /// @param series     whether pairs of sequences beyond 64 tokens are turned by series (elements of 16 bits)
  /// @throws theory::SpecError  something is learned that the device has no gradient of
  DeviceScores(std::shared_ptr<const Accelerator> accelerator, const Positions& positions, bool series);

  /// As ScoreCache::at. Tables of one length keep their place when their numbers change.
  /// @throws theory::SpecError  a score that depends on L
  const std::vector<std::shared_ptr<DeviceLayer>>& at(std::span<const double> raw,
                                                      std::span<const double> measured, std::int64_t length);
  void clear_gradients();
  /// Adds ∂loss/∂raw, from what the layers collected; waits for the device.
  void add_gradient(std::span<const double> raw, std::span<double> gradient) const;

 private:
  void bring(DeviceLayer& layer, const LayerScores<double>& heads, bool learns);
  void bring_series(DeviceLayer& layer, const HeadTables& tables,
                    std::span<const HeadScores<double>* const> heads);

  std::shared_ptr<const Accelerator> accelerator_;
  const Positions* positions_;
  bool series_;
  ScoreCache<double> scores_;
  std::vector<std::shared_ptr<DeviceLayer>> layers_;
};

}  // namespace gpe::model
