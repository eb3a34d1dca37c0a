// Training and evaluation as on a device: with its kernels lane by lane on the CPU, and on a device
// where there is one, beside the CPU's own code.
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/evaluation/evaluate.h"
#include "model/gpt/device_head.h"
#include "model/gpt/head_loss.h"
#include "model/training/trainer.h"
#include "tests/cuda/accelerators.h"
#include "tests/model/token_files.h"
#include "theory/source/spec_error.h"

namespace device_model_test {

using namespace gpe;
using namespace gpe::model;
using gpe::tests::accelerators;
using gpe::tests::lanes;
using gpe::tests::library;
using gpe::tests::oracle;
using gpe::tests::some_tokens;
using gpe::tests::stretch;
using gpe::tests::TemporaryFolder;
using gpe::tests::wide;

[[maybe_unused]] const bool devices_are_found = !accelerators().empty();

at::Tensor on_processor(const at::Tensor& tensor) { return tensor.detach().to(at::kCPU).to(at::kDouble); }

double difference(const at::Tensor& found, const at::Tensor& expected) {
  const at::Tensor other = on_processor(expected);
  return ((on_processor(found) - other).abs().max() / (1e-3 + other.abs().max())).item<double>();
}

void begin_gradients(const Transformer& transformer) {
  for (const NamedTensor& weight : transformer.weights())
    weight.tensor.mutable_grad() = at::zeros_like(weight.tensor);
}

struct Encoding {
  std::string name;
  std::vector<std::string> learned;
};

TEST(DeviceModel, has_the_gradients_of_the_processor) {
  for (const Encoding& e :
       {Encoding{"nope", {}}, Encoding{"rope", {}}, Encoding{"rope", {"base"}}, Encoding{"alibi", {"m"}},
        Encoding{"ape", {"delta", "beta", "gamma", "lambda", "alpha0"}}, Encoding{"xpos", {}},
        Encoding{"sliding-window", {}}}) {
    const LoadedModel expected = new_model(wide(e.name, e.learned), oracle());
    stretch(*expected.transformer, 6);
    expected.transformer->record_heads(true);
    const at::Tensor inputs = some_tokens(3, 10, 3), targets = some_tokens(3, 10, 5);
    const double scale = 1.0 / 60;  // of two parts
    const double loss = expected.transformer->add_gradients(inputs, targets, scale) +
                        expected.transformer->add_gradients(targets, inputs, scale);
    for (const auto& accelerator : accelerators()) {
      const std::string where = e.name + " on " + accelerator->name;
      const LoadedModel model = new_model(wide(e.name, e.learned), oracle());
      Transformer& transformer = *model.transformer;
      stretch(transformer, 6);
      transformer.to(accelerator);
      transformer.record_heads(true);
      transformer.clear_heads();
      begin_gradients(transformer);
      const at::Tensor in = inputs.to(accelerator->device), out = targets.to(accelerator->device);
      const at::Tensor found = transformer.add_gradients_on_device(in, out, scale) +
                               transformer.add_gradients_on_device(out, in, scale);
      EXPECT_NEAR(found.item<double>(), loss, 1e-5 * loss) << where;
      for (std::size_t i = 0; i < transformer.weights().size(); ++i) {
        const NamedTensor& other = expected.transformer->weights()[i];
        EXPECT_LT(difference(transformer.weights()[i].tensor.grad(), other.tensor.grad()), 2e-4)
            << where << ' ' << other.name;
      }
      transformer.add_raw_gradients();
      if (!e.learned.empty()) {
        EXPECT_LT(difference(transformer.raw().grad(), expected.transformer->raw().grad()), 2e-4) << where;
      }
      // seen_entropies has those of the second part alone
      transformer.clear_heads();
      transformer.add_gradients_on_device(out, in, scale);
      const auto& heads = transformer.device_heads();
      const at::Tensor entropy = on_processor(heads.entropy).flatten(),
                       largest = on_processor(heads.largest_score).flatten();
      for (std::int64_t i = 0; i < entropy.numel(); ++i)
        EXPECT_NEAR(entropy[i].item<double>(),
                    expected.transformer->seen_entropies()[static_cast<std::size_t>(i)], 1e-4)
            << where;
      for (std::int64_t i = 0; i < largest.numel(); ++i) {
        const double score = expected.transformer->seen_largest_scores()[static_cast<std::size_t>(i)];
        EXPECT_NEAR(largest[i].item<double>(), score, 1e-4 * (1 + std::abs(score))) << where;
      }
      EXPECT_LT(
          difference(transformer.losses(inputs, targets), expected.transformer->losses(inputs, targets)),
          1e-5)
          << where;
    }
  }
}

TEST(DeviceModel, in_bfloat16_is_near_the_exact_one) {
  const at::Tensor inputs = some_tokens(3, 10, 3), targets = some_tokens(3, 10, 5);
  const LoadedModel exact = new_model(wide("ape", {"beta"}, "float64"), oracle());
  const double loss = exact.transformer->add_gradients(inputs, targets, 1.0 / 30);
  for (const auto& accelerator : accelerators()) {
    const LoadedModel model = new_model(wide("ape", {"beta"}, "bfloat16"), oracle());
    model.transformer->to(accelerator);
    begin_gradients(*model.transformer);
    const at::Tensor found = model.transformer->add_gradients_on_device(
        inputs.to(accelerator->device), targets.to(accelerator->device), 1.0 / 30);
    EXPECT_NEAR(found.item<double>(), loss, 1e-2);
    EXPECT_LT(difference(model.transformer->weights()[1].tensor.grad(),
                         exact.transformer->weights()[1].tensor.grad()),
              0.1);
  }
}

TEST(DeviceModel, trains_by_series_as_the_processor) {
  const auto with = [](const std::string& dtype) {
    TsmConfig config = wide("ape", {"delta", "lambda", "alpha0"}, dtype);
    config.training.context = 150;
    config.position.set = {"alpha0=100"};  // slow enough that every tile has series
    LoadedModel model = new_model(config, oracle());
    stretch(*model.transformer, 3);
    return model;
  };
  const at::Tensor inputs = some_tokens(2, 150, 3), targets = some_tokens(2, 150, 5);
  const LoadedModel exact = with("float64"), rounded = with("bfloat16");
  const double loss = exact.transformer->add_gradients(inputs, targets, 1.0 / 300);
  rounded.transformer->add_gradients(inputs, targets, 1.0 / 300);
  for (const auto& accelerator : accelerators()) {
    const LoadedModel model = with("bfloat16");
    model.transformer->to(accelerator);
    DeviceScores scores(accelerator, *model.positions, true);
    EXPECT_TRUE(
        scores.at(model.transformer->raw_numbers(), {}, 150)[0]->series_terms.gt(0).any().item<bool>());
    begin_gradients(*model.transformer);
    const at::Tensor found = model.transformer->add_gradients_on_device(
        inputs.to(accelerator->device), targets.to(accelerator->device), 1.0 / 300);
    EXPECT_NEAR(found.item<double>(), loss, 1e-2);
    for (std::size_t i = 0; i < model.transformer->weights().size(); ++i) {
      const at::Tensor expected = exact.transformer->weights()[i].tensor.grad();
      // twice what bfloat16 alone does
      EXPECT_LT(difference(model.transformer->weights()[i].tensor.grad(), expected),
                0.02 + 2 * difference(rounded.transformer->weights()[i].tensor.grad(), expected))
          << model.transformer->weights()[i].name;
    }
    model.transformer->add_raw_gradients();
    EXPECT_LT(difference(model.transformer->raw().grad(), exact.transformer->raw().grad()), 0.1);
  }
}

TEST(DeviceModel, has_gradients_of_turns_where_they_are_learned) {
  for (const auto& accelerator : accelerators()) {
    const LoadedModel gain = new_model(wide("ape", {"lambda"}), oracle()),
                      all = new_model(wide("ape", {"delta"}), oracle());
    DeviceScores of_gain(accelerator, *gain.positions, false), of_all(accelerator, *all.positions, false);
    EXPECT_FALSE(of_gain.at(gain.transformer->raw_numbers(), {}, 10)[0]->by_transform.defined());
    EXPECT_TRUE(of_all.at(all.transformer->raw_numbers(), {}, 10)[0]->by_transform.defined());
  }
}

TEST(DeviceModel, reads_long_texts_by_series_as_pair_by_pair) {
  TsmConfig config = wide("ape", {}, "bfloat16");
  config.training.context = 16;
  const LoadedModel expected = new_model(config, oracle());
  stretch(*expected.transformer, 3);
  const at::Tensor inputs = some_tokens(1, 1100, 3), targets = some_tokens(1, 1100, 5);
  const at::Tensor losses = expected.transformer->losses(inputs, targets);
  for (const auto& accelerator : accelerators()) {
    const LoadedModel model = new_model(config, oracle());
    stretch(*model.transformer, 3);
    model.transformer->to(accelerator);
    DeviceScores scores(accelerator, *model.positions, true);
    EXPECT_TRUE(scores.at({}, {}, 1100)[0]->series.defined());
    EXPECT_FALSE(scores.at({}, {}, 64)[0]->series.defined());
    const at::Tensor found = model.transformer->losses(inputs, targets);
    EXPECT_NEAR(found.mean().item<double>(), losses.mean().item<double>(), 2e-3);
    EXPECT_LT((found - losses).abs().max().item<double>(), 0.1);
  }
}

TEST(DeviceHead, agrees_with_the_processor_whatever_the_parts) {
  const at::Tensor x = (at::arange(70 * 8, at::kFloat).sin() * 3).view({70, 8}).requires_grad_(true);
  const at::Tensor w = (at::arange(300 * 8, at::kFloat) * 0.7F).sin().view({300, 8}).requires_grad_(true);
  const at::Tensor targets = (at::arange(70, at::kLong) * 41).remainder(300);
  const at::Tensor loss = head_loss(x, w, targets, 0.25);
  loss.backward();
  const at::Tensor losses = token_losses(x.detach(), w.detach(), targets);
  for (const auto& accelerator : accelerators()) {
    const auto there = [&](const at::Tensor& tensor) { return tensor.detach().to(accelerator->device); };
    for (const std::int64_t most : {1, 24 * 300, 1'000'000}) {
      at::Tensor x_gradient = at::empty_like(there(x)), w_gradient = at::ones_like(there(w));
      const at::Tensor found = add_head_gradients(*accelerator, there(x), there(w), there(targets), 0.25,
                                                  x_gradient, w_gradient, most);
      EXPECT_NEAR(found.item<double>(), loss.item<double>(), 1e-4) << most;
      EXPECT_LT(difference(x_gradient, x.grad()), 1e-4) << most;
      EXPECT_LT(difference(w_gradient - 1, w.grad()), 1e-4) << most;
      EXPECT_LT(
          difference(device_token_losses(*accelerator, there(x), there(w), there(targets), most), losses),
          1e-5);
    }
  }
}

TEST(DeviceStep, gathers_the_pieces_of_the_sampler) {
  std::vector<std::uint16_t> tokens;
  for (int i = 0; i < 1000; ++i) tokens.push_back(static_cast<std::uint16_t>(i * 7919 % 65536));
  const BatchSampler sampler(tokens, 9, 5);
  std::vector<std::int64_t> inputs(4 * 9), targets(4 * 9);
  sampler.fill(3, 8, inputs, targets);
  at::Tensor begins = at::empty({4}, at::kLong), found_inputs, found_targets;
  for (std::uint64_t row = 0; row < 4; ++row)
    begins[static_cast<std::int64_t>(row)] = static_cast<std::int64_t>(sampler.offset(3, 8 + row));
  const at::Tensor bits = at::from_blob(tokens.data(), {1000}, at::TensorOptions(at::kShort));
  DeviceStep::gather(bits, begins, 9, found_inputs, found_targets);
  EXPECT_TRUE(found_inputs.equal(at::from_blob(inputs.data(), {4, 9}, at::TensorOptions(at::kLong))));
  EXPECT_TRUE(found_targets.equal(at::from_blob(targets.data(), {4, 9}, at::TensorOptions(at::kLong))));
}

// A folder of train.bin and val.bin, and runs in it.
struct Runs {
  TemporaryFolder folder;

