# Builds the fuzzers with clang and lets each run for SECONDS.
#   cmake -DSOURCE=... -DWORK=... -DCLANGXX=... -DSECONDS=20 -P short_run.cmake
cmake_minimum_required(VERSION 3.25)

function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE exit OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT exit EQUAL 0)
    string(JOIN " " command ${ARGN})
    message("${command}\nexit ${exit}\n${output}")
    message(FATAL_ERROR "a step failed")
  endif()
endfunction()

step("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}" -G Ninja "-DCMAKE_CXX_COMPILER=${CLANGXX}"
     -DCMAKE_BUILD_TYPE=RelWithDebInfo -DGPE_FUZZERS=ON "-DGPE_FUZZ_SECONDS=${SECONDS}")
step("${CMAKE_COMMAND}" --build "${WORK}" --target expression_fuzz specification_fuzz safetensors_fuzz certificate_fuzz token_file_fuzz
     tokenizer_fuzz report_fuzz config_fuzz hugging_face_fuzz claims_fuzz)
step("${CMAKE_CTEST_COMMAND}" --test-dir "${WORK}" -R "_fuzz$" -j 2 --output-on-failure --no-tests=error)
message("every parser and the verifier: ${SECONDS} s, nothing found")
