# True and false certificates of forgeries.py, of the exchanges each EVERY-th: what the verifiers say of them, the second one where Python has python-flint.
cmake_minimum_required(VERSION 3.25)
set(python "${PYTHON}")
if(NOT EXISTS "${python}")
  set(python python3)
endif()

# said(name command...): that it accepts the true ones and refuses the false ones
function(said name)
  execute_process(COMMAND "${python}" "${SOURCE}/tests/certificates/forgeries.py" "${WORK}" ${EVERY} -- ${ARGN}
                  RESULT_VARIABLE exit OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT exit EQUAL 0)
    message(FATAL_ERROR "${name}: exit ${exit}\n${out}")
  endif()
  message("${name}: ${out}")
endfunction()

said(verify-certificate "${BIN}/verify-certificate" --verbose)
execute_process(COMMAND "${python}" -c "import flint" RESULT_VARIABLE flint OUTPUT_QUIET ERROR_QUIET)
if(NOT flint EQUAL 0)
  message("SKIPPED: the second verifier, without python-flint; ./setup.sh --tests installs it")
  return()
endif()
set(ENV{PYTHONPATH} "${SOURCE}/probes/python")
said(gpe.verifier "${python}" -m gpe.verifier)
# Its work is bounded by a count, as that of the first one (tests/certificates/attacks_test.cpp); and what it cannot read, it says.
execute_process(COMMAND "${python}" -m gpe.verifier --budget 0.0001 special-unknowns.json absent.json
                WORKING_DIRECTORY "${WORK}/true" RESULT_VARIABLE exit OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(NOT exit EQUAL 4 OR NOT out MATCHES "checking it takes more than 1400 steps; --budget 1 allows more.*absent.json: not accepted: FileNotFoundError" OR out MATCHES "Traceback")
  message(FATAL_ERROR "gpe.verifier: exit ${exit}\n${out}")
endif()
