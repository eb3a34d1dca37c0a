// How GPT-NeoX orders the rows of the matrix that makes queries, keys and values.
#pragma once

#include <cstdint>
#include <vector>

#include "theory/score/encoding.h"

namespace gpe::model {

/// Entry i is GPT-NeoX's row, [head][q, k, v][coordinate], of our row i, [q, k, v][head][coordinate].
/// GPT-NeoX turns the pairs (j, j + turned/2) of the first `turned` coordinates; here block j is (j, j +
/// head_dim/2) or (2j, 2j + 1), by `layout`, and the first turned/2 blocks turn. Scores do not depend on the
/// order in which q and k, both alike, have their coordinates.
/// @pre  head_dim and turned even, 0 <= turned <= head_dim
std::vector<std::int64_t> neox_rows(std::int64_t heads, std::int64_t head_dim, std::int64_t turned,
                                    theory::Layout layout);

}  // namespace gpe::model
