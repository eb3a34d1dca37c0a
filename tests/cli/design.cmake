# design-encoding: answers in closed form, exit codes, the files it writes, and what it refuses.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

# The slope of a local range of 512 is 1/512; the proof is accepted, and the file is an encoding with this property.
expect(COMMAND design-encoding alibi --vary m=1/10000..1 --range "1 >= 512" --maximize m --gap 1e-9 --format json
       --encoding slope.toml --certificate slope.json)
set(json "${out}")
value(found "${json}" outcome)
equal("outcome" "${found}" "found")
value(m "${json}" parameters m)
if(NOT m MATCHES "^0\\.00195312")
  fail("the slope" "${m}")
endif()
value(bound "${json}" objective bound)
if(NOT bound MATCHES "^0\\.00195312")
  fail("the bound" "${bound}")
endif()
# What takes more distances than the verifier adds up has no certificate, which is not an error.
expect(COMMAND design-encoding kerple-log --vary a=1/100..10 --set p=3/2 --content-bound 5 --cache "1e-3 <= 40960000" --reach "1/2 >= 20"
       --minimize entropy --certificate far.json EXIT 3 OUT "proved: no parameters" ERR "no certificate: " NOT "refused")
expect(COMMAND verify-certificate slope.json OUT "proved: alibi, design: " "no point of the box")
expect(COMMAND check-properties slope.toml --format json)
value(range "${out}" encodings 0 local_range within)
equal("the local range" "${range}" "512")
value(set "${out}" encodings 0 parameters m)
if(NOT set MATCHES "^[0-9]+/[0-9]+$")
  fail("the parameter written" "${set}")
endif()

# Any point that meets the requirements, when nothing is to be optimized.
expect(COMMAND design-encoding kerple-log --vary p=2..3 --entropy "<= 4" --certificate any.json OUT "found: p = ")
expect(COMMAND verify-certificate any.json OUT "meets")

# A tail that begins beyond e^200: the verifier sees that it does at the number in the certificate.
expect(COMMAND design-encoding alibi --vary m=0..1 --converges --minimize m --certificate flat.json EXIT 5 OUT "not settled: boxes too small")
expect(COMMAND verify-certificate flat.json OUT "proved: alibi, design: ")

# 3: proved that there is none.
expect(COMMAND design-encoding alibi --vary m=1/10000..1 --entropy "<= 5" --range "1 >= 1000" --certificate none.json
       EXIT 3 OUT "proved: no parameters in these intervals meet the requirements")
expect(COMMAND verify-certificate none.json OUT "no point of the box")

# 5: the time limit, or a family that is not decided. What is proved by then is true.
file(WRITE "${WORK}/two.toml" "schema = 1\nname = \"two\"\n[parameters]\na = { default = \"1\", range = \"1/1000..1\" }\nc = { default = \"1\", range = \"0..5\" }\n[score]\nbias = \"-a*n - c*log(1 + n)\"\n")
expect(COMMAND design-encoding two.toml --reach "1/100 >= 200" --content-bound 3 --minimize entropy --gap 1e-12 --time-limit 0.05 --certificate two.json
       EXIT 5 OUT "not settled: the time limit" "proved: no others")
expect(COMMAND verify-certificate two.json OUT "proved: two, design: ")
expect(COMMAND design-encoding ssmax --vary s=1..2 --content-bound 1 --cache "1e-3 <= 100" EXIT 5 ERR "design-encoding: undecided: ")
file(WRITE "${WORK}/older.json" "of another question")
expect(COMMAND design-encoding fire --vary c=1..2 --entropy "<= 3" --certificate older.json EXIT 5 ERR "undecided: ")
if(EXISTS "${WORK}/older.json")
  fail("older.json is of an earlier question" "it is there")
endif()


# Keys alone: of all weight but a thousandth. A parameter in an exponent, with no known order.
foreach(keys 1.5k k -4k 4kk 4K)
  expect(COMMAND design-encoding alibi --vary m=1/1000..1 --cache ${keys} --minimize m EXIT 2 ERR "design-encoding: --cache")
endforeach()
expect(COMMAND design-encoding alibi --vary m=1/1000..1 --cache 32M --minimize m OUT "cache(1/1000) <= 33554432")
foreach(keys 4096 4k "1/1000 <= 4k")
  expect(COMMAND design-encoding alibi --vary m=1/1000..1 --cache "${keys}" --minimize m OUT "cache(1/1000) <= 4096")
