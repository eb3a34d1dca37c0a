# Everything the main job links: Debian packages, found in the system.
include(flint)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
