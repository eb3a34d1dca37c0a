# --set and --symbolic: exact values, regions, and what they refuse.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

# region(RESULT property reading): the region in the report `out`
function(region result property reading)
  string(JSON count LENGTH "${out}" encodings 0 verdicts)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    value(p "${out}" encodings 0 verdicts ${i} property)
    value(r "${out}" encodings 0 verdicts ${i} reading)
    if(p STREQUAL property AND r STREQUAL reading)
      value(text "${out}" encodings 0 verdicts ${i} region)
      value(verdict "${out}" encodings 0 verdicts ${i} verdict)
      set(${result} "${verdict}: ${text}" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Exact, in every notation; an expression of the head.
foreach(notation 1/2 0.5 5e-1 2^-1 "1 - 1/2" "h/(2*heads)")
  expect(COMMAND check-properties alibi --set "m=${notation}" --format json)
  value(m "${out}" encodings 0 parameters m)
  equal("m=${notation}" "${m}" "1/2")
endforeach()
file(WRITE "${WORK}/two.toml" "schema = 1\nname = \"two\"\n[parameters]\nm = { default = \"1\" }\ns = { default = \"1\" }\n[score]\nbias = \"-m*s*n\"\n")
# Once: programs differed in which of two counts.
foreach(run "check-properties;alibi" "entropy-frontier;alibi" "compare-encodings;alibi;nope" "design-encoding;two.toml;--vary;s=1/10..1;--minimize;s" "asymptotics;m*n")
  list(POP_FRONT run program)
  refused("--set m: set twice" ${run} --set m=1/3 --set m=1/7)
endforeach()
set(program check-properties)
refused("--set m=0..1: a range; expected one value" alibi --set m=0..1)
refused("--set m: set twice" alibi --set m=1/3 --set alibi.m=1/7)
expect(COMMAND check-properties rope ape --set rope.base=10 --set ape.base=11 --format json OUT "\"base\": \"10\"" "\"base\": \"11\"")

# One of several encodings by its name; a plain name goes to those that have the parameter.
expect(COMMAND check-properties rope ape --set rope.base=500000 --format json)
value(rope "${out}" encodings 0 parameters base)
value(ape "${out}" encodings 1 parameters base)
equal("one of two" "${rope} ${ape}" "500000 10000")
expect(COMMAND check-properties rope alibi --set m=1/2 --format json)
value(m "${out}" encodings 1 parameters m)
equal("the one that has it" "${m}" "1/2")

# Outside [0, m] there is no ALiBi; at 0 it is not a positional encoding any more.
expect(COMMAND check-properties alibi --set m=0 --require cn EXIT 3 OUT "fails" ERR "alibi: convergent-normalization")
expect(COMMAND check-properties alibi --set m=-1 EXIT 2 ERR "parameter 'm' = -1 is outside its domain; expected m >= 0")
expect(COMMAND check-properties alibi --set k=1 EXIT 2 ERR "no parameter 'k'")
expect(COMMAND check-properties rope alibi --set k=1 EXIT 2 ERR "k")
expect(COMMAND check-properties alibi --set m EXIT 2 ERR "expected NAME=VALUE")
expect(COMMAND check-properties alibi --set m= EXIT 2 ERR "found the end where a number")
expect(COMMAND check-properties alibi --set m=1/0 EXIT 2 ERR "division by zero")
expect(COMMAND check-properties alibi --set m=0.5f EXIT 2 ERR "--set m:1:4: found 'f'")

# Regions: over all parameters when nothing is said; over those named; over B.
expect(COMMAND check-properties alibi --format json)
region(found convergent-normalization every-content)
equal("all free" "${found}" "holds: m > 0")
expect(COMMAND check-properties alibi --symbolic m --format json)
region(found convergent-normalization every-content)
equal("m free" "${found}" "depends: m > 0")
region(found gps vector)
equal("never" "${found}" "fails: never")
file(WRITE "${WORK}/log.toml" "
schema = 1
name = \"log\"
[parameters]
beta = { default = \"3\", domain = \"beta >= 0\" }
[score]
gain = \"log(1+n)\"
bias = \"-beta*log(1+n)\"
")
# f = log(1+n), b = -beta log(1+n): every content iff beta > 1 + B, some content iff beta > 1 - B.
expect(COMMAND check-properties log.toml --symbolic beta,B --format json)
region(found convergent-normalization every-content)
equal("B free" "${found}" "depends: beta > 1 + B")
region(found convergent-normalization some-content)
equal("some content" "${found}" "depends: beta > 1 - B")
expect(COMMAND check-properties log.toml --content-bound 1,3 OUT "holds at B = 1, fails at B = 3")
expect(COMMAND check-properties alibi --symbolic q EXIT 2 ERR "--symbolic: no encoding has a parameter 'q'; there are B, m")
expect(COMMAND check-properties --bias "-beta*log(1 + n) - m*n" --symbolic "beta, m" --quiet OUT "when m > 0, or m = 0 and beta > 1")

# ENCODING.NAME is an encoding's name, or what was given for it; whatever means nothing is refused, with the nearest name.
file(WRITE "${WORK}/mine.toml" "schema = 1\nname = \"mine\"\ntitle = \"Mine\"\n[parameters]\nbeta = { default = \"3\", domain = \"beta >= 0\", doc = \"b\" }\n[score]\nbias = \"-beta*n\"\n")
foreach(prefix mine mine.toml)
  expect(COMMAND check-properties mine.toml alibi --set ${prefix}.beta=2 --quiet --format json OUT "\"beta\": \"2\"")
  expect(COMMAND entropy-frontier mine.toml alibi --set ${prefix}.beta=2 --format csv OUT "\nmine,,0.458449,")
  expect(COMMAND compare-encodings mine.toml alibi --set ${prefix}.beta=2 OUT "mine: beta = 2")
endforeach()
foreach(program check-properties entropy-frontier compare-encodings)
  refused("--set min.beta: no encoding given is called 'min'; did you mean 'mine'?" mine.toml alibi --set min.beta=2)
  refused("--set mine.beat: mine has no parameter 'beat'; did you mean 'beta'?" mine.toml alibi --set mine.beat=2)
  refused("--set beat: no encoding given has a parameter 'beat'; did you mean 'beta'?" mine.toml alibi --set beat=2)
  refused("--set alibi.beta: alibi has no parameter 'beta'; it has: m" mine.toml alibi --set alibi.beta=2)
endforeach()
set(program check-properties)
refused("--set h: alibi has no parameter 'h'; it has: m" alibi --heads 8 --set h=2)
refused("--set base: no encoding given has a parameter 'base'" alibi nope --set base=2)
refused("--first: an encoding has its own; expected --bias, --gain or --transform beside it" alibi --first 2)
set(program design-encoding)
refused("--set other.m: no encoding given is called 'other'" alibi --vary m=0..1 --set other.m=1 --minimize m)
set(program entropy-frontier)
refused("--vary m: it is set or varied already" alibi --set m=1 --vary m=1/10..1)
refused("--vary m: it is set or varied already" alibi --vary m=2..3 --vary m=1/10..1)
expect(COMMAND asymptotics "n*m" --set q=2 --set m=1 EXIT 2 ERR "--set q: the expression has no 'q'")
expect(COMMAND asymptotics "n*m" --set a.m=1 EXIT 2 ERR "--set a.m=1: expected NAME=VALUE")
# n is not to be set, and there is no head: "n" at n = 2 tended to infinity, and a*n with a = h was undecided.
set(program asymptotics)
refused("--set n: n is what tends to infinity; expected another name" "n" --set n=2)
refused("--set a:1:1: unknown name 'h'; known here: pi" "a*n" --set a=h)
