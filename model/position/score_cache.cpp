#include "model/position/score_cache.h"

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
  struct Distinct {
    const ScoreProgram* program;
    std::vector<double> values;
    std::vector<double> measured;
    std::shared_ptr<const HeadScores<Real>> scores;
  };
  std::vector<Distinct> distinct;
  std::vector<std::size_t> of_head;  // which of them, by [layer][head]
  const std::size_t columns = static_cast<std::size_t>(setting.layers * setting.heads);
  for (int layer = 0; layer < setting.layers; ++layer) {
    for (int head = 0; head < setting.heads; ++head) {
      Distinct here{&positions_->program(layer, head), positions_->values(layer, head, raw), {}, nullptr};
      if (positions_->measures_entropy()) {
        const std::size_t rows = measured.size() / columns;
        const auto column =
            measured.subspan(static_cast<std::size_t>(layer * setting.heads + head) * rows, rows);
        here.measured.assign(column.begin(), column.end());
        here.measured.resize(static_cast<std::size_t>(length), here.measured.back());
      }
      const auto same = std::ranges::find_if(distinct, [&](const Distinct& other) {
        return other.program == here.program && other.values == here.values &&
               other.measured == here.measured;
      });
      of_head.push_back(static_cast<std::size_t>(same - distinct.begin()));
      if (same == distinct.end()) distinct.push_back(std::move(here));
    }
  }
  parallel_(std::ssize(distinct), [&](std::int64_t at) {
    Distinct& one = distinct[static_cast<std::size_t>(at)];
    one.scores = std::make_shared<HeadScores<Real>>(*one.program, one.values, length, one.measured);
  });
  layers_.assign(static_cast<std::size_t>(setting.layers), {});
  for (std::size_t at = 0; at < of_head.size(); ++at)
    layers_[at / static_cast<std::size_t>(setting.heads)].push_back(distinct[of_head[at]].scores);
  return layers_;
}

template class ScoreCache<float>;
template class ScoreCache<double>;

}  // namespace gpe::model
