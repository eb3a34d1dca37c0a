// A config.json of somebody else: each key is asked for with what it may be, and anything else is one
// message.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gpe::model {

/// A key whose value is null counts as absent. Every member throws theory::SpecError that names file and key,
/// and says what was expected.
class JsonConfig {
 public:
  /// @throws theory::SpecError  not readable, beyond 1 MiB, or no JSON object
  explicit JsonConfig(const std::filesystem::path& file);

  const std::string& source() const { return source_; }
  bool has(const std::string& key) const;
  std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high) const;
  double number(const std::string& key, double low, double high) const;
  bool flag(const std::string& key) const;
  std::string text(const std::string& key) const;
  /// One of `allowed`.
  std::string text(const std::string& key, const std::vector<std::string>& allowed) const;
  /// The keys inside are called "key.inner" in messages.
  JsonConfig object(const std::string& key) const;
  /// Names of all keys, sorted.
  std::vector<std::string> keys() const;

  [[noreturn]] void fail(const std::string& key, const std::string& expected) const;

 private:
  JsonConfig(std::string source, std::string prefix, std::shared_ptr<const nlohmann::json> content);
  const nlohmann::json& expect(const std::string& key, const std::string& expected) const;

  std::string source_;
  std::string prefix_;
  std::shared_ptr<const nlohmann::json> content_;
};

}  // namespace gpe::model
