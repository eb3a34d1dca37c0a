// The configuration of a run: defaults, errors with their place, and back to text.
#include "model/gpt/config.h"

#include "theory/source/spec_error.h"

namespace config_test {

using namespace gpe::model;
using gpe::theory::SpecError;

std::string error_of(const std::string& toml) {
  try {
    parse_config(toml, "c.toml");
  } catch (const SpecError& error) {
    return error.what();
  }
  return "none";
}

TEST(TsmConfig, text_gives_the_same_configuration_back) {
  TsmConfig config;
  config.model.bias = true;
  config.position.learned = {"beta", "delta"};
  config.position.encoding = "a \"quoted\" name";
  config.training.learning_rate = 0.1;
  config.training.clip = 2;
  const std::string text = to_toml(config);
  const TsmConfig read = parse_config(text, "c.toml");
  EXPECT_EQ(to_toml(read), text);
  EXPECT_EQ(read.position.learned, config.position.learned);
  EXPECT_EQ(read.position.encoding, config.position.encoding);
  EXPECT_EQ(read.training.learning_rate, 0.1);
  EXPECT_TRUE(read.model.bias);
  EXPECT_EQ(to_toml(parse_config("", "c.toml")), to_toml(TsmConfig()));
}

TEST(TsmConfig, the_vocabulary_is_that_of_the_data_unless_it_is_given) {
  TsmConfig config;
  settle_vocabulary(config, 2050);
  EXPECT_EQ(config.model.vocabulary, 2050);
  EXPECT_EQ(config.model.vocabulary_padded, 2112);
  settle_vocabulary(config, 3000);
  EXPECT_EQ(config.model.vocabulary, 2050);
  TsmConfig gpt2;
  settle_vocabulary(gpt2, std::nullopt);
  EXPECT_EQ(gpt2.model.vocabulary_padded, 50304);
}

TEST(TsmConfig, overrides_take_plain_text_for_strings) {
  TsmConfig config;
  override_config(config, "training.batch=4");
  override_config(config, "training.learning_rate=1e-3");
  override_config(config, "position.encoding=my own.toml");
  override_config(config, "position.learned=[\"m\"]");
  EXPECT_EQ(config.training.batch, 4);
  EXPECT_EQ(config.training.learning_rate, 1e-3);
  EXPECT_EQ(config.position.encoding, "my own.toml");
  EXPECT_EQ(config.position.learned, std::vector<std::string>{"m"});
  EXPECT_THROW(override_config(config, "batch=4"), SpecError);
  EXPECT_THROW(override_config(config, "training.batch=many"), SpecError);
}

TEST(TsmConfig, errors_say_where_and_what_was_meant) {
  EXPECT_EQ(
      error_of("[training]\nbacth = 4"),
      "c.toml:2:9: unknown key 'training.bacth'; did you mean 'training.batch'?\n  bacth = 4\n          ^");
  EXPECT_NE(error_of("[training]\nbatch = \"4\"").find("c.toml:2:9: training.batch: expected an integer"),
            std::string::npos);
  EXPECT_NE(error_of("[training]\nbatch = 0").find("expected 1.0 to"), std::string::npos);
  EXPECT_NE(error_of("batch = 1").find("belongs into a table"), std::string::npos);
  EXPECT_NE(error_of("[model]\nwidth = 100").find("c.toml: model.width = 100 is not an even multiple"),
            std::string::npos);
  EXPECT_NE(error_of("[model]\nvocabulary = 200\nvocabulary_padded = 100").find("less than model.vocabulary"),
            std::string::npos);
  EXPECT_NE(error_of("[training]\ndtype = \"float16\"")
                .find("c.toml: training.dtype = \"float16\": expected one of float32, bfloat16, float64"),
            std::string::npos);
  EXPECT_NE(error_of("[training\n").find("c.toml:1:"), std::string::npos);
}

}  // namespace config_test
