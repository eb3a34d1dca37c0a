// Attacks on the verifier in large numbers: random damages to certificates, and forgeries of false claims.
//   build-bench/bin/attacks_bench [DAMAGES [TRIES]]      default 10000 and 1000; exit 1 when a false claim
//   was accepted
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "tests/certificates/attacks.h"

int main(int argc, char** argv) {
  using namespace gpe::testing;
  const long damages = argc > 1 ? std::atol(argv[1]) : 10000;
  const long tries = argc > 2 ? std::atol(argv[2]) : 1000;
  std::mt19937_64 random(2);
  std::vector<Json> all;
  for (const char* name :
       {"alibi", "ape", "kerple-log", "nope", "log-n", "sliding-window", "hope-hyperbolic"})
    for (const Json& one : certificates_of(name)) all.push_back(one);
  long harmless_ones = 0, bad = 0;
  for (long k = 0; k < damages; ++k) {
    const auto [certificate, other] = random_damage(all, random);
    if (other == *certificate || !accepted(other)) continue;
    const bool fine = harmless(*certificate, other);
    harmless_ones += fine ? 1 : 0;
    bad += fine ? 0 : 1;
    if (!fine) std::printf("accepted: %s\n", other.dump().c_str());
  }
  std::printf("damages: %ld, accepted and harmless: %ld, accepted and not: %ld\n", damages, harmless_ones,
              bad);
  long forgeries = 0, believed = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (const Json& claim : false_claims()) {
    for (long k = 0; k < tries; ++k, ++forgeries) {
      const Json forgery = forged(claim, random);
      if (!accepted(forgery)) continue;
      ++believed;
      std::printf("accepted: %s\n", forgery.dump().c_str());
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("forgeries: %ld, accepted: %ld, %.0f checks a second\n", forgeries, believed,
              static_cast<double>(forgeries) / seconds);
  return bad + believed == 0 ? 0 : 1;
}
