// Scores in pieces: floors, conditions on n, residue classes and tables. The verdicts are by hand.
#include <filesystem>
#include <fstream>

#include "tests/theory/engine.h"
#include "tests/theory/findings.h"
#include "theory/asymptotics/convergence.h"
#include "theory/source/csv_table.h"

namespace pieces_test {

using gpe::testing::verdict;
using gpe::theory::Rational;
using gpe::theory::SpecError;

struct Case {
  const char* bias;
  const char* z;  // cn/every-content
  const char* h;  // eb/limit
  const char* why;
};

void expect_verdicts(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    EXPECT_EQ(verdict(one.bias, "", "cn/every-content"), one.z) << one.bias << ": " << one.why;
    EXPECT_EQ(verdict(one.bias, "", "eb/limit"), one.h) << one.bias << ": " << one.why;
  }
}

TEST(Pieces, floors_within_a_bounded_distance_decide_like_what_they_round) {
  expect_verdicts({
      {"-2*floor(log(1 + n))", "holds", "holds", "at most 2 above -2 log(1 + n)"},
      {"-floor(2*log(1 + n))", "holds", "holds", "at most 1 above -2 log(1 + n)"},
      {"-floor(log(1 + n))", "fails", "fails", "at least -log(1 + n)"},
      {"-floor(sqrt(n))", "holds", "holds", "at most 1 above -sqrt(n)"},
      {"-floor(n/3) - floor(2*n/3)", "holds", "holds", "a geometric series"},
      {"-2*log(1 + n)*floor(1 - 1/(1 + n))", "fails", "fails", "the floor is 0"},
      {"-2*log(1 + n)*floor(2 - 1/(1 + n))", "holds", "holds", "the floor is 1"},
      {"-3*log(1 + n)*floor(sqrt(n^2 + 2*n + 2) - n)", "holds", "holds", "the floor is 1 in the end"},
      {"-3*log(1 + n)*floor(sqrt(n^2 + 2*n) - n)", "fails", "fails", "the floor is 0"},
      {"-(3 + floor(sin(n)))*log(1 + n)", "holds", "holds", "at most -2 log(1 + n)"},
  });
}

TEST(Pieces, an_unbounded_gap_between_floors_is_not_guessed) {
  // diverges by averaging over blocks of powers of 2, though neither of its bounds tells
  const std::string blocks = "log(2 + n)/log(2)";
  const std::string score = "-log(2 + n) - 2*(" + blocks + " - floor(" + blocks + "))*log(log(2 + n))";
  EXPECT_NE(verdict(score, "", "cn/every-content"), "holds");
  EXPECT_NE(verdict("-(1 + sin(n))*log(1 + n)", "", "cn/every-content"),
            "holds");  // sin(n) = -1 nearly, often
}

TEST(Pieces, residue_classes_are_decided_apart) {
  expect_verdicts({
      {"-if(2*floor(n/2) == n, 2*log(1 + n), n)", "holds", "holds", "both halves converge"},
      {"-if(2*floor(n/2) == n, log(1 + n)/2, n)", "fails", "fails", "the even half diverges"},
      {"-2*log(1 + n)*(n - 2*floor(n/2))", "fails", "fails", "A = 0 at even n"},
      {"-n*(1 + cos(pi*n))", "fails", "fails", "A = 0 at odd n"},
      {"-n*(2 + cos(pi*n))", "holds", "holds", "at most -n"},
      {"-log(2 + n)*(n - 3*floor(n/3) + 2)", "holds", "holds", "coefficients 2, 3, 4"},
      {"-log(2 + n)*(n - 3*floor(n/3) + 1)", "fails", "fails", "the first class is -log(2 + n)"},
      {"-log(2 + n) - log(log(2 + n))*(2 + sin(pi*n/2))", "fails", "fails", "coefficient 1 at n = 3 mod 4"},
  });
}

// The slope by class is M times that by distance: which of both is meant must be said.
TEST(Pieces, reasons_name_the_index_of_the_class) {
  const auto reason = [](const std::string& score) {
    return decide_sum(gpe::testing::parse(score), gpe::theory::Context(gpe::testing::oracle())).reason;
  };
  EXPECT_EQ(reason("-floor(n/2)/4"),
            "A(2*k + 1) ~ -1/4*k, which outweighs log(k): the sum converges (in each of the 2 residue "
            "classes of n)");
  EXPECT_EQ(
      reason("-log(1 + n)*(3 - cos(pi*n))/4"),
      "A(2*k) ~ -1/2*log(k), coefficient above -1: the sum diverges (in a residue class of n modulo 2)");
  EXPECT_EQ(reason("-n/8"), "A(n) ~ -1/8*n, which outweighs log(n): the sum converges");
}

TEST(Pieces, what_holds_up_to_some_distance_only_does_not_count) {
  expect_verdicts({
      {"if(n < 10^6, n, -2*log(1 + n))", "holds", "holds", "-2 log(1 + n) in the end"},
      {"if(n < 10^6, -n^2, 0)", "fails", "fails", "0 in the end"},
      {"-max(n - 1000, 0)", "holds", "holds", "-n in the end"},
      {"-min(n, 1000)", "fails", "fails", "-1000 in the end"},
      {"-min(n, 2*log(1 + n))", "holds", "holds", "the logarithm is less in the end"},
      {"-max(log(1 + n)/2, 2*log(1 + n) - 50)", "holds", "holds", "the second is larger in the end"},
  });
}

