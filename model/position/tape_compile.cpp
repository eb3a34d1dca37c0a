// Expr -> steps, each distinct subexpression once. Tests: tests/model/position/expression_tape_test.cpp
#include <algorithm>
#include <unordered_map>

#include "model/position/tape_step.h"
#include "theory/exact/context.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

using theory::Expr;
using Step = ExpressionTape::Step;
using Kind = Step::Kind;

constexpr std::size_t kMaxSteps = 100'000;

struct HashOfExpr {
  std::size_t operator()(const Expr& e) const { return e.hash(); }
};

class Compiler {
 public:
  Compiler(const Expr& bias, const std::vector<std::string>& parameters,
           const std::vector<std::string>& columns)
      : bias_(bias), parameters_(parameters), columns_(columns) {}

  std::size_t compile(const Expr& e) {
    if (const auto known = known_.find(e); known != known_.end()) return known->second;
    const std::size_t at = compile_new(e);
    known_.emplace(e, at);
    return at;
  }

  std::size_t spread(std::size_t operand, Shape shape) {
    Step step;
    step.kind = Kind::spread;
    step.of = {operand};
    step.by_distance = shape != Shape::scalar;
    step.by_block = shape == Shape::by_block_and_distance;
    const Step& from = steps_[operand];
    return from.by_distance == step.by_distance && from.by_block == step.by_block ? operand
                                                                                  : push(std::move(step));
  }

  std::vector<Step> take() { return std::move(steps_); }

 private:
  std::size_t push(Step step) {
    for (const std::size_t operand : step.of) {
      step.by_block = step.by_block || steps_[operand].by_block;
      step.by_distance = step.by_distance || steps_[operand].by_distance;
      step.by_length = step.by_length || steps_[operand].by_length;
      step.by_parameter = step.by_parameter || steps_[operand].by_parameter;
      step.by_column = step.by_column || steps_[operand].by_column;
    }
    if (steps_.size() == kMaxSteps) throw theory::SpecError("an expression needs more than 100,000 steps");
    steps_.push_back(std::move(step));
    return steps_.size() - 1;
  }

  std::size_t operation(Kind kind, std::vector<std::size_t> of) {
    Step step;
    step.kind = kind;
    step.of = std::move(of);
    return push(std::move(step));
  }

  std::size_t number(double value) {
    Step step;
    step.value = value;
    return push(std::move(step));
  }

  std::size_t chain(Kind kind, const std::vector<Expr>& operands) {
    std::size_t result = compile(operands.front());
    for (std::size_t i = 1; i < operands.size(); ++i)
      result = operation(kind, {result, compile(operands[i])});
    return result;
  }

  bool is_open(const Expr& e) const {
    const auto mentioned = [&](const std::string& name) { return e.mentions(name); };
    return std::ranges::any_of(parameters_, mentioned) || std::ranges::any_of(columns_, mentioned);
  }

  std::size_t symbol(const std::string& name) {
    Step step;
    if (name == theory::kIndex) {
      step.kind = Kind::distance;
      step.by_distance = true;
    } else if (name == "j") {
      step.kind = Kind::block;
      step.by_block = true;
    } else if (name == theory::kLength) {
      step.kind = Kind::length;
      step.by_length = true;
    } else if (const auto column = std::ranges::find(columns_, name); column != columns_.end()) {
      step.kind = Kind::column;
      step.by_distance = step.by_column = true;
      step.index = static_cast<std::size_t>(column - columns_.begin());
    } else if (const auto parameter = std::ranges::find(parameters_, name); parameter != parameters_.end()) {
      step.kind = Kind::parameter;
      step.by_parameter = true;
      step.index = static_cast<std::size_t>(parameter - parameters_.begin());
    } else {
      throw theory::SpecError("no value for '" + name + "'");
    }
    return push(std::move(step));
  }

  std::size_t call(const theory::node::Call& call) {
    switch (call.function) {
      case theory::Function::log:
        return operation(Kind::log, {compile(call.arguments.front())});
      case theory::Function::exp:
        return operation(Kind::exp, {compile(call.arguments.front())});
      case theory::Function::abs:
        return operation(Kind::abs, {compile(call.arguments.front())});
      case theory::Function::sin:
        return operation(Kind::sin, {compile(call.arguments.front())});
      case theory::Function::cos:
        return operation(Kind::cos, {compile(call.arguments.front())});
      case theory::Function::min:
        return chain(Kind::min, call.arguments);
      case theory::Function::max:
        return chain(Kind::max, call.arguments);
      case theory::Function::atan:
      case theory::Function::erfc:
      case theory::Function::lgamma:
      case theory::Function::polygamma:
        return special(call);
      case theory::Function::floor:
        break;
    }
    const Expr& argument = call.arguments.front();
    Step step;
    step.kind = Kind::floor;
    step.of = {compile(argument)};
    if (!is_open(argument)) step.closed = argument;
    return push(std::move(step));
  }

