// The options of check-properties. Tests: tests/cli/help.cmake, tests/cli/bad_use.cmake
#pragma once

#include "checks/cli/program.h"
#include "checks/report/report.h"
#include "theory/score/one_liner.h"

namespace gpe::checks {

struct CheckOptions {
  std::vector<std::string> encodings;
  theory::OneLiner one_liner;
  bool list = false;
  bool all = false;
  bool quiet = false;
  bool show_encoding = false;
  std::vector<std::string> set;
  std::vector<std::string> symbolic;
  std::vector<std::string> beside;
  std::string content_bound;
  int heads = 1;
  int head = 0;
  int layers = 1;
  int layer = 0;
  int head_dim = 0;
  std::string threshold = "1";
  int digits = 0;
  std::string lengths;
  int curves = 0;
  std::string content = "zero";
  std::string dtype;
  std::string epsilon = "1/1000";
  std::string weight = "1/2";
  std::string table;
  std::string format = "text";
  std::string output;
  std::string explain;
  std::string require;
  std::string certificates;
  std::string coq;
  std::string sweep;
  std::string points;
  bool dry_run = false;
  std::string as;
  bool stack = false;
  std::string context;
  std::string cache_dtype = "bf16";
  std::int64_t batch = 1;
  std::int64_t page = 1;
  double time_limit = 10;
  double total_limit = 0;
};

/// As a table, with their help.
std::vector<Option> options(CheckOptions& o);
/// What they ask of a report. @throws theory::SpecError  naming the option whose value is mistaken
ReportOptions report_options(const CheckOptions& o);
/// How long each question may take, and each report.
theory::Budget budget(const CheckOptions& o);

}  // namespace gpe::checks
