# check-properties --certificates and verify-certificate: files, names in the report, claims, exit codes.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

expect(COMMAND check-properties alibi --set m=1/2 --certificates out --format json --quiet OUT
       "\"certificate\": \"alibi.cn.every-content.json\"" "\"certificate\": \"alibi.gps.vector.json\"")
expect(COMMAND verify-certificate out/alibi.cn.every-content.json
       OUT "proved: alibi, cn every-content, |c| <= 1: holds for m > 0\n1 of 1 proved\n" NOT "law")
expect(COMMAND verify-certificate --verbose out/alibi.cn.every-content.json
       OUT "out/alibi.cn.every-content.json: proved: alibi, cn every-content, |c| <= 1: holds for m > 0; claim: {" "; proof: {" "; law: {")
expect(COMMAND verify-certificate --budget 0.001 out/alibi.cn.every-content.json OUT "proved: alibi")
expect(COMMAND verify-certificate --budget 0 out/alibi.cn.every-content.json EXIT 2 ERR "--budget: expected 0.001 to 1000000")
expect(COMMAND verify-certificate --spec "${SOURCE}/theory/encodings/alibi.toml" out/alibi.cn.every-content.json
       OUT "m = 1/2 where the file has")
expect(COMMAND verify-certificate --spec alibi out/alibi.cn.every-content.json EXIT 2 ERR "alibi: not a file; expected an encoding's .toml (gpe verify also takes a built-in name)")
expect(COMMAND verify-certificate --spec "${SOURCE}/theory/encodings/ape.toml" out/alibi.cn.every-content.json EXIT 4
       OUT "not valid: name is")

# The reverse of what it proves, and what is not a certificate.
file(READ "${WORK}/out/alibi.cn.every-content.json" text)
string(REPLACE "\"region\": \"m > 0\"" "\"region\": \"always\"" text "${text}")
file(WRITE "${WORK}/out/wrong.json" "${text}")
expect(COMMAND verify-certificate out/wrong.json EXIT 4 OUT "out/wrong.json: not valid: ")
file(WRITE "${WORK}/out/empty.json" "{}")
expect(COMMAND verify-certificate out/empty.json out/alibi.gps.norm.json EXIT 4 OUT "empty.json: not valid: " "proved: alibi, gps norm: " "1 of 2 proved")
expect(COMMAND verify-certificate out/absent.json EXIT 2 ERR "out/absent.json: cannot be read: No such file")
expect(COMMAND verify-certificate out EXIT 4 OUT "out/empty.json: not valid: " "out/wrong.json: not valid: " "proved: alibi, gps norm: " " of 17 proved")
file(MAKE_DIRECTORY "${WORK}/none")
expect(COMMAND verify-certificate none EXIT 2 ERR "none: a folder without certificates")
# What takes more than its budget says which limit that is, and how to raise it.
file(READ "${WORK}/out/alibi.cn.every-content.json" text)
string(REPLACE "\"-m*n\"" "\"-m*n + sum(a, 1, 20000, sum(b, 1, 20000, 1))\"" text "${text}")
file(WRITE "${WORK}/long.json" "${text}")
expect(COMMAND verify-certificate --budget 0.1 long.json EXIT 4 OUT "long.json: not valid: checking it takes more than 10000000 steps; --budget 1 allows more" "0 of 1 proved")
expect(COMMAND verify-certificate EXIT 2 ERR "expected the files of certificates")
expect(COMMAND verify-certificate --foo EXIT 2 ERR "'--foo' is not known")

# Where p = 0 there is no score: what the verifier would not follow is undecided.
file(WRITE "${WORK}/zeroth.toml" "schema = 1\nname = \"zeroth\"\n[parameters]\np = { default = 1, domain = \"p >= 0\" }\n[score]\nbias = \"-n^p\"\n")
expect(COMMAND check-properties zeroth.toml --certificates zeroth --symbolic p --content-bound 1 --quiet
       ERR "zeroth.cn.every-content" ": undecided" NOT "error")
# The verifier has the last word: what it does not follow is not written, which is not an error.
foreach(waves "cos(7*n)" "cos(n)^2" "sin(n)*sin(sqrt(2)*n)")
  expect(COMMAND check-properties --bias ${waves} --transform none --certificates waves --quiet
         ERR "ldcp.literal" ": holds; verify-certificate does not follow: waves whose values are not known" NOT "error")
