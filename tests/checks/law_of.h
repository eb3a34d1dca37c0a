// Laws from text, and the oracle, for the tests of numbers and contents.
#pragma once

#include <string>

#include "tests/oracle.h"
#include "theory/score/one_liner.h"
#include "theory/score/score_function.h"
#include "theory/score/spec_parse.h"

namespace gpe::testing {

/// One head of dimension 64, with content; blocks turn when there is an angle.
inline theory::ScoreFunction law_of(const std::string& bias, const std::string& gain = "1",
                                    const std::string& angle = "") {
  theory::OneLiner text;
  text.bias = bias;
  text.gain = gain;
  if (!angle.empty()) {
    text.transform = "rotation";
    text.angle = angle;
  }
  return at_values(theory::instantiate(theory::encoding_of(text), {}, {}, oracle()));
}

}  // namespace gpe::testing
