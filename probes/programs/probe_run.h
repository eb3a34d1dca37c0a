// What the program probe-attention does, given its options.
#pragma once

#include <cstdint>
#include <string>

namespace gpe::probes {

/// As on the command line.
struct ProbeRun {
  std::string checkpoint;
  std::string tokens;
  std::string lengths = "64..16384";
  std::size_t windows = 4;
  std::string buckets = "doubling";
  std::string content_bound = "measured";
  std::string epsilon = "1/1000";
  std::string weight = "1/2";
  std::string threshold = "1";
  std::int64_t fit = 256;
  std::size_t fit_windows = 128;
  std::string dtype;
  std::string device = "cpu";
  std::string format = "text";
  std::string audit;
  std::string serving_windows;  ///< the windows by head
  std::string output;
  int threads = 0;
};

/// Reads, measures, predicts, writes. @return the exit code
/// @throws theory::SpecError  bad input
int run(const ProbeRun& options);

}  // namespace gpe::probes
