// Tests: tests/model/attention/attention_test.cpp
#define GPE_KERNELS_OF avx2
#define GPE_KERNELS_NAME "avx2"
#define GPE_VECTOR_BYTES 32
#include "model/attention/attention_kernel_body.h"
