// Nothing false gets through: damaged certificates and forged ones. In larger numbers:
// tests/bench/attacks_bench.
#include "tests/certificates/attacks.h"

namespace {

using namespace gpe::testing;

const std::vector<std::string> kEncodings = {
    "alibi", "ape", "kerple-log", "nope", "log-n", "sliding-window", "hope-hyperbolic"};

TEST(Certificates, EveryDamagedFieldIsNoticedOrHarmless) {
  for (const char* name : {"alibi", "kerple-log", "log-n"}) {
    const std::vector<Json> all = certificates_of(name);
    for (const std::size_t index : {0UL, 3UL, 6UL, 8UL, 11UL}) {
      const Json& certificate = all[index];
      ASSERT_TRUE(accepted(certificate)) << certificate.dump();
      for (const auto& place : places(certificate)) {
        for (int way = 0; way < damage_count; ++way) {
          const Json other = damaged(certificate, place, way);
          if (other == certificate || !accepted(other)) continue;
          EXPECT_TRUE(harmless(certificate, other)) << place << ", damage " << way << ": " << other.dump();
        }
      }
    }
  }
}

TEST(Certificates, FiveHundredRandomDamagesAreNoticedOrHarmless) {
  std::mt19937_64 random(5);
  std::vector<Json> all;
  for (const std::string& name : kEncodings)
    for (const Json& one : certificates_of(name)) all.push_back(one);
  for (int k = 0; k < 500; ++k) {
    const Json& certificate = all[random() % all.size()];
    Json other = certificate;
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      const auto where = places(other);
      other = damaged(other, where[random() % where.size()], static_cast<int>(random() % damage_count));
    }
    if (other == certificate || !accepted(other)) continue;
    EXPECT_TRUE(harmless(certificate, other)) << other.dump();
  }
}

TEST(Certificates, ReversedAnswersCannotBeForged) {
  std::mt19937_64 random(7);
  const std::vector<Json> claims = false_claims();
  ASSERT_EQ(claims.size(), 185U);  // the 92 answers, in each reading they are given for
  for (const Json& claim : claims) {
    for (int k = 0; k < 20; ++k) {
      const Json forgery = forged(claim, random);
      EXPECT_FALSE(accepted(forgery)) << forgery.dump();
    }
  }
}

TEST(Certificates, AWindowThatDependsOnDistanceIsRefused) {
  for (Json one : certificates_of("sliding-window")) {
    ASSERT_TRUE(accepted(one));
    one["law"]["window"] = "W + n";
    if (one["claim"]["property"] != "gps") EXPECT_FALSE(accepted(one)) << one.dump();
  }
}

TEST(Certificates, KeysThatOccurTwiceAndDeepNestingAreRefused) {
  EXPECT_THROW(gpe::verifier::read_json(R"({"a": 1, "a": 2})"), gpe::verifier::NotShown);
  EXPECT_THROW(gpe::verifier::read_json(R"({"a": "$A"})"), gpe::verifier::NotShown);
  EXPECT_THROW(gpe::verifier::read_json(std::string(400, '[')), gpe::verifier::NotShown);
}

}  // namespace
