// libgpe_cuda.so: CUDA graphs through LibTorch, and sums over ranks by NCCL, which is loaded when it is
// needed. Tests: tests/cuda/device_found_test.cpp
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <nccl.h>

#include <array>
#include <cstring>

#include "checks/cli/version.h"
#include "model/cuda/load_symbol.h"
#include "model/gpt/cuda_runtime.h"

namespace gpe::model {

namespace {

class RecordedGraph : public DeviceGraph {
 public:
  explicit RecordedGraph(const std::function<void()>& work) {
    graph_.capture_begin();
    try {
      work();
    } catch (...) {
      try {
        graph_.capture_end();  // what was recorded so far is not a graph
      } catch (const std::exception&) {
      }
      throw;
    }
    graph_.capture_end();
  }
  void replay() override { graph_.replay(); }

 private:
  at::cuda::CUDAGraph graph_;
};

// The NCCL functions in use, from the copy that LibTorch loads.
struct Nccl {
  decltype(&ncclGetUniqueId) unique_id = nullptr;
  decltype(&ncclCommInitRank) begin = nullptr;
  decltype(&ncclAllReduce) all_reduce = nullptr;
  decltype(&ncclCommDestroy) end = nullptr;
  decltype(&ncclGetErrorString) words = nullptr;
  decltype(&ncclGetVersion) version = nullptr;

  Nccl() {
    void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(std::string("NCCL is absent: ") + dlerror());
    const auto take = [library](const char* name, auto& function) {
      if (!load_symbol(library, name, function)) throw std::runtime_error(std::string("NCCL has no ") + name);
    };
    take("ncclGetUniqueId", unique_id);
    take("ncclCommInitRank", begin);
    take("ncclAllReduce", all_reduce);
    take("ncclCommDestroy", end);
    take("ncclGetErrorString", words);
    take("ncclGetVersion", version);
  }
  void check(ncclResult_t result) const {
    if (result != ncclSuccess) throw std::runtime_error(std::string("NCCL: ") + words(result));
  }
};

class NcclSum : public DeviceSum {
 public:
  NcclSum(int rank, int size, const std::function<void(std::span<char>)>& share) {
    // All ranks come to `share`, whatever went wrong in one of them before: the first byte says whether the
    // first rank has an id.
    std::array<char, 1 + sizeof(ncclUniqueId)> bytes{};
    ncclUniqueId id{};
    std::string reason;
    try {
      nccl_ = std::make_unique<Nccl>();
      if (rank == 0) {
        nccl_->check(nccl_->unique_id(&id));
        bytes[0] = 1;
        std::memcpy(bytes.data() + 1, &id, sizeof id);
      }
    } catch (const std::runtime_error& error) {
      reason = error.what();
    }
    share(bytes);
    if (bytes[0] == 0) throw std::runtime_error(reason.empty() ? "NCCL is absent in the first rank" : reason);
    // a rank without NCCL would leave the others waiting: the run ends
    if (nccl_ == nullptr) throw std::logic_error(reason);
    std::memcpy(&id, bytes.data() + 1, sizeof id);
    nccl_->check(nccl_->begin(&communicator_, size, id, rank));
  }
  ~NcclSum() override {
    if (communicator_ != nullptr) nccl_->end(communicator_);
  }
  NcclSum(const NcclSum&) = delete;
  NcclSum& operator=(const NcclSum&) = delete;

  void operator()(const at::Tensor& numbers) override {
    TORCH_INTERNAL_ASSERT(numbers.is_contiguous());
    const ncclDataType_t type = numbers.scalar_type() == at::kDouble ? ncclDouble : ncclFloat;
    nccl_->check(nccl_->all_reduce(numbers.const_data_ptr(), numbers.data_ptr(),
                                   static_cast<std::size_t>(numbers.numel()), type, ncclSum, communicator_,
                                   c10::cuda::getCurrentCUDAStream().stream()));
  }

 private:
  std::unique_ptr<Nccl> nccl_;
  ncclComm_t communicator_ = nullptr;
};

class Runtime : public CudaRuntime {
 public:
  int devices() const override { return c10::cuda::device_count(); }
  std::string name(int device) const override {
    cudaDeviceProp properties{};
    C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    return properties.name;
  }
  void use(int device) override {
    c10::cuda::set_device(static_cast<c10::DeviceIndex>(device));
    c10::cuda::setCurrentCUDAStream(
        c10::cuda::getStreamFromPool(false, static_cast<c10::DeviceIndex>(device)));
  }
  void wait() override { c10::cuda::device_synchronize(); }
  std::int64_t peak_bytes() const override {
    const auto statistics = c10::cuda::CUDACachingAllocator::getDeviceStats(c10::cuda::current_device());
    return statistics.allocated_bytes[0].peak;
  }
  std::unique_ptr<DeviceGraph> record(const std::function<void()>& work) override {
    wait();
    return std::make_unique<RecordedGraph>(work);
  }
  std::unique_ptr<DeviceSum> sum(int rank, int size,
                                 const std::function<void(std::span<char>)>& share) override {
    return std::make_unique<NcclSum>(rank, size, share);
  }
};

}  // namespace

}  // namespace gpe::model

/// Of the NCCL that is loaded and of its header; for tests.
extern "C" __attribute__((visibility("default"))) void gpe_nccl_versions(int& loaded, int& header,
                                                                         std::string& reason) {
  header = NCCL_VERSION_CODE;
  loaded = 0;
  try {
    const gpe::model::Nccl nccl;
    nccl.check(nccl.version(&loaded));
  } catch (const std::runtime_error& error) {
    reason = error.what();
  }
}

/// What cuda_runtime.cpp looks for.
extern "C" __attribute__((visibility("default"))) void gpe_begin_cuda(
    const char* version, std::shared_ptr<gpe::model::CudaRuntime>& result, std::string& reason) {
  using namespace gpe::model;
  result = nullptr;
  if (version != std::string(gpe::kVersion)) {
    reason = "libgpe_cuda.so is of another version";
    return;
  }
  if (c10::cuda::device_count() == 0) {
    reason = "no NVIDIA device, or no driver";
    return;
  }
  result = std::make_shared<Runtime>();
}
