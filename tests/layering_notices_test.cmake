# layering_test.cmake finds what it should: three wrong lines in a small tree, and not the right ones beside them.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/theory/wrong.h" "// a wrong one\n#include <vector>\n#include \"theory/right.h\"\n#include \"checks/arb/ball.h\"\n")
file(WRITE "${WORK}/checks/wrong.cpp" "  #  include <probes/report.h>\n#include \"theory/asymptotics/limit.h\"\n#include \"limit.h\"\n")
file(WRITE "${WORK}/probes/right.cpp" "#include \"model/gpt.h\"\n#include \"checks/arb/ball.h\"\n")
execute_process(COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${WORK}" -P "${SOURCE}/tests/layering_test.cmake"
                RESULT_VARIABLE exit ERROR_VARIABLE error OUTPUT_QUIET)
foreach(expected "theory/wrong.h:4: #include \"checks/arb/ball.h\" (theory may use: theory)"
                 "checks/wrong.cpp:1: #  include <probes/report.h> (checks may use: theory, checks)"
                 "checks/wrong.cpp:3: #include \"limit.h\" (includes are rooted: \"theory/asymptotics/limit.h\")"
                 "3 includes against the layering")
  string(FIND "${error}" "${expected}" at)
  if(at EQUAL -1)
    message("${error}")
    message(FATAL_ERROR "not noticed: ${expected}")
  endif()
endforeach()
if(exit EQUAL 0)
  message(FATAL_ERROR "exit code 0")
endif()