  Runs() {
    std::vector<std::uint16_t> tokens;
    for (int i = 0; i < 700; ++i)
      tokens.push_back(static_cast<std::uint16_t>((i * i / 3 + i % 4) % tests::kSmallVocabulary));
    for (const char* name : {"train", "val"})
      folder.write(std::string(name) + ".bin", tests::as_bytes(tokens));
  }
  static TsmConfig config(const std::string& encoding, const std::vector<std::string>& learned) {
    TsmConfig result = wide(encoding, learned);
    result.training.batch = 3;
    result.training.accumulation = 2;
    result.training.iterations = 6;
    result.training.learning_rate = 1e-2;
    result.training.warmup = 2;
    result.training.clip = 0.5;
    result.output.log_every = 1;
    result.output.entropy_every = 2;
    result.output.evaluate_every = 3;
    result.output.evaluate_batches = 2;
    return result;
  }
  std::vector<nlohmann::json> train(LoadedModel& model, const std::string& name,
                                    const std::shared_ptr<const Accelerator>& accelerator, Ranks& ranks,
                                    std::vector<std::string>* said = nullptr,
                                    std::atomic<bool>* stop = nullptr, std::int64_t stop_at = -1) {
    std::filesystem::create_directories(folder / name);
    model.transformer->to(accelerator);
    const TrainingData data = TrainingData::open(folder.path(), tests::kSmallVocabulary);
    std::atomic<bool> never = false;
    Trainer trainer(model, data, folder / name, ranks, [&](const std::string& what) {
      if (said != nullptr) said->push_back(what);
    });
    trainer.run(stop != nullptr ? *stop : never, [&](const Progress& p) {
      if (stop != nullptr && p.iteration == stop_at) *stop = true;
    });
    std::vector<nlohmann::json> result;
    std::ifstream log(folder / name / "log.jsonl");
    for (std::string line; std::getline(log, line);) {
      result.push_back(nlohmann::json::parse(line));
      result.back().erase("tokens_per_second");
    }
    return result;
  }
};

void expect_same_log(const std::vector<nlohmann::json>& found, const std::vector<nlohmann::json>& expected,
                     double tolerance, const std::string& where) {
  ASSERT_EQ(found.size(), expected.size()) << where;
  for (std::size_t i = 1; i < found.size(); ++i) {
    for (const auto& [key, value] : expected[i].items()) {
      ASSERT_TRUE(found[i].contains(key)) << where << ' ' << key;
      const auto flat = [](const nlohmann::json& numbers) {
        std::vector<double> result;
        const nlohmann::json by_path = numbers.flatten();
        for (const auto& [path, number] : by_path.items()) result.push_back(number.get<double>());
        return result;
      };
      const std::vector<double> mine = value.is_number() ? std::vector{found[i][key].get<double>()}
                                                         : flat(found[i][key]),
                                other = value.is_number() ? std::vector{value.get<double>()} : flat(value);
      ASSERT_EQ(mine.size(), other.size());
      for (std::size_t k = 0; k < mine.size(); ++k)
        EXPECT_NEAR(mine[k], other[k], tolerance * (1 + std::abs(other[k])))
            << where << ' ' << key << ' ' << i;
    }
  }
}

const std::string kMeasured = R"(
schema = 1
name = "measured"
[parameters]
beta = { default = "1/10", domain = "beta >= 0" }
[score]
bias = "-beta*n"
transform = "rotation"
[score.rotation]
angle = "100^(-2*j/d)*n/alpha"
alpha = "measured"
)";

