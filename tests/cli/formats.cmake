# Tables as Markdown, LaTeX and CSV, and formats by the ending of --output.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

set(configs "${SOURCE}/tests/cases/configs")
set(check check-properties alibi kerple-log)
set(compare compare-encodings ape alibi)
set(frontier entropy-frontier alibi ape)
set(differ compare-configs "${configs}/gemma-3-4b.json" "${configs}/qwen3-8b-yarn.json")

# LaTeX: every table has its rules, and as many cells a row as columns.
foreach(one check compare frontier differ)
  set(exit 0)
  if(one STREQUAL "differ")
    set(exit 3)
  endif()
  expect(COMMAND ${${one}} --format latex EXIT ${exit} OUT "% \\usepackage{booktabs}" "\\toprule" "\\midrule" "\\bottomrule")
  string(REGEX MATCHALL "begin{tabular}" started "${out}")
  string(REGEX MATCHALL "end{tabular}" ended "${out}")
  list(LENGTH started begins)
  list(LENGTH ended ends)
  equal("ends of the tables of ${one}" "${ends}" "${begins}")
  expect(COMMAND ${${one}} --format markdown EXIT ${exit} OUT "|---|---|---|")
endforeach()
expect(COMMAND ${check} --format latex OUT "property & reading & alibi & kerple-log " "local range {\\textbar}b{\\textbar} $\\le$ 1 & 256 & 0 ")
expect(COMMAND ${frontier} --format markdown OUT "| alibi | 6.54518 |" "- H: entropy in nats")
expect(COMMAND ${differ} --format markdown EXIT 3 OUT "| **layers 35-36** |  |  |" "- layers 6, 12, 18, 24, 30: ")

# CSV: the numbers of every content.
expect(COMMAND check-properties alibi --content-bound 1,5 --format csv OUT "alibi,,,content_sums,lower,1,94.361196," "alibi,,,entropy_band,upper,1,7.09662"
       "alibi,,,effective_window,1/1000,5,4328," "alibi,,,reach,1/2,5,1139," "alibi,,,self_reach,1/2,1,7,")

# The ending says which format; --format wins; another ending is text.
foreach(case "tex|% " "md|# Positional" "csv|encoding,head" "json|{" "txt|alibi  Attention")
  string(REGEX MATCH "^(.*)\\|(.*)$" all "${case}")
  expect(COMMAND check-properties alibi --output made.${CMAKE_MATCH_1})
  file(READ "${WORK}/made.${CMAKE_MATCH_1}" text)
  string(FIND "${text}" "${CMAKE_MATCH_2}" at)
  equal("the beginning of made.${CMAKE_MATCH_1}" "${at}" 0)
endforeach()
expect(COMMAND check-properties alibi --output made.tex --format json)
file(READ "${WORK}/made.tex" text)
value(name "${text}" encodings 0 name)
equal("--format wins" "${name}" "alibi")
expect(COMMAND design-encoding alibi --vary m=1/100..1 --minimize m --output made.csv)
file(READ "${WORK}/made.csv" text)
string(FIND "${text}" "alibi: m in" at)
equal("a format that the program does not have" "${at}" 0)
