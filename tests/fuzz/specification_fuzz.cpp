// Any bytes as an encoding file: an encoding whose expressions print and read back, or a SpecError with a
// message.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "theory/expression/expr_print.h"
#include "theory/score/spec_parse.h"

namespace {

using namespace gpe::theory;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    // No such folder: no input makes this program read a file.
    const Encoding encoding = parse_encoding(text, "input", "/nonexistent");
    require(!encoding.name.empty() && encoding.name.size() <= 64, "a name that files cannot have");
    require(encoding.sha256.size() == 64, "no digest");
    require(encoding.first >= 0, "a negative first distance");
    for (const Expr& expression :
         {encoding.bias, encoding.gain, encoding.rotation.angle, encoding.rotation.scale}) {
      require(!to_text(expression).empty(), "an expression that does not print");
    }
    for (const Parameter& parameter : encoding.parameters) {
      require(encoding.find(parameter.name) == &parameter, "two parameters of one name");
      require(!parameter.values.empty() && !parameter.values.front().empty(), "a parameter without values");
    }
  } catch (const SpecError& error) {
    const std::string message = error.what();
    require(message.starts_with("input"), "a message that does not say where");
    require(message.find('\0') == std::string::npos && message.find('\x1b') == std::string::npos,
            "a message with control characters");
  }
  return 0;
}
