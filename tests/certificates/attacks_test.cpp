// Nothing false gets through: damaged certificates and forged ones. In larger numbers:
// tests/bench/attacks_bench.
#include <nlohmann/json.hpp>

#include "tests/certificates/attacks.h"
#include "tests/many.h"

namespace attacks_test {

using namespace gpe::testing;

const std::vector<std::string> kEncodings = {
    "alibi", "ape", "kerple-log", "nope", "log-n", "sliding-window", "hope-hyperbolic"};

TEST(Certificates, EveryDamagedFieldIsNoticedOrHarmless) {
  int number = 0;
  for (const char* name : {"alibi", "kerple-log", "log-n"}) {
    const std::vector<Json> all = certificates_of(name);
    for (const std::size_t index : {0UL, 3UL, 6UL, 8UL, 11UL}) {
      const Json& certificate = all[index];
      ASSERT_TRUE(accepted(certificate)) << certificate.dump();
      for (const auto& place : places(certificate)) {
        for (int way = 0; way < damage_count; ++way) {
          if (!drawn(number++, 3)) continue;
          const Json other = damaged(certificate, place, way);
          if (other == certificate || !accepted(other)) continue;
          EXPECT_TRUE(harmless(certificate, other)) << place << ", damage " << way << ": " << other.dump();
        }
      }
    }
  }
}

TEST(Certificates, RandomDamagesAreNoticedOrHarmless) {
  std::mt19937_64 random(5);
  std::vector<Json> all;
  for (const std::string& name : kEncodings)
    for (const Json& one : certificates_of(name)) all.push_back(one);
  for (int k = 0; k < cases(200, 5000); ++k) {
    const auto [certificate, other] = random_damage(all, random);
    if (other == *certificate || !accepted(other)) continue;
    EXPECT_TRUE(harmless(*certificate, other)) << other.dump();
  }
}

TEST(Certificates, ReversedAnswersCannotBeForged) {
  std::mt19937_64 random(7);
  const std::vector<Json> claims = false_claims();
  ASSERT_EQ(claims.size(), 185U);  // the 92 answers, in each reading they are given for
  for (const Json& claim : claims) {
    for (int k = 0; k < cases(1, 40); ++k) {
      const Json forgery = forged(claim, random);
      EXPECT_FALSE(accepted(forgery)) << forgery.dump();
    }
  }
}

TEST(Certificates, AWindowThatDependsOnDistanceIsRefused) {
  for (Json one : certificates_of("sliding-window")) {
    ASSERT_TRUE(accepted(one));
    one["law"]["window"] = "W + n";
    EXPECT_TRUE(one["claim"]["property"] == "gps" || !accepted(one)) << one.dump();
  }
}

TEST(Certificates, NamesWithoutAValueAreRefusedEvenWhereTheClaimDoesNotNeedThem) {
  for (Json one : certificates_of("log-n")) {
    ASSERT_TRUE(accepted(one));
    one["law"]["gain"] = "log(L + 1)/log(unknown)";
    EXPECT_FALSE(accepted(one)) << one.dump();
  }
}

// Every number of a claim, moved by one, or by one in its last digit so that the enclosure lies beside the
// value.
TEST(Certificates, NumbersThatAreOffAreRefused) {
  int refused = 0, number = 0;
  for (const char* name : {"ape", "fox-fixed", "kerple-log", "sliding-window", "rope", "t5"}) {
    const Json certificate = number_certificate_of(name);
    ASSERT_TRUE(accepted(certificate)) << certificate.dump();
    const auto refuse = [&](const Json::json_pointer& place, const Json& value) {
      Json other = certificate;
      other[place] = value;
      if (other == certificate || !drawn(number++, 2)) return;  // the first: both ends of an exact number
      EXPECT_FALSE(accepted(other)) << place << " " << value;
      ++refused;
    };
    for (const auto& place : places(certificate["claim"])) {
      const Json& value = certificate["claim"][place];
      const Json::json_pointer at = Json::json_pointer("/claim") / place;
      if (value.is_number_unsigned()) {
        refuse(at, value.get<unsigned long>() + 1);
        if (value > 0) refuse(at, value.get<unsigned long>() - 1);
        refuse(at, place.back() == "W" || place.back() == "n" ? Json(nullptr) : Json("unbounded"));
      } else if (value == "none" || value == "unbounded") {
        refuse(at, 5);
        refuse(at, value == "none" ? "unbounded" : "none");
      } else if (value == "infinite") {
        refuse(at, {{"lower", "0"}, {"upper", "1000000000"}});
      } else if (place.back() == "lower") {
        refuse(at, certificate["claim"][place.parent_pointer() / "upper"]);
      } else if (place.back() == "upper") {
        refuse(at, certificate["claim"][place.parent_pointer() / "lower"]);
      }
    }
  }
  EXPECT_GT(refused, cases(30, 60));
}

TEST(Certificates, SumsWithoutEnoughDoublingsOrATailAreRefused) {
  const Json certificate = number_certificate_of("ape");
  for (const auto& [key, value] :
       {std::pair("levels", 3), std::pair("order", 1), std::pair("direct", 4), std::pair("direct", 95)}) {
    Json other = certificate;
    other["proof"][key] = value;
    EXPECT_FALSE(accepted(other)) << other["proof"];
  }
  Json slower = certificate;  // no Bernstein function any more
  slower["law"]["bias"] = "-delta*n - beta*log(1 + n)^2 - gamma*sqrt(n)";
  slower["claim"]["Z"] = {{"lower", "0"}, {"upper", "1000000000"}};
  EXPECT_FALSE(accepted(slower));
}

TEST(Certificates, KeysThatOccurTwiceAndDeepNestingAreRefused) {
  EXPECT_THROW(gpe::verifier::read_json(R"({"a": 1, "a": 2})"), gpe::verifier::NotShown);
  EXPECT_THROW(gpe::verifier::read_json(R"({"a": "$A"})"), gpe::verifier::NotShown);
  EXPECT_THROW(gpe::verifier::read_json(R"({"\u0061": 1})"), gpe::verifier::NotShown);
  EXPECT_THROW(gpe::verifier::read_json(std::string(400, '[')), gpe::verifier::NotShown);
}

TEST(Certificates, ManyObjectsAreReadInLinearTime) {
  std::string text = "[{}";
  for (int i = 0; i < 1000000; ++i) text += ",{}";
  EXPECT_EQ(gpe::verifier::read_json(text + "]").size(), 1000001U);
}

// Whether a certificate about this bias is proved within a part of the budget; or why not.
std::string work_of(const std::string& bias, const std::string& domain, const gpe::verifier::Limits& limits) {
  static const Json alibi = certificates_of("alibi").front();
  Json one = alibi;
  one["law"]["bias"] = bias;
  if (!domain.empty()) one["law"]["parameters"][0]["domain"] = domain;
  try {
    gpe::verifier::check_certificate(gpe::verifier::read_json(one.dump()), limits);
    return "proved";
  } catch (const gpe::verifier::NotFollowed& error) {
    return error.what();
  }
}

TEST(Certificates, WorkIsBoundedByOneCount) {
  const std::string too_long = "checking it takes more than 1000000 steps; --budget 1 allows more";
  std::string product = "-m*n", conditions = "m > 0";
  for (int i = 0; i < 20; ++i) product += "*(1 + sqrt(" + std::to_string(30 * i * i + 7) + "))";
  for (int i = 1; i < 20000; ++i) conditions += " and m > -" + std::to_string(i);
  EXPECT_EQ(work_of(product, "", {}), "it takes a sum of more than 32768 terms to check");
  EXPECT_EQ(work_of("-m*n", "", {.times = 0.01}), "proved");
  EXPECT_EQ(work_of("-m*n", conditions, {.times = 0.01}), too_long);
  for (const char* bias :
       {"-m*n + sum(a, 1, 20000, sum(b, 1, 20000, 1))", "-m*n + 1e9999*1e9999^1000",
        "-m*n - sum(k, 1, 20000, log(1e9999 + k))",
        "-m*n - abs(floor(n*sqrt(2)) + floor(n*sqrt(3)) + floor(n*sqrt(5)) + floor(n*sqrt(6)) + "
        "floor(n*sqrt(7)) + floor(n*sqrt(10)) + floor(n*sqrt(11)) + floor(n*sqrt(13)))"})
    EXPECT_EQ(work_of(bias, "", {.times = 0.01, .seconds = 1000}), too_long) << bias;
  const std::string long_sum = "-m*n + sum(a, 1, 20000, sum(b, 1, 20000, 1))";
  EXPECT_EQ(work_of(long_sum, "", {.times = 1, .seconds = 0}),
            "checking it takes more than 0 s; --budget 3 allows more");
}

}  // namespace attacks_test
