# entropy-frontier: the same points as text, JSON and CSV; delta*; and what it refuses.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

# ALiBi at m = 1/16: all from closed forms. r = e^(-1/16): r^1001 beyond 1000, W the least with r^(W+1) <= 1/1000.
expect(COMMAND entropy-frontier alibi --set m=1/16 --format json)
set(json "${out}")
foreach(check "H lower|3.77275146676351834004687828449" "H upper|3.77275146676351834004687828450" "local_range|16"
        "effective_window|110" "efficient|ON" "least_entropy finite|ON" "name|alibi" "parameters m|1/16")
  string(REPLACE "|" ";" check "${check}")
  list(GET check 0 path)
  list(GET check 1 expected)
  string(REPLACE " " ";" path "${path}")
  value(found "${json}" points 0 ${path})
  equal("${path}" "${found}" "${expected}")
endforeach()
value(threshold "${json}" threshold)
equal("threshold" "${threshold}" "1")

# As many points as combinations, in the order given; exact values; the same numbers in every format.
expect(COMMAND entropy-frontier ape --vary delta=1/100..1 --vary beta=0..1 --points 3 --format csv)
set(csv "${out}")
next_line(csv titles)
equal("titles" "${titles}" "encoding,head,delta,beta,H,mean_distance,local_range,least_entropy,excess,effective_window,weight_beyond,efficient")
foreach(values "0.01,0" "0.01,0.5" "0.01,1" "0.1,0" "0.1,0.5" "0.1,1" "1,0" "1,0.5" "1,1")
  next_line(csv line)
  if(NOT line MATCHES "^ape,,${values},[0-9.]+,[0-9.]+,[0-9]+,[0-9.]+,[0-9.]+,[0-9]+,[0-9.e-]+,[01]$")
    fail("csv" "${values}: ${line}")
  endif()
endforeach()
equal("lines of csv" "${csv}" "")
expect(COMMAND entropy-frontier alibi --vary m=1/3..1/2 --points 2 --format csv OUT "alibi,,1/3,2.10323," "alibi,,0.5,1.70350")
expect(COMMAND entropy-frontier sliding-window --vary W=16..70 --points 3 --format csv OUT ",16,2.77" ",33,3.49" ",70,4.24")
expect(COMMAND entropy-frontier alibi --heads 8 --format csv OUT "alibi,1,1.70350,1.54149,2,0.975328," "alibi,8,6.54518,255.500,256,5.42577,1.11940,1768,0.0200")
expect(COMMAND entropy-frontier rope --format csv OUT "rope,,inf,inf,inf,inf,,,1.00000,0")
expect(COMMAND entropy-frontier fire OUT "undecided" "fire: local range: the bias depends on L")

# An infinite gain is the largest: kerple-log has an infinite mean, and less entropy than every ALiBi here. So is a window that does not exist.
expect(COMMAND entropy-frontier kerple-log alibi --set kerple-log.p=2 --vary alibi.m=1/4096..1/2 --points 3 --gain mean --format json)
of_each(found points efficient)
equal("an infinite mean" "${found}" "ON;OFF;OFF;OFF")
file(WRITE "${WORK}/far.toml" "schema = 1\nname = \"far\"\n[score]\nbias = \"-4*log(1+n)\"\ngain = \"log(1+n)\"\n")
expect(COMMAND entropy-frontier far.toml alibi --vary alibi.m=1/16..1/2 --points 2 --gain window --content-bound 3 --format json)
of_each(found points efficient)
equal("a window that does not exist" "${found}" "ON;OFF;OFF")
# H_L of n log 2 tends to 2 log 2, though Z is infinite: less entropy than ALiBi, and as much mean.
file(WRITE "${WORK}/rising.toml" "schema = 1\nname = \"rising\"\n[score]\nbias = \"n*log(2)\"\n")
expect(COMMAND entropy-frontier rising.toml alibi --gain mean OUT "rising: entropy: Z is infinite and H_L is bounded" "\n?: not decided" NOT "  *\n")
expect(COMMAND entropy-frontier rising.toml alibi --gain mean --format csv OUT "alibi,,6.54518,255.500,256,5.42577,1.11940,1768,0.0200374,\n")

# The least H is that of penalties: this one, with the range 100, has less than F1 says of them, and so no number there.
file(WRITE "${WORK}/lead.toml" "schema = 1\nname = \"lead\"\n[score]\nbias = \"if(n < 21, 1, -1)\"\nwindow = \"101\"\n")
expect(COMMAND entropy-frontier lead.toml sliding-window --set W=101 OUT "  4.14067  " "  4.49182  "
       "\nleast H: of any encoding with this range and b(first) = 0 >= b(n) for all n >= first\n" NOT "encoding with this range\n")
