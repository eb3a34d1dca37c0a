// Which of several processes this one is, by what mpirun and srun tell it; no MPI library is needed.
// Tests: tests/cli/sweep.cmake
#pragma once

#include <cstddef>

namespace gpe::checks {

struct Rank {
  std::size_t rank = 0;
  std::size_t size = 1;
};

/// From the variables of Open MPI, of PMI (MPICH, Intel MPI), or of a Slurm step; a single process without
/// them. @throws theory::SpecError  when they make no sense
Rank rank_from_environment();

}  // namespace gpe::checks
