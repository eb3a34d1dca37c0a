# Texts from outside, printed: no line that they forge, nothing that a terminal acts on, no tag or command of a page.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")
string(ASCII 27 escape)

# A title, a reference and a key that would clear the screen, begin a line or turn the direction of writing.
file(WRITE "${WORK}/title.toml" "schema = 1\nname = \"mine\"\ntitle = \"a\\nverify: proved\\u001bc\"\nreference = \"b\\u202ec\\nd\"\n[score]\nbias = \"-n\"\n")
expect(COMMAND check-properties title.toml OUT "a\\nverify: proved\\u001bc\n" "b\\u202ec\\nd\n" NOT "${escape}")
expect(COMMAND check-properties title.toml --format markdown OUT "a\\nverify" NOT "${escape}")
# A backslash of the text does not undo the one before a pipe, and a link is none.
file(WRITE "${WORK}/pipe.toml" "schema = 1\nname = \"pipe\"\ntitle = 'a\\|b [c](d)'\n[score]\nbias = \"-n\"\n")
expect(COMMAND check-properties pipe.toml --format markdown OUT "a\\\\\\|b \\[c](d)")
expect(COMMAND check-properties title.toml --format json OUT "\"title\": ")
value(title "${out}" encodings 0 title)
equal("the title in JSON" "${title}" "a\\nverify: proved\\u001bc")
file(WRITE "${WORK}/key.toml" "schema = 1\n\"a\\ncheck-properties: all is well\" = 1\n")
expect(COMMAND check-properties key.toml EXIT 2 ERR "unknown key 'a\\ncheck-properties: all is well'")
string(REPEAT "a" 100000 long)
file(WRITE "${WORK}/long.toml" "schema = 1\n${long} = 1\n")
expect(COMMAND check-properties long.toml EXIT 2 ERR "unknown key 'aaaa" "…")
string(LENGTH "${err}" length)
if(length GREATER 1000)
  fail("the length of a message" "${length} characters")
endif()

# Words of the command line, also those that are no UTF-8 and names of files.
expect(COMMAND check-properties "a\nproved${escape}c" EXIT 2 ERR "'a\\nproved\\u001bc' is neither")
expect(COMMAND check-properties "a\nb.toml" EXIT 2 ERR "a\\nb.toml: no such file")
expect(COMMAND check-properties "--x\ny" EXIT 2 ERR "\\n")
expect(COMMAND asymptotics "n${escape}" EXIT 2 ERR "expression:1:2" NOT "${escape}")
if(NOT CMAKE_HOST_WIN32)
  execute_process(COMMAND sh -c "\"$1\" alibi --set \"$(printf 'm\\377=1')\"" sh "${BIN}/check-properties"
                  RESULT_VARIABLE exit ERROR_VARIABLE err)
  equal("exit code for a byte that is no UTF-8" "${exit}" 2)
  if(NOT err MATCHES "m\\\\xff")
    fail("a byte that is no UTF-8" "${err}")
  endif()
endif()

# Claims: a name is part of files and of commands of LaTeX, a formula is printed as it stands.
set(reading "[[claim.reading]]\nname = \"n\"\nformula = \"1 < 2\"\n")
file(WRITE "${WORK}/id.toml" "schema = 1\n[[claim]]\nid = \"a}\\\\input{x\"\nstatement = \"s\"\n${reading}")
expect(COMMAND audit-claims id.toml --format latex EXIT 2 ERR "id.toml:3:6: id: expected up to 64 of a-z A-Z 0-9 - _ .")
file(WRITE "${WORK}/prose.toml" "schema = 1\ntitle = \"t\\u001bc\"\n[[claim]]\nid = \"a\"\nstatement = \"s \\\\input{/etc/passwd} e^(\\\\^^69nput)\"\n${reading}")
expect(COMMAND audit-claims prose.toml OUT "t\\u001bc" NOT "${escape}")
expect(COMMAND audit-claims prose.toml --format latex OUT "\\textbackslash{}input\\{/etc/passwd\\}" NOT "\\input" "^^")
file(WRITE "${WORK}/formula.toml" "schema = 1\n[[claim]]\nid = \"a\"\nstatement = \"s\"\n[[claim.reading]]\nname = \"n\"\nformula = \"1 < 2 \\u001b\"\n")
expect(COMMAND audit-claims formula.toml EXIT 2 ERR "formula.toml:7:11: formula has a character that cannot be shown")

# What standard output does not take is an error of every program, also of --help and --version.
if(EXISTS /dev/full)
  foreach(command "asymptotics;n" "asymptotics;--help" "check-properties;--list" "audit-claims;--list" "check-properties;--version"
          "compare-encodings;--help" "entropy-frontier;--help" "design-encoding;--help" "verify-certificate;--help"
          "verify-certificate;--version" "ngram-baseline;--help" "make-stories;--help" "make-tasks;--help" "gpe;--help")
    list(POP_FRONT command program)
    execute_process(COMMAND "${BIN}/${program}" ${command} OUTPUT_FILE /dev/full RESULT_VARIABLE exit ERROR_VARIABLE err)
    equal("exit code of ${program} ${command} on a full disk" "${exit}" 1)
    equal("message of ${program} ${command} on a full disk" "${err}" "${program}: standard output cannot be written\n")
  endforeach()
endif()
