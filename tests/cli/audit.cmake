# audit-claims: every format says the same; a file of one's own; measured results; LaTeX that compiles; what it refuses.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

expect(COMMAND audit-claims --list)
equal("--list" "${out}" "published\nvetcha2025\n")
expect(COMMAND audit-claims --only T1.i,X2 OUT "  T1.i " "as stated" "refuted" "A(n) = -log(n + 2) - 2*log(log(n + 2))" "2 claims" NOT "T1.ii")
# No line is wider than a terminal of 100 columns.
expect(COMMAND audit-claims)
set(text "${out}")
while(NOT text STREQUAL "")
  next_line(text line)
  string(REGEX REPLACE "…" "." line "${line}")
  string(LENGTH "${line}" width)
  if(width GREATER 100)
    fail("audit-claims" "${width} columns: ${line}")
  endif()
endwhile()

# JSON: the keys of the interface, the same verdicts.
expect(COMMAND audit-claims vetcha2025 --format json)
set(json "${out}")
string(JSON claims LENGTH "${json}" claims)
equal("claims" "${claims}" "37")
foreach(check "schema|1" "generator program|audit-claims" "file|vetcha2025" "claims 0 id|T1.i" "claims 0 where|Theorem 3.1 (i)"
              "claims 0 verdict|refuted" "claims 0 readings 0 reading|as stated" "claims 0 readings 0 verdict|refuted"
              "claims 0 readings 0 witness point A|A(n) = -log(n + 2) - 2*log(log(n + 2))"
              "claims 0 repair readings 0 verdict|confirmed" "claims 4 id|A1" "claims 4 verdict|confirmed")
  string(REPLACE "|" ";" check "${check}")
  list(GET check 0 path)
  list(GET check 1 expected)
  string(REPLACE " " ";" path "${path}")
  value(found "${json}" ${path})
  equal("${path}" "${found}" "${expected}")
endforeach()
foreach(path "claims 0 readings 0 certificate" "claims 0 source" "claims 4 repair" "claims 4 readings 0 witness")
  string(REPLACE " " ";" keys "${path}")
  string(JSON type ERROR_VARIABLE trouble TYPE "${json}" ${keys})
  equal("${path}" "${type}" "NULL")
endforeach()
expect(COMMAND audit-claims vetcha2025 --format json ENV LC_ALL=C TZ=Asia/Kathmandu COLUMNS=20)
equal("again" "${out}" "${json}")

expect(COMMAND audit-claims --only L2 --format markdown OUT "## L2: Lemma 4.4" "| L2 | within | `for all m > 0" "**refuted**" "| repair | at most |")
expect(COMMAND audit-claims --explain L2 OUT "computed: within(ape(delta=1/256, beta=1/10, gamma=1/20), 4) = 559" "vacuous: ")

# A file of one's own, and its opposite.
file(WRITE "${WORK}/mine.toml" "schema = 1\ntitle = \"mine\"\n[[claim]]\nid = \"a\"\nstatement = \"s\"\n[[claim.reading]]\nname = \"r\"\nformula = \"Z(alibi(m=1/2)) < 3\"\n")
expect(COMMAND audit-claims mine.toml OUT "confirmed" "Z(alibi(m=1/2)) = 2.541494083" "1 claims")
file(READ "${WORK}/mine.toml" mine)
string(REPLACE "name = \"r\"\n" "name = \"r\"\nnot = true\n" opposite "${mine}")
file(WRITE "${WORK}/opposite.toml" "${opposite}")
expect(COMMAND audit-claims opposite.toml OUT "refuted" "not: r")

# 0^0 has no value: not where a parameter may be 0.
foreach(case "for all p: p^0 = 1|undecided" "for some p: (p - 2)^0 < 1/2|undecided" "for all p > 0: p^0 = 1|confirmed")
  string(REPLACE "|" ";" case "${case}")
  list(GET case 0 formula)
  list(GET case 1 verdict)
  file(WRITE "${WORK}/zeroth.toml" "schema = 1\ntitle = \"zeroth\"\n[[claim]]\nid = \"a\"\nstatement = \"s\"\n[[claim.reading]]\nname = \"r\"\nformula = \"${formula}\"\n")
  expect(COMMAND audit-claims zeroth.toml OUT "${verdict}")
endforeach()

