// Checkpoints from strangers, damaged ones, and what a run's folder keeps.
#include "model/training/checkpoint.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include "model/data/safetensors.h"
#include "model/interop/export_model.h"
#include "model/training/resume.h"
#include "model/training/run_folder.h"
#include "tests/model/small_model.h"
#include "tests/refusal.h"
#include "tests/temporary_folder.h"
#include "theory/source/sha256.h"

namespace gpe::model {
namespace checkpoint_test {

using tests::oracle;
using tests::refusal;
using tests::TemporaryFolder;

constexpr const char* kSteps =
    "schema = 1\nname = \"steps\"\n[tables]\nt = { file = \"steps.csv\", index = \"n\", beyond = "
    "\"constant\" }\n"
    "[score]\nbias = \"-t(n)\"\n";

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Saved {
  TemporaryFolder folder;
  TsmConfig config;
  LoadedModel model;

  explicit Saved(const std::string& encoding = tests::library("alibi"), std::int64_t iteration = 3)
      : config(tests::small("nope", "float32")) {
    config.position.encoding = encoding;
    config.training.iterations = 100;
    model = new_model(config, oracle());
    save(iteration);
  }
  void save(std::int64_t iteration, const RunRecord& record = {}) {
    model.iteration = iteration;
    save_checkpoint(folder.path(), model, AdamW(*model.transformer, config.training), record);
  }
  std::string loading() const {
    return refusal([&] { load_model(folder.path(), oracle()); });
  }
  std::string resuming(const RunRecord& record = {}) const {
    return refusal([&] {
      const LoadedModel loaded = load_model(folder.path(), oracle());
      AdamW optimizer(*loaded.transformer, config.training);
      load_moments(folder.path(), loaded, optimizer, record);
    });
  }
};

using Floats = std::vector<float>;

// A file again, with other metadata, and other numbers in tensors of float32.
void rewrite(const std::filesystem::path& file,
             const std::function<void(Metadata&, std::map<std::string, Floats>&)>& change) {
  Metadata metadata;
  std::map<std::string, Floats> numbers;
  std::vector<std::pair<TensorView, std::string>> tensors;
  {
    const SafetensorsFile read(file);
    metadata = read.metadata();
    for (const TensorView& tensor : read.tensors()) {
      tensors.emplace_back(
          tensor, std::string(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()));
      if (tensor.type != TensorType::f32) continue;
      Floats& of = numbers[tensor.name];
      of.resize(tensor.bytes.size() / sizeof(float));
      std::memcpy(of.data(), tensor.bytes.data(), tensor.bytes.size());
    }
  }
  change(metadata, numbers);
  std::vector<TensorView> views;
  for (auto& [tensor, bytes] : tensors) {
    if (numbers.contains(tensor.name)) std::memcpy(bytes.data(), numbers[tensor.name].data(), bytes.size());
    tensor.bytes = std::as_bytes(std::span(bytes));
    views.push_back(tensor);
  }
  write_safetensors(file, views, metadata);
}

void drop_checksums(Metadata& metadata) {
  std::erase_if(metadata, [](const auto& entry) { return entry.first.starts_with("sha256 "); });
}

bool says(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

TEST(Checkpoint, weights_that_are_no_numbers_are_refused_by_name) {
  const float inf = std::numeric_limits<float>::infinity();
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), inf, -inf}) {
    for (const bool in_moments : {false, true}) {
      const Saved saved;
      const std::string name =
          in_moments ? "second.transformer.h.1.mlp.c_fc.weight" : "transformer.h.1.mlp.c_fc.weight";
      rewrite(in_moments ? optimizer_file(saved.folder.path(), 3) : saved.folder / kModelFile,
              [&](Metadata& metadata, auto& numbers) {
                drop_checksums(metadata);
                numbers.at(name)[7] = value;
              });
      const std::string message = in_moments ? saved.resuming() : saved.loading();
      const std::string what = std::isnan(value) ? "NaN" : "infinite";
      EXPECT_TRUE(says(message, "tensor \"" + name + "\" has an entry that is " + what)) << message;
    }
  }
}

