# --help, --version and --list of every program; the options are those written down in options.txt.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

set(programs
    check-properties
    asymptotics
    audit-claims
    entropy-frontier
    verify-certificate
    make-stories
    make-tasks
    ngram-baseline
    compare-configs
    compare-encodings
    design-encoding)
if(EXISTS "${SOURCE}/.venv/bin/python")  # as in tests/CMakeLists.txt
  list(APPEND programs prepare-data)
  set(ENV{GPE_PYTHON} "${SOURCE}/.venv/bin/python")
endif()
foreach(program train-tsm evaluate-tsm sample-tsm export-tsm import-model probe-attention)  # where LibTorch is there
  if(EXISTS "${BIN}/${program}")
    list(APPEND programs ${program})
  endif()
endforeach()
foreach(program IN LISTS programs)
  expect(COMMAND ${program} --help OUT "--version" "Example" "${program} ")
  if(NOT out MATCHES "(^|\n)Usage: ([^ ]*/)?${program} ")
    fail("${program} --help" "the usage does not begin with the program's name:\n${out}")
  endif()
  set(help "${out}")
  expect(COMMAND ${program} -h)
  equal("${program} -h" "${out}" "${help}")
  expect(COMMAND ${program} --version)
  equal("${program} --version" "${out}" "${program} ${VERSION}\n")

  # A new option needs a line in options.txt, and so a reason.
  file(READ "${CMAKE_CURRENT_LIST_DIR}/options.txt" known)
  string(REGEX MATCHALL "\n  (-[a-z],)?--[a-z-]+" shown "${help}")
  foreach(option IN LISTS shown)
    string(REGEX REPLACE "^.*--" "--" option "${option}")
    string(FIND "\n${known}" "\n${program} ${option}\n" at)
    if(at EQUAL -1)
      fail("${program} ${option}" "is not in tests/cli/options.txt")
    endif()
  endforeach()
endforeach()

# One line for each file, sorted, with a title.
expect(COMMAND check-properties --list OUT "alibi" "ape" "rope")
file(GLOB files "${SOURCE}/theory/encodings/*.toml")
list(LENGTH files count)
string(REGEX MATCHALL "\n" lines "${out}")
list(LENGTH lines listed)
equal("lines of --list" "${listed}" "${count}")
set(text "${out}")
set(last "")
while(NOT text STREQUAL "")
  next_line(text line)
  if(NOT line MATCHES "^([a-z0-9.-]+) +([^ ].+)$")
    fail("--list" "no name and title: ${line}")
  endif()
  if(NOT CMAKE_MATCH_1 STRGREATER last)
    fail("--list" "not sorted: ${CMAKE_MATCH_1} after ${last}")
  endif()
  set(last "${CMAKE_MATCH_1}")
endwhile()
