#include "theory/score/spec_families.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "theory/score/gradient_matrix.h"

namespace gpe::theory {

namespace {

const std::vector<std::string> kPathKeys = {"low", "high", "open", "mean", "mean_exp"};
const std::vector<std::string> kQueryKeys = {"radius", "shape"};

class FamilyReader {
 public:
  FamilyReader(const TomlSource& toml, const FamilyNames& names, Encoding& encoding)
      : toml_(toml), names_(names), encoding_(encoding) {}

  // Theorem P1 is about scores without L, with keys on one side; H(n) is the entropy of a bias alone.
  void read_path(const toml::table& path) const {
    const toml::node& low = toml_.required(path, "low", "low = \"…\" in [score.path], a formula or \"-inf\"");
    const toml::node& high = toml_.required(path, "high", "high = \"…\" in [score.path]");
    encoding_.path = Path();
    encoding_.path->low = formula_or_infinity(low, "low");
    encoding_.path->high = formula(high, "high", names_.constant);
    if (const toml::node* open = path.get("open")) {
      using Ends = std::pair<bool, bool>;
      std::tie(encoding_.path->low_open, encoding_.path->high_open) = toml_.choice<Ends>(
          *open, "open", {{"low", {true, false}}, {"high", {false, true}}, {"both", {true, true}}});
      encoding_.formulas["open"] = written(*open);
    }
    const toml::node *mean = path.get("mean"), *mean_exp = path.get("mean_exp");
    if (mean != nullptr || mean_exp != nullptr) encoding_.path->random = RandomGates();
    if (mean != nullptr) {
      encoding_.path->random->mean = formula_or_infinity(*mean, "mean");
      encoding_.path->random->mean_infinite = !encoding_.path->random->mean;
      if (encoding_.path->random->mean_infinite && encoding_.path->low)
        toml_.fail(*mean, "[score.path] mean = \"-inf\" is below low; expected low = \"-inf\" with it");
    }
    if (mean_exp != nullptr)
      encoding_.path->random->mean_exp = formula(*mean_exp, "mean_exp", names_.constant);
    require_plain("[score.path]", path, "gates stand between a query and the keys before it");
  }

  // So is theorem Q1.
  void read_query(const toml::table& query) const {
    const toml::node& radius = toml_.required(query, "radius", "radius = \"…\" in [score.query]");
    const toml::node& shape =
        toml_.required(query, "shape", "shape = \"…\" in [score.query], a formula in n");
    encoding_.query =
        QueryBias{formula(radius, "radius", names_.constant), formula(shape, "shape", names_.of_n)};
    if (encoding_.query->shape.mentions(kLength))
      toml_.fail(shape, "[score.query] is not decided with L in shape");
    if (encoding_.path) toml_.fail(query, "[score.query] is not decided together with [score.path]");
    require_plain("[score.query]", query, "a shape is given for the keys before a query");
  }

 private:
  Expr formula(const toml::node& node, const std::string& key, const NameScope& scope) const {
    encoding_.formulas[key] = written(node);
    return expression_of(toml_, node, key, scope);
  }

  // Nothing for "-inf".
  std::optional<Expr> formula_or_infinity(const toml::node& node, const std::string& key) const {
    encoding_.formulas[key] = written(node);
    if (encoding_.formulas[key] == "-inf") return std::nullopt;
    return formula(node, key, names_.constant);
  }

  void require_plain(const std::string& table, const toml::node& node, const std::string& why_causal) const {
    const auto refuse = [&](bool there, const std::string& what) {
      if (there) toml_.fail(node, table + " is not decided " + what);
    };
    refuse(encoding_.two_sided, "with sided = \"two\": " + why_causal);
    refuse(encoding_.gain.mentions(kLength) || encoding_.bias.mentions(kLength) ||
               encoding_.rotation.scale.mentions(kLength),
           "with L in gain, bias or scale");
    refuse(mentions_cut_entropy(encoding_.rotation.angle), "with H(n), the entropy of the bias alone");
  }

  const TomlSource& toml_;
  const FamilyNames& names_;
  Encoding& encoding_;
};

}  // namespace

bool is_softmax_of_n(const Encoding& encoding) {
  return !encoding.path && !encoding.query && encoding.normalizer == Normalizer::softmax;
}

std::string_view family_of(std::string_view key) {
  if (std::ranges::find(kPathKeys, key) != kPathKeys.end()) return "path";
  return std::ranges::find(kQueryKeys, key) != kQueryKeys.end() ? "query" : "";
}

void read_families(const TomlSource& toml, const toml::table& score, const FamilyNames& names,
                   std::string (*place_of)(std::string_view), Encoding& encoding) {
  const FamilyReader reader(toml, names, encoding);
  const auto table = [&](const std::string& key, const std::vector<std::string>& keys) -> const toml::table* {
    const toml::node* node = score.get(key);
    if (node == nullptr) return nullptr;
    const std::string name = "[score." + key + "]";
    toml.only_keys(toml.table_of(*node, name), keys, name, place_of);
    return node->as_table();
  };
  if (const toml::table* path = table("path", kPathKeys)) reader.read_path(*path);
  if (const toml::table* query = table("query", kQueryKeys)) reader.read_query(*query);
}

}  // namespace gpe::theory
