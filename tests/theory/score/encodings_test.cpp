// The files of the built-in encodings, and their values against independent code
// (tests/cases/make_encodings_golden.py).
#include "tests/theory/score/builtin_encodings.h"

namespace encodings_test {

using namespace gpe::tests;

TEST(Encodings, every_file_loads_under_its_own_name_and_says_where_it_comes_from) {
  const std::vector<std::string> all = names();
  EXPECT_GE(all.size(), 40U);
  std::set<std::string> titles;
  for (const std::string& name : all) {
    const Encoding one = encoding(name);
    EXPECT_EQ(one.name, name);
    EXPECT_TRUE(titles.insert(one.title).second) << name << ": a second \"" << one.title << "\"";
    EXPECT_TRUE(std::regex_search(one.reference, std::regex("20[0-9][0-9]|\\.py")))
        << name << ": " << one.reference;
    for (const auto& parameter : one.parameters)
      EXPECT_FALSE(parameter.doc.empty()) << name << "." << parameter.name;
    EXPECT_NO_THROW(open_law(name)) << name;
  }
}

TEST(Encodings, the_documentation_names_every_one_of_them_and_no_other) {
  std::ifstream file(std::filesystem::path(GPE_SOURCE_DIR) / "docs" / "specification.md");
  ASSERT_TRUE(file.good());
  std::set<std::string> documented;
  bool started = false;
  for (std::string line; std::getline(file, line);) {
    started = started || line == "## The built-in encodings";
    std::smatch match;
    if (started && std::regex_search(line, match, std::regex("^\\| `([a-z0-9.-]+)` \\|")))
      documented.insert(match[1]);
  }
  const std::vector<std::string> all = names();
  EXPECT_EQ(std::vector<std::string>(documented.begin(), documented.end()), all);
}

struct GoldenRow {
  std::string name;
  Setting setting;
  Values values;
  std::string quantity;
  Point point;
  std::string golden;
  std::string line;
};

std::vector<GoldenRow> golden_rows() {
  std::ifstream file(std::filesystem::path(GPE_SOURCE_DIR) / "tests" / "cases" / "encodings_golden.csv");
  std::vector<GoldenRow> rows;
  std::string line;
  std::getline(file, line);  // titles
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
    GoldenRow row;
    row.name = cells.at(0);
    row.setting.head_dim = std::stoi(cells.at(1));
    row.setting.heads = std::stoi(cells.at(2));
    row.setting.head = std::stoi(cells.at(3));
    std::istringstream settings(cells.at(4));
    for (std::string one; std::getline(settings, one, ';');) {
      row.values.emplace_back(one.substr(0, one.find('=')), one.substr(one.find('=') + 1));
    }
    row.quantity = cells.at(5);
    const std::vector<std::string> symbols = {"L", "n", "j"};
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      if (!cells.at(6 + i).empty()) row.point[symbols[i]] = std::stoll(cells.at(6 + i));
    }
    row.golden = cells.at(9);
    row.line = line;
    rows.push_back(std::move(row));
  }
  return rows;
}

Expr quantity_of(const ScoreFunction& closed, const std::string& quantity) {
  if (quantity == "gain") return closed.gain;
  if (quantity == "bias") return closed.bias;
  if (quantity == "angle") return closed.rotation.angle;
  if (quantity == "scale") return closed.rotation.scale;
  if (quantity == "rate") return closed.hyperbolic.rate;
  if (quantity == "low") return *closed.path->low;
  if (quantity == "high") return closed.path->high;
  if (quantity == "least") return closed.bias - closed.query->radius * closed.query->shape;
  if (quantity == "largest") return closed.bias + closed.query->radius * closed.query->shape;
  return closed.bias.as<gpe::theory::node::TableAt>()->index;  // "index"
}

TEST(Encodings, values_are_those_of_independent_code_to_36_digits) {
  const std::vector<GoldenRow> rows = golden_rows();
  EXPECT_GT(rows.size(), 1000U);
  std::map<std::tuple<std::string, int, int, int, Values>, ScoreFunction> laws;
  for (const GoldenRow& row : rows) {
    const auto key =
        std::tuple(row.name, row.setting.head_dim, row.setting.heads, row.setting.head, row.values);
    if (!laws.contains(key)) laws.emplace(key, law(row.name, row.setting, row.values));
    const Ball here = value(quantity_of(laws.at(key), row.quantity), row.point, 2 * kBits);
    EXPECT_TRUE(same(here, ball(row.golden))) << row.line;
  }
}

}  // namespace encodings_test