endforeach()
expect(COMMAND check-properties --bias "floor(cos(n)/3)" --certificates last --quiet ERR "expression.ldcp.signed" ": fails; verify-certificate does not follow: ")
file(GLOB certificates RELATIVE "${WORK}" "${WORK}/last/*.json")
expect(COMMAND verify-certificate ${certificates} OUT "proved: ")
# In residue classes, and floors of waves.
foreach(law "sinks|fails|-(n - 2*floor(n/2))*n - (1 - n + 2*floor(n/2))*log(2 + n)" "stays|holds|(1 + cos(pi*n))/(2 + n) - (1 - cos(pi*n))*n"
        "waves|holds|floor(2*cos(n))")
  string(REPLACE "|" ";" law "${law}")
  list(GET law 0 folder)
  list(GET law 1 verdict)
  list(GET law 2 bias)
  expect(COMMAND check-properties --bias "${bias}" --transform none --certificates ${folder} --quiet ERR "no certificate for expression.")
  expect(COMMAND verify-certificate ${folder}/expression.ldcp.weight.json OUT "proved: expression, ldcp weight: ${verdict}")
endforeach()
# A gain with conditions takes a new value each time; that (1 + n)/(1 + n) is 1 is not seen.
file(WRITE "${WORK}/steps.toml" "schema = 1\nname = \"steps\"\n[score]\nbias = \"0\"\ngain = \"if(n < 4, 2, 1)\"\ntransform = \"hyperbolic\"\n"
     "[score.hyperbolic]\nrate = \"0\"\ndecay = \"0\"\n")
expect(COMMAND check-properties steps.toml --certificates steps --quiet)
expect(COMMAND verify-certificate steps/steps.gps.scalar.json OUT "proved: ")
file(WRITE "${WORK}/level.toml" "schema = 1\nname = \"level\"\n[score]\nbias = \"0\"\ngain = \"1/(1 + n)\"\ntransform = \"scaled-rotation\"\n"
     "[score.rotation]\nangle = \"0\"\nscale = \"1 + n\"\n")
expect(COMMAND check-properties level.toml --certificates level --quiet
       ERR "level.gps.norm" ": fails; verify-certificate does not follow: f(n) W(n) is not seen to be constant")
# A law that mentions L as it is written has no certificate of numbers.
file(WRITE "${WORK}/silent.toml" "schema = 1\nname = \"silent\"\n[parameters]\ns = { default = \"0\" }\n[score]\nbias = \"-s*log(1 + L)\"\nsoftcap = \"50\"\n")
expect(COMMAND check-properties silent.toml --certificates silent --quiet ERR "no certificate for silent.")
# Where free parameters may let a window have no key, it is a law only for some of them: no error.
file(WRITE "${WORK}/closed.toml" "schema = 1\nname = \"closed\"\n[parameters]\nW = { default = \"3\", domain = \"W >= 0\" }\n[score]\nbias = \"-n\"\nwindow = \"W\"\n")
expect(COMMAND check-properties closed.toml --certificates closed --quiet
       ERR "values of the parameters only: closed.cn.every-content.B1, " ": holds; verify-certificate does not follow: the window may have no key")
# At W >= 1 the slope m - W m is not positive: a product of two parameters.
file(WRITE "${WORK}/product.toml" "schema = 1\nname = \"product\"\n[parameters]\nm = { default = \"1\", domain = \"0 <= m <= 3\" }\n"
     "W = { default = \"8\", domain = \"W >= 1\" }\n[score]\nbias = \"-m*n*L/(1 + L)\"\nwindow = \"W\"\n")
expect(COMMAND check-properties product.toml --symbolic m,W --content-bound 1 --certificates product --quiet ERR "no certificate for product." NOT "error")
expect(COMMAND verify-certificate product/product.cn.some-content.json product/product.eb.some-content.json OUT "2 of 2 proved")
# A parameter in the exponent of a logarithm is not followed: the certificate is about its value.
file(WRITE "${WORK}/exponent.toml" "schema = 1\nname = \"exponent\"\n[parameters]\np = { default = \"2\", domain = \"p > 0\" }\n[score]\nbias = \"-log(1 + n)^p\"\n")
expect(COMMAND check-properties exponent.toml --content-bound 1 --certificates exponent OUT "when p > 1"
       ERR "certificates for the values of the parameters only: exponent.cn.every-content, " ": holds; verify-certificate does not follow: an inequality of the proof\n"
           "check-properties: certificates: 15 of 15 written\n" NOT "$")
