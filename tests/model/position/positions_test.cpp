// The encoding of a whole model: what is learned, in which bounds, and how it is written back.
#include "model/position/positions.h"

#include "tests/model/score_cases.h"
#include "tests/temporary_folder.h"
#include "theory/source/spec_error.h"

namespace positions_test {

using namespace gpe;
using namespace gpe::model;
using namespace gpe::tests;
using Share = PositionSetting::Share;

const std::filesystem::path kFolder = std::filesystem::path(GPE_SOURCE_DIR) / "theory" / "encodings";

EncodingFiles library_files(const std::string& name) {
  return read_encoding_files((kFolder / (name + ".toml")).string());
}

PositionSetting setting(std::vector<std::string> learned, Share share = Share::layer_and_head) {
  return {.layers = 2, .heads = 3, .head_dim = 8, .learned = std::move(learned), .share = share};
}

std::string error_of(const EncodingFiles& files, const PositionSetting& of) {
  try {
    const Positions positions(files, of, oracle());
  } catch (const theory::SpecError& error) {
    return error.what();
  }
  return "none";
}

TEST(Positions, heads_with_the_same_score_share_a_program) {
  const Positions ape(library_files("ape"), setting({}), oracle());
  EXPECT_EQ(&ape.program(0, 0), &ape.program(1, 2));
  const Positions alibi(library_files("alibi"), setting({}), oracle());
  EXPECT_NE(&alibi.program(0, 0), &alibi.program(0, 1));
  EXPECT_EQ(&alibi.program(0, 1), &alibi.program(1, 1));
  const Positions learned(library_files("alibi"), setting({"m"}), oracle());
  EXPECT_EQ(&learned.program(0, 0), &learned.program(0, 1));  // the slope is a value, not part of the program
}

TEST(Positions, begin_with_the_values_of_the_file_and_stay_in_their_domain) {
  const Positions positions(library_files("kerple-power"), setting({"p", "a"}), oracle());
  ASSERT_EQ(positions.initial().size(), 12U);
  EXPECT_NEAR(positions.values(1, 2, positions.initial())[0], 0.5, 1e-15);
  for (const double extreme : {-1000.0, -5.0, 0.0, 5.0, 1000.0}) {
    const std::vector<double> raw(12, extreme);
    const auto values = positions.values(0, 0, raw);
    EXPECT_GE(values[0], 0.01);  // 1/100 <= p <= 2
    EXPECT_LE(values[0], 2);
    EXPECT_GE(values[1], 0.01);  // a >= 1/100
  }
}

TEST(Positions, share_numbers_as_they_are_told) {
  EXPECT_EQ(
      Positions(library_files("ape"), setting({"beta", "delta"}, Share::model), oracle()).initial().size(),
      2U);
  EXPECT_EQ(
      Positions(library_files("ape"), setting({"beta", "delta"}, Share::head), oracle()).initial().size(),
      6U);
  EXPECT_EQ(Positions(library_files("ape"), setting({"beta", "delta"}), oracle()).initial().size(), 12U);
  // ALiBi's slopes differ by head: one number for all would begin with several values
  EXPECT_NE(
      error_of(library_files("alibi"), setting({"m"}, Share::model)).find("begin with different values"),
      std::string::npos);
  EXPECT_EQ(error_of(library_files("alibi"), setting({"m"}, Share::head)), "none");
}

TEST(Positions, gradients_of_the_numbers_agree_with_differences) {
  const EncodingFiles files = {
      .toml =
          "schema = 1\nname = \"t\"\n[parameters]\n"
          "a = { default = \"1/2\", domain = \"a > 0\" }\nb = { default = \"1/2\", domain = \"b < 1\" }\n"
          "c = { default = \"1/2\", domain = \"0 < c <= 2\" }\ne = { default = \"1/2\" }\n"
          "[score]\nbias = \"-n*(a + b + c + e)\"\n",
      .tables = {},
      .source = "t.toml"};
  for (const Share share : {Share::model, Share::head, Share::layer_and_head}) {
    const Positions positions(files, setting({"a", "b", "c", "e"}, share), oracle());
    std::vector<double> raw = positions.initial();
    const auto weights = normal_numbers(24, 3);
    const auto objective = [&] {
      double sum = 0;
      for (int layer = 0; layer < 2; ++layer)
        for (int head = 0; head < 3; ++head)
          for (std::size_t p = 0; p < 4; ++p)
            sum += weights[static_cast<std::size_t>(layer * 3 + head) * 4 + p] *
                   positions.values(layer, head, raw)[p];
      return sum;
    };
    std::vector<double> gradient(raw.size());
    for (int layer = 0; layer < 2; ++layer)
      for (int head = 0; head < 3; ++head)
        positions.add_gradient(layer, head,
                               std::span(weights).subspan(static_cast<std::size_t>(layer * 3 + head) * 4, 4),
                               raw, gradient);
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const double before = raw[i];
      raw[i] = before + 1e-5;
      const double above = objective();
      raw[i] = before - 1e-5;
      const double below = objective();
      raw[i] = before;
      EXPECT_NEAR(gradient[i], (above - below) / 2e-5, 1e-8);
    }
  }
}

