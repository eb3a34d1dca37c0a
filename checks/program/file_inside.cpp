#include "checks/program/file_inside.h"

#include "theory/expression/spec_error.h"

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

}  // namespace gpe::checks