expect(COMMAND verify-certificate --spec exponent.toml exponent/exponent.eb.limit.json OUT "holds")
# 0 is a root of itself, which had no end; and a power of what may be 0 is not followed.
expect(COMMAND verify-certificate "${SOURCE}/tests/fuzz/corpus/certificate/zero_is_a_root_of_itself.json" OUT "proved: law-5630, eb uniform, ")
file(WRITE "${WORK}/fast.toml" "schema = 1\nname = \"fast\"\n[parameters]\na = { default = \"2\", domain = \"a > 0\" }\n[score]\nbias = \"1/(a^(-n))\"\n")
expect(COMMAND check-properties fast.toml --certificates fast --time-limit 0.03 --quiet ERR "verify-certificate does not follow: ")
# What was open when the region was found, for want of time, is not decided later for the certificate alone.
file(WRITE "${WORK}/hurried.toml" "schema = 1\nname = \"hurried\"\n[parameters]\na = { default = \"2\", domain = \"a > 0\" }\n[score]\n"
     "bias = \"-log(2 + L)*min(n, 1)\"\nwindow = \"100\"\nsoftcap = \"a\"\n")
expect(COMMAND check-properties hurried.toml --time-limit 0.001 --certificates hurried --quiet ERR "no certificate for hurried.")
# Of two forms whose order is open, the larger ends.
expect(COMMAND check-properties --bias "-1" --gain "(2^(-n))*log(2 + n)" --certificates larger --quiet)
expect(COMMAND verify-certificate larger/expression.numbers.json OUT "proved: ")

# With --spec: designs are of one side and their reach is without a sink, as numbers; tables may stand in the file itself.
file(WRITE "${WORK}/side.toml" "schema = 1\nname = \"side\"\n[parameters]\nm = { default = \"1/2\", domain = \"m > 0\" }\n[score]\nbias = \"-m*n\"\n")
file(READ "${WORK}/side.toml" side)
file(WRITE "${WORK}/sides.toml" "${side}sided = \"two\"\n")
file(WRITE "${WORK}/sink.toml" "${side}sink = \"9\"\n")
expect(COMMAND design-encoding side.toml --vary m=1/100..1 --content-bound 2 --reach "1/2 >= 2" --certificate reach.json OUT "found: ")
expect(COMMAND design-encoding side.toml --vary m=1/2..1 --entropy "<= 3" --certificate entropy.json OUT "found: ")
expect(COMMAND verify-certificate --spec side.toml reach.json entropy.json OUT "2 of 2 proved")
expect(COMMAND verify-certificate --spec sink.toml reach.json entropy.json EXIT 4 OUT "reach.json: not valid: " "1 of 2 proved")
expect(COMMAND verify-certificate --spec sides.toml reach.json entropy.json EXIT 4 OUT "reach.json: not valid: " "entropy.json: not valid: ")
foreach(last 4 5)
  file(WRITE "${WORK}/inline${last}.toml" "schema = 1\nname = \"inline\"\n[tables]\nt = { values = [0, \"-1/2\", \"-${last}/5\"], index = \"k\", beyond = \"constant\" }\n"
       "[score]\nbias = \"t(min(n, 2)) - n\"\n")
endforeach()
expect(COMMAND check-properties inline4.toml --certificates inline --content-bound 1 --quiet OUT "inline")
expect(COMMAND verify-certificate --spec inline4.toml inline/inline.cn.every-content.json OUT "proved: ")
expect(COMMAND verify-certificate --spec inline5.toml inline/inline.cn.every-content.json EXIT 4 OUT "table t has other values")

# One file per head.
expect(COMMAND check-properties alibi --heads 2 --certificates heads --format json --quiet OUT "alibi.h2.cn.every-content.json")

# Free parameters: the region, with a point on either side.
expect(COMMAND check-properties ape --set gamma=0 --symbolic delta,beta --certificates free --format json --quiet OUT "\"verdict\": \"depends\"")
file(GLOB certificates RELATIVE "${WORK}" "${WORK}/free/*.json")
expect(COMMAND verify-certificate ${certificates} OUT "ldcp literal: depends; holds for ")
expect(COMMAND check-properties --gain "log(1 + n)" --bias "-2*log(1 + n)" --symbolic B --certificates bound --format json --quiet
       OUT "\"region\": \"B < 1\"")
expect(COMMAND verify-certificate bound/expression.cn.every-content.json OUT "depends; holds for B < 1")

# A certificate does not depend on those before it: what was shown for one is shown for another once more.
file(WRITE "${WORK}/order.toml" "schema = 1\nname = \"order\"\n[parameters]\na = { default = \"1\", domain = \"a > 0 and a <= 2\" }\n"
     "[score]\nbias = \"-a*log(2+n)*(1+1/(L+2))\"\nwindow = \"2\"\nsoftcap = \"1/2\"\nfirst = 1\n")
