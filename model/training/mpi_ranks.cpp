// Ranks that MPI begins. Tests: tests/model/ranks_test.py
#include "model/training/ranks.h"

#include <mpi.h>

#include <vector>

namespace gpe::model {

namespace {

class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiRanks() override { MPI_Finalize(); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void abandon(int code) override { MPI_Abort(MPI_COMM_WORLD, code); }
  void sum(std::span<float> numbers) override { sum_parts(numbers, MPI_FLOAT); }
  void sum(std::span<double> numbers) override { sum_parts(numbers, MPI_DOUBLE); }
  void largest(std::span<double> numbers) override {
    MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, MPI_MAX,
                  MPI_COMM_WORLD);
  }

 private:
  // What MPI_Allreduce does for long vectors, in two steps, so that equal bits do not depend on the algorithm
  // that it picks.
  template <class T>
  void sum_parts(std::span<T> numbers, MPI_Datatype type) {
    std::vector<int> counts, begins;
    const auto count = static_cast<int>(numbers.size());
    for (int r = 0; r < size_; ++r) {
      begins.push_back(static_cast<int>(std::int64_t{count} * r / size_));
      counts.push_back(static_cast<int>(std::int64_t{count} * (r + 1) / size_) - begins.back());
    }
    const auto mine = static_cast<std::size_t>(rank_);
    std::vector<T> part(static_cast<std::size_t>(counts[mine]));
    MPI_Reduce_scatter(numbers.data(), part.data(), counts.data(), type, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgatherv(part.data(), counts[mine], type, numbers.data(), counts.data(), begins.data(), type,
                   MPI_COMM_WORLD);
  }

  int rank_ = 0;
  int size_ = 1;
};

}  // namespace

std::unique_ptr<Ranks> mpi_ranks() { return std::make_unique<MpiRanks>(); }

}  // namespace gpe::model
