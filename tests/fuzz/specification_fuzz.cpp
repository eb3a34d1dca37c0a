// Any bytes as an encoding file: an encoding whose expressions print and read back, or a SpecError with a
// message.
#include "tests/fuzz/fuzzer.h"
#include "theory/expression/expr_print.h"
#include "theory/score/spec_parse.h"

void gpe::fuzz::read(std::string_view bytes) {
  using namespace theory;
  const std::string message = refusal("input", [&] {
    // No such folder: no input makes this program read a file.
    const Encoding encoding = parse_encoding(std::string(bytes), "input", "/nonexistent");
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
  });
  require(message.empty() || message.starts_with("input"), "a message that does not say where", message);
  require(message.find('\x1b') == std::string::npos, "a message with control characters", message);
}
