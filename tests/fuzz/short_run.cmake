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
# those that ran ten minutes; the preset fuzz has them all
set(fuzzers expression specification safetensors certificate token_file tokenizer)
list(TRANSFORM fuzzers APPEND _fuzz OUTPUT_VARIABLE targets)
list(JOIN targets "|" names)
step("${CMAKE_COMMAND}" --build "${WORK}" --target ${targets})
step("${CMAKE_CTEST_COMMAND}" --test-dir "${WORK}" -R "^(${names})$" -j 2 --output-on-failure --no-tests=error)
message("${fuzzers}: ${SECONDS} s each, nothing found")
