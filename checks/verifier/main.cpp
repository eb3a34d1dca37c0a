// verify-certificate: proves the claims of certificates again, and prints them.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>
// Tests: tests/cli/certificates.cmake
#include "checks/cli/version.h"
#include "checks/verifier/certificate.h"
#include "checks/verifier/specification.h"

namespace {

const char* const kHelp =
    "Usage: verify-certificate [--spec FILE.toml] CERTIFICATE...\n"
    "Proves again what each certificate claims, and prints it, or the first step that does not follow.\n"
    "  --spec FILE.toml  the law of every certificate must be the one of this file\n"
    "  -h,--help  this text\n"
    "  --version  the version\n"
    "Example: check-properties ape --certificates ape && verify-certificate ape/*.json\n"
    "Exit: 0 all valid, 4 some are not, 2 bad use or a file that cannot be read, 1 anything else.\n";

constexpr std::size_t kMaxBytes = std::size_t{1} << 22;
constexpr std::size_t kMaxShown = 500;  // of why a certificate is not valid

// One line of ASCII: a certificate says neither what else is proved nor what a terminal does.
std::string shown(const std::string& text) {
  std::string result;
  for (const char c : text) {
    char code[5];
    std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned int>(static_cast<unsigned char>(c)));
    if (c >= ' ' && c <= '~')
      result += c;
    else
      result += c == '\n' ? "\\n" : code;
  }
  return result;
}

int fail(const std::string& message) {
  std::fprintf(stderr, "verify-certificate: %s\n", shown(message).c_str());
  return 2;
}

// What standard output did not take was not said.
int end_with(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fputs("verify-certificate: standard output cannot be written\n", stderr);
  return 1;
}

// Reads a file, or says why not. Pipes and devices are no certificates, and nobody waits for them.
std::string read_file(const char* name, std::string& text) {
  std::error_code error;
  const auto status = std::filesystem::status(name, error);
  if (error) return error.message();
  const auto size = std::filesystem::is_regular_file(status) ? std::filesystem::file_size(name, error) : 0;
  if (error || size == 0 || size > kMaxBytes)
    return "expected a file of 1 to " + std::to_string(kMaxBytes) + " bytes";
  text.resize(static_cast<std::size_t>(size));
  std::ifstream file(name, std::ios::binary);
  return file.read(text.data(), static_cast<std::streamsize>(size)) ? "" : std::strerror(errno);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gpe::verifier;
  std::vector<const char*> files;
  std::string spec;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-h" || word == "--help") {
      std::fputs(kHelp, stdout);
      return end_with(0);
    }
    if (word == "--version") {
      std::printf("verify-certificate %s\n", gpe::kVersion);
      return end_with(0);
    }
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
      std::string text;
      if (const std::string why = read_file(file, text); !why.empty()) {
        fail(std::string(file) + ": cannot be read: " + why);
        if (code == 0) code = 2;
        continue;
      }
      std::vector<std::string> claims;  // said when all of them are proved
      for (const Json& certificate : certificates_of(read_json(text))) {
        claims.push_back(check_certificate(certificate));
        if (!spec.empty()) claims.back() += compare_with_specification(certificate, spec);
      }
      for (const std::string& claim : claims)
        std::printf("%s: proved: %s\n", shown(file).c_str(), shown(claim).c_str());
    } catch (const BadSpecification& error) {
      return fail(error.what());
    } catch (const std::exception& error) {
      const std::string why = error.what();
      std::printf("%s: not valid: %s%s\n", shown(file).c_str(), shown(why.substr(0, kMaxShown)).c_str(),
                  why.size() > kMaxShown ? "..." : "");
      code = 4;
    }
  }
  return end_with(code);
}
