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

}  // namespace gpe::model
