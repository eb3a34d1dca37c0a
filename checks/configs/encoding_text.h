// An encoding file that is being written: its parts as text, put together in the order of the format.
#pragma once

#include <string>
#include <vector>

#include "theory/source/rational.h"

namespace gpe::checks {

struct EncodingText {
  struct Parameter {
    std::string name;
    std::vector<std::string> values;  ///< one, or one per head
    std::string domain;
    std::string doc;
  };
  struct Table {
    std::string name;
    std::vector<theory::Rational> values;  ///< at indices 0, 1, …
    std::string index;
  };

  std::string name;
  std::string title;
  std::string reference;
  std::vector<Parameter> parameters;
  std::vector<Table> tables;
  std::vector<std::string> gains;  ///< factors of the gain, each fit to stand in a product
  std::string bias;
  std::string window;
  std::string sink;
  std::string softcap;  ///< of the content with its gain: what tanh is taken of
  std::string angle;    ///< empty: no rotation
  std::string scale;    ///< of block j; empty: 1
  bool interleaved = false;
  int turned = 0;  ///< coordinates that turn, in pairs among themselves

  void parameter(const std::string& parameter, const theory::Rational& value, const std::string& domain,
                 const std::string& doc);
  /// The [score] part alone: two encodings with the same one and the same parameters are one.
  std::string score() const;
  std::string toml() const;
};

}  // namespace gpe::checks
