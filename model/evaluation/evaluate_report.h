// What evaluate-tsm prints, as JSON and as tables.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/evaluation/evaluate.h"
#include "model/evaluation/evaluate_tasks.h"

namespace gpe::model {

/// {"over", "windows", "lengths": [{"length", "whole": {...}, "far": {...}}]}; a loss comes with its
/// perplexity and the intervals of both, null where there is none.
nlohmann::json series_json(const Series& series);
nlohmann::json recall_json(const std::vector<RecallResult>& results);
nlohmann::json tasks_json(const std::vector<TaskResult>& results);

/// The whole report of evaluate-tsm as text.
std::string evaluation_text(const nlohmann::json& report);

}  // namespace gpe::model
