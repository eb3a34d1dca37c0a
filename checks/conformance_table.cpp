#include "checks/conformance_table.h"

#include "checks/decimal.h"
#include "checks/expr_ball.h"
#include "checks/json_number.h"
#include "checks/text_table.h"
#include "theory/expr_print.h"
#include "theory/form_expr.h"
#include "theory/spec_error.h"

namespace gpe::checks {

using theory::Expr;
using theory::Form;
using theory::Rational;

namespace {

constexpr long kBits = 160;
constexpr int kDigits = 17;

struct Row {
  std::vector<std::string> cells;
};

struct Rows {
  std::vector<std::string> head;
  std::vector<Row> rows;
};

std::string decimal(const Form& closed) {
  return proved_decimal(evaluate(theory::to_expr(closed), {}, kBits), kDigits).text;
}

Rows slopes(const std::vector<EncodingReport>& heads) {
  Rows result{{"head", "slope", "decimal"}, {}};
  const BallOracle oracle;
  const theory::Context context(oracle);
  for (const EncodingReport& report : heads) {
    const theory::Law& law = report.closed_law;
    const auto bias = [&](std::int64_t n) {
      return to_form(substitute(law.bias, theory::kIndex, Expr(n)), context);
    };
    const Form slope = bias(law.first) - bias(law.first + 1);
    result.rows.push_back({{std::to_string(report.setting.head), to_text(slope), decimal(slope)}});
  }
  return result;
}

Rows buckets(const std::vector<EncodingReport>& heads, std::int64_t farthest) {
  Rows result{{"head", "bucket", "from n", "bias", "decimal"}, {}};
  const BallOracle oracle;
  const theory::Context context(oracle);
  for (const EncodingReport& report : heads) {
    const theory::Law& law = report.closed_law;
    std::optional<Form> last;
    int bucket = 0;
    for (std::int64_t n = law.first; n <= farthest; ++n) {
      Form value = to_form(substitute(law.bias, theory::kIndex, Expr(n)), context);
      if (last && *last == value) continue;
      result.rows.push_back({{std::to_string(report.setting.head), std::to_string(bucket++),
                              std::to_string(n), to_text(value), decimal(value)}});
      last = std::move(value);
    }
  }
  return result;
}

Rows frequencies(const EncodingReport& report) {
  const theory::Law& law = report.closed_law;
  if (law.transform != theory::Transform::rotation && law.transform != theory::Transform::scaled_rotation) {
    throw theory::SpecError("--table frequencies: " + report.name + " does not rotate");
  }
  Rows result{{"block", "frequency", "wavelength"}, {}};
  for (int j = 0; j < law.head_dim / 2; ++j) {
    const Expr angle = substitute(law.rotation.angle, "j", Expr(j));
    try {
      const auto at = [&](std::int64_t n) {
        return evaluate(substitute(angle, theory::kIndex, Expr(n)), {}, kBits);
      };
      const Ball step = sub(at(law.first + 1), at(law.first), kBits);
      const Ball wavelength = div(mul(Ball(2), Ball::pi(kBits), kBits), step, kBits);
      result.rows.push_back({{std::to_string(j), proved_decimal(step, kDigits).text,
                              step.may_be_zero() ? "infinite" : proved_decimal(wavelength, kDigits).text}});
    } catch (const theory::EvaluationError& error) {
      throw theory::SpecError("--table frequencies: " + report.name + ": " + error.what());
    }
  }
  return result;
}

}  // namespace

TableKind table_kind(const std::string& name) {
  if (name == "slopes") return TableKind::slopes;
  if (name == "buckets") return TableKind::buckets;
  if (name == "frequencies") return TableKind::frequencies;
  throw theory::SpecError("--table: unknown table '" + name + "'; expected slopes, buckets or frequencies");
}

std::string conformance_table(TableKind kind, const std::vector<EncodingReport>& heads, bool json,
                              std::int64_t farthest) {
  const Rows rows = kind == TableKind::slopes    ? slopes(heads)
                    : kind == TableKind::buckets ? buckets(heads, farthest)
                                                 : frequencies(heads.front());
  if (json) {
    Json result{{"schema", 1}, {"encoding", heads.front().name}, {"rows", Json::array()}};
    for (const Row& row : rows.rows) {
      Json one;
      for (std::size_t i = 0; i < rows.head.size(); ++i) one[rows.head[i]] = row.cells[i];
      result["rows"].push_back(one);
    }
    return result.dump(2) + "\n";
  }
  TextTable table;
  std::vector<Cell> head;
  for (const std::string& name : rows.head) head.push_back({name, Tone::strong});
  table.add_row(head);
  for (const Row& row : rows.rows) {
    std::vector<Cell> cells;
    for (const std::string& cell : row.cells) cells.push_back({cell});
    table.add_row(cells);
  }
  return table.text(false);
}

}  // namespace gpe::checks
