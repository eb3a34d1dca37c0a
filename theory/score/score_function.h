// An encoding at a chosen head, layer and head dimension: the functions of n that every property speaks of.
// Tests: tests/theory/score/encodings_test.cpp, tests/theory/score/encodings_verdicts_test.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "theory/exact/context.h"
#include "theory/score/encoding.h"
#include "theory/score/setting.h"

namespace gpe::theory {

/// A parameter with its closed value, and what its domain says.
struct ParameterValue {
  std::string name;
  Expr value = Expr(0);
  std::vector<Condition> domain;
};

/// A law of the content that has no bound, given the query (theorem X2, docs/theorems.md): c(n) is normal
/// with mean 0 and this deviation; or any centred law with E e^{tc} <= e^{t²s²/2}, s the deviation.
struct ContentLaw {
  enum class Kind { gaussian, sub_gaussian };
  Kind kind = Kind::gaussian;
  Rational deviation = 1;    ///< > 0
  std::string name() const;  ///< "gaussian:1/2"
};

/// |A(n) - bias(n)| <= |gain(n)|·norm(n)·B, reached by some content of every sign.
/// The expressions mention n, L (when `depends_on_length`), and the names of `parameters`.
struct ScoreFunction {
  std::string name;
  Expr bias = Expr(0);  ///< normalized to bias(first; L) = 0 when it mentions L
  Expr gain = Expr(1);
  Expr norm = Expr(1);  ///< ‖W(n)‖₂ >= 0; 0 without content
  bool has_content = true;
  Transform transform = Transform::identity;
  Rotation rotation;
  Hyperbolic hyperbolic;
  std::optional<Expr> softcap;
  std::optional<Expr> sink;
  std::optional<std::int64_t> window;  ///< number of distances kept
  std::optional<Expr> window_size;     ///< the same, with the parameters that are left open
  std::int64_t first = 0;
  bool two_sided = false;
  std::optional<Path> path;               ///< only from instantiate with Families::taken
  std::optional<QueryBias> query;         ///< likewise
  std::optional<ContentLaw> content_law;  ///< in place of a bound
  Normalizer normalizer = Normalizer::softmax;
  std::optional<Expr> normalizer_parameter;
  std::optional<std::int64_t> keys_selected;  ///< k of top-k, at the values of `parameters`
  int head_dim = 64;
  std::vector<ParameterValue> parameters;  ///< in file order

  /// Its blocks turn: it has an angle.
  bool turns() const { return transform == Transform::rotation || transform == Transform::scaled_rotation; }
  /// bias, gain or norm mentions L.
  bool depends_on_length() const;
  /// Largest distance kept, when there is a window.
  std::optional<std::int64_t> last() const {
    return window ? std::optional(first + *window - 1) : std::nullopt;
  }
};

/// Whether both give every token the same score, as far as the same formulas with the same values show it.
bool same_formulas(const ScoreFunction& a, const ScoreFunction& b);

struct Override {
  std::string name;
  Expr value;
};

/// Whether a program takes families of scores (gates along the path, a bias linear in the query), and
/// normalizers other than softmax. Most do not: their scores are functions of n, their weights a softmax. A
/// model's weights may also be those of sigmoid, relu and top-k.
enum class Families { refused, of_models, taken };

/// @param overrides  "--set NAME=VALUE"; may mention h, heads, layer, layers, d
/// @throws SpecError  for an unknown name, a value outside its domain, a window that is not a positive whole
/// number, a k of top-k likewise, an alpha of entmax not above 1, an interval without gates, a radius that is
/// not positive, and what is refused; a path of one gate is not, but part of the bias
ScoreFunction instantiate(const Encoding& encoding, const Setting& setting,
                          const std::vector<Override>& overrides, const Context& context,
                          Families families = Families::refused);

/// The encoding with its gates in the bias, and in the formula of it, where there is one gate: low and high
/// are one formula, and belong to the interval. Any other as it is.
Encoding with_one_gate_in_bias(Encoding encoding);
/// The law whose gates are all `gate`: its bias has n·gate added, and it has no path.
ScoreFunction with_constant_gate(const ScoreFunction& law, const Expr& gate);
/// The law of the queries with this r: its bias has r·shape added, and it has no query.
ScoreFunction with_query(const ScoreFunction& law, const Expr& r);
/// The law whose bias has times·radius·|shape| added, times = 1 or -1: the largest score of all queries at
/// each n, or the smallest.
ScoreFunction with_extreme_query(const ScoreFunction& law, int times);

/// Which row and column of a parameter with several values a setting takes.
struct ChosenPlace {
  std::size_t row;
  std::size_t column;
};
/// @throws SpecError  when there are not as many values as heads or layers
ChosenPlace chosen_place(const Parameter& parameter, const Setting& setting);

/// The law without content whose scores are log E e^A under the largest of its content laws: its bias has
/// deviation²·gain²/2 added. @pre there is a content law
/// @throws Undecided  for L in the score, a soft cap, and a transform that stretches
ScoreFunction with_mean_content(const ScoreFunction& law);
/// The law without content, and without a law of it.
ScoreFunction without_content(const ScoreFunction& law);

/// The law with every parameter replaced by its value, but those in `keep`.
ScoreFunction at_values(const ScoreFunction& law, const std::vector<std::string>& keep = {});

/// The law with the content bound B inside: |c(n)| <= B·norm(n), after the soft cap. `bound` is an expression
/// (a number or the symbol B).
Expr amplitude(const ScoreFunction& law, const Expr& bound);
Expr score_above(const ScoreFunction& law, const Expr& bound);  ///< bias + amplitude
Expr score_below(const ScoreFunction& law, const Expr& bound);  ///< bias - amplitude

/// The same oracle and time; assumptions: every free parameter in its domain, n a positive integer, and B > 0
/// when the bound is symbolic.
Context context_for(const ScoreFunction& law, const std::vector<std::string>& free, const Context& base);

/// The symbol of the content bound.
inline constexpr const char* kContentBound = "B";

}  // namespace gpe::theory
