#include "checks/report/conformance_table.h"

#include <nlohmann/json.hpp>

#include "checks/arb/decimal.h"
#include "checks/arb/expr_ball.h"
#include "checks/report/json_number.h"
#include "checks/report/text_table.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Expr;
using theory::Form;
using theory::Rational;

namespace {

constexpr long kBits = 160;
constexpr int kDigits = 17;
constexpr std::int64_t kFarthest = 4096;  // of buckets
constexpr std::int64_t kLongest = std::int64_t{1}
                                  << 40;  // distance at which an angle is held to be a multiple

struct Rows {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

std::string decimal(const Form& closed) {
  return proved_decimal(evaluate(theory::to_expr(closed), {}, kBits), kDigits).text;
}

const Expr& bias_of_n(const EncodingReport& report, const char* table) {
  const Expr& bias = report.closed_law.bias;
  if (bias.mentions(theory::kLength))
    throw theory::SpecError(std::string("--table ") + table + ": the bias of " + report.name +
                            " depends on L; expected one of n alone");
  return bias;
}

Rows slopes(const std::vector<EncodingReport>& heads) {
  Rows result{{"head", "slope", "decimal"}, {}};
  const theory::Context context = ball_context();
  for (const EncodingReport& report : heads) {
    const theory::ScoreFunction& law = report.closed_law;
    const auto bias = [&](std::int64_t n) {
      return to_form(substitute(bias_of_n(report, "slopes"), theory::kIndex, Expr(n)), context);
    };
    const Form slope = bias(law.first) - bias(law.first + 1);
    result.rows.push_back({std::to_string(report.setting.head), to_text(slope), decimal(slope)});
  }
  return result;
}

Rows buckets(const std::vector<EncodingReport>& heads, std::int64_t farthest) {
  Rows result{{"head", "bucket", "from n", "bias", "decimal"}, {}};
  const theory::Context context = ball_context();
  for (const EncodingReport& report : heads) {
    const theory::ScoreFunction& law = report.closed_law;
    const Expr& bias = bias_of_n(report, "buckets");
    const auto* table = bias.as<theory::node::TableAt>();
    const Expr asked = table != nullptr ? table->index : bias;
    std::optional<Form> last;
    int bucket = 0;
    for (std::int64_t n = law.first; n <= farthest; ++n) {
      const Form entry = to_form(substitute(asked, theory::kIndex, Expr(n)), context);
      if (last && *last == entry) continue;
      const Form value = to_form(substitute(bias, theory::kIndex, Expr(n)), context);
      result.rows.push_back({std::to_string(report.setting.head), std::to_string(bucket++), std::to_string(n),
                             to_text(value), decimal(value)});
      last = entry;
    }
  }
  return result;
}

Rows frequencies(const EncodingReport& report, std::vector<Rational> lengths) {
  const theory::ScoreFunction& law = report.closed_law;
  if (law.transform != theory::Transform::rotation && law.transform != theory::Transform::scaled_rotation) {
    throw theory::SpecError("--table frequencies: " + report.name + " does not rotate");
  }
  const bool by_length = law.rotation.angle.mentions(theory::kLength);
  if (!by_length) lengths = {Rational(law.first)};
  Rows result{{"block", "frequency", "wavelength"}, {}};
  if (by_length) result.head.insert(result.head.begin(), "length");
  for (const Rational& length : lengths) {
    for (int j = 0; j < law.head_dim / 2; ++j) {
      const Expr angle =
          substitute(substitute(law.rotation.angle, "j", Expr(j)), theory::kLength, Expr(length));
      try {
        const auto at = [&](std::int64_t n) {
          return evaluate(substitute(angle, theory::kIndex, Expr(n)), {}, kBits);
        };
        const Ball step = sub(at(law.first + 1), at(law.first), kBits);
        for (std::int64_t n = 1; n <= kLongest; n *= 32) {
          if (sub(at(n), mul(Ball(n), step, kBits), kBits).may_be_zero()) continue;
          throw theory::SpecError("--table frequencies: " + report.name + ": the angle of block " +
                                  std::to_string(j) + " at n = " + std::to_string(n) +
                                  " is not a multiple of the distance");
        }
        const Ball wavelength = div(mul(Ball(2), Ball::pi(kBits), kBits), step, kBits);
        std::vector<std::string> row{
            std::to_string(j), proved_decimal(step, kDigits).text,
            step.may_be_zero() ? "infinite" : proved_decimal(wavelength, kDigits).text};
        if (by_length) row.insert(row.begin(), length.str());
        result.rows.push_back(std::move(row));
      } catch (const theory::EvaluationError& error) {
        throw theory::SpecError("--table frequencies: " + report.name + ": " + error.what());
      }
    }
  }
  return result;
}

// What multiplies the content of block j at a distance and a length.
Expr factor_of(const theory::ScoreFunction& law, int j) {
  if (law.transform != theory::Transform::scaled_rotation) return law.gain;
  return law.gain * substitute(law.rotation.scale, "j", Expr(j));
}

Rows temperature(const EncodingReport& report, std::vector<Rational> lengths) {
  const theory::ScoreFunction& law = report.closed_law;
  const int blocks = law.transform == theory::Transform::scaled_rotation ? law.head_dim / 2 : 1;
  bool varies = false;
  for (int j = 0; j < blocks; ++j) {
    const Expr factor = factor_of(law, j);
    varies = varies || factor.mentions(theory::kIndex) || factor.mentions(theory::kLength);
  }
  if (!varies) lengths = {Rational(law.first)};
  Rows result{{"length", "from block", "factor"}, {}};
  for (const Rational& length : lengths) {
    std::string last;
    for (int j = 0; j < blocks; ++j) {
      const Expr at = substitute(substitute(factor_of(law, j), theory::kIndex, Expr(length)), theory::kLength,
                                 Expr(length));
      std::string value;
      try {
        value = proved_decimal(evaluate(at, {}, kBits), kDigits).text;
      } catch (const theory::EvaluationError& error) {
        throw theory::SpecError("--table temperature: " + report.name + ": " + error.what());
      }
      if (value == last) continue;
      result.rows.push_back({varies ? length.str() : "every", std::to_string(j), value});
      last = std::move(value);
    }
  }
  return result;
}

}  // namespace

TableKind table_kind(const std::string& name) {
  if (name == "slopes") return TableKind::slopes;
  if (name == "buckets") return TableKind::buckets;
  if (name == "frequencies") return TableKind::frequencies;
  if (name == "temperature") return TableKind::temperature;
  throw theory::SpecError("--table: unknown table '" + name +
                          "'; expected slopes, buckets, frequencies or temperature");
}

namespace {

Rows table_of(TableKind kind, const std::vector<EncodingReport>& heads,
              const std::vector<Rational>& lengths) {
  switch (kind) {
    case TableKind::slopes:
      return slopes(heads);
    case TableKind::buckets:
      return buckets(heads, kFarthest);
    case TableKind::frequencies:
      return frequencies(heads.front(), lengths);
    case TableKind::temperature:
      return temperature(heads.front(), lengths);
  }
  return {};
}

Json json_of(const std::string& name, const Rows& rows) {
  Json result{{"schema", 1}, {"encoding", name}, {"rows", Json::array()}};
  for (const std::vector<std::string>& row : rows.rows) {
    Json one;
    for (std::size_t i = 0; i < rows.head.size(); ++i) one[rows.head[i]] = row[i];
    result["rows"].push_back(one);
  }
  return result;
}

std::string text_of(const Rows& rows) {
  TextTable table;
  std::vector<Cell> head;
  for (const std::string& name : rows.head) head.push_back({name, Tone::strong});
  table.add_row(head);
  for (const std::vector<std::string>& row : rows.rows) {
    std::vector<Cell> cells;
    for (const std::string& cell : row) cells.push_back({cell});
    table.add_row(cells);
  }
  return table.text(false);
}

}  // namespace

std::string conformance_tables(TableKind kind, const std::vector<std::vector<EncodingReport>>& encodings,
                               bool json, const std::vector<Rational>& lengths) {
  std::string text;
  Json tables = Json::array();
  for (const std::vector<EncodingReport>& heads : encodings) {
    const std::string& name = heads.front().name;
    const Rows rows = table_of(kind, heads, lengths);
    if (json) {
      tables.push_back(json_of(name, rows));
    } else {
      if (encodings.size() > 1) text += (text.empty() ? "" : "\n") + name + "\n";
      text += text_of(rows);
    }
  }
  if (!json) return text;
  if (tables.size() == 1) return json_text(tables.front());
  return json_text(Json{{"schema", 1}, {"tables", tables}});
}

}  // namespace gpe::checks
