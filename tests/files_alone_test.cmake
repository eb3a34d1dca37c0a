# Every file of the programs compiles alone: what it needs, it includes itself.
#   cmake -DSOURCE=... -DWORK=... -DCXX=... -P files_alone_test.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE exit OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT exit EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${command}\nexit ${exit}\n${output}")
  endif()
endfunction()
step("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}" -G Ninja "-DCMAKE_CXX_COMPILER=${CXX}" -DCMAKE_UNITY_BUILD=OFF
     -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0)
step("${CMAKE_COMMAND}" --build "${WORK}")