expect(COMMAND check-properties order.toml --symbolic a --content-bound 1 --certificates order --quiet ERR "no certificate for order." NOT "error")
foreach(reading every-content some-content)
  list(APPEND orders order/order.cn.${reading}.json)
endforeach()
expect(COMMAND verify-certificate ${orders} ${orders} OUT "4 of 4 proved" NOT "not valid")
# A table that hides a function: the law is outside of what the verifier reads, which is not an error.
file(WRITE "${WORK}/hidden.csv" "n,value\n0,1\n1,1/2\n2,0\n")
file(WRITE "${WORK}/hidden.toml" "schema = 1\nname = \"hidden\"\n[tables]\nerfc = { file = \"hidden.csv\", index = \"n\", beyond = \"constant\" }\n"
     "[score]\nbias = \"-n - erfc(n)\"\n")
expect(COMMAND check-properties hidden.toml --certificates hidden --quiet
       ERR "verify-certificate does not follow: a table has the name of a function: erfc" NOT "error")
# What has no certificate now keeps none of an earlier law of this name.
file(WRITE "${WORK}/same.toml" "schema = 1\nname = \"same\"\n[score]\nbias = \"-n\"\n")
expect(COMMAND check-properties same.toml --content-bound 1 --certificates same --coq same --quiet)
file(WRITE "${WORK}/same.toml" "schema = 1\nname = \"same\"\n[score]\ntransform = \"none\"\n"
     "bias = \"(3/4 + 3/4*log(1 + n))*sin(n) - 3/2*log(1 + n)\"\n")
expect(COMMAND check-properties same.toml --content-bound 1 --certificates same --coq same --quiet ERR "same.cn.every-content" ": undecided")
foreach(file same.cn.every-content.json same.numbers.json same__cn__every_content.v)
  if(EXISTS "${WORK}/same/${file}")
    fail("${file} is of the earlier law" "it is there")
  endif()
endforeach()
# In Coq 1/0 and log(-1) are numbers: a law that may have no value for some parameters has no theorem.
foreach(bias "-n - 1/(a + n)" "-n - log(1 + n + a)" "-a*n")
  file(WRITE "${WORK}/open.toml" "schema = 1\nname = \"open\"\n[parameters.a]\ndefault = 1\n[score]\nbias = \"${bias}\"\n")
  file(REMOVE_RECURSE "${WORK}/open")
  set(told ERR "open.cn.every-content: not exported: the score is not seen to have a value everywhere")
  if(bias STREQUAL "-a*n")
    set(told ERR "open.eb.uniform: not exported: rule last-tokens" NOT "to have a value everywhere")
  endif()
  expect(COMMAND check-properties open.toml --coq open --quiet OUT "verdict" ${told})
  file(GLOB files "${WORK}/open/open__cn__every_content.v")
  list(LENGTH files count)
  string(COMPARE EQUAL "${bias}" "-a*n" expected)
  equal("files of ${bias}" "${count}" "${expected}")
endforeach()
# Coq's tactics add no roots up: what they would refuse is not written.
foreach(bias "-n + (sqrt(2)*sqrt(3) - sqrt(6))*n^2" "-(sqrt(2) - 1)*n" "-log(3)*log(1 + n)/log(2)")
  expect(COMMAND check-properties --bias "${bias}" --coq tactics --quiet OUT "verdict"
         ERR "expression.cn.every-content: not exported: the sign of " ", which Coq's tactics do not find")
endforeach()

file(WRITE "${WORK}/still.toml" "schema = 1\nname = \"still\"\n[score]\ntransform = \"rotation\"\n[score.rotation]\nangle = \"(sqrt(2)*sqrt(3) - sqrt(6))*n\"\n")
expect(COMMAND check-properties still.toml --coq tactics --quiet OUT "verdict"
       ERR "still.gps.vector: not exported: an angle that is constant by algebra, which Coq's tactics do not see")

# The certificate of a head has the window of that head, whichever program writes it.
file(WRITE "${WORK}/heads.toml" "schema = 1\nname = \"heads\"\n[parameters]\nm = { default = \"1/8\", domain = \"m > 0\" }\n"
     "[score]\nbias = \"-m*n\"\nwindow = \"if(h >= 5, 256, none)\"\n")
