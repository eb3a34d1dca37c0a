// Tests: tests/model/attention/attention_test.cpp
#define GPE_KERNELS_OF avx512
#define GPE_KERNELS_NAME "avx512"
#define GPE_VECTOR_BYTES 64
#include "model/attention/attention_kernel_body.h"
