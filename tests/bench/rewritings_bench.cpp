// 1,000 random equivalent rewritings of every built-in encoding and every instance: does each keep all its
// verdicts?
//
//   build-bench/bin/rewritings_bench [COUNT [NAME]]
//
// Prints a line for each encoding with a verdict that changed, then the totals; exit 1 when any decided
// verdict turned into another decided one.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "checks/arb/expr_ball.h"
#include "tests/generators/rewriting.h"
#include "tests/generators/subjects.h"
#include "tests/in_time.h"

namespace {

using namespace gpe;
using theory::Verdict;

struct Counts {
  long questions = 0;
  long undecided = 0;  ///< decided before, undecided after
  long different = 0;  ///< decided before, decided otherwise after
};

Counts try_rewritings(const theory::Encoding& encoding, std::uint64_t count) {
  const std::vector<theory::Finding> before = testing::verdicts(encoding, testing::in_time());
  Counts counts;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    testing::Rewriter rewriter(seed, testing::shape_of(encoding));
    const std::vector<theory::Finding> after =
        testing::verdicts(rewritten(encoding, rewriter), testing::in_time());
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i].verdict == Verdict::undecided) continue;
      ++counts.questions;
      if (after[i].verdict == before[i].verdict) continue;
      ++(after[i].verdict == Verdict::undecided ? counts.undecided : counts.different);
      if (after[i].verdict != Verdict::undecided || std::getenv("REWRITINGS_VERBOSE") != nullptr) {
        std::printf("  %s, %s, seed %lu: %s, now %s: %s\n", encoding.name.c_str(),
                    testing::key_of(*before[i].reading).c_str(), static_cast<unsigned long>(seed),
                    std::string(name_of(before[i].verdict)).c_str(),
                    std::string(name_of(after[i].verdict)).c_str(), after[i].reason.substr(0, 200).c_str());
      }
    }
  }
  return counts;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::stoull(argv[1]) : 1000;
  const auto start = std::chrono::steady_clock::now();
  std::vector<theory::Encoding> subjects = testing::built_in_encodings();
  const std::vector<theory::Encoding> instances = testing::instance_encodings();
  subjects.insert(subjects.end(), instances.begin(), instances.end());
  Counts total;
  long rewritings = 0;
  for (const theory::Encoding& encoding : subjects) {
    if (argc > 2 && encoding.name != argv[2]) continue;
    const Counts counts = try_rewritings(encoding, count);
    rewritings += static_cast<long>(count);
    total.questions += counts.questions;
    total.undecided += counts.undecided;
    total.different += counts.different;
    if (counts.undecided + counts.different > 0) {
      std::printf("%-24s %6ld questions, %4ld undecided, %4ld different\n", encoding.name.c_str(),
                  counts.questions, counts.undecided, counts.different);
      std::fflush(stdout);
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%ld rewritings, %ld questions: %ld the same, %ld undecided, %ld different; %.0f s\n",
              rewritings, total.questions, total.questions - total.undecided - total.different,
              total.undecided, total.different, seconds);
  return total.different == 0 ? 0 : 1;
}
