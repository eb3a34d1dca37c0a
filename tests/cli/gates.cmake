# Gates along the path: reports for every gate and for some, certificates, and who refuses the key.
include("${CMAKE_CURRENT_LIST_DIR}/quantifiers.cmake")

file(WRITE "${WORK}/gates.toml" "schema = 1\nname = \"gates\"\n[parameters]\nhi = { default = -1 }\n[score]\n[score.path]\nlow = \"hi - 1\"\nhigh = \"hi\"\nopen = \"low\"\n")
set(check check-properties gates.toml --content-bound 1)
expect(COMMAND ${check} OUT "S_n, S_n = g_1 + ... + g_n, hi - 1 < g <= hi" "numbers are those of the constant gate -1" "uniform, every gate" "numbers are those")
quantifiers(gates gate gates "hi - 1 < g <= hi" "the constant gate" open "open = \"low\"" "open = \"high\"" low)

# Gates at random: one more row of cn and eb, with certificates where the region is always or never, and an encoding beside that says nothing of them
file(READ "${WORK}/gates.toml" text)
file(WRITE "${WORK}/random.toml" "${text}mean = \"hi - 1/2\"\nmean_exp = \"exp(hi)*2/3\"\n")
set(check check-properties random.toml --content-bound 1)
expect(COMMAND ${check} --quiet OUT "uniform, random gates          holds  when hi != 1/2")
expect(COMMAND ${check} --explain cn=expected OUT "E Z < inf for q, k uniform on spheres, |q||k|/sqrt(d) = B, and gates" "log E e^g")
expect(COMMAND ${check} others.toml alibi --quiet OUT "limit, random gates            holds  -      holds")
expect(COMMAND ${check} --set hi=1/4 --require cn=some-content --quiet EXIT 3 OUT "verdict" ERR "fails: decided by the constant gate")
expect(COMMAND ${check} --format json)
value(gates "${out}" encodings 0 gates)
equal("gates" "${gates}" "hi - 1 < g <= hi, E g = hi - 1/2, E e^g = exp(hi)*2/3")
string(JSON count LENGTH "${out}" encodings 0 verdicts)
equal("verdicts" "${count}" "30")
value(third "${out}" encodings 0 verdicts 2 gates)
equal("quantifier" "${third}" "random")
expect(COMMAND ${check} --certificates random --quiet OUT "verdict" ERR "gates.cn.every-content.random-gate" ": holds")
file(GLOB theirs "${WORK}/random/*.json")
expect(COMMAND verify-certificate --spec random.toml ${theirs} OUT "gates: \"every\" of")

# Without parameters, one gate shows what none decides.
file(WRITE "${WORK}/shown.toml" "schema = 1\nname = \"shown\"\n[score]\n[score.path]\nlow = \"-2\"\nhigh = \"-1\"\nmean = \"-3/2\"\nmean_exp = \"1/4\"\n")
expect(COMMAND check-properties shown.toml --content-bound 1 --certificates shown --quiet OUT "verdict"
       ERR "shown.eb.uniform.random-gate" ": holds; no rule is seen to prove it")
file(GLOB shown "${WORK}/shown/*.json")
list(LENGTH shown count)
equal("certificates" "${count}" "29")
expect(COMMAND verify-certificate --spec shown.toml ${shown} OUT "\"reading\":\"uniform\"" "which follows from entropy-boundedness, limit" "\"gates\":\"random\"")
file(READ "${WORK}/shown.toml" text)
string(REPLACE "-3/2" "-4/3" text "${text}")
file(WRITE "${WORK}/means.toml" "${text}")
expect(COMMAND verify-certificate --spec means.toml ${shown} EXIT 4 OUT "mean is")

# What no gate beside the mean shows has no certificate, which is no error.
file(WRITE "${WORK}/rising.toml" "schema = 1\nname = \"rising\"\n[score]\n[score.path]\nlow = -1\nhigh = 2\nmean = \"1/2\"\nmean_exp = 3\n")
expect(COMMAND check-properties rising.toml --content-bound 1 --certificates rising --quiet OUT "verdict"
       ERR "rising.eb.limit.random-gate" ": fails; no rule is seen to prove it" NOT "error")
file(GLOB rising "${WORK}/rising/*.json")
expect(COMMAND verify-certificate ${rising} OUT "\"gates\":\"random\"")

set(check check-properties gates.toml --content-bound 1)
expect(COMMAND ${check} --table slopes EXIT 2 ERR "--table: the scores of gates depend on gates, [score.path]")

# One gate is a bias for every program; check-properties says of both quantifiers what it said.
file(WRITE "${WORK}/one.toml" "schema = 1\nname = \"one\"\n[parameters]\nm = { default = \"1/8\", domain = \"m > 0\" }\n[score]\nbias = \"-log(1 + n)\"\n[score.path]\nlow = \"-m\"\nhigh = \"-m\"\n")
file(WRITE "${WORK}/bias.toml" "schema = 1\nname = \"bias\"\n[parameters]\nm = { default = \"1/8\", domain = \"m > 0\" }\n[score]\nbias = \"-log(1 + n) - m*n\"\n")
expect(COMMAND check-properties one.toml --content-bound 1 --quiet OUT "every-content, every gate      holds" "every-content, some gate       holds")
expect(COMMAND compare-encodings one.toml alibi --format json)
string(REPLACE "\"one\"" "\"bias\"" of_gate "${out}")
expect(COMMAND compare-encodings bias.toml alibi --format json)
string(JSON of_gate GET "${of_gate}" comparisons)
string(JSON of_bias GET "${out}" comparisons)
equal("compared" "${of_gate}" "${of_bias}")
expect(COMMAND design-encoding one.toml --vary m=1/100..2 --converges --minimize m --head-dim 64 --encoding designed.toml)
file(READ "${WORK}/designed.toml" text)
string(FIND "${text}" "bias = \"-log(1 + n) + n*(-m)\"" at)
if(at EQUAL -1)
  fail("the design has the gate in its bias" "${text}")
endif()
expect(COMMAND compare-encodings gates.toml alibi EXIT 2 ERR "[score.path] is not for this program" "low and high the same formula")

# Numbers over all gates: nothing of them where there are none
expect(COMMAND check-properties gates.toml alibi --set hi=-1/10 --content-bound 2 OUT "gates: reach of weight 1/2, over all gates  18" "gates: reach of weight 1/2 " "gates: entropy H, over all gates" NOT "alibi: entropy H, over all gates")
expect(COMMAND check-properties fox --content-bound 1 --format json)
value(least "${out}" encodings 0 entropy_band 0 over_gates lower upper)
value(most "${out}" encodings 0 entropy_band 0 over_gates upper finite)
value(reach "${out}" encodings 0 reach 0 n_over_gates)
equal("over all gates" "${least} ${most} ${reach}" "0 OFF 7")
