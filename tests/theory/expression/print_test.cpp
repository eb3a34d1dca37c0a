// Texts and trees: what is printed reads back as the same tree.
#include "tests/generators/expression.h"
#include "tests/theory/engine.h"
#include "theory/expression/expr_print.h"

namespace print_test {

using gpe::testing::any_expression_text;
using gpe::testing::parsed_or_discarded;
using gpe::testing::whole_scope;
using gpe::theory::Expr;
using gpe::theory::parse_expression;

RC_GTEST_PROP(Print, a_printed_expression_reads_back_as_the_same_tree, ()) {
  const std::string text = *any_expression_text();
  const Expr tree = parsed_or_discarded(text, whole_scope());
  const std::string printed = to_text(tree);
  RC_LOG() << text << "\n" << printed << "\n";
  RC_ASSERT(parse_expression(printed, whole_scope()) == tree);
}

RC_GTEST_PROP(Print, parentheses_around_the_whole_and_blanks_change_nothing, ()) {
  const std::string text = *any_expression_text();
  const Expr tree = parsed_or_discarded(text, whole_scope());
  std::string spaced;
  for (const char c : to_text(tree)) spaced += c == ' ' ? std::string(" \t\n ") : std::string(1, c);
  RC_ASSERT(parse_expression("(" + spaced + ")", whole_scope()) == tree);
}

}  // namespace print_test