TEST(Positions, write_back_a_file_with_the_learned_values) {
  const TemporaryFolder folder;
  const Positions positions(library_files("ape"), setting({"delta", "lambda"}), oracle());
  std::vector<double> raw = positions.initial();
  for (std::size_t i = 0; i < raw.size(); ++i) raw[i] += 0.1 * static_cast<double>(i);
  write_encoding_files(positions.files(raw), folder / "encoding.toml");
  const Positions again(read_encoding_files((folder / "encoding.toml").string()),
                        setting({"delta", "lambda"}), oracle());
  for (int layer = 0; layer < 2; ++layer) {
    for (int head = 0; head < 3; ++head) {
      const auto expected = positions.values(layer, head, raw);
      const auto found = again.values(layer, head, again.initial());
      for (std::size_t p = 0; p < 2; ++p) EXPECT_NEAR(found[p], expected[p], 1e-15 * expected[p]);
    }
  }
  // with nothing learned any more, the values are those of the file, to the last bit
  const Positions fixed(read_encoding_files((folder / "encoding.toml").string()), setting({}), oracle());
  const theory::Encoding encoding = theory::load_encoding(folder / "encoding.toml", {2, 3, 2, 2});
  const theory::ScoreFunction law = instantiate(encoding, {8, 2, 3, 2, 2}, {}, oracle());
  EXPECT_EQ(values_of(law, {"delta"})[0], positions.values(1, 1, raw)[0]);
}

TEST(Positions, measured_entropies_become_a_table) {
  const TemporaryFolder folder;
  const EncodingFiles files = {
      .toml =
          "schema = 1\nname = \"t\"\n[parameters]\nalpha0 = { default = \"2\", domain = \"alpha0 > 0\" }\n"
          "[score]\nbias = \"-n/9\"\ntransform = \"rotation\"\n"
          "[score.rotation]\nangle = \"n/alpha\"\nalpha = \"measured\"\n",
      .tables = {},
      .source = "t.toml"};
  const Positions positions(files, setting({}), oracle());
  ASSERT_TRUE(positions.measures_entropy());
  std::vector<double> measured;
  for (int i = 0; i < 6 * 5; ++i) measured.push_back(0.25 * i);
  write_encoding_files(positions.files(positions.initial(), measured), folder / "encoding.toml");
  const theory::Encoding encoding = theory::load_encoding(folder / "encoding.toml", {2, 3, 2, 2});
  const theory::ScoreFunction law = at_values(instantiate(encoding, {8, 2, 3, 2, 2}, {}, oracle()));
  const auto angle = [&](int n) {
    return checks::evaluate(substitute(law.rotation.angle, "n", theory::Expr(n)), {}, 64).approximate();
  };
  const double at_3 = 0.25 * ((1 * 3 + 1) * 5 + 3);  // layer 2, head 2, query 3
  const double at_4 = 0.25 * ((1 * 3 + 1) * 5 + 4);
  EXPECT_NEAR(angle(3), 3 / (2 * (1 + at_3)), 1e-14);
  EXPECT_NEAR(angle(100), 100 / (2 * (1 + at_4)), 1e-13);  // constant beyond
}

TEST(Positions, tables_of_a_file_go_with_it) {
  const EncodingFiles files = library_files("t5");
  EXPECT_EQ(files.tables.size(), 1U);
  const TemporaryFolder folder;
  write_encoding_files(files, folder / "copy.toml");
  const Positions positions(read_encoding_files((folder / "copy.toml").string()), setting({}), oracle());
  EXPECT_EQ(positions.name(), "t5");
}

TEST(Positions, say_what_cannot_be_learned) {
  EXPECT_NE(error_of(library_files("ape"), setting({"betta"}))
                .find("no parameter 'betta' to learn; did you mean 'beta'?"),
            std::string::npos);
  EncodingFiles at_bound = library_files("ape");
  at_bound.toml = with_parameters(at_bound, {{"delta", {{"0"}}}});
  EXPECT_NE(error_of(at_bound, setting({"delta"})).find("begins at its bound, 0"), std::string::npos);
  EXPECT_THROW(with_parameters(at_bound, {{"dleta", {{"0"}}}}), theory::SpecError);
  EXPECT_THROW(read_encoding_files("-"), theory::SpecError);
}

}  // namespace positions_test
