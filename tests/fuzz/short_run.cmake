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

# Compiled in half the time of the preset fuzz; what is invariant is asserted.
step("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}" -G Ninja "-DCMAKE_CXX_COMPILER=${CLANGXX}"
     -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DGPE_FUZZERS=ON "-DGPE_FUZZ_SECONDS=${SECONDS}")
step("${CMAKE_COMMAND}" --build "${WORK}" --target fuzzers)
step("${CMAKE_CTEST_COMMAND}" --test-dir "${WORK}" -R "_fuzz$" -j 2 --output-on-failure --no-tests=error)
message("each ran ${SECONDS} s, nothing found")
