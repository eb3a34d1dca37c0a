// The processes that train one model together: each has all weights and a part of every batch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace gpe::model {

class Ranks {
 public:
  /// The processes that `mpirun` (or Slurm's `srun --mpi`) began; this one alone when none did.
  /// @throws theory::SpecError  started by a launcher, but this program was built without MPI
  static std::unique_ptr<Ranks> begin();
  virtual ~Ranks() = default;

  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  bool leads() const { return rank() == 0; }

  /// Each number becomes its sum over all ranks. Every number is added up by one rank and then handed out:
  /// all ranks get the same bits.
  virtual void sum(std::span<float> /*numbers*/) {}
  virtual void sum(std::span<double> /*numbers*/) {}
  /// Each number becomes the largest of any rank.
  virtual void largest(std::span<double> /*numbers*/) {}
  /// Ends all ranks with this exit code, those that wait for this one too.
  virtual void abandon(int /*code*/) {}
  bool any(bool here);
  /// Whether all ranks have the same bytes.
  bool agree(std::string_view bytes);
};

/// Ranks on MPI, where this program was built with it. Begins MPI; the end of the result ends it. Where a
/// rank is lost, MPI ends all others.
std::unique_ptr<Ranks> mpi_ranks();

}  // namespace gpe::model
