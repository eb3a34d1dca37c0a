#include "checks/program/rank.h"

#include <charconv>
#include <cstdlib>
#include <string>

#include "theory/expression/spec_error.h"

namespace gpe::checks {

Rank rank_from_environment() {
  // SLURM_STEP_NUM_TASKS is there in steps that srun begins, SLURM_NTASKS also in a batch script, which runs
  // once
  constexpr const char* kLaunchers[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  for (const auto& [rank_name, size_name] : kLaunchers) {
    const char *rank = std::getenv(rank_name), *size = std::getenv(size_name);
    if (rank == nullptr || size == nullptr) continue;
    const auto number = [](const std::string& text, std::size_t& into) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
      return error == std::errc() && end == text.data() + text.size();
    };
    Rank result;
    if (!number(rank, result.rank) || !number(size, result.size) || result.rank >= result.size)
      throw theory::SpecError(std::string(rank_name) + "=" + rank + ", " + size_name + "=" + size +
                              ": expected whole numbers, the first below the second");
    return result;
  }
  return {};
}

}  // namespace gpe::checks
