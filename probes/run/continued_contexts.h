// How a query would fare among more keys of the same kind. Its own window of a few tokens is read on: the
// keys of other such windows are put between its first tokens and the rest, and the law, which is known at
// every distance, says what they weigh there. Nothing longer than a window is ever shown to the model.
#pragma once

#include <functional>
#include <vector>

#include "model/data/evaluation_windows.h"
#include "model/data/token_file.h"
#include "model/training/checkpoint.h"
#include "probes/predict/extrapolation.h"

namespace gpe::probes {

/// Of the later half of each window's queries, moved on to where log L is what rows T/2 … T - 1 have on
/// average. The keys between are those of the later halves of the windows that follow, and follow each other
/// there as they do in the text; the first 1/64 of the own window stays first.
/// @param windows  two at least, all of one length; their queries, keys and values are kept meanwhile
/// @param lengths  T, greater than that
/// @return by [layer][head][length]
std::vector<std::vector<std::vector<Continuation>>> continued_contexts(
    const model::LoadedModel& model, const model::TokenFile& file, const std::vector<model::Window>& windows,
    const std::vector<std::int64_t>& lengths, const std::function<void(double)>& progress);

}  // namespace gpe::probes
