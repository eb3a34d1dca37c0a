// verify-certificate: proves the claims of certificates again, and prints them.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>
// Tests: tests/cli/certificates.cmake
#include "checks/cli/version.h"
#include "checks/programs/claim_in_words.h"
#include "checks/programs/specification.h"
#include "checks/verifier/certificate.h"

namespace {

using namespace gpe::verifier;
namespace fs = std::filesystem;

const char* const kHelp =
    "Usage: verify-certificate [OPTIONS] CERTIFICATE...\n"
    "Proves again what each certificate claims, and prints it, or the first step that does not follow.\n"
    "  CERTIFICATE        a file, or a folder: all files in it that end in .json\n"
    "  --spec FILE.toml   the law of every certificate must be the one of this file\n"
    "  --verbose          with each claim its file, proof and law\n"
    "  --budget N         N times the 100 million steps, 30 s and 1 GiB that one certificate may take "
    "(default 1)\n"
    "  -h,--help          this text\n"
    "  --version          the version\n"
    "Example: check-properties ape --certificates ape && verify-certificate ape\n"
    "Exit: 0 all proved, 4 some are not, 2 bad use or a file that cannot be read, 1 anything else.\n";

constexpr std::size_t kMaxShown = 500;  // of why a certificate is not valid

struct BadUse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::vector<std::string> files;
  std::string spec, only;  // what is printed, and nothing else
  bool verbose = false;
  Limits limits;
};

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

Options options_of(const std::vector<std::string>& words) {
  Options o;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool has_value = i + 1 < words.size();
    if (word == "-h" || word == "--help") {
      o.only = kHelp;
      return o;
    }
    if (word == "--version")
      o.only = std::string("verify-certificate ") + gpe::kVersion + "\n";
    else if (word == "--verbose")
      o.verbose = true;
    else if (word == "--spec" && has_value)
      o.spec = words[++i];
    else if (word == "--budget" && has_value)
      o.limits.times = std::atof(words[++i].c_str());
    else if (word.size() > 1 && word[0] == '-')
      throw BadUse("'" + word + "' is not known (see --help)");
    else
      o.files.push_back(word);
  }
  if (!(o.limits.times >= 0.001 && o.limits.times <= 1e6))
    throw BadUse("--budget: expected 0.001 to 1000000");
  if (o.files.empty() && o.only.empty()) throw BadUse("expected the files of certificates (see --help)");
  return o;
}

// The files that are named, and those in folders that are.
std::vector<std::string> all_files(const std::vector<std::string>& named) {
  std::vector<std::string> result;
  for (const std::string& name : named) {
    std::vector<std::string> inside;
    std::error_code error;
    const bool folder = fs::is_directory(name, error);
    for (const fs::directory_entry& entry :
         folder ? fs::directory_iterator(name, error) : fs::directory_iterator())
      if (entry.path().extension() == ".json") inside.push_back(entry.path().string());
    if (folder && inside.empty())
      throw BadUse(name + ": a folder without certificates; expected *.json in it");
    std::ranges::sort(inside);
    if (!folder) inside = {name};
    result.insert(result.end(), inside.begin(), inside.end());
  }
  return result;
}

// Reads a file, or says why not. Pipes and devices are refused at once, so that the program never waits.
std::string read_file(const std::string& name, std::string& text) {
  std::error_code error;
  const auto status = fs::status(name, error);
  if (error) return error.message();
  const auto size = fs::is_regular_file(status) ? fs::file_size(name, error) : 0;
  if (error || size == 0 || size > Limits::kFileBytes)
    return "expected a file of 1 to " + std::to_string(Limits::kFileBytes) + " bytes";
  text.resize(static_cast<std::size_t>(size));
  std::ifstream file(name, std::ios::binary);
  return file.read(text.data(), static_cast<std::streamsize>(size)) ? "" : std::strerror(errno);
}

// The certificate without what is empty.
std::string details(const Json& certificate) {
  std::string result;
  for (const char* key : {"claim", "free", "proof", "cases", "witnesses", "law"}) {
    Json part = certificate[key];
    if (part.is_object())
      for (const auto& [name, value] : certificate[key].items())
        if (value.is_null() || value.empty()) part.erase(name);
    if (!part.is_null() && !part.empty()) result += std::string("; ") + key + ": " + part.dump();
  }
  return result;
}

int verify(const Options& o) {
  int code = 0;
  std::size_t all = 0, proved = 0;
  for (const std::string& file : all_files(o.files)) {
    std::string text;
    ++all;
    if (const std::string why = read_file(file, text); !why.empty()) {
      fail(file + ": cannot be read: " + why);
      if (code == 0) code = 2;
      continue;
    }
    std::size_t place = 0;
    try {
      begin(o.limits);
      std::string lines;  // said when all of them are proved
      const std::vector<Json> certificates = certificates_of(read_json(text));
      all += certificates.size() - 1;
      for (const Json& certificate : certificates) {
        ++place;
        check_certificate(certificate, o.limits);
        std::string claim = claim_in_words(certificate);
        if (!o.spec.empty()) claim += compare_with_specification(certificate, o.spec);
        if (o.verbose) claim = file + ": proved: " + claim + details(certificate);
        lines += (o.verbose ? "" : "proved: ") + shown(claim) + "\n";
      }
      std::fputs(lines.c_str(), stdout);
      proved += certificates.size();
    } catch (const BadSpecification&) {
      throw;
    } catch (const std::exception& error) {
      const std::string why = (place > 1 ? "certificate " + std::to_string(place) + ": " : "") + error.what();
      std::printf("%s: not valid: %s%s\n", shown(file).c_str(), shown(why.substr(0, kMaxShown)).c_str(),
                  why.size() > kMaxShown ? "..." : "");
      code = 4;
    }
  }
  if (code != 2) std::printf("%zu of %zu proved\n", proved, all);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options o = options_of({argv + 1, argv + argc});
    std::fputs(o.only.c_str(), stdout);
    return end_with(o.only.empty() ? verify(o) : 0);
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}
