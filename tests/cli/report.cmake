# The text and Markdown reports.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

# line(name text): the line of `out` that begins with the text
function(line result begins)
  string(REPLACE "|" "\\|" pattern "${begins}")
  if("\n${out}" MATCHES "\n( *${pattern} [^\n]*)\n")
    string(REGEX REPLACE "  +" "  " found "${CMAKE_MATCH_1}")
    string(STRIP "${found}" found)
    set(${result} "${found}" PARENT_SCOPE)
  else()
    fail("report" "no line begins with '${begins}'\n${out}")
  endif()
endfunction()

# The paper's three encodings. Verdicts: RoPE, P1 and P3; ALiBi, P2 and P4; APE, P5 and P6 of its theorems, each in the
# reading that is written beside it.
expect(COMMAND check-properties rope alibi ape OUT "convergent normalization" "content: |c(n)| <= B w(n), B = 1, 5, 10")
foreach(row "verdict  rope  alibi  ape" "every-content  fails  holds  holds" "limit  fails  holds  holds"
            "uniform  fails  holds  holds" "signed  fails  fails  fails" "content  holds  holds  fails"
            "weight  holds  fails  fails" "scalar  fails  fails  fails" "norm  fails  fails  holds"
            "vector  holds  fails  holds")
  string(REGEX MATCH "^[a-z-]+" first "${row}")
  line(shown "${first}")
  equal("row ${first}" "${shown}" "${row}")
endforeach()

# ALiBi with m = 1/2: Z = 1/(1 - e^(-1/2)), H = -log(1 - r) - r log r/(1 - r), r = e^(-1/2), to 30 digits.
expect(COMMAND check-properties alibi --set m=1/2 --digits 30 OUT "m = 1/2" "holds" "why")
line(shown "Z")
equal("Z" "${shown}" "Z  2.54149408253679828413110344447")
line(shown "entropy H \\(nats\\)")
equal("H" "${shown}" "entropy H (nats)  1.70349917083558771396019272238")
line(shown "every-content")
equal("region" "${shown}" "every-content  holds  when m > 0")
line(shown "local range |b| <= 1")
equal("local range" "${shown}" "local range |b| <= 1  2")

# Partial sums: 1 + e^(-1/2) and its entropy; doubling lengths.
expect(COMMAND check-properties alibi --set m=1/2 --lengths 1,64)
line(shown "Z to L = 1")
equal("Z_1" "${shown}" "Z to L = 1  1.6065307")
expect(COMMAND check-properties alibi --lengths 64..1024 OUT "L = 64 " "L = 128 " "L = 256 " "L = 512 " "L = 1024 ")

# A factor that depends on L: T, 2T, 8T and 64T, T the training length; without content no score depends on L.
# Every score c in [-g, g], g = log(2T + 1)/log T: Z in (2T + 1) [e^-g, e^g]; 1024 far keys at -g and a near one at g.
expect(COMMAND check-properties log-n --content-bound 1 --quiet NOT "to L =")
expect(COMMAND check-properties log-n --content-bound 1 OUT "to L = 32768" NOT "undecided" "?")
line(shown "Z to L = 1024")
equal("Z without content" "${shown}" "Z to L = 1024  1025.0000")
line(shown "entropy H to L = 1024")
equal("band at a length" "${shown}" "entropy H to L = 1024  6.3531 to 6.9325, wide")
line(shown "window for 1/1000 to L = 1024")
equal("window at a length" "${shown}" "window for 1/1000 to L = 1024  1024")
line(shown "gradient of order")
equal("gradient" "${shown}" "gradient of order  abs(log(L + 1)/log(512))")
expect(COMMAND check-properties log-n --set train=100 --lengths 64 --content-bound 1 OUT "window for 1/1000 to L = 64" NOT "L = 100" "L = 6400")
# A `train` that is not a length is none: Z to L = -320 was printed, as 0.
file(WRITE "${WORK}/train.toml" "schema = 1\nname = \"train\"\n[parameters]\ntrain = { default = \"-5\", domain = \"train < 0\" }\n[score]\ngain = \"log(L + 2)\"\n")
expect(COMMAND check-properties train.toml --content-bound 1 OUT "Z to L = 4096" NOT "L = -")
# One report for heads of the same formulas.
expect(COMMAND check-properties llama4 --heads 112 --quiet OUT "llama4 heads 1 to 112/112")
expect(COMMAND check-properties alibi --heads 3 --quiet OUT "alibi head 3/3")
# A report ends within its limit, and says what it left open.
expect(COMMAND check-properties --bias "-(1 + sin(n)/2)*log(1 + n)^(11/10)" --digits 60 --total-limit 1 OUT "entropy H")

# The verdict table alone; another column; many encodings, one row each.
expect(COMMAND check-properties alibi --quiet OUT "every-content" NOT "why" "mean distance")
expect(COMMAND check-properties alibi --beside rope OUT "alibi" "rope")
line(shown "vector")
equal("beside" "${shown}" "vector  fails  holds")
expect(COMMAND check-properties --all --quiet OUT "yes: holds at the default parameters" NOT "mean distance")
file(GLOB files RELATIVE "${SOURCE}/theory/encodings" "${SOURCE}/theory/encodings/*.toml")
foreach(file IN LISTS files)
  string(REGEX REPLACE "\\.toml$" "" name "${file}")
  line(shown "${name}")
endforeach()

# From five encodings on the numbers are in a second table, one row each.
expect(COMMAND check-properties alibi rope ape t5 fox-fixed OUT "yes: holds at the default parameters" "mean distance"
       "up to 4 encodings at a time, or --format markdown")
