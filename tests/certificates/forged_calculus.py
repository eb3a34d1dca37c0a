"""What the calculus sees of exponentials, roots of squares, waves of whole turns, powers of
unknown parts, logarithms of powers and tables."""

from forgery import certificate, claimed, edited, law, parameter, rule, symbolic, twins, verdict

FAR_OUT = {"depth": 2, "ell": "50", "from": None}
TABLE = {"bumps": {"first": 0, "beyond": "constant", "values": ["1", "1", "0"]}}
converges = rule("sum-converges", score="above", k=0, eta="1/2", C="30")
diverges = rule("sum-diverges", score="above", k=0, C="30")


def sums(**false):
    return {why: verdict("cn.every-content.holds", converges, bias=bias) for why, bias in false.items()}


twins(
    "exponential",
    verdict("cn.every-content.fails", diverges, bias="2^n - n"),
    falls=verdict("cn.every-content.fails", diverges, bias="n - 2^n"),
    slower=verdict("cn.every-content.fails", diverges, bias="(1/2)^n - n"),
    **sums(rises="2^n - 2*n"),
)
twins(
    "root-of-square",
    verdict("cn.every-content.holds", converges, bias="n - sqrt((n - 5)^2) - 2*log(1 + n)"),
    **sums(
        sum="n + sqrt((n - 5)^2) - 2*log(1 + n)", turned="-2*(5 - n) - sqrt((5 - n)^2)", fourth="-n + ((n - 5)^4)^(1/4)"
    ),
)
twins("exponent", verdict("cn.every-content.holds", converges, bias="-2E0*n - 1.5E-1"), **sums(sign="2E0*n"))
twins(
    "alternating",
    verdict("cn.every-content.holds", converges, bias="-n + (-1)^n"),
    **sums(times="(-1)^n*n", half="-2*log(1 + n)*(-1)^n"),
)
twins(
    "negative-powers",
    verdict("cn.every-content.holds", converges, bias="-n + (-1/2)^n"),
    **sums(
        grows="-n + (-2)^n",
        alone="(-1/2)^n",
        decimal="-n + (-1/2)^(0.5*n)",
        power="-n + (-1/2)^((1 + n)^(-1))",
        even="-n + (-3)^(2*n)",
        odd="-n - (-3)^(2*n + 1)",
        fraction="-n + (-1/2)^(n/2)",
    ),
)
for shape in (
    "-n*sigmoid(n)",
    "-n*tanh(n)",
    "-n*sign(n - 5)",
    "-softplus(n)",
    "-sinh(n/10)",
    "-cosh(n/10)",
    "-ceil(n/2)",
    "n*sign(5 - n)",
    "tanh(sin(n)) - n",
):
    twins("written-out-" + shape, verdict("cn.every-content.holds", converges, bias=shape))
other = {"first": 0, "beyond": "constant", "values": ["0"]}
twins(
    "written-out",
    None,
    table=verdict("cn.every-content.holds", converges, bias="-n*tanh(n)", tables={"tanh": other}),
    parameter=verdict("cn.every-content.holds", converges, bias="-n*sign(n)", parameters=[parameter("sign", "0")]),
    **sums(
        sigmoid="-n*sigmoid(-n)",
        tanh="-n*tanh(1/(1 + n^2))",
        sign="-n*sign(5 - n)",
        sign_of_0="-n*sign(n - n)",
        softplus="-softplus(-n)",
        sinh="-sinh(1/(1 + n))",
        cosh="cosh(n) - n",
        ceil="-ceil(1/(1 + n))",
        tan="-n*tan(n - n)",
        two="-n*tanh(n, 2)",
        other="-n*zeta(n)",
    ),
)
twins(
    "whole-turns",
    verdict("cn.every-content.holds", converges, bias="-2*log(1 + n)*cos(2*pi*n)"),
    **sums(half="-2*log(1 + n)*cos(pi*n)", none="-2*log(1 + n)*cos(2*n)", sine="-2*log(1 + n)*sin(2*pi*n)"),
)
whole = verdict("gps.vector.fails", {"rule": "constant"}, gain="cos(2*pi*n^2)")
twins(
    "whole-turns-of-n",
    whole,
    half=edited(whole, law__gain="cos(pi*n^2)"),
    root=edited(whole, law__gain="cos(2*pi*sqrt(n))"),
    quotient=edited(whole, law__gain="cos(2*pi/n)", law__first=1),
)

