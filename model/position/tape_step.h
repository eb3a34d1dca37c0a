// One step of a ExpressionTape: an operation on the results of earlier steps.
// Tests: tests/model/position/expression_tape_test.cpp
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/position/expression_tape.h"
#include "theory/source/table.h"

namespace gpe::model {

struct ExpressionTape::Step {
  enum class Kind {
    number,
    distance,
    block,
    length,
    parameter,
    column,
    add,
    multiply,
    power,
    log,
    exp,
    abs,
    min,
    max,
    floor,
    sin,
    cos,
    special,  ///< a special function, of one operand
    choose,   ///< of (left, right, then, otherwise)
    entry,    ///< of a table
    entropy,  ///< H(n) of the operand
    spread    ///< the operand in a larger shape
  };

  Kind kind = Kind::number;
  std::vector<std::size_t> of;                         ///< operands
  double value = 0;                                    ///< of a number
  std::size_t index = 0;                               ///< of a parameter or column
  theory::Function function = theory::Function::atan;  ///< special
  int order = 0;                                       ///< of a polygamma function
  theory::Relation relation = theory::Relation::less;
  std::shared_ptr<const theory::Table> table;
  std::vector<double> entries;  ///< of the table
  std::optional<theory::Expr>
      closed;  ///< floor, choose: what is compared with a step, when no parameter is in it
  bool by_block = false;
  bool by_distance = false;
  bool by_length = false;
  bool by_parameter = false;
  bool by_column = false;
};

}  // namespace gpe::model
