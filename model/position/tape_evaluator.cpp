// An expression tape at given parameters: which steps are computed again, and the two directions over them.
// Tests: tests/model/position/expression_tape_test.cpp
#include <algorithm>
#include <cassert>
#include <cmath>

#include "model/position/tape_step.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

TapeEvaluator::TapeEvaluator(const ExpressionTape& program, std::int64_t first, std::int64_t capacity,
                             std::int64_t blocks, const std::vector<std::size_t>& wanted)
    : program_(&program),
      first_(first),
      capacity_(capacity),
      blocks_(blocks),
      outputs_(program.outputs_.size(), wanted.empty()),
      needed_(program.steps_.size(), false),
      values_(program.steps_.size()),
      adjoints_(program.steps_.size()) {
  assert(capacity >= 1 && blocks >= 1);
  for (const std::size_t k : wanted) outputs_[k] = true;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    if (outputs_[k]) needed_[program.outputs_[k].step] = true;
  }
  for (std::size_t at = needed_.size(); at-- > 0;) {
    if (!needed_[at]) continue;
    values_[at].resize(static_cast<std::size_t>(capacity_of(at)));
    for (const std::size_t operand : program.steps_[at].of) needed_[operand] = true;
  }
  columns_.assign(program.columns_.size(), std::vector<double>(static_cast<std::size_t>(capacity), 0.0));
}

void TapeEvaluator::set_column(std::size_t k, std::span<const double> numbers) {
  assert(numbers.size() == columns_[k].size());
  columns_[k].assign(numbers.begin(), numbers.end());
  new_columns_ = true;
}

std::int64_t TapeEvaluator::capacity_of(std::size_t step) const {
  const ExpressionTape::Step& s = program_->steps_[step];
  return (s.by_block ? blocks_ : 1) * (s.by_distance ? capacity_ : 1);
}

// What depends on L is wanted at count_ distances only; the rest stays for later calls, so it is computed at
// all.
TapeEvaluator::Extent TapeEvaluator::extent(std::size_t step) const {
  const ExpressionTape::Step& s = program_->steps_[step];
  Extent result;
  if (s.by_distance) {
    result.distances = s.by_length ? count_ : capacity_;
    result.by_distance = 1;
  }
  if (s.by_block) {
    result.blocks = blocks_;
    result.by_block = s.by_distance ? capacity_ : 1;
  }
  return result;
}

void TapeEvaluator::evaluate(std::span<const double> parameters, double length, std::int64_t count) {
  assert(parameters.size() == program_->parameters_.size() && count >= 1 && count <= capacity_);
  const bool same_parameters = started_ && std::ranges::equal(parameters, parameters_);
  const bool same_length = started_ && length == length_ && count == count_;
  parameters_.assign(parameters.begin(), parameters.end());
  length_ = length;
  count_ = count;
  for (std::size_t at = 0; at < program_->steps_.size(); ++at) {
    const ExpressionTape::Step& step = program_->steps_[at];
    const bool kept = started_ && (!step.by_parameter || same_parameters) &&
                      (!step.by_length || same_length) && !(step.by_column && new_columns_);
    if (needed_[at] && !kept) compute(at);
  }
  started_ = true;
  new_columns_ = false;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    if (!outputs_[k]) continue;
    const ExpressionTape::Output& output = program_->outputs_[k];
    const Extent e = extent(output.step);
    for (std::int64_t j = 0; j < e.blocks; ++j) {
      for (std::int64_t n = 0; n < std::min(e.distances, e.by_distance != 0 ? count_ : 1); ++n) {
        const double value = values_[output.step][static_cast<std::size_t>(j * e.by_block + n)];
        if (std::isfinite(value)) continue;
        throw theory::SpecError(output.name + " is " + (std::isnan(value) ? "undefined" : "infinite") +
                                (e.by_distance != 0 ? " at n = " + std::to_string(first_ + n) : ""));
      }
    }
  }
}

std::span<const double> TapeEvaluator::output(std::size_t k) const {
  return values_[program_->outputs_[k].step];
}

void TapeEvaluator::back(std::span<const std::span<const double>> adjoints, std::span<double> gradient) {
  assert(adjoints.size() == program_->outputs_.size() && gradient.size() == parameters_.size());
  for (std::size_t at = 0; at < adjoints_.size(); ++at) {
    if (needed_[at] && program_->steps_[at].by_parameter) adjoints_[at].assign(values_[at].size(), 0.0);
  }
  for (std::size_t k = 0; k < adjoints.size(); ++k) {
    const std::size_t at = program_->outputs_[k].step;
    if (!outputs_[k] || adjoints[k].empty() || !program_->steps_[at].by_parameter) continue;
    const Extent e = extent(at);
    for (std::int64_t j = 0; j < e.blocks; ++j) {
      for (std::int64_t n = 0; n < std::min(e.distances, e.by_distance != 0 ? count_ : 1); ++n) {
        const auto slot = static_cast<std::size_t>(j * e.by_block + n);
        adjoints_[at][slot] += adjoints[k][slot];
      }
    }
  }
  for (std::size_t at = program_->steps_.size(); at-- > 0;) {
    if (needed_[at] && program_->steps_[at].by_parameter) propagate(at, gradient);
  }
}

}  // namespace gpe::model
