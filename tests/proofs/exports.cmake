# What check-properties --coq writes of ALiBi, and of mine.toml in docs/specification.md, is accepted by coqc. Needs what `proofs` compiled in LIBRARY.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

function(export folder)
  execute_process(COMMAND "${PROGRAM}" ${ARGN} --quiet --coq "${WORK}/${folder}" RESULT_VARIABLE exit ERROR_VARIABLE errors OUTPUT_VARIABLE output)
  if(NOT exit EQUAL 0)
    message(FATAL_ERROR "exit ${exit}\n${errors}")
  endif()
  message("${errors}")
  set(errors "${errors}" PARENT_SCOPE)
endfunction()
function(accepted folder)
  execute_process(COMMAND "${PYTHON}" "${SOURCE}/tests/proofs/exports.py" "${WORK}/${folder}" "${LIBRARY}" --coqc "${COQC}" ${ARGN}
    RESULT_VARIABLE exit OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(NOT exit EQUAL 0)
    message(FATAL_ERROR "exports are refused")
  endif()
endfunction()

if(ALL)  # built-in encodings
  export(all --all)
  accepted(all --jobs 2)
  return()
endif()

export(some alibi)
file(GLOB files "${WORK}/some/*.v")
list(LENGTH files count)
if(NOT count EQUAL 14)
  message(FATAL_ERROR "${count} exports of 14 verdicts")
endif()
accepted(some)

# those of the encoding in docs/specification.md
file(READ "${SOURCE}/docs/specification.md" specification)
string(REGEX MATCH "# mine.toml\n[^`]*" mine "${specification}")
if(mine STREQUAL "")
  message(FATAL_ERROR "docs/specification.md has no mine.toml")
endif()
file(WRITE "${WORK}/mine.toml" "${mine}")
export(mine "${WORK}/mine.toml")
file(GLOB files "${WORK}/mine/*.v")
list(LENGTH files count)
if(NOT count EQUAL 14)
  message(FATAL_ERROR "${count} exports of 14 verdicts")
endif()
accepted(mine)
# and of three more: logarithms, floors, two parameters
file(GLOB files "${SOURCE}/tests/proofs/encodings/*.toml")
export(own ${files})
file(GLOB files "${WORK}/own/*.v")
list(LENGTH files count)
if(NOT count EQUAL 42)
  message(FATAL_ERROR "${count} exports of 42 verdicts")
endif()
accepted(own)

# the formula of the statement is that of the file, and the header names the certificate
file(READ "${WORK}/some/alibi__cn__every_content.v" text)
foreach(part "(* alibi.cn.every-content:" "forall m B : R, m >= 0 -> 0 < B ->" "(fun n => - m * INR n)" "m > 0).")
  string(FIND "${text}" "${part}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "alibi__cn__every_content.v lacks '${part}':\n${text}")
  endif()
endforeach()

# a window that is a number, of one key; no name of Coq begins with a digit
file(WRITE "${WORK}/one.toml" "schema = 1\nname = \"1-key\"\ntitle = \"t\"\n[score]\nbias = \"-n\"\nwindow = \"1\"\n")
export(one "${WORK}/one.toml")
if(NOT EXISTS "${WORK}/one/_1_key__eb__limit.v")
  message(FATAL_ERROR "1-key.eb.limit is not in _1_key__eb__limit.v")
endif()
accepted(one)

# heads
export(heads alibi --heads 3)
file(STRINGS "${WORK}/heads/alibi__h3__cn__every_content.v" text_of_head REGEX "alibi__h3__cn__every_content|alibi[.]h3[.]cn[.]every-content")
list(LENGTH text_of_head count)
file(GLOB files "${WORK}/heads/alibi__h[123]__*.v")
list(LENGTH files number)
if(NOT count EQUAL 2 OR NOT number EQUAL 42)
  message(FATAL_ERROR "exports of three heads: ${number}, ${text_of_head}")
endif()

# keys on both sides, with a key more than the parameter says; 0^0 is 1, as in files
file(READ "${SOURCE}/theory/encodings/modernbert-local.toml" sides)
file(WRITE "${WORK}/sides.toml" "${sides}")
export(sides "${WORK}/sides.toml")
file(READ "${WORK}/sides/modernbert_local__gps__vector.v" sides)
if(NOT sides MATCHES "both_sides .windowed .W . 1. .plain" OR NOT sides MATCHES "both_ways .rotation 32")
  message(FATAL_ERROR "modernbert-local.gps.vector: ${sides}")
endif()
accepted(sides)
file(WRITE "${WORK}/zero.v" "From Coq Require Import Reals Lra.\nFrom Gpe Require Import Definitions.\nOpen Scope R_scope.\n"
  "Goal power 0 0 = 1 /\\ power 0 1 = 0.\nProof. unfold power. destruct (Req_EM_T 0 0), (Req_EM_T 1 0); lra. Qed.\n")
execute_process(COMMAND "${COQC}" -q -w -ambiguous-paths -R "${LIBRARY}" Gpe zero.v WORKING_DIRECTORY "${WORK}" COMMAND_ERROR_IS_FATAL ANY)

# another slope has another region: coqc refuses it, at a step of the proof
string(REPLACE "m > 0)." "m > 1)." false_text "${text}")
file(WRITE "${WORK}/wrong.v" "${false_text}")
execute_process(COMMAND "${COQC}" -q -w -ambiguous-paths -R "${LIBRARY}" Gpe wrong.v WORKING_DIRECTORY "${WORK}"
  RESULT_VARIABLE exit OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(exit EQUAL 0 OR NOT output MATCHES "No applicable tactic|Cannot find witness")
  message(FATAL_ERROR "a wrong region was not refused at a step of the proof: exit ${exit}\n${output}")
endif()

# two names that are the same in letters and digits
foreach(name "a-b" "a.b")
  file(WRITE "${WORK}/${name}.toml" "schema = 1\nname = \"${name}\"\ntitle = \"t\"\n[score]\nbias = \"-n\"\n")
endforeach()
execute_process(COMMAND "${PROGRAM}" a-b.toml a.b.toml --quiet --coq twice WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE exit OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT exit EQUAL 2 OR NOT output MATCHES "would both be a_b__cn__every_content.v")
  message(FATAL_ERROR "two exports with one name: exit ${exit}\n${output}")
endif()