TEST(Checkpoint, learned_numbers_and_doubles_beyond_float32_are_refused) {
  TsmConfig config = tests::small("ape", "float64");
  config.position.learned = {"beta"};
  LoadedModel model = new_model(config, oracle());
  for (const bool learned : {true, false}) {
    const TemporaryFolder folder;
    {
      const at::NoGradGuard no_gradients;
      const LoadedModel broken = new_model(config, oracle());
      if (learned) {
        broken.transformer->raw_numbers()[1] = std::numeric_limits<double>::quiet_NaN();
      } else {
        broken.transformer->weights()[2].tensor.fill_(1e300);
      }
      write_model(folder / kModelFile, broken);
    }
    const std::string message = refusal([&] { load_model(folder.path(), oracle(), "float32"); });
    EXPECT_TRUE(
        says(message, learned ? "\"position.raw\" has an entry that is NaN" : "an entry that is infinite"))
        << message;
  }
}

TEST(Checkpoint, bytes_that_changed_are_found_where_checksums_are_recorded) {
  for (const bool recorded : {true, false}) {
    const Saved saved;
    rewrite(saved.folder / kModelFile, [&](Metadata& metadata, auto& numbers) {
      numbers.at("transformer.ln_f.weight")[0] += 1;
      if (!recorded) drop_checksums(metadata);  // as in files of 0.1.0
    });
    const std::string message = saved.loading();
    EXPECT_EQ(says(message, "\"transformer.ln_f.weight\": its bytes are not those that were written"),
              recorded)
        << message;
    EXPECT_EQ(message == "accepted", !recorded) << message;
  }
  const Saved saved;
  rewrite(optimizer_file(saved.folder.path(), 3),
          [](Metadata&, auto& numbers) { numbers.at("first.transformer.wte.weight")[0] += 1; });
  EXPECT_TRUE(says(saved.resuming(), "\"first.transformer.wte.weight\": its bytes are not"))
      << saved.resuming();
}

TEST(Checkpoint, tables_come_from_the_checkpoint_and_lead_nowhere) {
  const TemporaryFolder source;
  source.write("steps.csv", "0,0\n1,1/2\n2,3\n");
  const Saved saved(source.write("steps.toml", kSteps));
  EXPECT_EQ(bytes_of(saved.folder / "steps.csv"), "0,0\n1,1/2\n2,3\n");
  // what lies beside it does not count
  std::ofstream(saved.folder / "steps.csv") << "0,7\n";
  const LoadedModel loaded = load_model(saved.folder.path(), oracle());
  EXPECT_EQ(loaded.encoding.tables.at("steps.csv"), "0,0\n1,1/2\n2,3\n");
  std::filesystem::remove(saved.folder / "steps.csv");
  EXPECT_EQ(saved.loading(), "accepted");

  const std::filesystem::path outside = saved.folder.path().parent_path() / "stranger.csv";
  for (const std::string& name :
       {std::string("../stranger.csv"), outside.string(), std::string("a/../../stranger.csv"),
        std::string("other.csv"), std::string("steps.csv/../steps.csv")}) {
    for (const bool declared : {false, true}) {
      const Saved hostile(source.write("steps.toml", kSteps));
      rewrite(hostile.folder / kModelFile, [&](Metadata& metadata, auto&) {
        metadata["table " + name] = "0,1\n";
        if (!declared) return;
        std::string& encoding = metadata["encoding"];
        encoding.replace(encoding.find("steps.csv"), 9, name);
      });
      const std::string message = hostile.loading();
      if (declared && name == "other.csv") {
        EXPECT_TRUE(says(message, "does not name comes with it")) << message;  // steps.csv, now
      } else {
        EXPECT_NE(message, "accepted") << name;
      }
      EXPECT_NE(refusal([&] { begin_from(hostile.folder.path(), hostile.config, oracle()); }), "accepted");
      EXPECT_FALSE(std::filesystem::exists(outside));
    }
  }
  const Saved absent(source.write("steps.toml", kSteps));
  rewrite(absent.folder / kModelFile, [](Metadata& metadata, auto&) { metadata.erase("table steps.csv"); });
  EXPECT_TRUE(says(absent.loading(), "this table file does not come with the encoding")) << absent.loading();
  const Saved damaged(source.write("steps.toml", kSteps));
  rewrite(damaged.folder / kModelFile,
          [](Metadata& metadata, auto&) { metadata["table steps.csv"] = "0,1\n"; });
  EXPECT_TRUE(says(damaged.loading(), "\"table steps.csv\": its bytes are not")) << damaged.loading();
}

