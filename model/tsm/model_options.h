// Options of the programs that compute with a model.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace gpe::model {

inline void add_dtype(CLI::App& app, std::string& dtype) {
  app.add_option("--dtype", dtype, "float32, bfloat16 or float64 (default: that of the training)")
      ->check(CLI::IsMember({"float32", "bfloat16", "float64"}))
      ->type_name("TYPE");
}

inline void add_threads(CLI::App& app, int& threads) {
  app.add_option("--threads", threads, "threads (default: all processors)")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
}

}  // namespace gpe::model
