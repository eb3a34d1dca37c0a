#include "model/attention/attention_kernel.h"
// Tests: tests/model/attention/attention_test.cpp
#include <cstdlib>
#include <string>

#include "theory/source/spec_error.h"

namespace gpe::model {

namespace generic {
template <class Real>
const Kernels<Real>& kernels_of_set();
}
#ifdef GPE_X86_KERNELS
namespace avx2 {
template <class Real>
const Kernels<Real>& kernels_of_set();
}
namespace avx512 {
template <class Real>
const Kernels<Real>& kernels_of_set();
}
#endif

namespace {

enum class Set { generic, avx2, avx512 };

Set fastest() {
#ifdef GPE_X86_KERNELS
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0) return Set::avx512;
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) return Set::avx2;
#endif
  return Set::generic;
}

Set chosen() {
  const char* wanted = std::getenv("GPE_KERNELS");
  if (wanted == nullptr || *wanted == '\0') return fastest();
  const std::string name = wanted;
  const std::string known[] = {"generic", "avx2", "avx512"};
  for (const Set set : {Set::generic, Set::avx2, Set::avx512}) {
    if (name != known[static_cast<int>(set)]) continue;
    if (set > fastest()) throw theory::SpecError("GPE_KERNELS: this CPU has no " + name);
    return set;
  }
  throw theory::SpecError("GPE_KERNELS: '" + name + "' is not one of generic, avx2, avx512");
}

}  // namespace

template <class Real>
const Kernels<Real>& kernels() {
  switch (chosen()) {
#ifdef GPE_X86_KERNELS
    case Set::avx512:
      return avx512::kernels_of_set<Real>();
    case Set::avx2:
      return avx2::kernels_of_set<Real>();
#endif
    default:
      return generic::kernels_of_set<Real>();
  }
}
template const Kernels<float>& kernels<float>();
template const Kernels<double>& kernels<double>();

}  // namespace gpe::model
