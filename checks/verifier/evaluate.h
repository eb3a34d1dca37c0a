// The reader of expressions, in the notation of encoding files: it takes their values as it reads them. What
// only rules may say ($iter, $with, $largest, and the names of their constants) begins with $, which occurs
// in no certificate. Tests: tests/certificates/forged_conditions.py
#pragma once

#include "checks/verifier/calculus.h"

namespace gpe::verifier {

struct Table {
  Q first;  // index of the first value
  std::vector<Q> values;
  bool constant = false;  // beyond the end: the last value
};

/// A condition on constants, none of them an unknown, that the cell does not decide.
struct OpenCondition {
  Form f;
  std::string how;  ///< f <how> 0
};

class Evaluator {
 public:
  explicit Evaluator(const Calculus& known) : calculus(known) {}
  /// @throws NotShown  when the text is not an expression, or its value may be undefined
  Form operator()(const std::string& text);
  /// @throws NotShown  unless it is an expression
  void read(const std::string& text);
  Q rational(const std::string& text);
  /// "0 < p <= 2 and p != 1": left - right and relation of each comparison. A cell gets each of them before
  /// the next is read.
  std::vector<std::pair<Form, std::string>> conditions(const std::string& text, Calculus* cell = nullptr);

  const Calculus& calculus;
  std::map<std::string, Form> names;
  std::map<std::string, std::string> texts;  ///< names of formulas, evaluated where the name stands
  std::map<std::string, Table> tables;
  std::map<std::string, Form> waves;  ///< atom -> angle, of the sines and cosines met
  bool in_parts = false;              ///< throws an OpenCondition, for a value in each part of the cell

 private:
  bool next(const char* token);  // takes it when it is there
  void expect(const char* token);
  std::string word();
  std::string relation();
  Q number();
  Form sum();
  Form product();
  Form factor();
  Form atom();
  Form branch();
  Form series(bool largest);
  Form with();
  Form call(const std::string& name);
  Form wave(const Form& angle, bool sine);
  Form written_out(const std::string& name, const Form& x);
  Form over(const Form& a, const Form& b);
  Form arctangent(const Form& x);
  Form complementary_error(const Form& x);
  Form log_gamma(const Form& x);
  Form polygamma(const Form& order, const Form& x);
  Form look_up(const Table& table, const Form& index);
  bool is_whole(const std::string& index) const;

  std::string text_;
  std::size_t at_ = 0;
  int depth_ = 0, skipped_ = 0;  // within branches that are not taken, nothing has a value
};

/// The terms that are integers for all integers x and n: whole multiples of whole powers.
Form natural_part(const Form& f);
/// Whether a text has the name in it.
bool mentions(const std::string& text, const std::string& name);
/// Whether the word is one of those in the list, which spaces part.
bool among(const std::string& list, const std::string& word);
/// Functions written for others, whose names a parameter may have, and no table.
bool is_function(const std::string& name);
/// Names that no parameter, table or summation variable may have.
bool is_reserved(const std::string& name);

}  // namespace gpe::verifier
