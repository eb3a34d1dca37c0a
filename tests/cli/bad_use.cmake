# Wrong command lines: exit code 2, one line on standard error that says what was expected, nothing on standard output.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

set(program check-properties)

refused("no encoding given; expected a built-in name (see --list), a .toml file, or --bias EXPR")
refused("'alibo' is neither a built-in encoding nor a file; did you mean 'alibi'?" alibo)
refused("'xyzzy-plugh' is neither a built-in encoding nor a file; check-properties --list shows the built-in ones" xyzzy-plugh)
file(WRITE "${WORK}/own-score.toml" "schema = 1\n")
refused("'own-scor.tml' is neither a built-in encoding nor a file; did you mean 'own-score.toml'?" own-scor.tml)
file(REMOVE "${WORK}/own-score.toml")
refused("--foo" alibi --foo)
refused("--digits" alibi --digits 0)
refused("--digits" alibi --digits 20001)
refused("--digits" alibi --digits many)
refused("--format" alibi --format yaml)
refused("--head 3: not one of 1 head; use --heads" alibi --head 3)
refused("--layer 2: not one of 1 layer; use --layers" alibi --layer 2)
refused("--head-dim 3: expected an even number" alibi --head-dim 3)
refused("--lengths: 1e31 is not a whole number from 0 to 10^30" alibi --lengths 1e31)
refused("--lengths: 1/2 is not a whole number" alibi --lengths 1/2)
refused("--lengths: 64..2 is not a range LOW..HIGH" alibi --lengths 64..2)
refused("--content-bound: -1 is negative; expected B >= 0" alibi --content-bound=-1)
refused("--content-bound: 'x' is not a number" alibi --content-bound 1,x)
string(REPEAT "1," 1000 many)
foreach(option --lengths --content-bound --epsilon --weight)
  refused("${option}: 1001 values; expected at most 1000" alibi ${option} ${many}1)
endforeach()
string(REPEAT "1," 99 many)
refused("--content-bound, --lengths, --epsilon and --weight ask for 50500 numbers; expected at most 20000" alibi --lengths ${many}1 --content-bound ${many}1)
refused("more than 16384 reports, one for each head; --head and --layer choose one" alibi --heads 1024 --layers 1024)
refused("more than 16384 reports, one for each head; --head and --layer choose one" --all --heads 265 --quiet)
refused("--threshold: 0 is not positive" alibi --threshold 0)
refused("--time-limit" alibi --time-limit 0)
refused("--explain: expected text, and not markdown" alibi --explain cn --output explained.md)
refused("--explain: expected text, and not json" alibi --explain cn --format json)
refused("--output: 'two.pdf': expected no .pdf, as it is a text; gpe plot makes pictures" alibi --output two.pdf)
refused("--table: expected text or JSON, and not latex" alibi --table slopes --format latex)
refused("'B' is reserved: a parameter needs another name" --bias -B*n --set B=1/2)
refused("--explain: unknown property 'foo'; expected cn, eb, ldcp or gps" alibi --explain foo)
refused("--table: unknown table 'foo'; expected slopes, buckets, frequencies or temperature" alibi --table foo)
refused("--table frequencies: alibi does not rotate" alibi --table frequencies)
refused("--table frequencies: rerope: the angle of block 0 at n = 1024 is not a multiple of the distance" rerope --table frequencies)
refused("--all takes no further encodings" alibi --all)
refused("--transform: 'hyperbolic' cannot be given on the command line" --transform hyperbolic)
foreach(option "--context;128k" "--cache-dtype;fp8" "--batch;2" "--page;16")
  refused("--context, --cache-dtype, --batch and --page: expected --stack beside them" alibi ${option})
endforeach()
refused("--transform rotation needs --angle" --transform rotation)
refused("--angle needs --transform rotation" --angle n --transform identity)
refused("--set" alibi --set)
foreach(two "m=0,beta=1" "m=0, beta=1")
  refused("--set ${two}: expected one parameter; write --set m=0 --set beta=1" ape --set ${two})
endforeach()
foreach(other "m=0,2>=1" "m=0,b>=1" "m=0," "m=0,=1" "m=0,1")
  refused("found ',' where an operator or the end was expected" ape --set ${other})
endforeach()
file(WRITE "${WORK}/report.json" "{\"generator\": {\"program\": \"check-properties\"}, \"encodings\": []}")
refused("report.json: is a report of check-properties; expected the config.json of a model" report.json)
foreach(generator "\"another\"" "{}" "null" "[1]")
  file(WRITE "${WORK}/generator.json" "{\"generator\": ${generator}}")
  refused("generator.json: key 'model_type' is missing; expected a string" generator.json)
endforeach()

