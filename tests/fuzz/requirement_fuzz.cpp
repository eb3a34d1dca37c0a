// Any bytes as what --cache, --minimize and --vary take: requirements whose opposites' opposites they are,
// quantities that read back, values between two ends, or a SpecError that names the option.
#include <algorithm>

#include "checks/design/requirement.h"
#include "checks/sweep/parameter_grid.h"
#include "tests/fuzz/fuzzer.h"

namespace gpe::fuzz {
namespace {

using checks::DesignQuantity;

void read_requirement(DesignQuantity quantity, const std::string& option, const std::string& text) {
  refusal(option, [&] {
    const checks::Requirement one = checks::requirement_option(quantity, option, text);
    const checks::Requirement twice = checks::negation(checks::negation(one));
    require(twice.measure == one.measure && twice.relation == one.relation && twice.value == one.value,
            "the opposite's opposite is another", text);
    require(!checks::to_text(one).empty() && !checks::requirement_json(one).dump().empty(), "no text", text);
  });
}

void read_measure(const std::string& text) {
  checks::Measure one;
  if (!refusal("--minimize", [&] { one = checks::measure_option("--minimize", text, {}); }).empty()) return;
  if (one.quantity == DesignQuantity::parameter) return;
  std::string written = checks::measure_json(one)["quantity"];
  if (one.at) written += "=" + one.at->str();
  require(checks::measure_option("--minimize", written, {}) == one, "reads back as another quantity", text);
}

void read_values(const std::string& text) {
  refusal("--vary", [&] {
    const checks::VariedParameter varied = checks::vary_option("--vary", text);
    for (const auto& values :
         {checks::spaced(varied.low, varied.high, 4), checks::spaced_whole(varied.low, varied.high, 4)}) {
      require(std::ranges::is_sorted(values), "values that do not rise", text);
      require(values.empty() || (values.front() >= varied.low && values.back() <= varied.high),
              "values outside", text);
    }
  });
}

}  // namespace

void read(std::string_view bytes) {
  const std::string text(bytes);
  read_requirement(DesignQuantity::range, "--range", text);
  read_requirement(DesignQuantity::cache, "--cache", text);
  read_requirement(DesignQuantity::reach, "--reach", text);
  read_requirement(DesignQuantity::entropy, "--entropy", text);
  read_requirement(DesignQuantity::entropy, "--entropy-at", text);
  read_measure(text);
  read_values(text);
}

}  // namespace gpe::fuzz
