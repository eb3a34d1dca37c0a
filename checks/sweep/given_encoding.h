// Which of the encodings on a command line ENCODING.NAME means, in --set and --vary.
// Tests: tests/cli/parameters.cmake
#pragma once

#include <string>
#include <vector>

#include "checks/cli/command_line.h"
#include "checks/sweep/parameter_grid.h"
#include "theory/score/encoding.h"

namespace gpe::checks {

/// An encoding by what it may be called: as it was given, its own name, "first".
struct GivenEncoding {
  std::vector<std::string> names;
  std::vector<std::string> parameters;

  GivenEncoding(std::vector<std::string> called, const theory::Encoding& encoding);
  bool is_called(const std::string& prefix) const;  ///< an empty prefix means every encoding
  bool has(const std::string& prefix, const std::string& parameter) const;
};

/// @param option  "--set", for the message
/// @throws theory::SpecError  no encoding is called `prefix`, or none that is has the parameter; with the
/// nearest name
void require_parameter(const std::string& option, const std::string& prefix, const std::string& parameter,
                       const std::vector<GivenEncoding>& encodings);

/// What is set for one encoding. @throws theory::SpecError  a parameter that is set twice
std::vector<theory::Override> overrides_of(const GivenEncoding& encoding,
                                           const std::vector<Assignment>& assignments);

/// @throws theory::SpecError  the parameter that is varied has a value already
void require_not_set(const VariedParameter& varied, const std::vector<theory::Override>& overrides);

}  // namespace gpe::checks
