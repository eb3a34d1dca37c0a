// A config.json of somebody else: each key is asked for with what it may be, and anything else is one
// message.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "theory/source/rational.h"

namespace gpe::checks {

/// A key whose value is null counts as absent. Every member throws theory::SpecError that names file and key,
/// and says what was expected.
class JsonConfig {
 public:
  /// @throws theory::SpecError  not readable, beyond 1 MiB, or no JSON object
  explicit JsonConfig(const std::filesystem::path& file);
  /// The text of one, called `source` in messages.
  JsonConfig(const std::string& text, const std::string& source);

  const std::string& source() const { return source_; }
  /// What the file is, and whose reading this is.
  struct Origin {
    std::string file = "config.json with";
    std::string reader = "Hugging Face transformers 5.23";
  };
  const Origin& origin() const { return origin_; }
  JsonConfig with_origin(Origin origin) const;
  /// The same, where a key that is not there (null is there) has the value of this JSON object.
  JsonConfig with_defaults(const std::string& text) const;
  /// Whether the config has the key itself, not by default.
  bool states(const std::string& key) const;
  bool has(const std::string& key) const;
  /// Whether the key is there, with null too.
  bool contains(const std::string& key) const { return has(key) || is_null(key); }
  /// The object of a key; that of the defaults where it is null or not there.
  std::optional<JsonConfig> stated_or_default(const std::string& key) const;
  std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high) const;
  double number(const std::string& key, double low, double high) const;
  /// The same, as the decimal that is written there.
  theory::Rational exact(const std::string& key, double low, double high) const;
  /// One number or several, all of them from `low` to `high`.
  std::vector<theory::Rational> exact_list(const std::string& key, double low, double high) const;
  bool flag(const std::string& key) const;
  std::string text(const std::string& key) const;
  /// One of `allowed`.
  std::string text(const std::string& key, const std::vector<std::string>& allowed) const;
  /// A list of `count` strings, or of whole numbers from 0.
  std::vector<std::string> texts(const std::string& key, std::size_t count) const;
  /// One or more strings.
  std::vector<std::string> texts(const std::string& key) const;
  std::vector<std::int64_t> integers(const std::string& key, std::size_t count) const;
  /// Whether the key is there and is null, or an object.
  bool is_null(const std::string& key) const;
  bool is_text(const std::string& key, const std::string& value) const;
  bool is_object(const std::string& key) const;
  bool is_list(const std::string& key) const;
  /// The keys inside are called "key.inner" in messages.
  JsonConfig object(const std::string& key) const;
  /// A key with the objects around it, from the outermost on.
  using Path = std::vector<std::string>;
  /// The same without one of its keys, or with another name for it.
  JsonConfig without(const Path& path) const;
  JsonConfig renamed(const Path& path, const std::string& name) const;
  /// The same with the keys of another one in the object at this place: they replace its own, null takes them
  /// away.
  JsonConfig patched(const JsonConfig& patch, const Path& place) const;
  /// Keys that were looked at, those inside as "key.inner".
  bool was_asked(const std::string& key) const { return asked_->contains(prefix_ + key); }
  /// Those that begin with `around`, which is left out, and are inside no further object.
  std::vector<std::string> asked_inside(const std::string& around) const;
  /// The object of a key that states one; this is no look at it, nor are looks inside.
  std::optional<JsonConfig> stated_object(const std::string& key) const;
  /// Names of all keys, sorted.
  std::vector<std::string> keys() const;

  [[noreturn]] void fail(const std::string& key, const std::string& expected) const;

 private:
  JsonConfig with_content(nlohmann::json content) const;
  JsonConfig(std::string source, std::string prefix, std::shared_ptr<const nlohmann::json> content,
             std::shared_ptr<std::set<std::string>> asked);
  const nlohmann::json* find(const std::string& key) const;  // nothing for null
  const nlohmann::json& expect(const std::string& key, const std::string& expected) const;

  std::string source_;
  Origin origin_ = {};
  std::string prefix_;
  std::shared_ptr<const nlohmann::json> content_;
  std::shared_ptr<const nlohmann::json> defaults_;
  std::shared_ptr<std::set<std::string>> asked_ = std::make_shared<std::set<std::string>>();
};

}  // namespace gpe::checks
