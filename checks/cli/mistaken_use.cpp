#include "checks/cli/mistaken_use.h"

#include <algorithm>

#include "theory/expression/habits.h"
#include "theory/source/nearest_name.h"

namespace gpe::checks {

std::string unknown_option(const std::string& word, const std::vector<std::string>& options) {
  const std::size_t begin = std::min(word.find_first_not_of('-'), word.size());
  std::string name = word.substr(begin, word.find('=') - begin);
  std::ranges::replace(name, '_', '-');
  const std::string unknown = "unknown option '" + word + "'";
  // An answer is one where this program has its option.
  const std::string_view answer = theory::answer_to(theory::Habit::option, name);
  if (const std::size_t at = answer.find("--"); at != std::string_view::npos) {
    const std::string_view option = answer.substr(at + 2, answer.find_first_of(" ,", at) - at - 2);
    if (std::ranges::find(options, option) != options.end()) return unknown + "; " + std::string(answer);
  }
  const std::string nearest = theory::nearest_name(name, options);
  return unknown + (nearest.empty() ? " (see --help)" : "; did you mean '--" + nearest + "'?");
}

}  // namespace gpe::checks
