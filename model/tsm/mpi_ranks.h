// Ranks on MPI.
#pragma once

#include <memory>

#include "model/tsm/ranks.h"

namespace gpe::model {

/// Begins MPI; the end of the result ends it. Where a rank is lost, MPI ends all others.
std::unique_ptr<Ranks> mpi_ranks();

}  // namespace gpe::model