# Measured results, in the form of docs/results, of three seeds: M1 is refuted by 21 < 5*20, and confirmed by 400.
foreach(case "3.04,refuted" "5.99,confirmed")
  string(REPLACE "," ";" case "${case}")
  list(GET case 0 loss)
  list(GET case 1 verdict)
  foreach(run rope-64 rope-64-seed-1 rope-64-seed-2)
    file(WRITE "${WORK}/results/${run}.json" "{\"evaluation\": {\"files\": {\"val\": [{\"over\": \"documents\"}, {\"over\": \"packed windows\", \"columns\": [\"tokens\", \"loss\", \"low\", \"high\"], \"rows\": [[64, 2.99, 2.98, 3.0], [16384, ${loss}, ${loss}, ${loss}]]}]}}}\n")
  endforeach()
  expect(COMMAND audit-claims --only M1 --results results OUT "${verdict}")
endforeach()
# A mean over runs is widened by Student's interval, 4.303/sqrt(3) deviations for three, and by their own.
foreach(run 1 2 3)
  file(WRITE "${WORK}/results/run-${run}.json" "{\"exact\": ${run}, \"wide\": {\"lower\": \"${run}\", \"upper\": \"${run}.5\"}, \"skew\": {\"columns\": [\"at\", \"x\", \"low\", \"high\"], \"rows\": [[1, ${run}, 0, 9]]}}\n")
endforeach()
file(WRITE "${WORK}/runs.toml" "schema = 1\ntitle = \"runs\"\n[[claim]]\nid = \"R\"\nstatement = \"s\"\n")
foreach(reading
    "within;-0.485 < measured(run-1 | run-2 | run-3, exact) and measured(run-1 | run-2 | run-3, exact) < 4.485;confirmed"
    "not further;measured(run-1 | run-2 | run-3, exact) < 4.484;undecided"
    "with their own;measured(run-1 | run-2 | run-3, wide) < 4.985 and -0.485 < measured(run-1 | run-2 | run-3, wide);confirmed"
    "no further;measured(run-1|run-2|run-3, wide) < 4.984;undecided"
    "two runs;measured(run-1 | run-2, exact) < 7.853;undecided"
    "all are there;measured(run-1 | run-4, exact) < 100;undecided"
    "twice in each;paired(measured(run-1 | run-2 | run-3, exact) - measured(run-2 | run-3 | run-1, exact)) < 4.304;confirmed"
    "not less;paired(measured(run-1 | run-2 | run-3, exact) - measured(run-2 | run-3 | run-1, exact)) < 4.302;undecided"
    "what they share;paired(measured(run-1 | run-2 | run-3, exact) - measured(run-1 | run-2 | run-3, wide)) < -0.249;confirmed"
    "one in all;for all c in {1/4}: paired(measured(run-1 | run-2 | run-3, exact) - measured(run-1, wide)) > -1.485 - c;confirmed"
    "without their own;paired(measured(run-1 | run-2 | run-3, skew, 1)) < 4.485;confirmed"
    "a single run;paired(measured(run-1, exact)) < 100;undecided"
    "one is not there;paired(measured(run-1 | run-4, exact)) < 100;undecided")
  list(GET reading 0 name)
  list(GET reading 1 formula)
  file(APPEND "${WORK}/runs.toml" "[[claim.reading]]\nname = \"${name}\"\nformula = \"${formula}\"\n")
endforeach()
expect(COMMAND audit-claims runs.toml --results results OUT "1 claims; readings: 6 confirmed, 7 undecided")
expect(COMMAND audit-claims runs.toml --results results --explain R OUT "needs run-4.json" "the intervals overlap" "only one run, so its variation over seeds is unknown")
foreach(wrong "measured(run-1 |, exact);expected a name on both sides of every '|'"
              "paired(measured(run-1 | run-2, exact) - measured(run-1 | run-2 | run-3, exact));expected 2 names in 'run-1 | run-2 | run-3', found 3"
              "paired(measured(run-1 | run-2, exact) - Z(alibi));expected measured(…), found Z(alibi)")
  list(GET wrong 0 formula)
  list(GET wrong 1 message)
  file(WRITE "${WORK}/bar.toml" "schema = 1\ntitle = \"runs\"\n[[claim]]\nid = \"R\"\nstatement = \"s\"\n[[claim.reading]]\nname = \"r\"\nformula = \"${formula} < 1\"\n")
  expect(COMMAND audit-claims bar.toml --results results EXIT 2 ERR "${message}")
endforeach()
expect(COMMAND audit-claims --only M1 OUT "undecided" "not measured yet: needs rope-64.json")
expect(COMMAND audit-claims --explain M2 --results results OUT "undecided" "needs ape-64.json")
file(WRITE "${WORK}/results/rope-64.json" "{")
expect(COMMAND audit-claims --only M1 --results results EXIT 2 ERR "rope-64.json:1:2: not JSON: ")