if(NOT out MATCHES "\n  fox-fixed +10\\.508332 +3\\.3030017 +9\\.5083319 +10 +none +1\n")
  fail("numbers of five encodings" "${out}")
endif()

# An encoding that differs by head or layer says which one this is.
expect(COMMAND check-properties alibi OUT "\n  head 1 of 1 (of N with --heads N)\n  m = 1/256\n")
expect(COMMAND check-properties alibi --heads 2 NOT "of N with --heads")
file(WRITE "${WORK}/one.toml" "schema = 1\nname = \"one\"\n[score]\nwindow = 1\n")
expect(COMMAND check-properties one.toml OUT "window of 1 key" "a window of 1 key: H <= log 1" NOT "1 keys")
file(WRITE "${WORK}/layered.toml" "schema = 1\nname = \"layered\"\n[score]\nbias = \"-n/layer\"\n")
expect(COMMAND check-properties layered.toml OUT "\n  layer 1 of 1 (of N with --layers N)\n" NOT "head 1 of 1")
expect(COMMAND check-properties layered.toml --layers 2 OUT "layered layer 2" NOT "layer 1 of 1")
expect(COMMAND check-properties rope NOT "of N with")

# Markdown: tables without a stray bar.
expect(COMMAND check-properties alibi rope --format markdown OUT "| property | reading | alibi | rope |" "|---|---|---|---|"
       "| gradient positional sensitivity | vector | fails | holds |")

# The argument in words.
expect(COMMAND check-properties alibi --explain cn --quiet
       OUT "statement: Z < inf for every content" "proved: for n >= " "when m = 0" "when m > 0")
expect(COMMAND check-properties alibi --explain cn OUT "alibi: convergent normalization" "cases: those of every-content" NOT "local range" "ldcp")
expect(COMMAND check-properties alibi --explain cn --quiet OUT
       "    by C1 in docs/theorems.md (in Coq: theory/proofs/Contents.v); T1 in docs/certificates.md (in Coq:\n       theory/proofs/Sums.v)\n")
foreach(case "alibi|cn=expected|C1" "sliding-window|eb=uniform|U1" "gemma2-global|gps=norm|G2" "sinusoidal|ldcp=literal|M1" "fox|cn=every|P1" "sigmoid-alibi|cn=every|N1"
             "grape-a-query|eb=uniform|Q1")
  string(REPLACE "|" ";" case "${case}")
  list(GET case 0 encoding)
  list(GET case 1 reading)
  list(GET case 2 theorem)
  expect(COMMAND check-properties ${encoding} --explain ${reading} --content-bound 1 --quiet OUT "    by ${theorem} in docs/theorems.md")
endforeach()
expect(COMMAND check-properties alibi --explain gps --quiet NOT "    by ")  # by the definitions
expect(COMMAND check-properties alibi --explain entropy OUT "alibi: entropy boundedness" NOT "convergent normalization")
expect(COMMAND check-properties alibi --explain gps=vector --quiet OUT "vector: fails" NOT "scalar: fails")

# A formula has the parameters that --set and --symbolic name; 1 where there is no value.
expect(COMMAND check-properties --bias "-m*n - beta*log(1 + n)" --set m=1/2 --symbolic beta,m --content-bound 1 --format json)
value(m "${out}" encodings 0 parameters m)
value(beta "${out}" encodings 0 parameters beta)
value(region "${out}" encodings 0 verdicts 0 region)
equal("declared" "${m} ${beta} ${region}" "1/2 1 m > 0, or m = 0 and beta > 1")
expect(COMMAND check-properties --bias "-m*n" alibi --set expression.m=1/2 --set alibi.m=1/4 --format json OUT "\"m\": \"1/2\"" "\"m\": \"1/4\"")
expect(COMMAND check-properties --bias "-n" --set m=1/2 EXIT 2 ERR "--set m: expression has no parameter 'm'; it has none")

# Without a file, and from standard input.
expect(COMMAND check-properties --bias "-log(n+2) - 2*log(log(n+2))")
line(shown "every-content")
equal("Z converges" "${shown}" "every-content  holds  always")
line(shown "limit")
equal("H diverges" "${shown}" "limit  fails  never")
expect(COMMAND check-properties - INPUT "${SOURCE}/theory/encodings/alibi.toml" OUT "alibi  Attention with linear biases")
expect(COMMAND check-properties - --heads 2 INPUT "${SOURCE}/theory/encodings/alibi.toml" OUT "alibi head 1/2  alibi head 2/2")
expect(COMMAND check-properties --angle "10000^(-2*j/d)*n" --quiet)
line(shown "vector")
equal("rotation" "${shown}" "vector  holds  always")

# Laws that have values at every n and no form as functions of real n: numbers, and verdicts that are undecided.
expect(COMMAND check-properties --bias "-n*(3 + (-1)^n)" --transform none --lengths 64 --epsilon 1/100 --weight 1/2 --dtype bf16 OUT "1.1381959")
expect(COMMAND check-properties --bias "-n + 0^(n + 1)" --gain "1 - 0^(n + 1)" --lengths 64 OUT "local range |b| <= 1")

# Values to compare an implementation against: ALiBi's slopes for 8 heads are 1/2 … 1/256.
expect(COMMAND check-properties alibi --heads 8 --table slopes OUT "1/2" "1/256")
expect(COMMAND check-properties t5 --table buckets OUT "113")
foreach(table slopes buckets)
  expect(COMMAND check-properties fire --table ${table} EXIT 2 ERR "--table ${table}: the bias of fire depends on L; expected one of n alone")
endforeach()
expect(COMMAND check-properties rope --head-dim 8 --table frequencies OUT "0.1" "0.01" "0.001")
