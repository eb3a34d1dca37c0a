// libgpe_kernels.so as programs find it.
#include <gtest/gtest.h>

#include <cstdlib>

#include "model/cuda/device_kernels.h"

namespace device_library_test {

using namespace gpe::model;

TEST(DeviceLibrary, loads_without_a_device) {
#ifdef GPE_KERNELS_BUILT
  EXPECT_EQ(device_library_version(), GPE_KERNELS_VERSION);
#else
  GTEST_SKIP() << "nvcc is absent; ./setup.sh --tests installs it";
#endif
}

TEST(DeviceLibrary, says_why_there_are_no_kernels) {
  setenv("GPE_KERNELS_LIBRARY", "/nowhere/libgpe_kernels.so", 1);
  std::string reason;
  EXPECT_EQ(DeviceKernels::find(reason), nullptr);
  EXPECT_EQ(reason, "libgpe_kernels.so is not beside the program; a build after ./setup.sh --tests has it");
  EXPECT_EQ(device_library_version(), 0);
  unsetenv("GPE_KERNELS_LIBRARY");
}

}  // namespace device_library_test
