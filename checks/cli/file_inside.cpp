#include "checks/cli/file_inside.h"

#include "theory/source/spec_error.h"

namespace gpe::checks {

namespace fs = std::filesystem;
using theory::SpecError;

fs::path file_inside(const fs::path& folder, const fs::path& name) {
  const fs::path clean = name.lexically_normal();
  if (clean.empty() || clean.is_absolute() || *clean.begin() == ".." || !clean.has_filename() ||
      clean == "." || clean.string().find('\0') != std::string::npos) {
    throw SpecError("'" + name.string() + "': expected the name of a file inside of " + folder.string());
  }
  fs::path at = folder;
  for (const fs::path& part : clean) {
    at /= part;
    std::error_code ignored;
    if (fs::is_symlink(fs::symlink_status(at, ignored)))
      throw SpecError(at.string() +
                      ": is a link, which could lead out of the folder; expected a file or nothing");
  }
  return at;
}

void check_new_folder(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  if (!fs::is_directory(folder)) throw SpecError(folder.string() + " is a file; expected a new folder");
  if (!fs::is_empty(folder)) throw SpecError(folder.string() + " holds files already; expected a new folder");
}

}  // namespace gpe::checks
