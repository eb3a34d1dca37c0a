// Options of the programs that compute with a model. Tests: tests/probes/probe_attention_test.py
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "checks/program/command_line.h"
#include "theory/expression/spec_error.h"

namespace gpe::model {

inline void add_dtype(CLI::App& app, std::string& dtype) {
  app.add_option("--dtype", dtype, "float32, bfloat16 or float64 (default: that of the training)")
      ->check(CLI::IsMember({"float32", "bfloat16", "float64"}))
      ->type_name("TYPE");
}

inline void add_device(CLI::App& app, std::string& device) {
  app.add_option("--device", device, "cpu (default), cuda, or auto: cuda where there is a device")
      ->check(CLI::IsMember({"cpu", "cuda", "auto"}))
      ->type_name("DEVICE");
}

inline void add_threads(CLI::App& app, int& threads) {
  app.add_option("--threads", threads, "threads (default: all CPUs)")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
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
