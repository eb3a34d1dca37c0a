// safetensors: what is written is read back, and what is wrong is refused with one message.
#include "model/data/safetensors.h"

#include <sys/stat.h>

#include <cstring>

#include "model/data/safetensors_header.h"
#include "tests/temporary_folder.h"
#include "theory/source/spec_error.h"

namespace gpe::model {
namespace safetensors_test {

using tests::TemporaryFolder;

std::span<const std::byte> as_bytes(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::string as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string file_bytes(const std::string& header, std::size_t data_size, std::int64_t announced = -1) {
  const std::uint64_t length = announced >= 0 ? static_cast<std::uint64_t>(announced) : header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header + std::string(data_size, 'x');
}

std::string refusal(const std::string& bytes) {
  try {
    parse_safetensors(as_bytes(bytes), "f");
  } catch (const theory::SpecError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Safetensors, every_type_and_the_metadata_are_read_back) {
  const TemporaryFolder folder;
  std::vector<std::string> data;
  for (const TensorType type : kTensorTypes) data.push_back(std::string(6 * size_of(type), 'a'));
  std::vector<TensorView> tensors;
  for (std::size_t i = 0; i < kTensorTypes.size(); ++i) {
    for (std::size_t k = 0; k < data[i].size(); ++k) data[i][k] = static_cast<char>(17 * i + k);
    tensors.push_back(
        {"t." + std::string(name_of(kTensorTypes[i])), kTensorTypes[i], {2, 3}, as_bytes(data[i])});
  }
  const std::string one(4, 'z');
  tensors.push_back({"scalar", TensorType::f32, {}, as_bytes(one)});
  tensors.push_back({"empty", TensorType::i64, {3, 0, 5}, {}});
  tensors.push_back({"na\u00efve \"name\"\n", TensorType::u8, {1}, as_bytes(one).first(1)});
  const Metadata metadata = {{"format", "pt"}, {"", "empty key"}, {"step", "7\n"}};
  write_safetensors(folder / "a.safetensors", tensors, metadata);

  const SafetensorsFile file(folder / "a.safetensors");
  EXPECT_EQ(file.metadata(), metadata);
  ASSERT_EQ(file.tensors().size(), tensors.size());
  for (const TensorView& tensor : tensors) {
    const TensorView* const found = file.find(tensor.name);
    ASSERT_NE(found, nullptr) << tensor.name;
    EXPECT_EQ(found->type, tensor.type);
    EXPECT_EQ(found->shape, tensor.shape);
    EXPECT_EQ(as_text(found->bytes), as_text(tensor.bytes));
    if (!found->bytes.empty()) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found->bytes.data()) % size_of(tensor.type), 0u)
          << tensor.name;
    }
  }
  EXPECT_EQ(file.find("absent"), nullptr);
}

TEST(Safetensors, the_order_of_the_tensors_does_not_matter_to_the_bytes) {
  const TemporaryFolder folder;
  const std::string data(16, 'd');
  std::vector<TensorView> tensors = {{"b", TensorType::f32, {2}, as_bytes(data).first(8)},
                                     {"a", TensorType::f32, {2}, as_bytes(data).first(8)},
                                     {"c", TensorType::f64, {2}, as_bytes(data)}};
  write_safetensors(folder / "1", tensors);
  std::swap(tensors[0], tensors[2]);
  write_safetensors(folder / "2", tensors);
  EXPECT_EQ(as_text(MappedFile(folder / "1").bytes()), as_text(MappedFile(folder / "2").bytes()));
  EXPECT_EQ(SafetensorsFile(folder / "1").tensors().front().name, "c");  // the largest elements first
}

TEST(Safetensors, a_file_without_tensors_is_one) {
  const TemporaryFolder folder;
  write_safetensors(folder / "none", {});
  EXPECT_TRUE(SafetensorsFile(folder / "none").tensors().empty());
}

TEST(Safetensors, expecting_names_what_is_there_instead) {
  const TemporaryFolder folder;
  const std::string data(8, 'd');
  write_safetensors(folder / "m",
                    std::vector<TensorView>{{"blocks.0.weight", TensorType::f32, {2}, as_bytes(data)}});
  const SafetensorsFile file(folder / "m");
  const std::vector<std::int64_t> two = {2};
  const std::vector<std::int64_t> row = {1, 2};
  EXPECT_EQ(file.expect("blocks.0.weight", TensorType::f32, two).bytes.size(), 8u);
  const auto message = [&](const std::string& name, TensorType type, const std::vector<std::int64_t>& shape) {
    try {
      file.expect(name, type, shape);
    } catch (const theory::SpecError& error) {
      const std::string text = error.what();
      return text.substr(text.find(": tensor"));
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message("blocks.0.weigth", TensorType::f32, two),
            ": tensor \"blocks.0.weigth\" is missing; there is \"blocks.0.weight\"");
  EXPECT_EQ(message("blocks.0.weight", TensorType::f32, row),
            ": tensor \"blocks.0.weight\" is F32 [2]; expected F32 [1, 2]");
  EXPECT_EQ(message("blocks.0.weight", TensorType::bf16, two),
            ": tensor \"blocks.0.weight\" is F32 [2]; expected BF16 [2]");
}

TEST(Safetensors, wrong_files_are_refused_with_the_reason) {
  const std::string a = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  struct Case {
    std::string bytes;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"", "f: 0 bytes; a safetensors file begins with 8 bytes, the length of its header"},
      {"1234567", "f: 7 bytes; a safetensors file begins with 8 bytes, the length of its header"},
      {file_bytes("{}", 0, 3), "f: announces a header of 3 bytes, 2 follow: the file is truncated"},
      {file_bytes("{}", 0, 100000001),
       "f: announces a header of 100000001 bytes, more than 100000000; not a safetensors file?"},
      {std::string(8, '\xff'),
       "f: announces a header of 18446744073709551615 bytes, more than 100000000; not a safetensors file?"},
      {file_bytes("", 0), "f: header: does not begin with '{'"},
      {file_bytes(" {}", 0), "f: header: does not begin with '{'"},
      {file_bytes("[]", 0), "f: header: does not begin with '{'"},
      {file_bytes("{", 0), "f: header: not JSON at byte 2 of it"},
      {file_bytes("{}}", 0), "f: header: not JSON at byte 3 of it"},
      {file_bytes("{\"a\xff\":1}", 0), "f: header: not JSON at byte 4 of it"},
      {file_bytes("{" + a + "," + a + "}", 8), "f: header: \"a\" occurs twice"},
      {file_bytes(R"({"__metadata__":{},"__metadata__":{}})", 0), "f: header: \"__metadata__\" occurs twice"},
      {file_bytes(R"({"__metadata__":{"k":"1","k":"2"}})", 0),
       "f: header: \"__metadata__\": key \"k\" occurs twice"},
      {file_bytes(R"({"__metadata__":{"k":1}})", 0),
       "f: header: \"__metadata__\": a number where a string was expected"},
      {file_bytes(R"({"__metadata__":{"k":{}}})", 0),
       "f: header: \"__metadata__\": an object where a string was expected"},
      {file_bytes(R"({"__metadata__":null})", 0),
       "f: header: \"__metadata__\": null where an object was expected"},
      {file_bytes(R"({"__metadata__":{"k\n\u001b[31mé":-1}})", 0),  // no tensor has the name of the key
       "f: header: \"__metadata__\": a negative number where a string was expected"},
      {file_bytes(R"({"a":3})", 0), "f: header: \"a\": a number where an object was expected"},
      {file_bytes(R"({"__metadata__":{"k\n":"v"},"a":-3})", 0),
       "f: header: \"a\": a negative number where an object was expected"},
      {file_bytes(R"({"a":{"shape":[2],"data_offsets":[0,8]}})", 8), "f: header: \"a\": dtype is missing"},
      {file_bytes(R"({"a":{"dtype":"F32","data_offsets":[0,8]}})", 8), "f: header: \"a\": shape is missing"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":[2]}})", 8), "f: header: \"a\": data_offsets is missing"},
      {file_bytes(R"({"a":{"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8),
       "f: header: \"a\": key \"dtype\" occurs twice"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"stride":1}})", 8),
       "f: header: \"a\": unknown key \"stride\"; known here: dtype, shape, data_offsets"},
      {file_bytes(R"({"a":{"dtype":"F31","shape":[2],"data_offsets":[0,8]}})", 8),
       "f: header: \"a\": unknown dtype \"F31\"; known here: F64, F32, F16, BF16, I64, I32, I16, I8, U8, "
       "BOOL"},
      {file_bytes(R"({"a":{"dtype":7,"shape":[2],"data_offsets":[0,8]}})", 8),
       "f: header: \"a\": a number where the name of a type was expected"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":2,"data_offsets":[0,8]}})", 8),
       "f: header: \"a\": a number where a list of integers was expected"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":[[2]],"data_offsets":[0,8]}})", 8),
       "f: header: \"a\": an array where an integer was expected"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", 8),
       "f: header: \"a\": a number that is not an integer below 2^63 where an integer was expected"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8),
       "f: header: \"a\": shape: a negative number"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,8]}})", 8),
       "f: header: \"a\": shape: a number beyond 2^63"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":[1e3],"data_offsets":[0,8]}})", 8),
       "f: header: \"a\": a number that is not an integer below 2^63 where an integer was expected"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":[true],"data_offsets":[0,8]}})", 8),
       "f: header: \"a\": a boolean where an integer was expected"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0]}})", 8),
       "f: header: \"a\": data_offsets has 1 numbers; expected the begin and the end"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8),
       "f: header: \"a\": data_offsets [8, 0] end before they begin"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8),
       "f: header: \"a\": F32 [3] takes 12 bytes, data_offsets [0, 8] are 8"},
      {file_bytes(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0),
       "f: header: \"a\": the shape has more than 2^63 bytes"},
      {file_bytes("{" + a + "}", 7),
       "f: header: \"a\": ends at byte 8 of the data, which has 7: the file is truncated"},
      {file_bytes("{" + a + "}", 10), "f: 2 bytes at the end belong to no tensor of the header"},
      {file_bytes("{}", 1), "f: 1 bytes at the end belong to no tensor of the header"},
      {file_bytes("{" + a + R"(,"b":{"dtype":"U8","shape":[2],"data_offsets":[9,11]}})", 11),
       "f: header: \"b\": begins at byte 9 of the data; bytes from 8 on belong to no tensor"},
      {file_bytes("{" + a + R"(,"b":{"dtype":"U8","shape":[2],"data_offsets":[7,9]}})", 9),
       "f: header: \"b\": begins at byte 7 of the data, inside \"a\", which ends at 8"},
      {file_bytes("{" + a + R"(,"b":{"dtype":"U8","shape":[0],"data_offsets":[3,3]}})", 8),
       "f: header: \"b\": begins at byte 3 of the data, inside \"a\", which ends at 8"},
      {file_bytes(R"({"\u001b[31m":{"dtype":"F31","shape":[],"data_offsets":[]}})", 0),
       "f: header: \"\\u001b[31m\": unknown dtype \"F31\"; known here: F64, F32, F16, BF16, I64, I32, I16, "
       "I8, U8, "
       "BOOL"},
  };
  for (const Case& c : cases) EXPECT_EQ(refusal(c.bytes), c.message);
}

