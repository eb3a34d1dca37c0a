// verify-certificate: proves the claims of certificates again, and prints them.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include "checks/verifier/certificate.h"
#include "checks/verifier/specification.h"
#include "checks/version.h"

namespace {

const char* const kHelp =
    "Usage: verify-certificate [--spec FILE.toml] CERTIFICATE...\n"
    "Proves again what each certificate claims, and prints it, or the first step that does not follow.\n"
    "  --spec FILE.toml  the law of every certificate must be the one of this file\n"
    "  -h,--help  this text\n"
    "  --version  the version\n"
    "Example: check-properties ape --certificates ape && verify-certificate ape/*.json\n"
    "Exit: 0 all valid, 4 some are not, 2 bad use or a file that cannot be read.\n";

int fail(const std::string& message) {
  std::fprintf(stderr, "verify-certificate: %s\n", message.c_str());
  return 2;
}

std::optional<std::string> bytes_of(const char* name) {
  std::ifstream file(name, std::ios::binary);
  if (!file || file.peek() == std::ifstream::traits_type::eof()) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gpe::verifier;
  std::vector<const char*> files;
  std::string spec;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-h" || word == "--help") return std::fputs(kHelp, stdout), 0;
    if (word == "--version") return std::printf("verify-certificate %s\n", gpe::kVersion), 0;
    if (word == "--spec" && i + 1 < argc)
      spec = argv[++i];
    else if (word.size() > 1 && word[0] == '-')
      return fail("'" + word + "' is not known (see --help)");
    else
      files.push_back(argv[i]);
  }
  if (files.empty()) return fail("expected the files of certificates (see --help)");
  int code = 0;
  for (const char* file : files) {
    try {
      const auto text = bytes_of(file);
      if (!text) {
        fail(std::string(file) + ": cannot be read");
        if (code == 0) code = 2;
        continue;
      }
      for (const Json& certificate : certificates_of(read_json(*text))) {
        std::string claim = check_certificate(certificate);
        if (!spec.empty()) claim += compare_with_specification(certificate, spec);
        std::printf("%s: proved: %s\n", file, claim.c_str());
      }
    } catch (const BadSpecification& error) {
      return fail(error.what());
    } catch (const std::exception& error) {
      std::printf("%s: not valid: %s\n", file, error.what());
      code = 4;
    }
  }
  return code;
}
