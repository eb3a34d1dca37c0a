# Debian packages, found in the system: what the main job links, and the linear algebra of the model.
include(flint)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
if(GPE_MODEL OR GPE_PYTHON OR GPE_TESTS OR GPE_BENCHMARKS OR GPE_FUZZERS)
  find_package(Eigen3 REQUIRED NO_MODULE)
endif()
# Exact numbers are many small pieces of memory: with jemalloc the programs take a sixth less time than with the C
# library's own, which serves where it is absent, and where a sanitizer has one.
find_library(JEMALLOC_LIBRARY libjemalloc_pic.a)
