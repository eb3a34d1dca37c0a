// One reading of an encoding given as text, the way a report sees it.
#pragma once

#include <stdexcept>
#include <string>

#include "tests/in_time.h"
#include "tests/theory/engine.h"
#include "theory/properties/verdict.h"
#include "theory/score/one_liner.h"
#include "theory/score/spec_parse.h"

namespace gpe::testing {

/// The reading called "cn/every-content", "gps/vector", …
inline const theory::Reading& reading_called(const std::string& key) {
  for (const theory::Reading& reading : theory::readings()) {
    if (std::string(short_name_of(reading.property)) + "/" + std::string(reading.name) == key) return reading;
  }
  throw std::invalid_argument("no reading is called " + key);
}

/// A file with this `[parameters]` body and this `[score]` body.
inline theory::Encoding encoding_with(const std::string& parameters, const std::string& score) {
  return theory::parse_encoding(
      "schema = 1\nname = \"x\"\n[parameters]\n" + parameters + "\n[score]\n" + score + "\n", "x.toml", {});
}

/// At the default values and over the region of all parameters.
inline theory::Finding finding(const theory::Encoding& encoding, const std::string& key,
                               const theory::Rational& bound = 1,
                               const std::vector<std::string>& symbolic = {}) {
  return theory::find(reading_called(key), theory::instantiate(encoding, {}, {}, oracle()), bound, in_time(),
                      symbolic);
}

/// "holds", "fails", "depends" or "undecided" of a score given by its bias and gain alone.
inline std::string verdict(const std::string& bias, const std::string& gain, const std::string& key,
                           const theory::Rational& bound = 1) {
  return std::string(name_of(finding(theory::encoding_of({bias, gain, "", "", 0}), key, bound).verdict));
}

}  // namespace gpe::testing
