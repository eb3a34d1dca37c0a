// The keys of a rotation, from the place where the class of transformers reads each of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checks/configs/config_family.h"

namespace gpe::checks {

/// rope_parameters of one kind of layers, filled in as convert_rope_params_to_dict and
/// standardize_rope_params of configuration_utils.py do it, or what the class of this type has in their
/// place. A key that is null is there, and has no value.
class RopeKeys {
 public:
  /// @throws theory::SpecError  a dict by layer type where the code reads one for all layers
  RopeKeys(const JsonConfig& config, const ModelFamily& family, const LayerKind& kind);

  bool contains(const std::string& key) const;
  bool has(const std::string& key) const;
  theory::Rational exact(const std::string& key, double low = kLeast, double high = kMax) const;
  theory::Rational exact_or(const std::string& key, const theory::Rational& by_default) const;
  std::vector<theory::Rational> exact_list(const std::string& key) const;
  bool flag_or(const std::string& key, bool by_default) const;
  /// rope_type, or `type`, or "default"; the other names that the classes of some types have for it are
  /// replaced.
  std::string type() const { return type_; }
  [[noreturn]] void fail(const std::string& key, const std::string& expected) const;
  [[noreturn]] void fail_type(const std::string& expected) const;

  static constexpr double kMax = 1e12;
  static constexpr double kLeast = 1e-6;

 private:
  struct Entry {
    std::optional<JsonConfig> home;  // nothing: `value`
    std::string name;
    theory::Rational value = 0;
  };
  const JsonConfig& last() const;
  std::optional<Entry> find(const std::string& key) const;
  bool is_by_layer(const JsonConfig& dict) const;
  bool another_is_scaled() const;
  void take_dict();
  void take_both();
  void take_listed();
  void fill(const std::string& key, const std::string& outside);
  void fill(const std::string& key, const theory::Rational& value);
  void fill_beside();
  void fill_base();
  void fill_length();
  void set_type();

  const JsonConfig& config_;
  const ModelFamily& family_;
  const LayerKind& kind_;
  std::map<std::string, Entry> over_;    // whatever the dicts say
  std::vector<JsonConfig> dicts_;        // the first one that contains a key
  std::map<std::string, Entry> filled_;  // what they leave out
  std::optional<JsonConfig> outer_;      // around the dicts of layer types
  bool nested_ = false;
  bool typed_ = false;  // the class states the plain rotation, and only rope_type replaces it
  std::string type_ = "default";
  std::string type_key_ = "rope_type";
};

}  // namespace gpe::checks
