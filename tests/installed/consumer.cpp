// Reads an expression, decides whether its sum converges, and encloses Z of ALiBi: the library without the
// programs.
#include <iostream>

#include "checks/arb/decimal.h"
#include "checks/arb/expr_ball.h"
#include "checks/cli/version.h"
#include "checks/sums/sums.h"
#include "theory/asymptotics/convergence.h"
#include "theory/expression/expr_parse.h"
#include "theory/expression/expr_print.h"
#include "theory/score/score_function.h"
#include "theory/score/spec_parse.h"

int main(int argc, char** argv) {
  using namespace gpe;
  if (argc != 2) return 2;
  const checks::BallOracle oracle;

  theory::NameScope scope;
  scope.names = {"n"};
  const theory::Expr score = theory::parse_expression("-log(1+n) - 2*log(log(2+n))", scope);
  const theory::SumDecision decision = theory::decide_sum(score, theory::Context(oracle));
  std::cout << "sum exp(" << to_text(score) << ") " << (decision.converges ? "converges" : "diverges")
            << "\n";

  const theory::Encoding alibi = theory::load_encoding(argv[1]);
  const theory::Expr half(theory::Rational(1, 2));
  const theory::ScoreFunction law = at_values(theory::instantiate(alibi, {}, {{"m", half}}, oracle));
  const checks::Sums sums = checks::enclose_sums(law, {20}, oracle);
  std::cout << alibi.name << " m = 1/2: Z = " << checks::proved_decimal(sums.z.value, 20).text << "\n";
  std::cout << "gpe " << kVersion << "\n";
  return 0;
}
