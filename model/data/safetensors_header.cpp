#include "model/data/safetensors_header.h"
// Tests: tests/model/data/safetensors_test.cpp, tests/fuzz/safetensors_fuzz.cpp
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::model {
namespace {

using nlohmann::json;
using theory::SpecError;

static_assert(std::endian::native == std::endian::little,
              "the tensors' bytes are used as they lie in the file");

struct Entry {
  std::string name;
  std::optional<TensorType> type;
  std::optional<std::vector<std::int64_t>> shape;
  std::optional<std::vector<std::int64_t>> offsets;
};

// Reads the header's JSON as it comes, so that what a tree of it would hide, a key that occurs twice, is
// seen.
class HeaderReader : public json::json_sax_t {
 public:
  explicit HeaderReader(std::string source) : source_(std::move(source)) {}

  std::vector<Entry> entries;
  Metadata metadata;

  bool start_object(std::size_t) override {
    if (place_ == Place::outside) {
      place_ = Place::top;
    } else if (place_ == Place::top) {
      place_ = name_ == kMetadataKey ? Place::metadata : Place::entry;
      if (place_ == Place::entry) entries.push_back({.name = name_, .type = {}, .shape = {}, .offsets = {}});
    } else {
      fail("an object where " + expected() + " was expected");
    }
    return true;
  }

  bool key(std::string& key) override {
    if (place_ == Place::top) {
      name_ = key;
      if (!names_.insert(key).second)
        throw SpecError(source_ + ": header: " + quoted_name(key) + " occurs twice");
      return true;
    }
    key_ = key;
    if (place_ == Place::metadata) {
      if (metadata.contains(key)) fail("key " + quoted_name(key) + " occurs twice");
      return true;
    }
    const Entry& entry = entries.back();
    if (key != "dtype" && key != "shape" && key != "data_offsets") {
      fail("unknown key " + quoted_name(key) + "; known here: dtype, shape, data_offsets");
    }
    if ((key == "dtype" && entry.type) || (key == "shape" && entry.shape) ||
        (key == "data_offsets" && entry.offsets)) {
      fail("key " + quoted_name(key) + " occurs twice");
    }
    return true;
  }

  bool string(std::string& value) override {
    if (place_ == Place::metadata) {
      metadata.emplace(key_, value);
    } else if (place_ == Place::entry && key_ == "dtype") {
      entries.back().type = tensor_type(value);
      if (!entries.back().type)
        fail("unknown dtype " + quoted_name(value) + "; known here: " + known_types());
    } else {
      fail("a string where " + expected() + " was expected");
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ != Place::entry || key_ == "dtype") fail("an array where " + expected() + " was expected");
    place_ = Place::list;
    list().emplace();
    return true;
  }

  bool number_unsigned(std::uint64_t value) override {
    if (place_ != Place::list) fail("a number where " + expected() + " was expected");
    if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
      fail(key_ + ": a number beyond 2^63");
    list()->push_back(static_cast<std::int64_t>(value));
    return true;
  }

  bool end_array() override {
    place_ = Place::entry;
    return true;
  }

  bool end_object() override {
    if (place_ == Place::entry) {
      const Entry& entry = entries.back();
      if (!entry.type) fail("dtype is missing");
      if (!entry.shape) fail("shape is missing");
      if (!entry.offsets) fail("data_offsets is missing");
    }
    place_ = place_ == Place::top ? Place::outside : Place::top;
    return true;
  }

  bool null() override { fail("null where " + expected() + " was expected"); }
  bool boolean(bool) override { fail("a boolean where " + expected() + " was expected"); }
  bool number_integer(std::int64_t) override {
    fail(place_ == Place::list ? key_ + ": a negative number"
                               : "a negative number where " + expected() + " was expected");
  }
  bool number_float(double, const std::string&) override {
    fail("a number that is not an integer below 2^63 where " + expected() + " was expected");
  }
  bool binary(json::binary_t&) override { fail("binary data"); }  // JSON text has none

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    throw SpecError(source_ + ": header: not JSON at byte " + std::to_string(position) + " of it");
  }

 private:
  enum class Place { outside, top, metadata, entry, list };

  [[noreturn]] void fail(const std::string& what) const {
    const std::string tensor = place_ == Place::outside ? "" : ": " + quoted_name(name_);
    throw SpecError(source_ + ": header" + tensor + ": " + what);
  }

  std::string expected() const {
    if (place_ == Place::metadata) return "a string";
    if (place_ == Place::list) return "an integer";
    if (place_ == Place::entry) return key_ == "dtype" ? "the name of a type" : "a list of integers";
    return "an object";
  }

  static std::string known_types() {
    return theory::joined(kTensorTypes, ", ", [](TensorType type) { return name_of(type); });
  }

  std::optional<std::vector<std::int64_t>>& list() {
    return key_ == "shape" ? entries.back().shape : entries.back().offsets;
  }

  std::string source_;
  Place place_ = Place::outside;
  std::string name_;  // of the tensor
  std::string key_;   // inside it
  std::set<std::string> names_;
};

void check_size(const Entry& entry, const std::string& where) {
  if (entry.offsets->size() != 2) {
    throw SpecError(where + "data_offsets has " + std::to_string(entry.offsets->size()) +
                    " numbers; expected the begin and the end");
  }
  const std::int64_t begin = entry.offsets->front();
  const std::int64_t end = entry.offsets->back();
  const std::string offsets = "data_offsets [" + std::to_string(begin) + ", " + std::to_string(end) + "]";
  if (begin > end) throw SpecError(where + offsets + " end before they begin");
  const auto bytes = tensor_bytes(*entry.type, *entry.shape);
  if (!bytes) throw SpecError(where + "the shape has more than 2^63 bytes");
  if (*bytes != static_cast<std::uint64_t>(end - begin)) {
    throw SpecError(where + describe(*entry.type, *entry.shape) + " takes " + std::to_string(*bytes) +
                    " bytes, " + offsets + " are " + std::to_string(end - begin));
  }
}

// Sorted by place, the tensors have to cover the data without a gap, an overlap or a rest.
void check_cover(const std::vector<Entry>& sorted, std::uint64_t data_size, const std::string& source) {
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::string where = source + ": header: " + quoted_name(sorted[i].name) + ": ";
    const auto begin = static_cast<std::uint64_t>(sorted[i].offsets->front());
    const auto next = static_cast<std::uint64_t>(sorted[i].offsets->back());
    if (begin < end) {
      throw SpecError(where + "begins at byte " + std::to_string(begin) + " of the data, inside " +
                      quoted_name(sorted[i - 1].name) + ", which ends at " + std::to_string(end));
    }
    if (begin > end) {
      throw SpecError(where + "begins at byte " + std::to_string(begin) + " of the data; bytes from " +
                      std::to_string(end) + " on belong to no tensor");
    }
    if (next > data_size) {
      throw SpecError(where + "ends at byte " + std::to_string(next) + " of the data, which has " +
                      std::to_string(data_size) + ": the file is truncated");
    }
    end = next;
  }
  if (end != data_size) {
    throw SpecError(source + ": " + std::to_string(data_size - end) +
                    " bytes at the end belong to no tensor of the header");
  }
}

}  // namespace