below = verdict(
    "ldcp.signed.fails", {"rule": "length-bias-not-positive", "i": 1, "threshold": FAR_OUT}, bias="-n^2/(1 + L)"
)
twins(
    "power-of-part",
    below,
    above=edited(below, law__bias="n^2/(1 + L)"),
    mixed=edited(below, law__bias="n - 2*n^2/(1 + L)"),
    cubes=edited(below, law__bias="n^2/(1 + L) - 2*n^3/(1 + L)^2"),
)

numbers = certificate(
    "numbers",
    {
        "Z": None,
        "H": None,
        "windows": [],
        "reach": [],
        "self_reach": [],
        "local_range": {"threshold": "3", "literal": "none", "within": 14},
    },
    law(bias="-floor(log(1 + n)/log(2))"),
    {"direct": None, "order": None, "levels": None, "tail": None},
)
twins(
    "logarithm-of-power",
    numbers,
    late=edited(numbers, claim__local_range__within=15),
    early=edited(numbers, claim__local_range__within=13),
    base=edited(numbers, law__bias="-floor(log(1 + n)/log(3))"),
)

table = certificate(
    "verdict",
    claimed("ldcp.weight.holds"),
    law(bias="log(1 + n)*log(1 + L)", gain="bumps(n)", tables=TABLE),
    {"rule": "bias-bounded-below", "C": "1", "threshold": FAR_OUT},
)
twins(
    "table-that-goes-on",
    table,
    ends=edited(table, law__tables__bumps__beyond="error"),
    before=edited(table, law__tables__bumps__first=1),
)

# ---- exponentials of what grows without a bound, of what is not seen to grow, with an open
# exponent; relative errors without a bound

twins(
    "exponential-unknown",
    None,
    **sums(of_more="exp(exp(exp(n)) - exp(5*n)) - 2*n", of_wave="exp((10001/10000 + sin(n))^(1/4)*(n^2 - 60*n)) - 2*n"),
    exponent=verdict("cn.every-content.fails", diverges, bias="(1 + n)^(-pi) - 2*log(1 + n)"),
    beside_more=verdict("cn.every-content.holds", converges, bias="log(n^2 + exp(sqrt(n))) - 4*log(n)", first=1),
)
power = symbolic(
    "cn.every-content.fails",
    "never",
    {"verdict": "fails", "proof": {key: diverges[key] for key in diverges if key != "threshold"}},
    ["m"],
    law(bias="-log(1 + n)/(1 + m)", first=1, parameters=[parameter("m", "1/2", "m > 0")]),
)
vanishes = symbolic(
    "ldcp.signed.fails",
    "never",
    {"verdict": "fails", "proof": {"rule": "bias-not-positive", "i": 1}},
    ["m"],
    law(bias="(1 + n)^m", parameters=[parameter("m", "-2", "m < 0")]),
)
twins(
    "power-that-vanishes",
    vanishes,
    rises=edited(vanishes, law__parameters__0={"name": "m", "value": "1/2", "domain": "m > 0"}),
    open=edited(vanishes, law__parameters__0__domain=None),
    either=edited(
        vanishes,
        law__parameters__0__domain="m^4 > 1",
        claim__verdict="holds",
        claim__region="always",
        cases={"verdict": "holds", "proof": {"rule": "bias-stays-positive", "c": "1"}},
    ),
)
twins("power-of-parameter", power, logarithm=edited(power, law__bias="-log(1 + n + n^m)"))

# ---- the order of m/log(log(... n)) and m, where the second verifier compares no more than 12 growths

deep = "n"
for _ in range(11):
    deep = f"log(3 + {deep})"
below = {"verdict": "holds", "proof": {"rule": "bias-stays-positive", "c": "m/2"}}
twins(
    "many-logarithms",
    None,
    below=symbolic(
        "ldcp.signed.holds",
        "always",
        below,
        ["m"],
        law(bias=f"m/{deep} - m", parameters=[parameter("m", "1", "m > 0")]),
    ),
)
