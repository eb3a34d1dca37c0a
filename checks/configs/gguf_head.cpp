#include "checks/configs/gguf_head.h"
// Tests: tests/checks/formats_test.py

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "theory/source/spec_error.h"

namespace gpe::checks {

namespace {

constexpr std::uint64_t kMaxEntries = 1 << 20;
constexpr std::uint64_t kLongestName = 1 << 16;
constexpr int kDeepestList = 4;

enum Type : std::uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kText, kList, kU64, kI64, kF64 };

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file.string()), in_(file, std::ios::binary) {
    std::error_code failed;
    size_ = left_ = std::filesystem::file_size(file, failed);
    if (failed || !in_) fail("cannot be read");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw theory::SpecError(file_ + ": GGUF: " + what);
  }

  template <typename Number>
  Number number() {
    static_assert(std::endian::native == std::endian::little);
    Number value{};
    take(sizeof value);
    in_.read(reinterpret_cast<char*>(&value), sizeof value);
    if (!in_) fail("cannot be read");
    return value;
  }

  std::uint64_t count(const std::string& what, std::uint64_t most) {
    const auto value = number<std::uint64_t>();
    if (value > most) fail(std::to_string(value) + " " + what + "; expected at most " + std::to_string(most));
    return value;
  }

  std::string text(std::uint64_t most) {
    const std::uint64_t size = count("bytes of a text", most);
    take(size);
    std::string value(static_cast<std::size_t>(size), '\0');
    in_.read(value.data(), static_cast<std::streamsize>(size));
    if (!in_) fail("cannot be read");
    return value;
  }

  void skip(std::uint64_t size) {
    take(size);
    in_.seekg(static_cast<std::streamoff>(size), std::ios::cur);
  }

  std::uint64_t left() const { return left_; }
  std::uint64_t position() const { return size_ - left_; }

 private:
  void take(std::uint64_t size) {
    if (size > left_) fail("ends too early");
    left_ -= size;
  }

  std::string file_;
  std::ifstream in_;
  std::uint64_t size_ = 0;
  std::uint64_t left_ = 0;
};

std::uint64_t size_of(Reader& in, std::uint32_t type) {
  switch (type) {
    case kU8:
    case kI8:
    case kBool:
      return 1;
    case kU16:
    case kI16:
      return 2;
    case kU32:
    case kI32:
    case kF32:
      return 4;
    case kU64:
    case kI64:
    case kF64:
      return 8;
    default:
      in.fail("a value of type " + std::to_string(type) + "; expected one from 0 to 12");
  }
}

// JSON has no number for what is not finite.
nlohmann::json finite(double value) {
  if (!std::isfinite(value)) return "not finite";
  return value;
}

// The number that the shortest decimal of a float denotes.
double decimal(float value) {
  constexpr int kEnough = std::numeric_limits<float>::max_digits10;
  for (int digits = 1; digits <= kEnough; ++digits) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*g", digits, static_cast<double>(value));
    if (std::strtof(text.data(), nullptr) == value) return std::strtod(text.data(), nullptr);
  }
  return value;
}

nlohmann::json scalar(Reader& in, std::uint32_t type) {
  switch (type) {
    case kU8:
      return in.number<std::uint8_t>();
    case kI8:
      return in.number<std::int8_t>();
    case kU16:
      return in.number<std::uint16_t>();
    case kI16:
      return in.number<std::int16_t>();
    case kU32:
      return in.number<std::uint32_t>();
    case kI32:
      return in.number<std::int32_t>();
    case kF32:
      return finite(decimal(in.number<float>()));
    case kBool:
      return in.number<std::uint8_t>() != 0;
    case kU64:
      return in.number<std::uint64_t>();
    case kI64:
      return in.number<std::int64_t>();
    case kF64:
      return finite(in.number<double>());
    default:
      in.fail("a value of type " + std::to_string(type) + "; expected one from 0 to 12");
  }
}