std::string quoted_name(const std::string& name) {
  std::string text = json(name).dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > 80) text = text.substr(0, 76) + "...\"";
  return text;
}

std::optional<std::uint64_t> tensor_bytes(TensorType type, std::span<const std::int64_t> shape) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  std::uint64_t bytes = size_of(type);
  bool zero = false;
  for (const std::int64_t dimension : shape) {
    if (dimension < 0) return std::nullopt;
    zero = zero || dimension == 0;
  }
  if (zero) return 0;
  for (const std::int64_t dimension : shape) {
    if (bytes > kMax / static_cast<std::uint64_t>(dimension)) return std::nullopt;
    bytes *= static_cast<std::uint64_t>(dimension);
  }
  return bytes;
}

std::string describe(TensorType type, std::span<const std::int64_t> shape) {
  std::string text = std::string(name_of(type)) + " [";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i == 8) return text + ", ... " + std::to_string(shape.size()) + " dimensions]";
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + "]";
}

SafetensorsContent parse_safetensors(std::span<const std::byte> bytes, const std::string& source) {
  constexpr std::size_t kLengthBytes = sizeof(std::uint64_t);
  if (bytes.size() < kLengthBytes) {
    throw SpecError(source + ": " + std::to_string(bytes.size()) +
                    " bytes; a safetensors file begins with 8 bytes, the length of its header");
  }
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kMaxHeaderBytes) {
    throw SpecError(source + ": announces a header of " + std::to_string(length) +
                    " bytes, more than 100000000; not a safetensors file?");
  }
  if (length > bytes.size() - kLengthBytes) {
    throw SpecError(source + ": announces a header of " + std::to_string(length) + " bytes, " +
                    std::to_string(bytes.size() - kLengthBytes) + " follow: the file is truncated");
  }
  const std::span<const std::byte> data = bytes.subspan(kLengthBytes + length);
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, length);
  if (!header.starts_with('{')) throw SpecError(source + ": header: does not begin with '{'");

  HeaderReader reader(source);
  json::sax_parse(header, &reader);
  for (const Entry& entry : reader.entries)
    check_size(entry, source + ": header: " + quoted_name(entry.name) + ": ");
  std::ranges::stable_sort(reader.entries, {}, [](const Entry& entry) { return *entry.offsets; });
  check_cover(reader.entries, data.size(), source);

  SafetensorsContent content{.tensors = {}, .metadata = std::move(reader.metadata)};
  for (Entry& entry : reader.entries) {
    const auto begin = static_cast<std::size_t>(entry.offsets->front());
    const auto end = static_cast<std::size_t>(entry.offsets->back());
    content.tensors.push_back({.name = std::move(entry.name),
                               .type = *entry.type,
                               .shape = std::move(*entry.shape),
                               .bytes = data.subspan(begin, end - begin)});
  }
  return content;
}

std::string safetensors_header(std::span<const TensorView> tensors, const Metadata& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header[kMetadataKey] = metadata;
  std::uint64_t begin = 0;
  for (const TensorView& tensor : tensors) {
    assert(tensor.name != kMetadataKey && !header.contains(tensor.name));
    assert(tensor_bytes(tensor.type, tensor.shape) == tensor.bytes.size());
    const std::uint64_t end = begin + tensor.bytes.size();
    header[tensor.name] = {
        {"dtype", name_of(tensor.type)}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  const std::uint64_t length = text.size();
  std::array<char, sizeof length> prefix{};
  std::memcpy(prefix.data(), &length, sizeof length);
  return std::string(prefix.data(), prefix.size()) + text;
}

}  // namespace gpe::model