TEST(DeviceStep, trains_as_the_processor) {
  Runs runs;
  runs.folder.write("measured.toml", kMeasured);
  for (const Encoding& e : {Encoding{"rope", {}}, Encoding{"ape", {"delta", "beta", "gamma"}},
                            Encoding{(runs.folder / "measured.toml").string(), {"beta"}}}) {
    TsmConfig config = Runs::config("rope", e.learned);
    config.position.encoding = e.name.ends_with(".toml") ? e.name : library(e.name);
    Ranks alone;
    LoadedModel expected = new_model(config, oracle());
    const std::string name = std::filesystem::path(e.name).stem().string();
    const auto log = runs.train(expected, name, nullptr, alone);
    ASSERT_GE(log.size(), 10U);
    for (const auto& accelerator : accelerators()) {
      LoadedModel model = new_model(config, oracle());
      const auto found = runs.train(model, name + accelerator->name, accelerator, alone);
      EXPECT_EQ(found.front()["device"], accelerator->name);
      expect_same_log(found, log, 3e-4, name);
      for (std::size_t i = 0; i < model.transformer->weights().size(); ++i)
        EXPECT_LT(
            difference(model.transformer->weights()[i].tensor, expected.transformer->weights()[i].tensor),
            2e-2)  // AdamW divides by gradients that are nearly 0
            << name;
      for (std::size_t i = 0; i < expected.transformer->raw_numbers().size(); ++i)
        EXPECT_NEAR(model.transformer->raw_numbers()[i], expected.transformer->raw_numbers()[i], 1e-3)
            << name;
      // the CPU can resume from this checkpoint
      const LoadedModel loaded = load_model(runs.folder / (name + accelerator->name), oracle());
      EXPECT_EQ(loaded.iteration, 6);
      const at::Tensor inputs = some_tokens(2, 10, 3), targets = some_tokens(2, 10, 5);
      EXPECT_LT(
          difference(loaded.transformer->losses(inputs, targets), model.transformer->losses(inputs, targets)),
          1e-4);
    }
  }
}