expect(COMMAND audit-claims --claim "eb(heads)" heads.toml --certificates claimed OUT "1 confirmed")
expect(COMMAND verify-certificate --spec heads.toml claimed/claim.1.json OUT "proved")
expect(COMMAND check-properties heads.toml --heads 8 --head 6 --content-bound 1 --certificates sixth --quiet OUT "verdict")
expect(COMMAND verify-certificate --spec heads.toml sixth OUT "15 of 15 proved")
foreach(window "if(h >= 7, 256, none)" "if(h >= 5, 255, none)" "if(m >= 1, none, 256)" "none")
  file(READ "${WORK}/heads.toml" text)
  string(REPLACE "if(h >= 5, 256, none)" "${window}" text "${text}")
  file(WRITE "${WORK}/other.toml" "${text}")
  expect(COMMAND verify-certificate --spec other.toml sixth EXIT 4 OUT "window is " NOT "15 of 15")
endforeach()
expect(COMMAND design-encoding heads.toml --vary m=1/100..1 --cache 50 --minimize m --certificate designed.json OUT "m = ")
expect(COMMAND verify-certificate designed.json OUT "proved")
# Numbered files of an earlier run are removed too.
foreach(folder one two)
  file(WRITE "${WORK}/${folder}/twin.toml" "schema = 1\nname = \"twin\"\n[score]\nbias = \"-n\"\n")
endforeach()
expect(COMMAND check-properties one/twin.toml two/twin.toml --content-bound 1 --certificates twins --quiet)
file(GLOB all "${WORK}/twins/*.json")
list(LENGTH all both)
expect(COMMAND check-properties one/twin.toml --content-bound 1 --certificates twins --quiet)
file(GLOB all "${WORK}/twins/*.json")
list(LENGTH all one)
math(EXPR twice "2*${one}")
equal("files of two encodings, then of one" "${both}" "${twice}")
# The time of a report includes its certificates: those for which none is left are not written, with the reason.
expect(COMMAND check-properties fire --certificates short --total-limit 1 --quiet OUT "verdict" ERR "fails; the time limit")

# The line of a claim says for which parameters it is proved: in their domains, at values, and what is undecided.
expect(COMMAND check-properties ape --content-bound 1 --certificates lines --quiet OUT "verdict")
file(READ "${WORK}/lines/ape.cn.every-content.json" certificate)
expect(COMMAND verify-certificate lines/ape.eb.uniform.json OUT "proved: ape, eb uniform, |c| <= 1: holds for delta > 0, or " NOT "domains")
file(WRITE "${WORK}/narrow.toml" "schema = 1\nname = \"narrow\"\n[parameters]\nm = { default = \"2\", domain = \"m > 1\" }\n[score]\nbias = \"-m*n\"\n")
expect(COMMAND check-properties narrow.toml --content-bound 1 --certificates lines --quiet OUT "verdict")
expect(COMMAND verify-certificate lines/narrow.cn.every-content.json OUT "holds for all m in the domains\n1 of 1")
set(proof [==[{"rule": "sum-converges", "score": "above", "k": 0, "C": "10", "eta": "1", "threshold": {"depth": 1, "ell": "10", "from": "22027"}}]==])
string(JSON certificate SET "${certificate}" proof "${proof}")
string(JSON open SET "${certificate}" cases [==[{"verdict": "undecided", "proof": null}]==])
string(JSON open SET "${open}" claim region "\"never; undecided: delta >= 0\"")
file(WRITE "${WORK}/open.json" "${open}")
string(JSON fixed SET "${certificate}" cases null)
string(JSON fixed SET "${fixed}" free "[]")
string(JSON fixed SET "${fixed}" claim region "\"always\"")
file(WRITE "${WORK}/fixed.json" "${fixed}")
expect(COMMAND verify-certificate open.json fixed.json OUT "holds at the values of the parameters; undecided for delta >= 0\n"
       "holds; at base = 10000, alpha0 = 1, lambda = 1/100, delta = 1/48, beta = 1/10, gamma = 1/10\n2 of 2 proved")
string(JSON wrong SET "${fixed}" proof eta "\"-1\"")
file(WRITE "${WORK}/list.json" "{\"schema\": 1, \"kind\": \"list\", \"certificates\": [${fixed}, ${fixed}, ${wrong}]}")
expect(COMMAND verify-certificate list.json fixed.json EXIT 4 OUT "certificate 3: " "1 of 4 proved")
# The time that is left is the verifier's, too: this law's numbers take it seconds.
file(WRITE "${WORK}/long.toml" "schema = 1\nname = \"long\"\n[score]\nwindow = \"90000\"\n"
     "bias = \"-n/1000 - log(1+n)/10 - sqrt(n)/100 - log(2+n)/50 - sqrt(n+3)/70\"\n")
expect(COMMAND check-properties long.toml --certificates long --total-limit 1 --quiet OUT "verdict" ERR "no certificate for long.numbers: ")
