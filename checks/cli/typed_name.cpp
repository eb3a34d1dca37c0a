#include "checks/cli/typed_name.h"

#include <cerrno>
#include <string_view>

namespace gpe::checks {

std::string typed_name(std::string program) {
  const std::string_view typed = program_invocation_name;
  if (typed.starts_with("gpe ")) program = typed;
  return program;
}

}  // namespace gpe::checks