TEST(DeviceStep, a_stopped_run_goes_on_to_the_same_bits) {
  Runs runs;
  const TsmConfig config = Runs::config("ape", {"beta"});
  Ranks alone;
  for (const auto& accelerator : accelerators()) {
    LoadedModel whole = new_model(config, oracle());
    const auto log = runs.train(whole, "whole" + accelerator->name, accelerator, alone);
    LoadedModel part = new_model(config, oracle());
    std::atomic<bool> stop = false;
    runs.train(part, "part" + accelerator->name, accelerator, alone, nullptr, &stop, 4);
    ASSERT_EQ(part.iteration, 4);
    LoadedModel rest = load_model(runs.folder / ("part" + accelerator->name), oracle());
    EXPECT_EQ(runs.train(rest, "part" + accelerator->name, accelerator, alone), log);
    for (std::size_t i = 0; i < whole.transformer->weights().size(); ++i)
      EXPECT_TRUE(rest.transformer->weights()[i].tensor.equal(whole.transformer->weights()[i].tensor));
  }
}

// Two ranks that see the same rows: every sum is twice what one has.
class Twins : public Ranks {
 public:
  int size() const override { return 2; }
  void sum(std::span<float> numbers) override {
    for (float& number : numbers) number *= 2;
  }
  void sum(std::span<double> numbers) override {
    for (double& number : numbers) number *= 2;
  }
};

