# True and false certificates of forgeries.py: what the verifiers say of them, the second one where Python has python-flint.
cmake_minimum_required(VERSION 3.25)
set(python "${PYTHON}")
if(NOT EXISTS "${python}")
  set(python python3)
endif()

# said(name command...): that it accepts the true ones and refuses the false ones
function(said name)
  execute_process(COMMAND "${python}" "${SOURCE}/tests/certificates/forgeries.py" "${WORK}" -- ${ARGN}
                  RESULT_VARIABLE exit OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT exit EQUAL 0)
    message(FATAL_ERROR "${name}: exit ${exit}\n${out}")
  endif()
  message("${name}: ${out}")
endfunction()

said(verify-certificate "${BIN}/verify-certificate")
execute_process(COMMAND "${python}" -c "import flint" RESULT_VARIABLE flint OUTPUT_QUIET ERROR_QUIET)
if(NOT flint EQUAL 0)
  message("SKIPPED: the second verifier, without python-flint; ./setup.sh --tests installs it")
  return()
endif()
said(verify.py "${python}" "${SOURCE}/tests/certificates/verify.py")
