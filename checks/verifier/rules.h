// The rules of inference: what has to be positive for what. Proofs: docs/certificates.md.
#pragma once

#include <string>
#include <vector>

namespace gpe::verifier {

// Where claims are about: all n >= N; all n = L >= N; all first <= n <= L, L >= N; two n; all n in the
// window, L >= N.
enum class Where { far, diagonal, triangle, points, window };

struct Rule {
  std::string questions, name, scores;  // scores: what A may be
  Where where;
  bool every_class;  // of n modulo the modulus; or one
  std::string claims;
};

const std::vector<Rule>& rules();

}  // namespace gpe::verifier