TEST(DeviceStep, adds_up_the_gradients_of_ranks) {
  Runs runs;
  TsmConfig config = Runs::config("ape", {"beta"});
  config.training.accumulation = 1;
  config.output.evaluate_batches = 0;
  config.output.entropy_every = 0;
  Ranks alone;
  Twins twins;
  LoadedModel one = new_model(config, oracle()), two = new_model(config, oracle());
  const auto log = runs.train(one, "one", lanes(), alone);
  auto found = runs.train(two, "two", lanes(), twins);
  found.front().erase("ranks");
  EXPECT_EQ(found, log);
}

// A device that records nothing, and says so.
class NoGraphs : public CudaRuntime {
 public:
  int devices() const override { return 1; }
  std::string name(int) const override { return "none"; }
  void use(int) override {}
  void wait() override {}
  std::int64_t peak_bytes() const override { return 0; }
  std::unique_ptr<DeviceGraph> record(const std::function<void()>&) override {
    throw std::runtime_error("not today");
  }
  std::unique_ptr<DeviceSum> sum(int, int, const std::function<void(std::span<char>)>& share) override {
    std::vector<char> bytes(3, 'x');
    share(bytes);
    throw std::runtime_error("NCCL is absent");
  }
};

TEST(DeviceStep, goes_on_without_a_graph_and_says_so_once) {
  Runs runs;
  const TsmConfig config = Runs::config("rope", {});
  Ranks alone;
  LoadedModel plain = new_model(config, oracle()), tried = new_model(config, oracle());
  std::vector<std::string> said;
  const auto log = runs.train(plain, "plain", lanes(), alone);
  EXPECT_EQ(runs.train(tried, "tried", lanes(std::make_shared<NoGraphs>()), alone, &said), log);
  EXPECT_EQ(said, std::vector<std::string>{"steps are not recorded as a graph: not today"});
  Twins twins;
  LoadedModel both = new_model(config, oracle());
  said.clear();
  runs.train(both, "both", lanes(std::make_shared<NoGraphs>()), twins, &said);
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0], "gradients are summed by MPI: NCCL is absent");
}

TEST(DeviceStep, a_loss_that_is_no_number_ends_the_run) {
  Runs runs;
  TsmConfig config = Runs::config("rope", {});
  config.output.log_every = 100;  // read at the end alone
  config.output.entropy_every = 0;
  config.output.evaluate_batches = 0;
  Ranks alone;
  LoadedModel model = new_model(config, oracle());
  {
    const at::NoGradGuard no_gradients;
    model.transformer->weights()[1].tensor.fill_(std::numeric_limits<float>::quiet_NaN());
  }
  EXPECT_THROW(runs.train(model, "lost", lanes(), alone), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(runs.folder / "lost" / "model.safetensors"));
}

TEST(DeviceModel, refuses_what_the_device_does_not_compute) {
  const auto refused = [](const TsmConfig& config) {
    const LoadedModel model = new_model(config, oracle());
    try {
      model.transformer->to(lanes());
      model.transformer->hidden(some_tokens(1, 10, 3));
      return std::string();
    } catch (const theory::SpecError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refused(wide("rope")), "");
  EXPECT_NE(refused(wide("rope", {}, "float64")).find("not in float64"), std::string::npos);
  EXPECT_NE(refused(wide("ssmax")).find("depends on L"), std::string::npos);
  EXPECT_NE(refused(wide("streaming-llm", {"s"})).find("moves the sink"), std::string::npos);
  EXPECT_NE(refused(tests::small("rope", "float32")).find("multiples of 8"), std::string::npos);
}

}  // namespace device_model_test