# Standard input or standard error that is closed: not the next file that is opened.
find_program(SHELL sh REQUIRED)
foreach(case "check-properties - <&->2 check-properties: standard input: cannot be read\n" "check-properties nowhere.toml --output kept 2>&->2 "
             "check-properties --sweep grid.toml --output grid.csv 2>&->2 ")
  string(REGEX MATCH "^(.*>&-|.*<&-)>(.*)$" case "${case}")
  set(expected "${CMAKE_MATCH_2}")
  file(WRITE "${WORK}/grid.toml" "schema = 1\nencodings = [\"alibi\"]\n[parameters]\nm = [-1]\n")
  execute_process(COMMAND "${SHELL}" -c "'${BIN}'/${CMAKE_MATCH_1}" WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE exit OUTPUT_VARIABLE out ERROR_VARIABLE err)
  equal("${case}" "${exit} ${out}${err}" "${expected}")
endforeach()
# A folder that is no more.
execute_process(COMMAND "${SHELL}" -c "mkdir gone && cd gone && rmdir ../gone && '${BIN}/check-properties' - --quiet --format csv" WORKING_DIRECTORY "${WORK}"
                INPUT_FILE "${SOURCE}/theory/encodings/alibi.toml" RESULT_VARIABLE exit OUTPUT_VARIABLE out ERROR_VARIABLE err)
equal("from a folder that is no more" "${exit} ${err}" "0 ")

# An empty value, as of a variable that a script has not set, is not the absence of the option.
foreach(case "check-properties alibi --output FILE" "check-properties alibi --certificates DIR" "check-properties alibi --coq DIR" "check-properties alibi --symbolic NAME,..."
             "check-properties alibi --bias EXPR" "check-properties --sweep GRID.toml" "audit-claims --results DIR" "audit-claims --only ID,..." "entropy-frontier alibi --output FILE"
             "design-encoding alibi --certificate FILE.json" "compare-encodings alibi rope --vary NAME=LOW..HIGH" "compare-configs a b --output FILE")
  string(REPLACE " " ";" case "${case}")
  list(POP_FRONT case program)
  list(POP_BACK case type)
  list(GET case -1 option)
  execute_process(COMMAND "${BIN}/${program}" ${case} "" RESULT_VARIABLE exit OUTPUT_VARIABLE out ERROR_VARIABLE err)
  equal("${program} ${case} ''" "${exit} ${out}${err}" "2 ${program}: ${option}: the value is empty; expected ${type} (see --help)\n")
endforeach()
set(program check-properties)

# What newcomers write; the mistakes in files are in tests/theory/score/newcomers_test.cpp.
refused("unknown option '--requires'; did you mean '--require'?" alibi --requires cn)
refused("unknown option '--head_dim'; did you mean '--head-dim'?" alibi --head_dim 64)
refused("unknown option '--json'; a format follows --format, as in --format json" alibi --json)
refused("unknown option '--B'; the bound on contents is --content-bound B" alibi --B 5)
refused("--lengths: 64:16384 is not a whole number from 0 to 10^30; expected a range 64..16384, which doubles, or a list 64,100,1e6"
        alibi --lengths 64:16384)
foreach(case "alibi --set|--set: the value is missing; expected NAME=VALUE" "alibi --heads|--heads: the value is missing; expected H"
             "alibi --format jsn|--format: 'jsn' is not one of text, json, markdown, csv, latex; did you mean 'json'?" "alibi --heads 0|--heads: '0' is not a whole number from 1 to 1024"
             "alibi --digits 3 --digits 4|--digits: given 2 times; expected once" "alibi --quiet=x|--quiet: expected without a value")
  string(REGEX MATCH "^(.*)\\|(.*)$" all "${case}")
  set(message "${CMAKE_MATCH_2} (see --help)")
  separate_arguments(arguments UNIX_COMMAND "${CMAKE_MATCH_1}")
  refused("${message}" ${arguments})
endforeach()
foreach(formula "-n/8" "-log(1+n)" "n/8" "-m*n")
  refused("'${formula}' is a formula and not an encoding; check-properties takes it as --bias '${formula}', every program in a file with bias = \"${formula}\" under [score]"
          "${formula}")
endforeach()
refused("'org/model-7b' is neither a built-in encoding nor a file; of a model of a hub, give its config.json, or the folder that holds it: nothing is downloaded"
        org/model-7b)
refused("'org/model-7b' is neither" org/model-7b --show-encoding)
refused("'kerpel' is neither a built-in encoding nor a file; did you mean 'kerple-log'?" kerpel)
refused("'RoPE' is neither a built-in encoding nor a file; did you mean 'rope'?" RoPE)
refused("'rotary' is neither a built-in encoding nor a file; RoPE is called rope" rotary)
refused("'llama' is neither a built-in encoding nor a file; a model is given by its config.json" llama)
refused("'learned' is neither a built-in encoding nor a file; learned absolute positions are not a function" learned)
refused("'rope,alibi' is neither a built-in encoding nor a file; several encodings have spaces between them" rope,alibi)
# A file that is absent, and one that has nearly its name.
file(WRITE "${WORK}/near/mine.toml" "schema = 1\nname = \"mine\"\n[score]\n")
expect(COMMAND check-properties near/mien.toml EXIT 2 ERR "near/mien.toml: no such file; did you mean 'near/mine.toml'?")
expect(COMMAND check-properties mien.toml EXIT 2 IN "${WORK}/near" ERR "mien.toml: no such file; did you mean 'mine.toml'?")
expect(COMMAND check-properties near/other.toml EXIT 2 ERR "near/other.toml: no such file\n")
refused("'help' is neither a built-in encoding nor a file; write --help" help)
refused("bias is undefined at n = 0: log(n) is the logarithm of zero; n begins at 0, the query itself: write 1 + n for n, or first = 1 for keys before it"
        "--bias=-log(n)")