expect(COMMAND entropy-frontier lead.toml --format csv OUT "lead,,4.14067,27.1790,100,,,")

# delta*: theory.md's digits, none, and exactly m.
expect(COMMAND entropy-frontier --delta-star m=1/16,beta=1/10,gamma=1/10 --digits 18 OUT "= 0.0452439836075803206\n")
expect(COMMAND entropy-frontier --delta-star m=1/16,beta=1/10,gamma=1/10 --format json)
value(lower "${out}" delta_star lower)
equal("delta* from below" "${lower}" "0.0452439836075803206172145410493")
value(kind "${out}" kind)
equal("kind" "${kind}" "found")
expect(COMMAND entropy-frontier --delta-star m=1/8,beta=2 OUT ": none\n" "below ALiBi's even at delta = 0")
expect(COMMAND entropy-frontier --delta-star m=1/8 OUT ") = 1/8\n")

# Written to a file, whole.
expect(COMMAND entropy-frontier alibi --format csv --output points.csv)
file(READ "${WORK}/points.csv" written)
expect(COMMAND entropy-frontier alibi --format csv)
equal("--output" "${written}" "${out}")

# Pictures, where the Python of the tests can draw: tests/python/pictures_test.py says what is in them.
execute_process(COMMAND "${BIN}/gpe" plot alibi -o "${WORK}/can_draw.svg" RESULT_VARIABLE cannot OUTPUT_QUIET ERROR_QUIET)
if(cannot)
  message("SKIPPED: pictures: matplotlib is absent; ./setup.sh --plots installs it")
else()
  # The picture of docs/compare.md is what its command makes.
  expect(COMMAND entropy-frontier alibi ape kerple-power sliding-window --vary alibi.m=1/65536..1/2
         --vary ape.delta=1/65536..1/2 --vary kerple-power.a=1/100..4 --vary W=16..65536 --points 13
         --digits 6 --format json --output frontier.json)
  expect(COMMAND gpe plot frontier.json -o frontier.svg)
  file(READ "${WORK}/frontier.svg" picture)
  file(READ "${SOURCE}/docs/frontier.svg" shown)
  equal("docs/frontier.svg" "${shown}" "${picture}")
endif()

# Bad use: exit code 2 and one line.
set(program entropy-frontier)

refused("no encoding given")
refused("'alibo' is neither a built-in encoding nor a file; did you mean 'alibi'?" alibo)
refused("--foo" alibi --foo)
refused("--all takes no further encodings" alibi --all)
refused("--vary m: expected NAME=LOW..HIGH" alibi --vary m)
refused("--vary m=2..1: expected LOW < HIGH" alibi --vary m=2..1)
refused("--vary m: 'x' is not a number" alibi --vary m=x..1)
refused("--vary q: alibi has no parameter 'q'; it has: m" alibi --vary q=1..2)
refused("--vary ape.m: no encoding given is called 'ape'" alibi --vary ape.m=1..2)
refused("--set q: alibi has no parameter 'q'; it has: m" alibi --set q=1)
refused("entropy-frontier: alibi: parameter 'm' = -1 is outside its domain; expected m >= 0" alibi --vary m=-1..1)
refused("more than 100000 points" ape --points 1000 --vary delta=1..2 --vary beta=1..2)
refused("--points" alibi --points 1)
refused("--threshold: 0 is not positive" alibi --threshold 0)
refused("--epsilon: 1 is not between 0 and 1" alibi --epsilon 1)
refused("--content-bound: -1 is negative" alibi --content-bound=-1)
refused("--distance: expected one number" alibi --distance 1,2)
refused("--gain: 'reach' is not known; expected range, window, mean or beyond" alibi --gain reach)
refused("--head-dim 3: expected an even number" alibi --head-dim 3)
refused("gpe plot draws a report" alibi --plot x.svg)
refused("--format" alibi --format yaml)
refused("--delta-star: 'x=1': expected m=M,beta=B,gamma=C" --delta-star x=1)
refused("--delta-star: expected m > 0" --delta-star beta=1)
refused("--delta-star: expected beta >= 0 and gamma >= 0" --delta-star m=1,gamma=-1)
refused("--delta-star takes no encodings" alibi --delta-star m=1)
refused("--delta-star: --format is text or json" --delta-star m=1 --format csv)
