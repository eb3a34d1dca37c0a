#include "model/training/ranks.h"
// Tests: tests/model/ranks_test.py
#include <array>
#include <cstdlib>

#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

// What Open MPI, MPICH and Slurm tell the processes that they begin.
bool launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<Ranks> Ranks::begin() {
  if (!launched()) return std::make_unique<Ranks>();
#ifdef GPE_MPI
  return mpi_ranks();
#else
  throw theory::SpecError(
      "started by mpirun, but built without MPI: install libopenmpi-dev (./setup.sh --tests does) and build "
      "again");
#endif
}

bool Ranks::any(bool here) {
  std::array<double, 1> flag = {here ? 1.0 : 0.0};
  largest(flag);
  return flag[0] > 0;
}

bool Ranks::agree(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  // the largest and the smallest of each half, which doubles hold exactly
  const auto high = static_cast<double>(hash >> 32), low = static_cast<double>(hash & 0xFFFFFFFFU);
  std::array<double, 4> ends = {high, -high, low, -low};
  largest(ends);
  return ends[0] == -ends[1] && ends[2] == -ends[3];
}

}  // namespace gpe::model
