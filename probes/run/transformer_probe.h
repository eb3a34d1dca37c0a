// A trained model's heads, measured in one pass over each window of tokens.
#pragma once

#include <functional>

#include "model/data/evaluation_windows.h"
#include "model/data/token_file.h"
#include "model/training/checkpoint.h"
#include "probes/measure/measurement.h"

namespace gpe::probes {

/// The inputs of a window, [1, tokens], int64.
at::Tensor window_tokens(const model::TokenFile& file, const model::Window& window);

/// A query sees the keys before it alone, and L is its position: row T - 1 of a long window is the last row
/// of a window of T tokens, so one pass gives every length. Memory grows with the number of tokens.
/// @param laws      by [layer][head], of model::head_law
/// @param lengths   increasing; the windows have the last one
/// @param progress  is told the part that is done
/// @throws theory::SpecError  a token that the model does not have
Measurement measure(const model::LoadedModel& model,
                    const std::vector<std::vector<theory::ScoreFunction>>& laws, const model::TokenFile& file,
                    const std::vector<model::Window>& windows, const std::vector<std::int64_t>& lengths,
                    const model::DistanceBuckets& buckets, const theory::ConstantOracle& oracle,
                    const std::function<void(double)>& progress);

}  // namespace gpe::probes
