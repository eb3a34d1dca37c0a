# SymPy reads what to_sympy writes, and agrees about its value.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND "${BIN}/sympy_texts" "${SOURCE}/theory/encodings" 400
                COMMAND "${PYTHON}" "${SOURCE}/tests/theory/check_sympy_texts.py" RESULTS_VARIABLE exits)
if(NOT exits STREQUAL "0;0")
  message(FATAL_ERROR "exits ${exits}")
endif()
