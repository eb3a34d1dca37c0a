// Evaluation of an expression over any number type: doubles, balls, multiprecision floats, tensors.
// Tests: tests/checks/arb/expr_ball_test.cpp
//
// `Operations` supplies
//   using Value;
//   Value number(const Rational&);  Value pi();
//   Value add(const Value&, const Value&);  Value mul(const Value&, const Value&);
//   Value pow(const Value& base, const Value& exponent, const Rational* literal_exponent);
//   Value call(Function, const std::vector<Value>&);
//   std::optional<bool> compare(Relation, const Value&, const Value&);  // nullopt: not settled at this
//   precision Value either(const Value&, const Value&);                           // covers both, when not
//   settled std::optional<std::int64_t> integer(const Value&);                  // bounds of sums, indices of
//   tables Value cut_entropy(const Value& at);
// and, where a value stands for several numbers and symbols for whole ones, may supply
//   Value entries(const Table&, const Value& indices);
// An undefined operation is reported by the number type itself (NaN, an indeterminate ball) or by throwing.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "theory/expression/expr.h"
#include "theory/expression/whole_number.h"
#include "theory/source/table.h"

namespace gpe::theory {

struct EvaluationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Operations>
class Evaluator {
 public:
  using Value = typename Operations::Value;

  explicit Evaluator(Operations operations) : operations_(std::move(operations)) {}

  void bind(std::string name, Value value) {
    for (auto& [known, old] : bindings_) {
      if (known == name) {
        old = std::move(value);
        return;
      }
    }
    bindings_.emplace_back(std::move(name), std::move(value));
  }

  /// @throws EvaluationError  for an unbound symbol, a bound of a sum that is not an integer, an index beyond
  /// a table.
  Value operator()(const Expr& e) {
    if (const Rational* number = e.number()) return operations_.number(*number);
    if (const auto* symbol = e.as<node::Symbol>()) return lookup(symbol->name);
    if (e.as<node::Pi>() != nullptr) return operations_.pi();
    if (const auto* sum = e.as<node::Add>()) {
      Value result = (*this)(sum->terms.front());
      for (std::size_t i = 1; i < sum->terms.size(); ++i)
        result = operations_.add(result, (*this)(sum->terms[i]));
      return result;
    }
    if (const auto* product = e.as<node::Mul>()) {
      Value result = (*this)(product->factors.front());
      for (std::size_t i = 1; i < product->factors.size(); ++i) {
        result = operations_.mul(result, (*this)(product->factors[i]));
      }
      return result;
    }
    if (const auto* power = e.as<node::Pow>()) {
      return operations_.pow((*this)(power->base), (*this)(power->exponent), power->exponent.number());
    }
    if (const auto* call = e.as<node::Call>()) {
      std::vector<Value> arguments;
      arguments.reserve(call->arguments.size());
      for (const Expr& argument : call->arguments) arguments.push_back((*this)(argument));
      return operations_.call(call->function, arguments);
    }
    if (const auto* branch = e.as<node::If>()) {
      const auto settled =
          operations_.compare(branch->relation, (*this)(branch->left), (*this)(branch->right));
      if (settled) return (*this)(*settled ? branch->then : branch->otherwise);
      return operations_.either((*this)(branch->then), (*this)(branch->otherwise));
    }
    if (const auto* sum = e.as<node::Sum>()) return finite_sum(*sum);
    if (const auto* at = e.as<node::TableAt>()) return entry(*at);
    return operations_.cut_entropy((*this)(e.as<node::CutEntropy>()->at));
  }

 private:
  Value lookup(std::string_view name) const {
    for (const auto& [known, value] : bindings_) {
      if (known == name) return value;
    }
    throw EvaluationError("no value for '" + std::string(name) + "'");
  }

  // Counts the terms of a sum together with those of the sums in it.
  struct Inside {
    explicit Inside(Evaluator& evaluator) : owner(evaluator) {
      if (owner.sums_++ == 0) owner.terms_ = 0;
    }
    ~Inside() { --owner.sums_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    Evaluator& owner;
  };

  Value finite_sum(const node::Sum& sum) {
    const auto low = operations_.integer((*this)(sum.low));
    const auto high = operations_.integer((*this)(sum.high));
    if (!low || !high) throw EvaluationError("the bounds of sum(" + sum.variable + ", …) are not integers");
    if (*low <= *high && static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low) > kMaxTerms)
      throw EvaluationError("sum(" + sum.variable + ", …) has more than a million terms");
    const Inside inside{*this};
    Value result = operations_.number(Rational(0));
    bindings_.emplace_back(sum.variable, result);
    const std::size_t slot = bindings_.size() - 1;
    for (std::int64_t k = *low; k <= *high; ++k) {
      if (++terms_ > kMaxTerms) throw EvaluationError("sums of more than a million terms in all");
      bindings_[slot].second = operations_.number(Rational(k));
      result = operations_.add(result, (*this)(sum.body));
    }
    bindings_.pop_back();
    return result;
  }

  Value entry(const node::TableAt& at) {
    const Table& table = *at.table;
    const Value where = (*this)(at.index);
    if constexpr (requires { operations_.entries(table, where); }) {
      const std::vector<std::string> names = free_symbols(at.index);  // each stands for whole numbers
      if (is_whole(at.index, {names.begin(), names.end()})) return operations_.entries(table, where);
    }
    const auto index = operations_.integer(where);
    if (!index)
      throw EvaluationError("the index of table '" + table.name + "' is not known to be an integer");
    const bool past = *index > table.last_index();
    if (*index < table.first_index || (past && table.beyond == Beyond::error)) {
      throw EvaluationError("table '" + table.name + "' has no entry " + std::to_string(*index));
    }
    return operations_.number(past ? table.values.back()
                                   : table.values[static_cast<std::size_t>(*index - table.first_index)]);
  }

  static constexpr std::uint64_t kMaxTerms = 1000000;  // of all sums of an expression, nested ones multiplied
  Operations operations_;
  std::uint64_t terms_ = 0;
  int sums_ = 0;
  std::vector<std::pair<std::string, Value>> bindings_;
};

}  // namespace gpe::theory