TEST(Checkpoint, tables_are_written_under_no_name_that_programs_run_and_through_no_link) {
  const TemporaryFolder source;
  for (const char* name : {"modeling_tsm.py", "model.safetensors", "config.json", "merges.txt", "x"}) {
    std::string toml = kSteps;
    toml.replace(toml.find("steps.csv"), 9, name);
    source.write(name, "0,0\n1,1/2\n");
    const EncodingFiles files = read_encoding_files(source.write("named.toml", toml).string());
    EXPECT_NE(refusal([&] { check_table_names(files); }), "accepted") << name;
    const TemporaryFolder to;
    EXPECT_NE(refusal([&] { write_encoding_files(files, to / "encoding.toml"); }), "accepted") << name;
    EXPECT_TRUE(std::filesystem::is_empty(to.path())) << name;
  }
  source.write("steps.csv", "0,0\n1,1/2\n");
  const EncodingFiles files = read_encoding_files(source.write("steps.toml", kSteps).string());
  for (const char* link : {"steps.csv", "encoding.toml"}) {
    const TemporaryFolder to;
    const TemporaryFolder precious;
    const auto file = precious.write("precious", "precious");
    std::filesystem::create_symlink(file, to / link);
    EXPECT_TRUE(says(refusal([&] { write_encoding_files(files, to / "encoding.toml"); }), "is a link"))
        << link;
    EXPECT_EQ(bytes_of(file), "precious");
  }
}

TEST(Checkpoint, metadata_that_is_no_number_or_asks_for_more_than_the_file_has_is_refused) {
  const auto told = [](const std::string& key, const std::string& from, const std::string& to) {
    const Saved saved;
    rewrite(saved.folder / kModelFile, [&](Metadata& metadata, auto&) {
      std::string& text = metadata.at(key);
      text.replace(text.find(from), from.size(), to);
    });
    return saved.loading();
  };
  for (const char* wrong : {"x", "3x", "-3", " 3", "", "99999999999999999999"})
    EXPECT_TRUE(says(told("iteration", "3", wrong), "'iteration' in its metadata is not a whole number"))
        << wrong;
  const std::string too_large = "its configuration has more weights than the file";
  EXPECT_TRUE(says(told("config", "layers = 2", "layers = 1024"), too_large));
  EXPECT_TRUE(says(told("config", "width = 8", "width = 1048576"), too_large));
  EXPECT_TRUE(says(told("config", "position_table = 0", "position_table = 16777216"), too_large));
  EXPECT_TRUE(says(told("config", "vocabulary = 11", "vocabulary = 0"), "has no vocabulary"));
}

TEST(Checkpoint, the_one_before_stays_and_nothing_of_others_goes) {
  Saved saved;
  const std::string first = bytes_of(saved.folder / kModelFile);
  const char* others[] = {"notes.tmp.txt",           "optimizer-best.safetensors", "optimizer-03.safetensors",
                          "model-final.safetensors", "model.safetensors.bak",      "encoding.tmp1"};
  for (const char* name : others) saved.folder.write(name, "mine");
  std::filesystem::create_directory(saved.folder / "optimizer-1.safetensors");
  saved.folder.write("model.safetensors.tmp123", "half");
  const auto names = [&] {
    std::set<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(saved.folder.path()))
      result.insert(entry.path().filename().string());
    for (const char* name : others) EXPECT_EQ(result.erase(name), 1u) << name;
    EXPECT_EQ(result.erase("optimizer-1.safetensors"), 1u);
    return result;
  };
  saved.save(5);
  using Names = std::set<std::string>;
  EXPECT_EQ(names(), (Names{"encoding.toml", "model.safetensors", "model-3.safetensors",
                            "optimizer-3.safetensors", "optimizer-5.safetensors"}));
  EXPECT_EQ(bytes_of(saved.folder / "model-3.safetensors"), first);
  saved.save(9);
  EXPECT_EQ(names(), (Names{"encoding.toml", "model.safetensors", "model-5.safetensors",
                            "optimizer-5.safetensors", "optimizer-9.safetensors"}));
  saved.save(9);
  EXPECT_EQ(names().size(), 5u);
  // gone on with by its name alone
  EXPECT_EQ(load_model(saved.folder / "model-5.safetensors", oracle()).iteration, 5);
  std::filesystem::rename(saved.folder / "model-5.safetensors", saved.folder / kModelFile);
  EXPECT_EQ(saved.resuming(), "accepted");
  complete_checkpoint(saved.folder.path(), load_model(saved.folder.path(), oracle()));
  EXPECT_EQ(names(), (Names{"encoding.toml", "model.safetensors", "optimizer-5.safetensors"}));
}

