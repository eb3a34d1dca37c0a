// What two config.json files ask for, layer by layer, and how far apart their scores are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checks/arb/ball.h"
#include "checks/configs/config_encoding.h"
#include "theory/source/rational.h"

namespace gpe::checks {

/// The largest difference of two scores of one query and one key, over all contents within the bound, at the
/// query with index L and a key that both see.
struct ScoreDifference {
  std::int64_t length = 0;
  Ball largest;
  Ball at_least;  ///< a lower bound of it, where the coordinates that turn together differ
  Ball weights;   ///< how far the weights of that query can be apart, in total variation, at most
};

/// One part of a formula that differs, as both have it.
struct PartDifference {
  std::string what;
  std::string first;
  std::string second;
};

/// Layers that have the same kind in the first model and the same kind in the second.
struct LayerDifference {
  std::vector<int> layers;
  std::string first;  ///< the name of the encoding; empty: no softmax attention, or no such layer
  std::string second;
  std::vector<PartDifference> parts;
  std::vector<ScoreDifference> scores;  ///< empty where the two have no scores in common
  std::string reason;                   ///< why they are empty
  std::string caveat;                   ///< where the scores are not those of the formulas
  bool at_most = false;                 ///< the differences are upper bounds, perhaps not reached
  /// The least number of tokens of a prompt in which some content shows it by epsilon; 0: none up to the
  /// largest length.
  std::int64_t tokens = 0;
};

struct ConfigDifference {
  std::vector<LayerDifference> layers;  ///< empty: they are the same
};

/// @param lengths   increasing, each from 0 to 2^20
/// @param progress  before each layer, with the part of them that is done
ConfigDifference config_difference(
    const std::vector<ConfigEncoding>& first, const std::vector<ConfigEncoding>& second,
    const std::vector<std::int64_t>& lengths, const theory::Rational& content_bound,
    const theory::Rational& epsilon, const std::function<void(double)>& progress = [](double) {});

}  // namespace gpe::checks
