// Random equivalent rewritings of every built-in encoding and every instance have the same verdicts: 5 each,
// from fixed seeds, or 100. (tests/bench/rewritings_bench.cpp tries 1,000 each.)
#include "tests/generators/rewriting.h"

#include "tests/generators/subjects.h"
#include "tests/in_time.h"
#include "tests/many.h"
#include "tests/theory/engine.h"

namespace rewriting_test {

using gpe::checks::Ball;
using gpe::testing::oracle;
using gpe::testing::Rewriter;
using gpe::theory::Encoding;
using gpe::theory::Expr;
using gpe::theory::Finding;
using gpe::theory::Rational;
using gpe::theory::Verdict;

std::string described(const Encoding& encoding) {
  return "bias = " + to_text(encoding.bias) + "\ngain = " + to_text(encoding.gain) +
         "\nangle = " + to_text(encoding.rotation.angle) + "\nscale = " + to_text(encoding.rotation.scale);
}

void expect_same_verdicts(const Encoding& encoding) {
  const std::vector<Finding> before = gpe::testing::verdicts(encoding, gpe::testing::in_time());
  for (int seed = 0; seed < gpe::testing::cases(5, 100); ++seed) {
    Rewriter rewriter(static_cast<std::uint64_t>(seed), gpe::testing::shape_of(encoding));
    const Encoding other = rewritten(encoding, rewriter);
    const std::vector<Finding> after = gpe::testing::verdicts(other, gpe::testing::in_time());
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(name_of(after[i].verdict), name_of(before[i].verdict))
          << encoding.name << ", " << gpe::testing::key_of(*before[i].reading) << ", seed " << seed << "\n"
          << described(other) << "\n"
          << after[i].reason;
    }
  }
}

TEST(Rewriting, built_in_encodings_keep_their_verdicts) {
  int number = 0;
  for (const Encoding& encoding : gpe::testing::built_in_encodings())
    if (gpe::testing::drawn(number++, 3)) expect_same_verdicts(encoding);
}

TEST(Rewriting, instances_keep_their_verdicts) {
  for (const Encoding& encoding : gpe::testing::instance_encodings()) expect_same_verdicts(encoding);
}

}  // namespace rewriting_test