// Lists are passed over: no key that is read here has one.
void skip_list(Reader& in, int depth = 0) {
  const auto type = in.number<std::uint32_t>();
  const std::uint64_t count = in.count("values of a list", in.left());
  if (type == kText) {
    for (std::uint64_t i = 0; i < count; ++i) in.skip(in.count("bytes of a text", in.left()));
  } else if (type == kList) {
    if (depth == kDeepestList) in.fail("lists in lists, more than " + std::to_string(kDeepestList));
    for (std::uint64_t i = 0; i < count; ++i) skip_list(in, depth + 1);
  } else {
    in.skip(count * size_of(in, type));
  }
}

nlohmann::json value_of(Reader& in, std::uint32_t type) {
  if (type == kText)
    return in.text(std::min<std::uint64_t>(in.left(), 1 << 24));  // templates of chats are long
  if (type != kList) return scalar(in, type);
  skip_list(in);
  return "a list";
}

}  // namespace

namespace {

constexpr std::uint64_t kMaxFactors = 1 << 16;

// Where a tensor lies in the data, and how many numbers it has in one dimension; 0 where it has more.
struct Place {
  std::uint64_t count = 0;
  std::uint32_t type = 0;
  std::uint64_t offset = 0;
};

Place place_of_tensor(Reader& in) {
  const auto dimensions = in.number<std::uint32_t>();
  if (dimensions > 8) in.fail(std::to_string(dimensions) + " dimensions of a tensor; expected at most 8");
  Place place;
  for (std::uint32_t i = 0; i < dimensions; ++i) place.count = in.number<std::uint64_t>();
  if (dimensions != 1) place.count = 0;
  place.type = in.number<std::uint32_t>();
  place.offset = in.number<std::uint64_t>();
  return place;
}

// After the head, aligned: numbers of 32 bits in one dimension.
std::vector<float> factors(Reader& in, const Place& place, const GgufHead& head) {
  const nlohmann::json alignment = head.values->value("general.alignment", nlohmann::json(32U));
  const auto step = alignment.is_number_unsigned() ? alignment.get<std::uint64_t>() : 0;
  if (step < 1 || step > (1U << 20))
    in.fail("key 'general.alignment' is " + alignment.dump() + "; expected a whole number up to 1048576");
  if (place.type != 0 || place.count == 0 || place.count > kMaxFactors)
    in.fail("tensor rope_freqs.weight has " + std::to_string(place.count) + " numbers of type " +
            std::to_string(place.type) + " in one dimension; expected up to 65536 of type 0 (F32)");
  in.skip((step - in.position() % step) % step);
  if (place.offset > in.left()) in.fail("ends too early");
  in.skip(place.offset);
  std::vector<float> result;
  for (std::uint64_t i = 0; i < place.count; ++i) result.push_back(in.number<float>());
  return result;
}

}  // namespace

GgufHead read_gguf_head(const std::filesystem::path& file) {
  Reader in(file);
  if (in.number<std::uint32_t>() != 0x46554747) in.fail("no such file: it does not begin with GGUF");
  const auto version = in.number<std::uint32_t>();
  if (version != 2 && version != 3) in.fail("version " + std::to_string(version) + "; expected 2 or 3");
  const std::uint64_t tensors = in.count("tensors", kMaxEntries);
  const std::uint64_t entries = in.count("keys", kMaxEntries);
  GgufHead head;
  nlohmann::json values = nlohmann::json::object();
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::string key = in.text(kLongestName);
    const auto type = in.number<std::uint32_t>();
    values[key] = value_of(in, type);
  }
  head.values = std::make_shared<const nlohmann::json>(std::move(values));
  Place factors_at;
  for (std::uint64_t i = 0; i < tensors; ++i) {
    const std::string name = in.text(kLongestName);
    head.tensors.insert(name);
    const Place place = place_of_tensor(in);
    if (name == "rope_freqs.weight") factors_at = place;
  }
  if (head.tensors.contains("rope_freqs.weight")) head.rope_factors = factors(in, factors_at, head);
  return head;
}

}  // namespace gpe::checks
