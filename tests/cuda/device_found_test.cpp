// Which device is found, and what is said where there is none.
#include <dlfcn.h>

#include "model/gpt/accelerator.h"
#include "model/gpt/cuda_runtime.h"
#include "tests/cuda/accelerators.h"
#include "theory/source/spec_error.h"

namespace device_found_test {

using namespace gpe;
using namespace gpe::model;
using gpe::tests::accelerators;

TEST(Accelerator, is_the_processor_or_says_what_is_missing) {
  EXPECT_EQ(accelerator_option("cpu"), nullptr);
  std::string reason;
  if (DeviceKernels::find(reason) != nullptr) GTEST_SKIP() << "there is a device";
  EXPECT_EQ(accelerator_option("auto"), nullptr);
  try {
    accelerator_option("cuda");
    ADD_FAILURE();
  } catch (const theory::SpecError& error) {
    EXPECT_EQ(std::string(error.what()), "--device cuda: " + reason);
  }
}

TEST(CudaRuntime, is_there_without_a_device_and_says_so) {
#ifdef GPE_CUDA_BUILT
  std::string reason;
  const auto runtime = CudaRuntime::find(reason);
  if (runtime != nullptr) {
    EXPECT_GE(runtime->devices(), 1);
  } else {
    EXPECT_EQ(reason, "no NVIDIA device, or no driver");
  }
  setenv("GPE_CUDA_LIBRARY", "/nowhere/libgpe_cuda.so", 1);
  EXPECT_EQ(CudaRuntime::find(reason), nullptr);
  EXPECT_EQ(reason.find("libgpe_cuda.so cannot be loaded: "), 0U) << reason;
  unsetenv("GPE_CUDA_LIBRARY");
#else
  GTEST_SKIP() << "LibTorch's CUDA libraries, or headers of CUDA or NCCL, are absent";
#endif
}

TEST(CudaRuntime, finds_the_nccl_of_its_header) {
#ifdef GPE_CUDA_BUILT
  void* library = open_beside_program("libgpe_cuda.so", "GPE_CUDA_LIBRARY");
  ASSERT_NE(library, nullptr) << dlerror();
  const auto versions =
      reinterpret_cast<void (*)(int&, int&, std::string&)>(dlsym(library, "gpe_nccl_versions"));
  ASSERT_NE(versions, nullptr);
  int loaded = 0, header = 0;
  std::string reason;
  versions(loaded, header, reason);
  EXPECT_EQ(loaded, header) << reason;
#else
  GTEST_SKIP() << "LibTorch's CUDA libraries, or headers of CUDA or NCCL, are absent";
#endif
}

TEST(Device, runs_all_of_these_tests) {
  if (accelerators().size() < 2) {
    std::string reason;
    DeviceKernels::find(reason);
    GTEST_SKIP() << reason;
  }
}

}  // namespace device_found_test
