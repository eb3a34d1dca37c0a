// Expressions compiled for columns of doubles: their values at n = first, first + 1, … for every block j at
// once, and the derivatives of anything built on them with respect to the parameters.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "theory/exact/constant_oracle.h"
#include "theory/expression/expr.h"

namespace gpe::model {

/// What an output is a function of, besides the parameters and L.
enum class Shape { scalar, by_distance, by_block_and_distance };

struct ProgramOutput {
  std::string name;  ///< for messages
  theory::Expr expression = theory::Expr(0);
  Shape shape = Shape::scalar;
};

/// Immutable; the values are in a TapeEvaluator. Symbols: n, j, L, and the parameters in the order given.
/// H(n) is the entropy of the weights e^bias(m), m = first … n (docs/specification.md). `if` evaluates both
/// branches and takes one: the other may be undefined, and gets no derivative. Where a floor or a comparison
/// comes within 1e-9 of its step, the oracle settles it, unless a parameter is in it.
class ExpressionTape {
 public:
  struct Step;

  /// @param bias    what H(n) is taken of
  /// @param oracle  must outlive the program
  /// @param columns names of functions of n that each run is given as numbers
  /// @throws theory::SpecError  an unknown symbol, more than 100,000 steps, H(n) of a bias that mentions L
  ExpressionTape(const std::vector<ProgramOutput>& outputs, const theory::Expr& bias,
                 const std::vector<std::string>& parameters, const theory::ConstantOracle& oracle,
                 const std::vector<std::string>& columns = {});
  ~ExpressionTape();
  ExpressionTape(ExpressionTape&&) noexcept;
  ExpressionTape& operator=(ExpressionTape&&) noexcept;

  std::size_t outputs() const { return outputs_.size(); }
  bool depends_on_length(std::size_t k) const;
  bool depends_on_parameters(std::size_t k) const;

 private:
  friend class TapeEvaluator;
  struct Output {
    std::string name;
    std::size_t step = 0;
  };
  std::vector<Step> steps_;
  std::vector<Output> outputs_;
  std::vector<std::string> parameters_;
  std::vector<std::string> columns_;
  const theory::ConstantOracle* oracle_;
};

/// The values of one program, and their adjoints. One thread at a time.
class TapeEvaluator {
 public:
  /// For n = first … first + capacity - 1 and j = 0 … blocks - 1.
  /// @param program  must outlive the run
  /// @param wanted   the outputs that are computed; all when empty
  TapeEvaluator(const ExpressionTape& program, std::int64_t first, std::int64_t capacity, std::int64_t blocks,
                const std::vector<std::size_t>& wanted = {});

  /// The numbers of column k, at n = first, first + 1, … (capacity of them); zero until they are set.
  void set_column(std::size_t k, std::span<const double> numbers);

  /// Values for these parameters and this L, at the first `count` distances; what neither changes is kept
  /// from the call before.
  /// @throws theory::SpecError  an output that is not finite: its name and n
  void evaluate(std::span<const double> parameters, double length, std::int64_t count);

  /// by_block_and_distance: value at [j*capacity + n - first]; by_distance: at [n - first]; scalar: at [0].
  std::span<const double> output(std::size_t k) const;

  /// Adds to `gradient` (one per parameter) Σ adjoint·∂output/∂parameter, at the values of the last
  /// evaluate().
  /// @param adjoints  one per output, laid out as output(k), or empty for an output that nothing depends on
  void back(std::span<const std::span<const double>> adjoints, std::span<double> gradient);

 private:
  struct Extent {
    std::int64_t blocks = 1;     ///< how many j
    std::int64_t distances = 1;  ///< how many n
    std::int64_t by_block = 0;   ///< strides; 0 where it does not vary
    std::int64_t by_distance = 0;
  };
  Extent extent(std::size_t step) const;
  std::int64_t capacity_of(std::size_t step) const;
  auto values_of(std::size_t step) const {  ///< as a function of j and n - first
    return [data = values_[step].data(), e = extent(step)](std::int64_t j, std::int64_t n) {
      return data[j * e.by_block + n * e.by_distance];
    };
  }
  template <class Value>
  void fill_step(std::size_t at, const Value& value);
  template <class Weight>
  void give_adjoint(std::size_t at, std::size_t k, const Weight& weight);
  void compute(std::size_t at);
  void compute_leaf(std::size_t at);
  void compute_operation(std::size_t at);
  void propagate(std::size_t at, std::span<double> gradient);
  void compute_entropy(std::size_t at);
  void propagate_entropy(std::size_t at);
  bool holds(const ExpressionTape::Step& step, double left, double right, std::int64_t j,
             std::int64_t n) const;
  double whole_part(const ExpressionTape::Step& step, double value, std::int64_t j, std::int64_t n) const;
  int settle(const theory::Expr& closed, std::int64_t j, std::int64_t n) const;

  const ExpressionTape* program_;
  std::int64_t first_;
  std::int64_t capacity_;
  std::int64_t blocks_;
  std::int64_t count_ = 0;
  double length_ = 0;
  bool started_ = false;
  bool new_columns_ = false;
  std::vector<double> parameters_;
  std::vector<std::vector<double>> columns_;
  std::vector<bool> outputs_;  ///< which are wanted
  std::vector<bool> needed_;   ///< which steps that takes
  std::vector<std::vector<double>> values_;
  std::vector<std::vector<double>> adjoints_;
  std::vector<double> log_normalizer_;  ///< of H(n): log Σ_{m<=n} e^bias(m)
};

/// An expression without symbols.
/// @param name  for the message
/// @throws theory::SpecError  a value that is not finite
double number_of(const theory::Expr& closed, const std::string& name);

}  // namespace gpe::model