  std::size_t special(const theory::node::Call& call) {
    Step step;
    step.kind = Kind::special;
    step.function = call.function;
    if (call.arguments.size() > 1)
      step.order = static_cast<int>(call.arguments.front().number()->to_int64().value());
    step.of = {compile(call.arguments.back())};
    return push(std::move(step));
  }

  std::size_t branch(const theory::node::If& branch) {
    Step step;
    step.kind = Kind::choose;
    step.relation = branch.relation;
    step.of = {compile(branch.left), compile(branch.right), compile(branch.then), compile(branch.otherwise)};
    const Expr difference = branch.left - branch.right;
    if (!is_open(difference)) step.closed = difference;
    return push(std::move(step));
  }

  std::size_t finite_sum(const theory::node::Sum& sum) {
    const auto whole = [&](const Expr& bound) {
      const theory::Rational* value = bound.number();
      const auto integer = value != nullptr ? value->to_int64() : std::nullopt;
      if (!integer)
        throw theory::SpecError("the bounds of sum(" + sum.variable + ", …) are not integers here");
      return *integer;
    };
    std::size_t result = number(0);
    for (std::int64_t k = whole(sum.low); k <= whole(sum.high); ++k) {
      result = operation(Kind::add, {result, compile(substitute(sum.body, sum.variable, Expr(k)))});
    }
    return result;
  }

  std::size_t table(const theory::node::TableAt& at) {
    Step step;
    step.kind = Kind::entry;
    step.of = {compile(at.index)};
    step.table = at.table;
    for (const theory::Rational& value : at.table->values) step.entries.push_back(value.approximate());
    return push(std::move(step));
  }

  std::size_t compile_new(const Expr& e) {
    if (const theory::Rational* value = e.number()) return number(value->approximate());
    if (const auto* name = e.as<theory::node::Symbol>()) return symbol(name->name);
    if (e.as<theory::node::Pi>() != nullptr) return number(3.141592653589793238);
    if (const auto* sum = e.as<theory::node::Add>()) return chain(Kind::add, sum->terms);
    if (const auto* product = e.as<theory::node::Mul>()) return chain(Kind::multiply, product->factors);
    if (const auto* power = e.as<theory::node::Pow>()) {
      return operation(Kind::power, {compile(power->base), compile(power->exponent)});
    }
    if (const auto* function = e.as<theory::node::Call>()) return call(*function);
    if (const auto* choice = e.as<theory::node::If>()) return branch(*choice);
    if (const auto* sum = e.as<theory::node::Sum>()) return finite_sum(*sum);
    if (const auto* entry = e.as<theory::node::TableAt>()) return table(*entry);
    if (bias_.mentions(theory::kLength))
      throw theory::SpecError("H(n) of a bias that depends on L is not defined");
    Step step;
    step.kind = Kind::entropy;
    step.of = {spread(compile(bias_), Shape::by_distance)};
    return push(std::move(step));
  }

  const Expr& bias_;
  const std::vector<std::string>& parameters_;
  const std::vector<std::string>& columns_;
  std::vector<Step> steps_;
  std::unordered_map<Expr, std::size_t, HashOfExpr> known_;
};

}  // namespace

ExpressionTape::ExpressionTape(const std::vector<ProgramOutput>& outputs, const Expr& bias,
                               const std::vector<std::string>& parameters,
                               const theory::ConstantOracle& oracle, const std::vector<std::string>& columns)
    : parameters_(parameters), columns_(columns), oracle_(&oracle) {
  Compiler compiler(bias, parameters_, columns_);
  for (const ProgramOutput& output : outputs) {
    outputs_.push_back({output.name, compiler.spread(compiler.compile(output.expression), output.shape)});
  }
  steps_ = compiler.take();
}

ExpressionTape::~ExpressionTape() = default;
ExpressionTape::ExpressionTape(ExpressionTape&&) noexcept = default;
ExpressionTape& ExpressionTape::operator=(ExpressionTape&&) noexcept = default;

bool ExpressionTape::depends_on_length(std::size_t k) const { return steps_[outputs_[k].step].by_length; }
bool ExpressionTape::depends_on_parameters(std::size_t k) const {
  return steps_[outputs_[k].step].by_parameter;
}

}  // namespace gpe::model
