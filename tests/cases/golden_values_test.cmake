# encodings_golden.csv is what make_encodings_golden.py prints, with the packages of requirements-tests.txt.
cmake_minimum_required(VERSION 3.25)
file(MAKE_DIRECTORY "${WORK}")
execute_process(COMMAND "${PYTHON}" "${SOURCE}/tests/cases/make_encodings_golden.py"
                OUTPUT_FILE "${WORK}/encodings_golden.csv" RESULT_VARIABLE exit)
if(NOT exit EQUAL 0)
  message(FATAL_ERROR "make_encodings_golden.py: exit ${exit}")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${WORK}/encodings_golden.csv"
                "${SOURCE}/tests/cases/encodings_golden.csv" RESULT_VARIABLE differ)
if(NOT differ EQUAL 0)
  message(FATAL_ERROR "encodings_golden.csv differs from what make_encodings_golden.py prints")
endif()
