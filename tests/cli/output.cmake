# --output: the same bytes as standard output, written whole or not at all.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

foreach(format text json markdown)
  expect(COMMAND check-properties alibi --format ${format})
  set(shown "${out}")
  expect(COMMAND check-properties alibi --format ${format} --output report.${format})
  equal("nothing on standard output" "${out}" "")
  file(READ "${WORK}/report.${format}" written)
  equal("report.${format}" "${written}" "${shown}")
endforeach()

# An old file stays until the new one is complete: a wrong specification leaves it as it was, and no other file.
file(WRITE "${WORK}/kept.txt" "old")
file(WRITE "${WORK}/wrong.toml" "schema = 2\n")
expect(COMMAND check-properties wrong.toml --output kept.txt EXIT 2 ERR "schema 2 is not known")
file(READ "${WORK}/kept.txt" kept)
equal("after a wrong specification" "${kept}" "old")
# A requirement that fails is no reason to withhold the report.
expect(COMMAND check-properties rope --require cn --quiet --output kept.txt EXIT 3 ERR "required: rope")
file(READ "${WORK}/kept.txt" kept)
if(NOT kept MATCHES "every-content +fails")
  fail("kept.txt" "${kept}")
endif()
# Where nothing can be written: exit code 1, one line, and no file left behind.
expect(COMMAND check-properties alibi --output nowhere/report.txt EXIT 1 ERR "nowhere/report.txt: cannot be created")
file(MAKE_DIRECTORY "${WORK}/folder")
expect(COMMAND check-properties alibi --output folder EXIT 1 ERR "folder: cannot be replaced")
file(GLOB left RELATIVE "${WORK}" "${WORK}/*")
equal("files" "${left}" "folder;kept.txt;report.json;report.markdown;report.text;wrong.toml")
# A full disk is an error, not half a report.
if(EXISTS /dev/full)
  execute_process(COMMAND "${BIN}/check-properties" alibi OUTPUT_FILE /dev/full RESULT_VARIABLE exit ERROR_VARIABLE err)
  equal("exit code on a full disk" "${exit}" "1")
  equal("message" "${err}" "check-properties: standard output cannot be written\n")
endif()