# LaTeX: the reports of both files compile without a complaint.
find_program(PDFLATEX pdflatex)
foreach(file vetcha2025 published)
  expect(COMMAND audit-claims ${file} --format latex --output ${file}.tex)
  file(READ "${WORK}/${file}.tex" tex)
  foreach(part "\\documentclass" "\\end{document}" "\\verdict{confirmed}" "\\forall")
    string(FIND "${tex}" "${part}" at)
    if(at EQUAL -1)
      fail("${file}.tex" "no ${part}")
    endif()
  endforeach()
  if(NOT PDFLATEX)
    message("SKIPPED: ${file}.tex: there is no pdflatex")
    continue()
  endif()
  foreach(pass 1 2)
    execute_process(COMMAND "${PDFLATEX}" -interaction=nonstopmode -halt-on-error ${file}.tex WORKING_DIRECTORY "${WORK}"
                    RESULT_VARIABLE exit OUTPUT_VARIABLE log ERROR_QUIET)
    if(NOT exit EQUAL 0 OR NOT EXISTS "${WORK}/${file}.pdf")
      fail("pdflatex ${file}.tex" "${log}")
    endif()
  endforeach()
  if(log MATCHES "Overfull .hbox .([0-9]+)" AND CMAKE_MATCH_1 GREATER 20)
    fail("pdflatex ${file}.tex" "a line ${CMAKE_MATCH_1} points too wide")
  endif()
endforeach()

# Bad use: exit code 2, and what was expected.
function(refused message)
  expect(COMMAND audit-claims ${ARGN} EXIT 2 ERR "audit-claims: " "${message}")
  set(err "${err}" PARENT_SCOPE)
endfunction()
refused("'vetcha' is neither a built-in file of claims nor a path ending in .toml" vetcha)
refused("no-such.toml: no such file" no-such.toml)
refused("vetcha2025 has no claim 'T1.iii'; did you mean 'T1.ii'?" --only T1.iii)
refused("--format" --format yaml)
refused("--time-limit" --time-limit 0)
# An encoding in the file: one message, with one place.
foreach(mistake "spec = \"schema = 1\\nname = 'q'\\n[score]\\nbias = '-m*n'\"|encoding 'z':4:10: bias: unknown name 'm'"
                "bias = \"-m*n\"|encoding 'z': bias:1:2: unknown name 'm'"
                "angle = \"n\", transform = \"none\"|encoding 'z': angle needs transform = \"rotation\""
                "transform = \"hyperbolic\"|encoding 'z': transform: 'hyperbolic' cannot be given without a spec"
                "bias = \"-n\", first = \"3\"|3:28: first is not a whole number from 0 to 10^9")
  string(REPLACE "|" ";" mistake "${mistake}")
  list(GET mistake 0 encoding)
  list(GET mistake 1 message)
  file(WRITE "${WORK}/wrong.toml" "schema = 1\n[encodings]\nz = { ${encoding} }\n")
  refused("${message}" wrong.toml)
  if(err MATCHES "--|[\\]n")
    fail("${encoding}" "${err}")
  endif()
endforeach()
file(WRITE "${WORK}/undefined.toml" "schema = 1\n[encodings]\nz = { bias = \"-log(n)\" }\n[[claim]]\nid = \"a\"\nstatement = \"s\"\n[[claim.reading]]\nname = \"n\"\nformula = \"cn(z, 1)\"\n")
refused("undefined.toml: encoding 'z': bias is undefined at n = 0: log(n) is the logarithm of zero" undefined.toml)
file(WRITE "${WORK}/undefined.toml" "schema = 1\n[families]\nf = { title = \"t\", terms = [\"log(n)\"], most = 1 }\n[[claim]]\nid = \"a\"\nstatement = \"s\"\n[[claim.reading]]\nname = \"n\"\nformula = \"for all A in f: cn(A, 1)\"\n")
refused("undefined.toml: family f: bias is undefined at n = 0: log(n) is the logarithm of zero" undefined.toml)
foreach(change "Z(alibi(m=1/2)) < 3|Z(alibo(m=1/2)) < 3|unknown encoding 'alibo'"
               "name = \"r\"|nome = \"r\"|unknown key 'nome' in a reading"
               "schema = 1|schema = 2|schema 2 is not known; this program reads schema 1"
               "id = \"a\"|id = 1|id is not a string")
  string(REPLACE "|" ";" change "${change}")
  list(GET change 0 from)
  list(GET change 1 to)
  list(GET change 2 message)
  string(REPLACE "${from}" "${to}" wrong "${mine}")
  file(WRITE "${WORK}/wrong.toml" "${wrong}")
  refused("${message}" wrong.toml)
endforeach()