TEST(Checkpoint, half_written_tables_go) {
  TemporaryFolder folder;
  for (const char* name : {"entropy.csv", "entropy.csv.tmp0123", "mine.csv.tmp0123"}) folder.write(name, "1");
  remove_older(folder.path(), 0, {"entropy.csv"});
  EXPECT_TRUE(std::filesystem::exists(folder / "entropy.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "entropy.csv.tmp0123"));
  EXPECT_TRUE(std::filesystem::exists(folder / "mine.csv.tmp0123"));
}

TEST(Checkpoint, moments_belong_to_their_model_data_and_ranks) {
  Saved saved;
  saved.save(3, {"a", "b", 2});
  EXPECT_EQ(saved.resuming({"a", "b", 2}), "accepted");
  EXPECT_EQ(saved.resuming(), "accepted");
  EXPECT_TRUE(says(saved.resuming({"x", "b", 2}), "began with another train.bin"));
  EXPECT_TRUE(says(saved.resuming({"a", "x", 2}), "began with another val.bin"));
  EXPECT_TRUE(says(saved.resuming({"a", "b", 1}), "the run has 2 ranks"));
  const Saved other(tests::library("rope"));
  for (const bool same_iteration : {true, false}) {
    std::filesystem::copy_file(optimizer_file(other.folder.path(), 3), optimizer_file(saved.folder.path(), 3),
                               std::filesystem::copy_options::overwrite_existing);
    if (!same_iteration) {
      rewrite(optimizer_file(saved.folder.path(), 3),
              [](Metadata& metadata, auto&) { metadata["iteration"] = "4"; });
    }
    EXPECT_TRUE(
        says(saved.resuming(), same_iteration ? "belongs to another model" : "is of another iteration"));
  }
}

TEST(Checkpoint, a_folder_is_one_process_s) {
  const TemporaryFolder folder;
  {
    const RunLock lock(folder / "run");
    EXPECT_TRUE(
        says(refusal([&] { const RunLock other(folder / "run"); }), "another process trains in this folder"));
  }
  const RunLock again(folder / "run");
  std::filesystem::create_directory(folder / "linked");
  std::filesystem::create_symlink(folder.write("precious", "precious"), folder / "linked/run.lock");
  EXPECT_TRUE(says(refusal([&] { const RunLock other(folder / "linked"); }), "is a link"));
}

TEST(Checkpoint, a_model_that_computes_no_numbers_ends_with_an_error) {
  const at::Tensor inputs = tests::some_tokens(2, 10, 3);
  for (const double factor :
       {1e18, 1e30}) {  // weights that are finite: a content of -inf would look like a mask
    const LoadedModel model = new_model(tests::small("rope", "float32"), oracle());
    tests::stretch(*model.transformer, factor);
    EXPECT_THROW(model.transformer->losses(inputs, inputs), std::runtime_error) << factor;
    KeyValueCache cache;
    EXPECT_THROW(model.transformer->next_logits(inputs.narrow(0, 0, 1), cache), std::runtime_error) << factor;
  }
  const TemporaryFolder folder;
  const char* infinite = "schema = 1\nname = \"i\"\n[score]\nbias = \"exp(exp(n))\"\n";
  TsmConfig config = tests::small("nope", "float32");
  config.position.encoding = folder.write("i.toml", infinite);
  const LoadedModel model = new_model(config, oracle());
  EXPECT_THROW(model.transformer->losses(inputs, inputs), std::runtime_error);
  EXPECT_THROW(export_model(model, {.layout = "tsm"}, folder / "out"), std::runtime_error);
}

}  // namespace checkpoint_test
}  // namespace gpe::model
