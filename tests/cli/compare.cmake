# compare-encodings: the claims of the paper at delta = m, changes along a parameter, and what is refused.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

# R1, L2: at delta = m, ALiBi has more of everything; L3: also of P(A(n) >= C1), .2830 against .0250.
expect(COMMAND compare-encodings ape alibi --set m=1/16 --set delta=1/16 --threshold 1/100 --distance 1 --format json)
of_each(found comparisons quantity larger)
equal("delta = m" "${found}" "entropy second;mean-distance second;local-range tie;window second;reach tie;self-reach second;deviation second;probability second")
value(lower "${out}" comparisons 0 first lower)
equal("H of APE" "${lower}" "3.48422117872911234218161969623")
value(lower "${out}" comparisons 7 first lower)
string(SUBSTRING "${lower}" 0 7 lower)
equal("P of APE" "${lower}" "0.02495")
value(lower "${out}" comparisons 7 second lower)
string(SUBSTRING "${lower}" 0 6 lower)
equal("P of ALiBi" "${lower}" "0.2830")
expect(COMMAND compare-encodings ape alibi --set m=1/16 --set delta=1/16 OUT "local range |b| <= 1             7          16         alibi")

# The other way round the same, reversed.
expect(COMMAND compare-encodings alibi ape --set m=1/16 --set delta=1/16 --threshold 1/100 --distance 1 --format json)
of_each(found comparisons quantity larger)
equal("reversed" "${found}" "entropy first;mean-distance first;local-range tie;window first;reach tie;self-reach first;deviation first;probability first")

# Along delta: delta* to 20 digits, exact ends of ranges, and what is proved.
expect(COMMAND compare-encodings ape alibi --set m=1/16 --vary delta=1/1000..1/10 --digits 20 --points 3 --format json)
value(quantity "${out}" along courses 0 quantity)
value(lower "${out}" along courses 0 changes 0 lower)
value(upper "${out}" along courses 0 changes 0 upper)
value(proved "${out}" along courses 0 proved)
equal("delta*" "${quantity} ${proved}" "entropy ON")
string(SUBSTRING "${lower}" 0 21 low)
string(SUBSTRING "${upper}" 0 21 high)
equal("delta* from below and above" "${low} ${high}" "0.0452439836075803206 0.0452439836075803206")
value(exact "${out}" along courses 2 changes 1 exact)
equal("the range of ALiBi, 16" "${exact}" "-1/160*log(17) + 3/80")
value(proved "${out}" along courses 4 proved)
equal("reach" "${proved}" "OFF")

# The same laws; two of one name.
expect(COMMAND compare-encodings alibi alibi --set first.m=1/3 --set second.m=1/3 OUT "alibi (first): m = 1/3" "alibi (second): m = 1/3"
       "entropy H (nats): the scores are the same" NOT "undecided")
expect(COMMAND compare-encodings alibi alibi --set second.m=1/3 --vary first.m=1/10..1 --points 4
       OUT "alibi (first) below 1/3 = 0.33333333, alibi (second) above")
expect(COMMAND compare-encodings rope nope OUT "both are infinite" "both are unbounded" NOT "undecided")
expect(COMMAND compare-encodings fire alibi OUT "undecided" "the score depends on L")
expect(COMMAND compare-encodings ape alibi --format markdown OUT "|  | ape | alibi | larger |" "local range \\|b\\| \\<= 1")
expect(COMMAND compare-encodings ape alibi --output both.txt)
file(READ "${WORK}/both.txt" written)
expect(COMMAND compare-encodings ape alibi)
equal("--output" "${written}" "${out}")

# A change at the value 0 of the parameter, which no interval beside it is narrow to.
file(WRITE "${WORK}/tt.toml" "schema = 1\nname = \"tt\"\n[parameters]\nt = { default = \"1/4\", domain = \"t > -1\" }\n[score]\nbias = \"-(1+t)*n/10\"\n")
foreach(along "-1/2..1/2;3" "-1/2..1/3;4")
  list(GET along 0 interval)
  list(GET along 1 points)
  expect(COMMAND compare-encodings tt.toml alibi --set m=1/10 --vary t=${interval} --points ${points}
         OUT "entropy H (nats)                 tt below 0, equal there, alibi above" "tt below -1/11 = -0.090909091, equal up to 0, alibi above")
endforeach()

# Z of n log 2 is infinite, and H_L tends to 2 log 2: no order follows from that. H_L of sqrt(n) tends to infinity.
foreach(bias "n*log(2)" "sqrt(n)")
  file(WRITE "${WORK}/rising.toml" "schema = 1\nname = \"rising\"\n[score]\nbias = \"${bias}\"\n")
  expect(COMMAND compare-encodings rising.toml alibi --format json)
  of_each(found comparisons quantity larger)
  list(GET found 0 entropy)
  list(APPEND entropies "${entropy}")
endforeach()
equal("entropies" "${entropies}" "entropy undecided;entropy first")

# A parameter that takes whole numbers: neighbours.
expect(COMMAND compare-encodings sliding-window alibi --set m=1/16 --vary W=2..1000 --points 5
       OUT "alibi up to 43, sliding-window from 44" "alibi up to 16, equal at 17, sliding-window from 18")

set(program compare-encodings)

refused("expected ENCODING, a built-in name, a .toml file, or - for standard input (see --help)")
refused("expected ENCODING, the one to compare it with (see --help)" ape)
refused("'alibo' is neither a built-in encoding nor a file; did you mean 'alibi'?" ape alibo)
refused("--set q: no encoding given has a parameter 'q'" ape alibi --set q=1)
refused("--set ape.m: ape has no parameter 'm'" ape alibi --set ape.m=1)
refused("--vary q: no encoding given has a parameter 'q'" ape alibi --vary q=1..2)
refused("--vary m=1: expected NAME=LOW..HIGH" ape alibi --vary m=1)
refused("m >= 0" ape alibi --vary m=-1..1)
refused("--vary W: expected two whole numbers or more" sliding-window alibi --vary W=5/4..5/2)
refused("--threshold: 0 is not positive" ape alibi --threshold 0)
refused("--epsilon: 1 is not between 0 and 1" ape alibi --epsilon 1)
refused("--weight: 0 is not between 0 and 1" ape alibi --weight 0)
refused("--content-bound: -1 is negative" ape alibi --content-bound=-1)
refused("--distance: expected one number" ape alibi --distance 1,2)
refused("--head 3: not one of 1 head; use --heads" ape alibi --head 3)
refused("--head-dim 3: expected an even number" ape alibi --head-dim 3)
refused("--points" ape alibi --points 1)
refused("--format" ape alibi --format yaml)
refused("--foo" ape alibi --foo)
