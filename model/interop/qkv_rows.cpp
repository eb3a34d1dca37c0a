// Tests: tests/model/interop/interop_test.cpp
#include "model/interop/qkv_rows.h"

namespace gpe::model {

std::vector<std::int64_t> neox_rows(std::int64_t heads, std::int64_t head_dim, std::int64_t turned,
                                    theory::Layout layout) {
  const std::int64_t blocks = head_dim / 2;
  const std::int64_t turning = turned / 2;
  std::vector<std::int64_t> theirs(static_cast<std::size_t>(head_dim));  // by our coordinate
  for (std::int64_t j = 0; j < blocks; ++j) {
    const bool half = layout == theory::Layout::half;
    const auto first = static_cast<std::size_t>(half ? j : 2 * j);
    const auto second = static_cast<std::size_t>(half ? j + blocks : 2 * j + 1);
    theirs[first] = j < turning ? j : turning + j;
    theirs[second] = j < turning ? j + turning : blocks + j;
  }
  std::vector<std::int64_t> rows;
  for (std::int64_t part = 0; part < 3; ++part) {
    for (std::int64_t head = 0; head < heads; ++head) {
      for (std::int64_t c = 0; c < head_dim; ++c) {
        const bool value = part == 2;
        rows.push_back((head * 3 + part) * head_dim + (value ? c : theirs[static_cast<std::size_t>(c)]));
      }
    }
  }
  return rows;
}

}  // namespace gpe::model
