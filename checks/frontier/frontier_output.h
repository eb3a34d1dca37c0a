// The points of a frontier and δ* as text, JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "checks/frontier/delta_star.h"
#include "checks/frontier/frontier.h"

namespace gpe::checks {

struct FrontierReport {
  std::vector<FrontierPoint> points;
  TradeOffOptions options;
  Gain gain = Gain::range;
  std::vector<std::string> varied;  ///< names of the parameters that were varied: columns of the text
};

/// "alibi 3" for the third head; "alibi".
std::string name_of(const FrontierPoint& point);

std::string frontier_text(const FrontierReport& report, bool color);
std::string frontier_markdown(const FrontierReport& report);
std::string frontier_latex(const FrontierReport& report);
std::string frontier_json(const FrontierReport& report);
/// One line per point; certified digits only; "inf" for infinite, nothing for what is not known.
std::string frontier_csv(const FrontierReport& report);

struct DeltaStarQuestion {
  theory::Rational m;
  theory::Rational beta;
  theory::Rational gamma;
  int digits = 30;
};
std::string delta_star_text(const DeltaStarQuestion& question, const DeltaStar& answer);
std::string delta_star_json(const DeltaStarQuestion& question, const DeltaStar& answer);

}  // namespace gpe::checks
