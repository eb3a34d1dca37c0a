// Entropies in double precision beside certified sums.
#include "probes/predict/sphere_predictor.h"

#include <cmath>

#include "checks/content/sphere.h"
#include "tests/in_time.h"
#include "tests/model/score_cases.h"

namespace sphere_predictor_test {

using namespace gpe;
using namespace gpe::probes;
using namespace gpe::tests;
using theory::Rational;

TEST(SpherePredictor, agrees_with_certified_sums) {
  constexpr std::int64_t kQuery = 300;
  constexpr int kDigits = 10;
  for (const char* name : {"nope", "rope", "alibi", "ape", "ssmax", "t5", "xpos", "sliding-window"}) {
    const theory::ScoreFunction law = at_values(law_of(library_encoding(name), 64));
    const ScoreColumns columns = HeadColumns(law, oracle()).at(kQuery);
    const checks::PartialSum bias =
        checks::enclose_partial_sum(law, Rational(kQuery), kDigits, gpe::testing::in_time());
    EXPECT_NEAR(bias_entropy(columns), bias.entropy.approximate(), 1e-9) << name;
    for (const int scale : {0, 1, 10, 300}) {
      const Predicted found = sphere_entropy(law, columns, scale);
      const checks::EnclosedNumber expected =
          checks::sphere_sums(law, Rational(scale), Rational(kQuery), kDigits, gpe::testing::in_time())
              .entropy;
      ASSERT_EQ(found.value.has_value(), expected.finite == checks::Finite::yes)
          << name << ' ' << expected.reason;
      if (!found.value) continue;
      EXPECT_NEAR(*found.value, expected.value.approximate(), 1e-8) << name << ' ' << scale;
    }
  }
}

TEST(SpherePredictor, says_why_there_is_none) {
  const theory::ScoreFunction law = at_values(law_of(library_encoding("xpos"), 64));
  const Predicted found = sphere_entropy(law, HeadColumns(law, oracle()).at(20), 1);
  EXPECT_FALSE(found.value.has_value());
  EXPECT_FALSE(found.reason.empty());
}

}  // namespace sphere_predictor_test