endforeach()
file(WRITE "${WORK}/exponent.toml" "schema = 1\nname = \"exponent\"\n[parameters]\nm = { default = \"1\", range = \"1/100..10\" }\np = { default = \"3/2\", range = \"1..2\" }\n[score]\nbias = \"-m*log(1 + n)^p\"\n")
expect(COMMAND design-encoding exponent.toml --cache 4096 --minimize m EXIT 5 ERR "-m*log(1 + n)^p; p is an exponent: fix it with --set p=3/2\n")

# A content whose bound falls with n, exponents that are free, a parameter in two places, and biases that rise first.
expect(COMMAND design-encoding ape --vary delta=0..1/10 --content-bound 5 --cache "1e-2 <= 400" --minimize delta --certificate ape.json
       OUT "found: delta = 0.0180058")
expect(COMMAND verify-certificate ape.json OUT "proved: ape, design: ")
expect(COMMAND design-encoding kerple-power --vary p=1/4..2 --range "2 >= 50" --maximize p --certificate power.json OUT "found: p = 0.354367")
expect(COMMAND verify-certificate power.json OUT "proved: kerple-power, design: ")
file(WRITE "${WORK}/both.toml" "schema = 1\nname = \"both\"\n[parameters]\nc = { default = \"1\", domain = \"c > 0\", range = \"1/4..4\" }\n[score]\nbias = \"-n/(10*c) - c*sqrt(n)\"\n")
expect(COMMAND design-encoding both.toml --range "25 >= 100" --maximize c --certificate both.json OUT "found: c = " "c acts both ways")
expect(COMMAND verify-certificate both.json OUT "proved: both, design: ")
file(WRITE "${WORK}/bump.toml" "schema = 1\nname = \"bump\"\n[parameters]\nm = { default = \"1/2\", range = \"1/2000..1\" }\n[score]\nbias = \"-m*n + log(1 + n)\"\n")
expect(COMMAND design-encoding bump.toml --cache "1e-3 <= 100" --minimize m OUT "found: m = 0.09187")
expect(COMMAND design-encoding bump.toml --converges --minimize m --certificate bump.json OUT "found: m" ERR "no certificate: ")
expect(COMMAND design-encoding bump.toml --reach "1/2 >= 3" --time-limit 3 EXIT 5 OUT "not settled: the time limit; where biases may rise with n")

# A range or a reach that does not exist is below all numbers; of a gain only the absolute value matters.
file(WRITE "${WORK}/late.toml" "schema = 1\nname = \"late\"\n[parameters]\nm = { default = \"1\", range = \"1/1000..1\" }\n[score]\nfirst = 5\nbias = \"-m*n\"\n")
foreach(requirement IN ITEMS "--range;1/1000" "--reach;99/100")
  list(GET requirement 0 option)
  list(GET requirement 1 at)
  expect(COMMAND design-encoding late.toml ${option} "${at} >= 3" --certificate late.json EXIT 3 OUT "proved: no parameters")
  expect(COMMAND verify-certificate late.json OUT "no point of the box")
  expect(COMMAND design-encoding late.toml ${option} "${at} <= 3" --certificate late.json OUT "none: it does not exist")
  expect(COMMAND verify-certificate late.json OUT "meets")
endforeach()
expect(COMMAND design-encoding alibi --vary m=1/100..1 --maximize reach=9/10 --format json)
value(found "${out}" objective found)
value(bound "${out}" objective bound)
equal("a reach that does not exist" "${found} ${bound}" "none none")
file(WRITE "${WORK}/negative.toml" "schema = 1\nname = \"negative\"\n[parameters]\nm = { default = \"1\", domain = \"m > 0\", range = \"1/1000..1\" }\n[score]\nbias = \"-m*n\"\ngain = \"-1/(1+n/100)\"\n")
expect(COMMAND design-encoding negative.toml --content-bound 3 --cache "1/100 <= 200" --minimize m --gap 1e-4 --certificate negative.json OUT "found: m = 0.0396")
expect(COMMAND verify-certificate negative.json OUT "proved: negative, design: ")

