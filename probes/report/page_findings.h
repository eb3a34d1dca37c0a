// What a report says to do: where attention changes with length, which windows hold, which heads to look at.
#pragma once

#include "probes/report/report_json.h"

namespace gpe::probes {

struct PageFinding {
  enum class Weight { wrong, look, good };  ///< a theorem is broken; worth a look; fine, or to be used
  Weight weight = Weight::look;
  std::string title;
  std::string text;
  std::vector<std::string> heads;  ///< "1.2", that it is about
};

/// In the order of a page. Every rule is in docs/probes.md; `report` is complete_report's.
std::vector<PageFinding> page_findings(const Json& report);

/// A report of probe-attention as it is; one of gpe.probe with `lengths`, so that both read the same.
/// @throws theory::SpecError  neither; `source` begins the message
Json complete_report(Json report, const std::string& source);

}  // namespace gpe::probes
