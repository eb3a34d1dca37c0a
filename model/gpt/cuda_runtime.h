// Functions of CUDA and NCCL that training needs beyond LibTorch's tensors. They are in libgpe_cuda.so, which
// loads LibTorch's CUDA libraries; programs open it only when a device is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "model/gpt/torch.h"

namespace gpe::model {

/// Work that was recorded once (a CUDA graph), to be done again as a whole: on the same memory, which it
/// keeps.
class DeviceGraph {
 public:
  virtual ~DeviceGraph() = default;
  virtual void replay() = 0;
};

/// Sums over ranks of what lies on their devices (NCCL).
class DeviceSum {
 public:
  virtual ~DeviceSum() = default;
  /// Every number of a contiguous tensor of float32 or float64 becomes its sum over all ranks; not waited
  /// for.
  virtual void operator()(const at::Tensor& numbers) = 0;
};

class CudaRuntime {
 public:
  /// libgpe_cuda.so beside the program, in ../lib, or where the environment variable GPE_CUDA_LIBRARY says.
  /// To be called before anything else asks LibTorch for CUDA.
  /// @param reason  why there is none: no library, no driver, no device
  static std::shared_ptr<CudaRuntime> find(std::string& reason);
  virtual ~CudaRuntime() = default;

  virtual int devices() const = 0;
  virtual std::string name(int device) const = 0;
  /// From now on this thread computes on it, on a stream of its own.
  virtual void use(int device) = 0;
  /// Until everything that was started is done.
  virtual void wait() = 0;
  /// Of the device in use, the most that was taken at once so far.
  virtual std::int64_t peak_bytes() const = 0;
  /// Records what `work` begins on the stream in use, without doing it.
  /// @throws std::exception  something in it cannot be recorded; nothing of it was done
  virtual std::unique_ptr<DeviceGraph> record(const std::function<void()>& work) = 0;
  /// @param share  gives every rank the bytes of rank 0; called once, by all ranks
  /// @throws std::runtime_error  NCCL is absent, or refuses: in some ranks, perhaps not in all
  virtual std::unique_ptr<DeviceSum> sum(int rank, int size,
                                         const std::function<void(std::span<char>)>& share) = 0;
};

}  // namespace gpe::model