// --------------------------------------------------------------------------------------------- tables

class Tables : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() / ("gpe-tables-" + std::string(info->name()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::shared_ptr<const gpe::theory::Table> read(const std::string& text,
                                                 const gpe::theory::TableColumn& column = {}) const {
    return gpe::theory::table_of_text("t", text, "t.csv", gpe::theory::Beyond::constant, column);
  }
  gpe::theory::Encoding encoding(const std::string& bias, const std::string& beyond,
                                 const std::string& table) const {
    write("t.csv", table);
    return gpe::theory::parse_encoding(
        "schema = 1\nname = \"x\"\n[tables]\nt = { file = \"t.csv\", index = \"n\", beyond = \"" + beyond +
            "\" }\n[score]\nbias = \"" + bias + "\"\n",
        "x.toml", folder);
  }
  std::filesystem::path folder;
};

TEST_F(Tables, are_read_exactly_with_titles_comments_and_any_first_index) {
  const auto table = read("n, slope # titles\n# a comment\n-1, 1/3\n0, -0.25\n\n1, 2e-3\r\n2,5\n");
  EXPECT_EQ(table->first_index, -1);
  EXPECT_EQ(table->last_index(), 2);
  EXPECT_EQ(table->values,
            (std::vector<Rational>{Rational(1, 3), Rational(-1, 4), Rational(1, 500), Rational(5)}));
}

TEST_F(Tables, have_a_column_for_each_head_or_layer_and_head) {
  const std::string text = "0,1,2,3,4\n1,5,6,7,8\n";
  EXPECT_EQ(read(text, {.h = 3, .heads = 4, .layer = 1, .layers = 1})->values[1], Rational(7));
  EXPECT_EQ(read(text, {.h = 1, .heads = 2, .layer = 2, .layers = 2})->values[0], Rational(3));
  EXPECT_THROW(read(text, {.h = 1, .heads = 3, .layer = 1, .layers = 1}), SpecError);
}

TEST_F(Tables, that_are_wrong_say_where) {
  const auto told = [&](const std::string& text) -> std::string {
    try {
      read(text);
    } catch (const SpecError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(told("0,1\n2,1\n"), "t.csv:2:1: index 2, expected 1 (indices are consecutive)\n  2,1\n  ^");
  EXPECT_EQ(told("0,1\n1,pi\n"),
            "t.csv:2:3: 'pi' is not an exact number (integer, fraction a/b, or decimal) of at most 20000 "
            "digits\n  1,pi\n    ^~");
  EXPECT_EQ(told("0,1\n1/2,1\n"), "t.csv:2:1: index '1/2' is not a whole number\n  1/2,1\n  ^~~");
  EXPECT_EQ(told("0\n1\n"), "t.csv:1:1: expected an index, a comma and a value\n  0\n  ^");
  EXPECT_EQ(told("n,b\n"), "t.csv: no rows; expected lines \"index,value\"");
  EXPECT_EQ(told("0,1\n1,1,1\n"), "t.csv:2:1: 3 columns, expected 2\n  1,1,1\n  ^~~~~");
}

TEST_F(Tables, that_go_on_as_a_constant_decide_like_their_last_entry) {
  const std::string table = "0,0\n1,-1\n2,-3\n3,2\n";
  const auto of = [&](const std::string& bias, const char* key) {
    return std::string(name_of(gpe::testing::finding(encoding(bias, "constant", table), key).verdict));
  };
  EXPECT_EQ(of("t(n)", "cn/every-content"), "fails");
  EXPECT_EQ(of("t(n)", "ldcp/signed"), "holds");  // 2 in the end
  EXPECT_EQ(of("t(n) - 2", "ldcp/literal"), "fails");
  EXPECT_EQ(of("-t(n)*log(1 + n)", "cn/every-content"), "holds");
  EXPECT_EQ(of("-t(n)*log(1 + n)/2", "cn/every-content"), "fails");
  EXPECT_EQ(of("-t(floor(log(1 + n)))*log(1 + n)", "eb/limit"), "holds");
  EXPECT_EQ(of("-t(min(n, 2))*log(1 + n)", "cn/every-content"), "fails");  // +3 log(1 + n)
  EXPECT_EQ(of("-2*t(n - 4*floor(n/4))", "cn/every-content"), "fails");    // periodic and bounded
}

TEST_F(Tables, that_end_are_not_read_past_their_end) {
  const auto found = [&](const std::string& bias) {
    return gpe::testing::finding(encoding(bias, "error", "0,0\n1,-1\n2,-3\n"), "cn/every-content");
  };
  EXPECT_EQ(name_of(found("-n + t(min(n, 2))").verdict), "holds");
  EXPECT_EQ(name_of(found("-n + t(n - 3*floor(n/3))").verdict), "holds");
  EXPECT_EQ(name_of(found("-n + t(n)").verdict), "undecided");
}

}  // namespace pieces_test
