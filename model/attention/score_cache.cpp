#include "model/attention/score_cache.h"

#include <algorithm>

namespace gpe::model {

template <class Real>
const std::vector<LayerScores<Real>>& ScoreCache<Real>::at(std::span<const double> raw,
                                                           std::span<const double> measured,
                                                           std::int64_t length) {
  if (!layers_.empty() && length == length_ && std::ranges::equal(raw, raw_) &&
      std::ranges::equal(measured, measured_)) {
    return layers_;
  }
  const PositionSetting& setting = positions_->setting();
  length_ = length;
  raw_.assign(raw.begin(), raw.end());
  measured_.assign(measured.begin(), measured.end());
  struct Known {
    const ScoreProgram* program;
    std::vector<double> values;
    std::vector<double> measured;
    std::shared_ptr<const HeadScores<Real>> scores;
  };
  std::vector<Known> known;
  layers_.assign(static_cast<std::size_t>(setting.layers), {});
  const std::size_t columns = static_cast<std::size_t>(setting.layers * setting.heads);
  for (int layer = 0; layer < setting.layers; ++layer) {
    for (int head = 0; head < setting.heads; ++head) {
      Known here{&positions_->program(layer, head), positions_->values(layer, head, raw), {}, nullptr};
      if (positions_->measures_entropy()) {
        const std::size_t rows = measured.size() / columns;
        const auto column =
            measured.subspan(static_cast<std::size_t>(layer * setting.heads + head) * rows, rows);
        here.measured.assign(column.begin(), column.end());
        here.measured.resize(static_cast<std::size_t>(length), here.measured.back());
      }
      const auto same = std::ranges::find_if(known, [&](const Known& other) {
        return other.program == here.program && other.values == here.values &&
               other.measured == here.measured;
      });
      if (same != known.end()) {
        layers_[static_cast<std::size_t>(layer)].push_back(same->scores);
        continue;
      }
      here.scores = std::make_shared<HeadScores<Real>>(*here.program, here.values, length, here.measured);
      layers_[static_cast<std::size_t>(layer)].push_back(here.scores);
      known.push_back(std::move(here));
    }
  }
  return layers_;
}

template class ScoreCache<float>;
template class ScoreCache<double>;

}  // namespace gpe::model
