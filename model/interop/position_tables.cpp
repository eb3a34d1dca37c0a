#include "model/interop/position_tables.h"

#include <algorithm>
#include <limits>

#include "model/interop/head_columns.h"

namespace gpe::model {

namespace {

// One table: the columns of every row, the neutral value where a row has none.
at::Tensor table_of(const std::vector<HeadColumns>& rows, std::size_t output,
                    const std::vector<std::int64_t>& shape, float neutral) {
  std::vector<std::int64_t> all = {static_cast<std::int64_t>(rows.size())};
  all.insert(all.end(), shape.begin(), shape.end());
  const at::Tensor table = at::full(all, neutral, at::kFloat);
  const auto size = static_cast<std::size_t>(table.numel()) / rows.size();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::vector<float>& column = rows[row].values[output];
    if (!column.empty()) std::ranges::copy(column, table.mutable_data_ptr<float>() + row * size);
  }
  return table;
}

at::Tensor bound_of(const std::vector<HeadColumns>& rows, std::int64_t HeadColumns::*bound) {
  const at::Tensor result = at::empty({static_cast<std::int64_t>(rows.size())}, at::kLong);
  std::ranges::transform(rows, result.mutable_data_ptr<std::int64_t>(),
                         [bound](const HeadColumns& row) { return row.*bound; });
  return result;
}

}  // namespace

PositionTables position_tables(const LoadedModel& model, std::int64_t positions) {
  const PositionSetting& setting = model.positions->setting();
  std::vector<HeadColumns> rows;
  const at::Tensor row_of = at::empty({setting.layers, setting.heads}, at::kLong);
  for (int layer = 0; layer < setting.layers; ++layer) {
    for (int head = 0; head < setting.heads; ++head) {
      HeadColumns columns = head_columns(model, layer, head, positions);
      const auto known = std::ranges::find(rows, columns);
      row_of[layer][head] = known - rows.begin();
      if (known == rows.end()) rows.push_back(std::move(columns));
    }
  }
  const ScoreProgram& program = model.positions->program(0, 0);
  PositionTables result;
  result.rows = static_cast<std::int64_t>(rows.size());
  result.content = program.content();
  result.layout = program.layout();
  result.tensors = {{"position.row", row_of},
                    {"position.first", bound_of(rows, &HeadColumns::first)},
                    {"position.last", bound_of(rows, &HeadColumns::last)}};
  const auto add = [&](const std::string& name, std::size_t output, const std::vector<std::int64_t>& shape,
                       float neutral) {
    const bool is_needed =
        std::ranges::any_of(rows, [&](const HeadColumns& row) { return !row.values[output].empty(); });
    if (is_needed) result.tensors.push_back({"position." + name, table_of(rows, output, shape, neutral)});
  };
  add("bias", ScoreProgram::kBias, {positions}, 0);
  add("gain", ScoreProgram::kGain, {positions}, 1);
  if (std::ranges::any_of(rows, [](const HeadColumns& row) { return !row.query_gain.empty(); })) {
    for (HeadColumns& row : rows) row.values[ScoreProgram::kGain] = std::move(row.query_gain);
    add("query_gain", ScoreProgram::kGain, {positions}, 1);
  }
  add("even", ScoreProgram::kCosine, {program.blocks(), positions}, 1);
  add("odd", ScoreProgram::kSine, {program.blocks(), positions}, 0);
  add("softcap", ScoreProgram::kSoftcap, {}, 0);
  add("sink", ScoreProgram::kSink, {}, -std::numeric_limits<float>::infinity());
  return result;
}

}  // namespace gpe::model
