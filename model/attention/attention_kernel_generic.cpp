// Tests: tests/model/attention/attention_test.cpp
#define GPE_KERNELS_OF generic
#define GPE_KERNELS_NAME "generic"
#define GPE_VECTOR_BYTES 16
#include "model/attention/attention_kernel_body.h"
