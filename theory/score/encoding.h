// A positional encoding as data: A(n) = gain(n) · qᵀ W(n) k / √d + bias(n), with its parameters left open.
// Tests: tests/theory/score/encodings_test.cpp, tests/cli/bad_specs.cmake
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "theory/expression/expr.h"
#include "theory/expression/expr_parse.h"

namespace gpe::theory {

/// How W(n) acts on a block of two coordinates.
enum class Transform { identity, rotation, scaled_rotation, hyperbolic, none };
/// How coordinates pair up: (i, i + d/2) or (2i, 2i + 1).
enum class Layout { half, interleaved };
/// Where the name `alpha` of an angle comes from (docs/specification.md).
enum class Alpha { absent, self_entropy, measured, frozen_pair, schedule };

struct Parameter {
  std::string name;
  /// One value; or one per head; or one row per layer with one value per head. May mention h, heads, layer,
  /// layers, d.
  std::vector<std::vector<Expr>> values;
  std::vector<std::vector<std::string>> value_texts;  ///< `values` as written
  std::vector<Condition> domain;                      ///< all must hold
  std::string domain_text;
  std::string doc;
};

struct Rotation {
  Expr angle = Expr(0);  ///< of n, j, L, d and the parameters; in radians
  Expr scale = Expr(1);  ///< scaled_rotation: the factor of block j at distance n
  Layout layout = Layout::half;
  Alpha alpha = Alpha::absent;
};

struct Hyperbolic {
  Expr rate =
      Expr(0);  ///< of j: block e^(-decay·n)·[[cosh(rate·n), sinh(rate·n)], [sinh(rate·n), cosh(rate·n)]]
  Expr decay = Expr(0);  ///< of j
};

/// Gates at random, independent of each other and of the content, with one distribution (theorem P2,
/// docs/theorems.md).
struct RandomGates {
  std::optional<Expr> mean;      ///< E g, where it is given and finite
  bool mean_infinite = false;    ///< E g = -∞
  std::optional<Expr> mean_exp;  ///< E e^g > 0, where it is given

  bool operator==(const RandomGates&) const = default;
};

/// Gates along the path (theorem P1, docs/theorems.md): the score at distance n has g_1 + … + g_n added to
/// its bias, one gate for each token between, each of them in an interval.
struct Path {
  std::optional<Expr> low;  ///< nothing: -∞
  Expr high = Expr(0);
  bool low_open = false;  ///< the end does not belong to the interval
  bool high_open = false;
  std::optional<RandomGates> random;

  bool operator==(const Path&) const = default;
};

/// How scores become weights (docs/readings.md, "Other normalizers"; theorems N1 to N5).
enum class Normalizer { softmax, sigmoid, relu, top_k, entmax, stick_breaking };
std::string_view name_of(Normalizer normalizer);  ///< "softmax", …, as in a file

/// A bias linear in the query (theorem Q1, docs/theorems.md): the score has r·shape(n) added to its bias,
/// where r = ⟨q, v⟩ is one number for all n, |r| <= radius.
struct QueryBias {
  Expr radius = Expr(1);  ///< > 0, of parameters alone
  Expr shape = Expr(0);   ///< of n
};

struct Encoding {
  std::string name;
  std::string title;
  std::string reference;
  std::vector<Parameter> parameters;  ///< in file order
  Expr gain = Expr(1);
  Expr bias = Expr(0);
  Transform transform = Transform::identity;
  Rotation rotation;
  Hyperbolic hyperbolic;
  std::int64_t first = 0;       ///< smallest distance
  std::optional<Expr> window;   ///< number of distances kept: first … first + window - 1
  std::optional<Expr> sink;     ///< logit of the extra mass in the normalizer
  std::optional<Expr> softcap;  ///< c ↦ cap·tanh(c/cap) on the scaled content
  bool two_sided = false;       ///< distances n and -n, by |n|
  std::optional<Path> path;     ///< gates; without L in the score
  Normalizer normalizer =
      Normalizer::softmax;                   ///< others: without a path, L, a sink, keys on both sides, H(n)
  std::optional<Expr> normalizer_parameter;  ///< k of top-k, alpha of entmax
  std::optional<QueryBias> query;            ///< without L in the score, and without a path
  std::map<std::string, std::string> formulas;  ///< key ("bias", "angle", …) -> the expression as written
  std::map<std::string, std::shared_ptr<const Table>> tables;

  std::string source;  ///< where it was read
  std::string sha256;  ///< of the bytes read (the file and its tables); empty for one-liners

  const Parameter* find(const std::string& parameter) const;
};

/// Letters, digits and _, a letter or _ first.
bool is_name(std::string_view text);
/// Names that a file cannot give to a parameter or table.
const std::vector<std::string>& reserved_names();

}  // namespace gpe::theory