set(program design-encoding)
refused("no free parameter" alibi --entropy "<= 3")
refused("nothing is required" alibi --vary m=0..1)
refused("has no parameter 'n'" alibi --vary n=0..1 --entropy "<= 3")
refused("expected LOW < HIGH" alibi --vary m=1..1/2 --entropy "<= 3")
refused("expected '<= NATS' or '>= NATS'" alibi --vary m=0..1 --entropy "= 3")
refused("expected 'C1 >= TOKENS'" alibi --vary m=0..1 --range ">= 3")
refused("is not between 0 and 1" alibi --vary m=0..1 --cache "2 <= 3")
refused("is not a whole number" alibi --vary m=0..1 --reach "1/2 >= 1/3")
refused("is not a free parameter" alibi --vary m=0..1 --minimize slope)
refused("it is free" alibi --vary m=0..1 --set m=1 --minimize m)
refused("is negative" alibi --vary m=0..1 --content-bound -1 --minimize m)
refused("is not between 1e-12 and 1" alibi --vary m=0..1 --gap 0 --minimize m)
refused("there is no whole number" sliding-window --vary W=1/3..1/2 --minimize W)
refused("design-encoding: alibi: parameter 'm' = -1 is outside its domain" alibi --vary m=-1..1 --minimize m)
refused("--vary k: alibi has no parameter 'k'; it has: m" alibi --vary k=0..1 --minimize m)
refused("1e30 is not a length; expected a whole number L from 0 to 2^63 - 1" alibi --vary m=0..1 --entropy-at "1e30 <= 3")
refused("'model.json': expected an encoding; check-properties --show-encoding writes those of a config.json" model.json --minimize m)
file(WRITE "${WORK}/one.txt" "old")
file(CREATE_LINK one.txt "${WORK}/link.txt" SYMBOLIC)
foreach(pair --certificate:one.txt --certificate:./one.txt --certificate:link.txt --output:${WORK}/one.txt)
  string(REPLACE ":" ";" pair "${pair}")
  list(GET pair 0 option)
  refused("--encoding and ${option}: both are one.txt; expected two files" alibi --vary m=1/10..1 --minimize m --encoding one.txt ${pair})
endforeach()
file(READ "${WORK}/one.txt" kept)
equal("one.txt" "${kept}" "old")
expect(COMMAND design-encoding alibi --vary m=1/10..1 --minimize m --encoding /dev/null --certificate /dev/null OUT "found")
file(WRITE "${WORK}/undefined.toml" "schema = 1\nname = \"u\"\n[parameters]\nm = { default = 1, domain = \"m > 0\" }\n[score]\nbias = \"-m*n - log(n)\"\n")
refused("undefined.toml: bias is undefined at n = 0: log(n) is the logarithm of zero" undefined.toml --vary m=1..2 --minimize m --converges)
refused("expected without --maximize" alibi --vary m=0..1 --minimize m --maximize m)
file(WRITE "${WORK}/range.toml" "schema = 1\nname = \"range\"\n[parameters]\na = { default = \"1\", range = \"1..0\" }\n[score]\nbias = \"-a*n\"\n")
expect(COMMAND design-encoding range.toml --minimize a EXIT 2 ERR "expected \"LOW..HIGH\" with LOW < HIGH" "range.toml:4:30")

# An undecided family is JSON too; values of parameters may be fractions.
expect(COMMAND design-encoding fire --vary c=1/3..1 --entropy ">= 2" --format json EXIT 5
       OUT "\"outcome\": \"undecided\"" "\"reason\": \"laws that depend on L" "\"1/3\"" ERR "undecided: laws that depend on L")
expect(COMMAND design-encoding alibi --vary m=1/3..1 --minimize m --converges --format json OUT "\"m\": \"1/3\"" "\"found\": \"3.527726473\"")
# The bias is read as a sum of terms; a gain that falls; a factor that is 0 at first.
file(WRITE "${WORK}/shift.toml" "schema = 1\nname = \"shift\"\n[parameters]\nm = { default = \"1\", domain = \"m > 0\" }\n[score]\nbias = \"-m*(n - 4)\"\ngain = \"exp(-n/20)\"\n")
expect(COMMAND design-encoding shift.toml --vary m=1/100..1 --content-bound 2 --cache "1e-3 <= 400" --minimize m --certificate shift.json
       OUT "found: m = 0.01828712" ERR "no certificate: the bias is read as 4*m - m*n; with this formula in the file there is one")
file(WRITE "${WORK}/hinge.toml" "schema = 1\nname = \"hinge\"\n[parameters]\nm = { default = \"1\", domain = \"m > 0\" }\n[score]\nbias = \"-m*max(0, n - 4)\"\n")
expect(COMMAND design-encoding hinge.toml --vary m=1/100..1 --content-bound 2 --cache "1e-3 <= 400" --minimize m OUT "found: m = 0.02728415")