TEST(Safetensors, deep_nesting_costs_no_stack) {
  const std::string deep = "{\"a\":" + std::string(1'000'000, '[');
  EXPECT_EQ(refusal(file_bytes(deep, 0)), "f: header: \"a\": an array where an object was expected");
  const std::string long_name(10'000, 'n');
  EXPECT_LT(refusal(file_bytes("{\"" + long_name + "\":1}", 0)).size(), 200u);
}

TEST(Safetensors, files_that_are_none_are_named) {
  const TemporaryFolder folder;
  const auto message = [](const std::filesystem::path& file) {
    try {
      SafetensorsFile{file};
    } catch (const theory::SpecError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message(folder / "absent"), (folder / "absent").string() + ": no such file");
  EXPECT_EQ(message(folder.path()), folder.path().string() + ": is a folder, expected a file");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(message(folder / "pipe"), (folder / "pipe").string() + ": is not a regular file");
  EXPECT_EQ(message(folder.write("empty", "")),
            (folder / "empty").string() +
                ": 0 bytes; a safetensors file begins with 8 bytes, the length of its header");
}

// Independent of the parser: the bytes of a tensor are a product.
RC_GTEST_PROP(Safetensors, whatever_is_written_is_read_back, ()) {
  const TemporaryFolder folder;
  const auto count = *rc::gen::inRange<std::size_t>(0, 8).as("tensors");
  std::vector<TensorView> tensors;
  std::vector<std::string> data(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto type = *rc::gen::elementOf(std::vector<TensorType>(kTensorTypes.begin(), kTensorTypes.end()));
    const auto shape = *rc::gen::container<std::vector<std::int64_t>>(*rc::gen::inRange(0, 4),
                                                                      rc::gen::inRange<std::int64_t>(0, 5));
    std::size_t elements = 1;
    for (const std::int64_t dimension : shape) elements *= static_cast<std::size_t>(dimension);
    data[i] = *rc::gen::container<std::string>(elements * size_of(type), rc::gen::arbitrary<char>());
    tensors.push_back({std::string(1, static_cast<char>('a' + i)), type, shape, as_bytes(data[i])});
  }
  RC_CLASSIFY(count == 0, "no tensor");
  write_safetensors(folder / "p", tensors);
  const SafetensorsFile file(folder / "p");
  RC_ASSERT(file.tensors().size() == count);
  for (const TensorView& tensor : tensors) {
    const TensorView* const found = file.find(tensor.name);
    RC_ASSERT(found != nullptr);
    RC_ASSERT(found->shape == tensor.shape && found->type == tensor.type);
    RC_ASSERT(as_text(found->bytes) == as_text(tensor.bytes));
  }
}

}  // namespace safetensors_test
}  // namespace gpe::model
