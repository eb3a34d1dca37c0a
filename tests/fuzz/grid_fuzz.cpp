// Any bytes as the grid of a sweep: points with values of parameters that their encodings have, or a
// SpecError that names the file. The folder holds own.toml.
#include <algorithm>
#include <cstdio>

#include "checks/sweep/sweep.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/temporary_folder.h"

namespace gpe::fuzz {
namespace {

constexpr std::size_t kMaxPoints = 1000;

constexpr std::string_view kOwn = R"(schema = 1
name = "own"
title = "Bias and window"
reference = "none"
[parameters]
m = { default = "1/2", domain = ["m > 0"] }
W = { default = "8", domain = ["W >= 1"] }
[score]
bias = "-m*n"
window = "W"
)";

}  // namespace

void read(std::string_view bytes) {
  static const tests::TemporaryFolder folder;
  static const bool prepared = std::freopen("/dev/null", "r", stdin) != nullptr;  // an encoding may be "-"
  require(prepared, "no /dev/null");
  folder.write("own.toml", kOwn);
  const std::string grid = folder.write("grid.toml", bytes).string();
  refusal(folder.path().string(), [&] {
    const checks::Sweep sweep = checks::read_sweep(grid, kMaxPoints);
    require(!sweep.encodings.empty() && sweep.points.size() <= kMaxPoints, "more points than allowed");
    for (const checks::SweepPoint& point : sweep.points) {
      const theory::Encoding& encoding = sweep.encodings.at(point.encoding);
      for (const auto& [name, value] : point.values) {
        require(encoding.find(name) != nullptr, "a value of no parameter", name);
        require(std::ranges::find(sweep.parameters, name) != sweep.parameters.end(), "no column", name);
      }
    }
  });
}

}  // namespace gpe::fuzz