refused("bias is undefined at n = 0: 1/(n*(1 - n)) divides by zero" "--bias=1/(n*(1-n))")
if(err MATCHES "begins at 0")
  fail("undefined at n = 1 too" "${err}")
endif()

set(program asymptotics)
expect(COMMAND asymptotics "-m*n" EXIT 2 ERR "unknown name 'm'; known here: n, pi; --set NAME=VALUE gives a name its value")
set(program compare-encodings)
refused("'-n/8' is a formula and not an encoding" alibi -n/8)

# Programs that take no encoding say what they take; a word that is not known, before what is missing; in their order.
foreach(use "asymptotics n b c|unexpected argument 'b'; expected nothing behind EXPR but options"
            "asymptotics --nonsense|unknown option '--nonsense' (see --help)"
            "asymptotics|expected EXPR, an expression in n (see --help)"
            "audit-claims published n|unexpected argument 'n'; expected nothing behind FILE but options"
            "audit-claims -n|unknown option '-n' (see --help)"
            "compare-configs -n|unknown option '-n' (see --help)"
            "compare-configs --lenghts 8|unknown option '--lenghts'; did you mean '--lengths'?"
            "compare-configs a.json|expected FILE, the one to compare it with (see --help)"
            "design-encoding alibi --minimize m --maximize m|--minimize: expected without --maximize (see --help)"
            "compare-encodings alibi list|'list' is neither a built-in encoding nor a file; check-properties --list shows the built-in ones"
            "design-encoding --nonsense|unknown option '--nonsense' (see --help)")
  string(REGEX MATCH "^([^ |]+)([^|]*)\\|(.*)$" all "${use}")
  set(program "${CMAKE_MATCH_1}")
  set(message "${CMAKE_MATCH_3}")
  separate_arguments(arguments UNIX_COMMAND "${CMAKE_MATCH_2}")
  refused("${message}" ${arguments})
endforeach()
set(program check-properties)

# An expression on the command line is shown with a caret.
expect(COMMAND check-properties --bias "-m*n" EXIT 2 ERR "--bias:1:2: unknown name 'm'; known here: " "; --set NAME=VALUE or --symbolic NAME declares a parameter\n  -m*n\n   ^\n")
expect(COMMAND check-properties --bias "-log(n)" EXIT 2 ERR "bias is undefined at n = 0: ")

# A built-in name is the built-in encoding, whatever lies in the current folder; a path has a slash or ends in .toml.
file(MAKE_DIRECTORY "${WORK}/shadows/rope")
file(WRITE "${WORK}/shadows/alibi" "schema = 1\nname = \"shadow\"\n[score]\n")
file(WRITE "${WORK}/shadows/other" "schema = 1\nname = \"other\"\n[score]\n")
file(WRITE "${WORK}/shadows/rope/config.json" "{\"model_type\": \"bloom\", \"n_head\": 4, \"hidden_size\": 64, \"n_layer\": 2}")
expect(COMMAND check-properties alibi rope --quiet IN "${WORK}/shadows" OUT "alibi" "rope" NOT "shadow" "bloom")
expect(COMMAND check-properties ./alibi --quiet IN "${WORK}/shadows" OUT "shadow")
expect(COMMAND check-properties ./rope --quiet IN "${WORK}/shadows" OUT "bloom")
expect(COMMAND check-properties other EXIT 2 IN "${WORK}/shadows" ERR "'other' is not a built-in encoding; the file of this name is './other'")

# The library where it is not, and where it is said to be.
expect(COMMAND check-properties alibi EXIT 2 ENV GPE_ENCODINGS=nowhere ERR "GPE_ENCODINGS: nowhere is not a folder")
file(MAKE_DIRECTORY "${WORK}/mine")
file(WRITE "${WORK}/mine/flat.toml" "schema = 1\nname = \"flat\"\ntitle = \"No position\"\n[score]\n")
expect(COMMAND check-properties --list ENV GPE_ENCODINGS=mine OUT "flat" NOT "alibi")
expect(COMMAND check-properties alibi EXIT 2 ENV GPE_ENCODINGS=mine ERR "'alibi' is neither a built-in encoding nor a file")
