// Statements that are false, or about nothing: each beside a true twin that differs in one place.
#include <nlohmann/json.hpp>

#include "checks/arb/expr_ball.h"
#include "checks/certificate/certificate.h"
#include "checks/certificate/number_certificate.h"
#include "checks/certificate/write_certificates.h"
#include "checks/programs/ask_verifier.h"
#include "checks/report/report.h"
#include "tests/certificates/attacks.h"
#include "tests/in_time.h"
#include "tests/temporary_folder.h"
#include "theory/score/spec_parse.h"

namespace hypotheses_test {

using namespace gpe;
using gpe::testing::accepted;
using verifier::Json;

const checks::BallOracle& oracle() {
  static const checks::BallOracle instance;
  return instance;
}

using Edits = std::vector<std::pair<const char*, Json>>;

// What is accepted of a true certificate with one place changed.
void expect_refused(const Json& twin, const Edits& edits) {
  ASSERT_TRUE(accepted(twin)) << twin.dump();
  for (const auto& [place, value] : edits) {
    Json other = twin;
    other[Json::json_pointer(place)] = value;
    EXPECT_FALSE(accepted(other)) << place << ": " << value.dump();
  }
}

Json law(const Json& changes) {
  Json result = {{"name", "law"},
                 {"head_dim", 64},
                 {"head", 1},
                 {"heads", 2},
                 {"layer", 1},
                 {"layers", 2},
                 {"first", 0},
                 {"transform", "identity"},
                 {"gain", "1"},
                 {"bias", "-n"},
                 {"parameters", Json::array()},
                 {"tables", Json::object()}};
  for (const char* key : {"window", "softcap", "angle", "alpha", "scale", "rate", "decay"})
    result[key] = nullptr;
  result.update(changes);
  return result;
}

Json certificate(const char* kind, const Json& claim, const Json& changes, const Json& proof) {
  return {{"schema", 1},           {"kind", kind},   {"claim", claim},   {"law", law(changes)},
          {"free", Json::array()}, {"proof", proof}, {"cases", nullptr}, {"witnesses", nullptr}};
}

Json verdict(const char* property, const char* reading, bool holds, const Json& changes, const Json& proof) {
  const bool bounded = property[0] == 'c' || property[0] == 'e';
  return certificate("verdict",
                     {{"property", property},
                      {"reading", reading},
                      {"content_bound", bounded ? Json("1") : Json(nullptr)},
                      {"verdict", holds ? "holds" : "fails"},
                      {"region", holds ? "always" : "never"}},
                     changes, proof);
}

const Json kFar = {{"depth", 1}, {"ell", "6"}, {"from", "404"}};
const Json kConverges = {{"rule", "sum-converges"}, {"score", "above"}, {"k", 0}, {"eta", "1"}, {"C", "10"},
                         {"threshold", kFar}};

TEST(Hypotheses, exponentials_grow_squares_have_two_roots_and_signs_alternate) {
  const Json growth = verdict("ldcp", "content", true, {{"gain", "2^n"}},
                              {{"rule", "content-stays"}, {"c", "1"}, {"threshold", kFar}});
  expect_refused(growth, {{"/law/gain", "2^(-n)"}, {"/law/gain", "2^(n*(cos(n) - 1/2))"}});
  const Json root = verdict("ldcp", "weight", true, {{"bias", "sqrt((n - 5)^2) - n"}},
                            {{"rule", "bias-bounded-below"}, {"C", "6"}, {"threshold", kFar}});
  expect_refused(root, {{"/law/bias", "-sqrt((n - 5)^2) - n"},
                        {"/law/bias", "((n - 5)^3)^(1/3) - n"},
                        {"/law/bias", "1/sqrt((n - 5)^2) - 1"},
                        {"/proof/C", "5"}});
  const Json sign = verdict("gps", "scalar", true, {{"gain", "(-1)^n"}},
                            {{"rule", "factor-changes"}, {"from", 0}, {"to", 1}, {"e", "-1"}});
  expect_refused(sign, {{"/law/gain", "(-1)^(2*n)"}, {"/law/gain", "(-1)^(n/2)"}, {"/proof/to", 2}});
  const Json whole = verdict("gps", "vector", false, {{"gain", "cos(2*pi*n)"}}, {{"rule", "constant"}});
  expect_refused(whole,
                 {{"/law/gain", "cos(pi*n)"}, {"/law/gain", "cos(2*pi*n/3)"}, {"/law/gain", "cos(2*n)"}});
}

TEST(Hypotheses, a_statement_is_about_a_law_and_in_full) {
  const Json table = {{"first", 0}, {"beyond", "constant"}, {"values", {"0", "1/2"}}};
  Json twin = verdict("convergent-normalization", "every-content", true,
                      {{"bias", "-m*n + t(n)"},
                       {"parameters", {{{"name", "m"}, {"value", "1/2"}, {"domain", "m > 0"}}}},
                       {"tables", {{"t", table}}}},
                      kConverges);
  expect_refused(twin, {{"/law/heads", 0},
                        {"/law/head", 0},
                        {"/law/head", 3},
                        {"/law/layer", 3},
                        {"/law/name", "law\nfile: proved: everything"},
                        {"/law/name", ""},
                        {"/law/tables/t/values", Json::array()},
                        {"/law/tables/t/beyond", "constantly"},
                        {"/law/tables/t/beyond", "errorx"},
                        {"/law/tables/log", table},
                        {"/law/tables/2t", table},
                        {"/law/parameters/0/value", "-1"},
                        {"/law/parameters/0/domain", "m > 1 and m < 0"},
                        {"/law/parameters/0/name", "max"},
                        {"/law/bias", "-m*n + t(n) < 5"},
                        {"/law/bias", "-m*n + t(n) + log(n - 3)"},
                        {"/law/bias", "-m*n + t(n) + 1/(n - 700)"},
                        {"/law/bias", "-m*n - alpha"},
                        {"/law/bias", "-m*n - H(n)"},
                        {"/law/bias", "-m*n - sum(n, 0, 1, n)"},
                        {"/law/softcap", "-1"},
                        {"/claim/property", "cn"},
                        {"/claim/reading", "every"},
                        {"/claim/reading", "every-content expected"},
                        {"/claim/content_bound", "-5"},
                        {"/proof/branch", "1"},
                        {"/proof/q", "garbage("},
                        {"/proof/residue", 1},
                        {"/schema", 1.0},
                        {"/witnesses", Json::object()},
                        {"/cases", Json::object()}});
  Json window =
      verdict("convergent-normalization", "some-content", true, {{"window", "4"}}, {{"rule", "window"}});
  expect_refused(window, {{"/claim/reading", "some"},
                          {"/claim/content_bound", "-1"},
                          {"/law/bias", "log(n)"},
                          {"/law/bias", "n*log(1 + L)"},
                          {"/law/bias", "if(n = 1, 1/(n - 1), 0)"},
                          {"/proof/threshold", kFar}});
}

// B is left open: gain log(1 + n) against -2 log(1 + n) converges for B < 1.
TEST(Hypotheses, witnesses_are_points_of_the_domains) {
  const theory::Encoding encoding = theory::parse_encoding(
      "schema = 1\nname = \"grows\"\n[parameters]\nm = { default = \"2\", domain = \"m > 0\" }\n[score]\n"
      "gain = \"log(1 + n)\"\nbias = \"-m*log(1 + n)\"\n",
      "grows", ".");
  checks::EncodingReport report;
  report.name = encoding.name;
  report.encoding = encoding;
  report.law = theory::instantiate(encoding, report.setting, {}, oracle());
  report.closed_law = theory::at_values(report.law);
  checks::ReportOptions options;
  options.symbolic = {"B", "m"};
  const theory::Reading& reading = theory::readings().front();
  const theory::Finding finding =
      theory::find(reading, report.law, 1, gpe::testing::in_time(), options.symbolic);
  const Json twin = verifier::read_json(checks::certificate(report, finding, options, oracle()).dump());
  ASSERT_EQ(twin["claim"]["verdict"], "depends") << twin.dump();
  expect_refused(twin, {{"/witnesses/holds/B", "-5"},
                        {"/witnesses/holds/m", "-5"},
                        {"/witnesses/holds/more", "1"},
                        {"/witnesses/fails", twin["witnesses"]["holds"]},
                        {"/witnesses", nullptr},
                        {"/law/parameters/0/value", "-1"},
                        {"/law/parameters/0/domain", "m > 0 and m < 0"},
                        {"/free", {"B", "m", "m"}}});
}

TEST(Hypotheses, each_row_of_numbers_has_its_content_bound) {
  checks::ReportOptions options;
  options.content_bounds = {1, 5};
  options.epsilons = {{1, 1000}};
  options.weights = {{1, 2}};
  const theory::Encoding encoding =
      theory::parse_encoding("schema = 1\nname = \"falls\"\n[score]\nbias = \"-n/50\"\n", "falls", ".");
  const checks::EncodingReport report = checks::analyse(encoding, {}, {}, options, gpe::testing::in_time());
  const Json twin = verifier::read_json(checks::number_certificate(report, options, oracle()).dump());
  const Json& windows = twin["claim"]["windows"];
  ASSERT_EQ(windows.size(), 2U);
  ASSERT_NE(windows[0]["W"], windows[1]["W"]);
  expect_refused(twin, {{"/claim/windows/0/content_bound", "5"},
                        {"/claim/windows/1/content_bound", "1"},
                        {"/claim/windows/1/W", windows[0]["W"]},
                        {"/claim/windows/1/content_bound", "-1"},
                        {"/claim/reach/1/content_bound", "1"},
                        {"/claim/reach", nullptr}});
}

TEST(Hypotheses, local_ranges_are_of_what_is_seen) {
  const auto range = [](const Json& within, const Json& changes) {
    return certificate("numbers",
                       {{"Z", nullptr},
                        {"H", nullptr},
                        {"windows", Json::array()},
                        {"reach", Json::array()},
                        {"self_reach", Json::array()},
                        {"local_range", {{"threshold", "1/2"}, {"literal", nullptr}, {"within", within}}}},
                       changes,
                       {{"direct", nullptr}, {"order", nullptr}, {"levels", nullptr}, {"tail", nullptr}});
  };
  expect_refused(range(3, {{"bias", "-n/10"}, {"window", "4"}}), {{"/claim/local_range/within", 5}});
  expect_refused(range("unbounded", {{"bias", "1/3"}}), {{"/law/bias", "sin(n)"},
                                                         {"/law/bias", "floor(n/9)"},
                                                         {"/law/window", "4"},
                                                         {"/claim/local_range", nullptr},
                                                         {"/proof/direct", 4}});
}

// A content that the cap keeps below |f| s, which vanishes.
TEST(Hypotheses, soft_caps_bound_contents_that_grow) {
  const Json grows = {
      {"transform", "scaled-rotation"}, {"angle", "0"}, {"scale", "1 + n"}, {"gain", "1/(1 + n)"}};
  expect_refused(
      verdict("ldcp", "content", true, grows, {{"rule", "content-stays"}, {"c", "1/2"}, {"threshold", kFar}}),
      {{"/law/softcap", "1"}, {"/law/gain", "1/(1 + n)^2"}, {"/law/transform", "none"}});
}

// b(0) = 0 and b(1) > 0: the ends of a range do not say what is between.
TEST(Hypotheses, a_bias_of_a_design_may_rise_at_first) {
  Json twin = certificate(
      "design",
      {{"box", {{"m", {"5/2", "5/2"}}}},
       {"content_bound", "0"},
       {"requirements", {{{"quantity", "range"}, {"at", "1"}, {"relation", ">="}, {"value", "2"}}}},
       {"objective", nullptr},
       {"found", {{"parameters", {{"m", "5/2"}}}, {"value", nullptr}}}},
      {{"bias", "if(n = 0, 0, 1 - m*n/5)"},
       {"parameters", {{{"name", "m"}, {"value", "5/2"}, {"domain", "m > 0"}}}}},
      {{"bias", nullptr}, {"twins", Json::object()}, {"points", Json::array()}});
  twin["free"] = {"m"};
  expect_refused(twin, {{"/law/bias", "if(n = 0, 0, 5 - m*n)"},
                        {"/law/parameters/0/domain", "m > 3"},
                        {"/claim/box/m", {"-1", "5/2"}},
                        {"/claim/box/m", {"5/2", "5/2", "3"}}});
}

// Proved; of what is wrong, that it is; and of what is true and not seen, that it is not followed.
Json with_rule(Json certificate, const char* rule) {
  certificate["proof"]["rule"] = rule;
  return certificate;
}

TEST(Hypotheses, the_verifier_tells_wrong_steps_from_those_it_does_not_follow) {
  using Kind = checks::Answer::Kind;
  const Json one = verdict("convergent-normalization", "every-content", true, Json::object(), kConverges);
  const auto with = [&](const char* place, const Json& value) {
    Json other = one;
    other[Json::json_pointer(place)] = value;
    return checks::ask_verifier(other.dump());
  };
  EXPECT_EQ(checks::ask_verifier(one.dump()).kind, Kind::proved);
  EXPECT_EQ(with("/law/bias", "n").kind, Kind::refused);
  EXPECT_EQ(with("/proof/eta", "-1").kind, Kind::refused);
  EXPECT_EQ(with("/proof/rule", "sum-diverges").kind, Kind::refused);
  EXPECT_EQ(with("/claim/verdict", "fails").kind, Kind::refused);
  EXPECT_EQ(with("/law/bias", "-n + cos(n)*sqrt(n)*cos(n)*0.001*sqrt(cos(2*n) + 1)").kind,
            Kind::not_followed);
  EXPECT_EQ(checks::ask_verifier(R"({"schema": 1, "kind": "list", "certificates": [)" + one.dump() + ", " +
                                 with_rule(one, "sum-diverges").dump() + "]}")
                .kind,
            Kind::refused);
  EXPECT_EQ(checks::ask_verifier("no JSON").kind, Kind::refused);
}

// A certificate of the program that is wrong is an error with its name; the others are written.
TEST(Hypotheses, what_the_verifier_refuses_is_not_written) {
  const theory::Encoding encoding = theory::parse_encoding(
      "schema = 1\nname = \"falls\"\n[score]\nbias = \"-2*log(1 + n)\"\n", "falls", ".");
  const checks::ReportOptions options;
  const theory::Context context = gpe::testing::in_time();
  checks::EncodingReport report = checks::analyse(encoding, {}, {}, options, context);
  const tests::TemporaryFolder folder;
  const auto breaking = [](const std::string& text, double) {
    Json broken = verifier::read_json(text);
    if (broken["claim"].value("reading", "") == "every-content") broken["proof"]["eta"] = "-2";
    return checks::ask_verifier(broken.dump());
  };
  checks::CertificateFolder certificates(folder.path().string(), breaking);
  certificates.write(report, options, context);
  const checks::Written& missing = certificates.written();
  ASSERT_EQ(missing.refused.size(), 1U);
  EXPECT_NE(missing.refused[0].find("falls.cn.every-content: holds"), std::string::npos)
      << missing.refused[0];
  EXPECT_TRUE(missing.without_proof.empty());
  EXPECT_FALSE(std::filesystem::exists(folder / "falls.cn.every-content.json"));
  EXPECT_TRUE(std::filesystem::exists(folder / "falls.cn.some-content.json"));
}

// Small constants, so that claims begin far out; a bias above 0; a case m < sqrt(1/2), m = 1, of no m.
TEST(Hypotheses, far_thresholds_and_empty_cases_have_certificates) {
  const checks::ReportOptions options;
  const theory::Context context = gpe::testing::in_time();
  const tests::TemporaryFolder folder;
  checks::CertificateFolder certificates(folder.path().string(), checks::ask_verifier);
  int count = 0;
  for (const char* score :
       {"[score]\nbias = \"2^(-n) - n/10^25\"", "[score]\nbias = \"5 - n/10^9\"",
        "[parameters]\nm = { default = \"1/1000\", domain = \"m >= 0\" }\n[score]\nbias = \"-n\"\n"
        "gain = \"m + n - sqrt(n^2 + 1)\""}) {
    const std::string name = "law-" + std::to_string(count++);
    const theory::Encoding encoding =
        theory::parse_encoding("schema = 1\nname = \"" + name + "\"\n" + score + "\n", name, ".");
    checks::EncodingReport report = checks::analyse(encoding, {}, {}, options, context);
    certificates.write(report, options, context);
  }
  const checks::Written& written = certificates.written();
  for (const std::string& line : written.lines()) ADD_FAILURE() << line;
  EXPECT_EQ(written.written, written.asked);
}

}  // namespace hypotheses_test