# One claim on the command line, about an encoding of the user's; and a file of claims that names it.
file(WRITE "${WORK}/own/own.toml" "schema = 1\nname = \"own\"\n[parameters]\nbeta = { default = \"3/2\" }\n[score]\nbias = \"-beta*log(1 + n)\"\n")
expect(COMMAND audit-claims --claim "for all beta > 1: eb(own)" own/own.toml OUT "for all beta > 1: eb(own)" "confirmed  proved for all parameter values")
expect(COMMAND audit-claims --claim "for all beta > 0: eb(own)" own/own.toml OUT "refuted  beta = 1")
expect(COMMAND audit-claims --claim "cn(alibi)" OUT "1 confirmed")
expect(COMMAND audit-claims --claim "for all beta > 1: eb(own)" own/own.toml --explain claim OUT "because: proved for all parameter values: |f| w is bounded")
# A variable on which nothing depends is a slip: "for all bta > 0: eb(own)" would be true of the default of beta.
foreach(case "for all bta > 0: eb(own)|'bta'; did you mean 'beta'?" "for all B > 0: eb(own)|'B'; a content bound is an argument: cn(alibi, B)"
             "for all A in library, x in {1}: cn(A) => eb(A)|'x'; expected a variable that is used"
             "not (for some y: cn(own(beta=2)))|'y'; expected" "for all beta > 1: eb(own(beta=2))|'beta'; expected"
             "for all uniform > 0: eb=uniform(alibi, 1)|'uniform'; expected" "for all power > 0: summable(bias(kerple-power))|'power'; expected"
             "for all alibi > 0: cn(alibi)|'alibi'; expected")
  string(REPLACE "|" ";" case "${case}")
  list(GET case 0 formula)
  list(GET case 1 message)
  expect(COMMAND audit-claims --claim "${formula}" own/own.toml EXIT 2 ERR "depends on ${message}")
endforeach()
foreach(formula "for all B > 0: eb(own, B)" "for all a > 1, b > a: eb(own(beta=b))" "for all a > 1, b in {2*a}: eb(own(beta=b))"
                "for all beta > 1: limit(bias(own)) < 0")
  expect(COMMAND audit-claims --claim "${formula}" own/own.toml OUT "confirmed")
endforeach()
expect(COMMAND audit-claims --claim "cn(alib)" EXIT 2 ERR "--claim:1:4: unknown encoding 'alib'; did you mean 'alibi'?")
expect(COMMAND audit-claims --claim "cn(yours)" EXIT 2 ERR "unknown encoding 'yours'; expected a built-in name, one under [encodings], or, with --claim, that of the file given")
expect(COMMAND audit-claims --claim "forall m > 0: cn(alibi)" EXIT 2 ERR "--claim:1:1: write 'for all' for 'forall'\n  forall m > 0: cn(alibi)\n  ^~~~~~\n")
expect(COMMAND audit-claims --claim "exists m > 0: cn(alibi)" EXIT 2 ERR "write 'for some' for 'exists'")
set(reading "[[claim.reading]]\nname = \"r\"\nformula = \"for all beta > 1: eb(mine)\"\n")
foreach(case "own.toml|0|confirmed" "absent.toml|2|own/absent.toml: no such file" "../own/own.toml|2|expected the name of a file inside of")
  string(REGEX MATCH "^(.*)\\|(.)\\|(.*)$" all "${case}")
  file(WRITE "${WORK}/own/claims.toml" "schema = 1\n[encodings]\nmine = { file = \"${CMAKE_MATCH_1}\" }\n[[claim]]\nid = \"a\"\nstatement = \"s\"\n${reading}")
  if(CMAKE_MATCH_2 EQUAL 0)
    expect(COMMAND audit-claims own/claims.toml OUT "${CMAKE_MATCH_3}")
  else()
    expect(COMMAND audit-claims own/claims.toml EXIT 2 ERR "${CMAKE_MATCH_3}")
  endif()
endforeach()
file(WRITE "${WORK}/none.toml" "schema = 1\n")
expect(COMMAND audit-claims none.toml EXIT 2 ERR "none.toml: no [[claim]]; expected one such as\n  [[claim]]\n" "  formula = \"eb(alibi)\"\n")
file(WRITE "${WORK}/none.toml" "schema = 1\n[[claim]]\nid = \"a\"\nstatement = \"s\"\n")
expect(COMMAND audit-claims none.toml EXIT 2 ERR "none.toml:2:1: expected at least one [[claim.reading]], with name = \"as stated\" and formula = \"eb(alibi)\"")
# The last of many whole numbers is assumed, as the first is; and 0 agrees with 0.
expect(COMMAND audit-claims --claim "for all k in 1..1000000: k <= 1000000" OUT "confirmed")
expect(COMMAND audit-claims --claim "agree(0, 0, 3)" OUT "confirmed")
