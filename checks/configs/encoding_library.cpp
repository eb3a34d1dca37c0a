#include "checks/configs/encoding_library.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>

#include "theory/expression/formula_argument.h"
#include "theory/expression/habits.h"
#include "theory/score/spec_families.h"
#include "theory/source/nearest_name.h"
#include "theory/source/text_file.h"

namespace gpe::checks {

namespace fs = std::filesystem;

namespace {

// It can be read once only, and every head reads the encoding.
const std::string& standard_input() {
  static const std::string text = [] {
    std::string read(theory::kMaxSpecBytes + 1, '\0');
    std::cin.read(read.data(), static_cast<std::streamsize>(read.size()));
    read.resize(static_cast<std::size_t>(std::cin.gcount()));
    if (std::ferror(stdin) != 0) throw theory::SpecError("standard input: cannot be read");
    return read;
  }();
  return text;
}

// ORGANIZATION/MODEL, as the hub of Hugging Face writes it.
bool is_hub_id(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto is_part = [](std::string_view part) {
    return !part.empty() && part[0] != '.' && std::ranges::all_of(part, [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
    });
  };
  return slash != std::string_view::npos && is_part(text.substr(0, slash)) &&
         is_part(text.substr(slash + 1)) && !text.ends_with(".toml") && !text.ends_with(".json");
}

[[noreturn]] void fail_unknown(const std::string& what, const std::vector<std::string>& names) {
  const std::string neither = "'" + what + "' is neither a built-in encoding nor a file; ";
  if (theory::is_formula(what)) throw theory::SpecError(theory::formula_instead(what));
  if (is_hub_id(what))
    throw theory::SpecError(
        neither +
        "of a model of a hub, give its config.json, or the folder that holds it: nothing is "
        "downloaded");
  if (const auto answer = theory::answer_to(theory::Habit::encoding, what); !answer.empty())
    throw theory::SpecError(neither + std::string(answer));
  if (what.find(',') != std::string::npos)
    throw theory::SpecError(neither + "several encodings have spaces between them, and no commas");
  const std::string nearest = theory::nearest_name(what, names);
  const std::string file = nearest.empty() ? theory::nearest_file(what) : "";
  if (!file.empty())
    throw theory::SpecError("'" + what + "' is neither a built-in encoding nor a file" + file);
  throw theory::SpecError(neither + (nearest.empty() ? "check-properties --list shows the built-in ones"
                                                     : "did you mean '" + nearest + "'?"));
}

}  // namespace

fs::path library_folder() {
  if (const char* set = std::getenv("GPE_ENCODINGS"); set != nullptr && *set != '\0') {
    if (!fs::is_directory(set))
      throw theory::SpecError(std::string("GPE_ENCODINGS: ") + set + " is not a folder");
    return set;
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path folder = program.parent_path().parent_path() / "share" / "gpe" / "encodings";
    if (fs::is_directory(folder, error)) return folder;
  }
  throw theory::SpecError(
      "the built-in encodings are not found beside the program; set GPE_ENCODINGS to their folder");
}

std::vector<std::string> library_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(library_folder())) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> softmax_library_names() {
  std::vector<std::string> names = library_names();
  std::erase_if(names,
                [](const std::string& name) { return !theory::is_softmax_of_n(find_encoding(name, {})); });
  return names;
}

bool names_file(const std::string& what) {
  return what.find('/') != std::string::npos || what.ends_with(".toml");
}

theory::Encoding find_encoding(const std::string& what, const theory::TableColumn& column) {
  if (what == "-") return theory::parse_encoding(standard_input(), "standard input", {}, column);
  if (what.ends_with(".json"))
    throw theory::SpecError("'" + what +
                            "': expected an encoding; check-properties --show-encoding writes those of a "
                            "config.json as TOML files");
  std::error_code ignored;
  if (names_file(what)) {
    if (!fs::exists(what, ignored) && (theory::is_formula(what) || is_hub_id(what))) fail_unknown(what, {});
    return theory::load_encoding(what, column);
  }
  const std::vector<std::string> names = library_names();
  if (std::ranges::find(names, what) != names.end()) {
    return theory::load_encoding(library_folder() / (what + ".toml"), column);
  }
  if (fs::is_regular_file(what, ignored)) {
    throw theory::SpecError("'" + what + "' is not a built-in encoding; the file of this name is './" + what +
                            "'");
  }
  fail_unknown(what, names);
}

}  // namespace gpe::checks
