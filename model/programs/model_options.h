// Options of the programs that compute with a model. Tests: tests/probes/probe_attention_test.py
#pragma once

#include <string>
#include <vector>

#include "checks/cli/program.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

/// The model, an argument without a name.
inline checks::Option checkpoint_option(std::string& checkpoint) {
  return {"checkpoint", &checkpoint,
          "CHECKPOINT", "a run's folder or its model.safetensors, or a folder of transformers (docs/data.md)",
          "",           checks::Required{}};
}

inline checks::Option dtype_option(std::string& dtype, const std::string& group = "") {
  return {"--dtype", &dtype,
          "TYPE",    "float32, bfloat16 or float64 (default: that of the training)",
          group,     checks::OneOf{{"float32", "bfloat16", "float64"}}};
}

inline checks::Option device_option(std::string& device, const std::string& group = "") {
  return {"--device", &device,
          "DEVICE",   "cpu (default), cuda, or auto: cuda where there is a device",
          group,      checks::OneOf{{"cpu", "cuda", "auto"}}};
}

inline checks::Option threads_option(int& threads, const std::string& group = "") {
  return {"--threads", &threads, "N", "threads (default: all CPUs)", group, checks::WholeNumbers{1, 4096}};
}

/// Of --lengths, in tokens. @throws theory::SpecError  unless they increase from 2 to at most 2^24
inline std::vector<std::int64_t> token_lengths(const std::string& text) {
  std::vector<std::int64_t> result;
  for (const theory::Rational& length : checks::lengths_option("--lengths", text)) {
    const auto number = length.to_int64();
    if (!number || *number < 2 || *number > (1 << 24))
      throw theory::SpecError("--lengths: expected 2 to 16777216 tokens");
    if (!result.empty() && *number <= result.back())
      throw theory::SpecError("--lengths: expected increasing lengths");
    result.push_back(*number);
  }
  return result;
}

}  // namespace gpe::model
