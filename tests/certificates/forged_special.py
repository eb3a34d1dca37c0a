"""Special functions: their growth, their signs and domains, and names that are taken."""

from forgery import edited, law, parameter, rule, symbolic, twins, verdict

converges = rule("sum-converges", score="above", k=0, eta="1/2", C="30")


def sums(**biases):
    return {why: verdict("cn.every-content.holds", converges, bias=bias) for why, bias in biases.items()}


true = sums(
    atan="-n*atan(n)",
    atan_of_small="-n^2*atan(1/(1 + n))",
    acos="-n*acos(1/(1 + n))",
    erf="-n*erf(1 + n)",
    erfc="-n*erfc(-n)",
    erfc_of_large="n*erfc(1 + n) - 2*log(1 + n)",
    lgamma="-lgamma(1 + n)",
    lgamma_less="(1 + n)*log(1 + n) - 2*n - lgamma(1 + n)",
    gamma="-log(gamma(n + 2))",
    factorial="-2*log(factorial(n))",
    digamma="-n*digamma(n + 2)",
    polygamma="-2*n^2*polygamma(1, 1 + n)",
    polygamma_2="3*n^3*polygamma(2, 1 + n)",
)
for why, one in true.items():
    twins("special-" + why, one)
other = {"first": 0, "beyond": "constant", "values": ["1"]}
twins(
    "special",
    None,
    **sums(
        atan="-atan(n)",
        atan_turned="-n*atan(-n)",
        atan_of_small="-n*atan(1/(1 + n))",
        asin="-n*asin(1/(1 + n))",
        asin_outside="-n*asin(1 + n)",
        acos="-acos(n/(1 + n))",
        acos_outside="-n*acos(2)",
        erf="-n*erf(-n)",
        erfc="-n*erfc(n)",
        erfc_turned="n*erfc(-n)",
        lgamma="lgamma(1 + n)",
        lgamma_undefined="-n*lgamma(n)",
        lgamma_negative="-n*lgamma(-n - 1/2)",
        lgamma_less="(1 + n)*log(1 + n) - n/2 - lgamma(1 + n)",
        gamma="-log(gamma(2 + 1/(1 + n)))",
        gamma_negative="-n*gamma(-n)",
        factorial="log(factorial(n))",
        factorial_undefined="-n*factorial(n - 1)",
        digamma="n*digamma(n + 2)",
        digamma_of_small="-n*digamma(1/(1 + n))",
        polygamma="2*n^2*polygamma(1, 1 + n)",
        polygamma_2="-3*n^3*polygamma(2, 1 + n)",
        polygamma_small="-n*polygamma(1, 1 + n)",
        polygamma_negative="-n + polygamma(1, -n - 1/2)",
        order="-n^2*polygamma(1/2, 1 + n)",
        order_below="-n^2*polygamma(-1, 1 + n)",
        order_of_n="-n^2*polygamma(n, 1 + n)",
        one="-n*polygamma(2 + n)",
        two="-n*atan(n, 2)",
    ),
    table=verdict("cn.every-content.holds", converges, bias="-n*atan(n)", tables={"atan": {**other, "values": ["0"]}}),
    parameter=verdict("cn.every-content.holds", converges, bias="-n*erfc(-n)", parameters=[parameter("erfc", "1")]),
)
twins(
    "special-names",
    verdict(
        "cn.every-content.holds",
        converges,
        bias="-gamma*n - atan*n",
        parameters=[parameter("gamma", "1"), parameter("atan", "1")],
    ),
    negative=verdict(
        "cn.every-content.holds",
        converges,
        bias="gamma*n - atan*n",
        parameters=[parameter("gamma", "2"), parameter("atan", "1")],
    ),
)
# Where a logarithm of many unknowns is met again, these are the same ones; whatever they are called.
many = law(
    bias="-m*atan(n)*log(2 + n) - lgamma(n + 1)/n + digamma(n)", first=1, parameters=[parameter("m", "1", "m > 0")]
)
cases = {
    "split": "2 - m*pi",
    "below": {
        "verdict": "holds",
        "proof": {"rule": "weighted-sum-converges", "score": "above", "k": 0, "C": "1", "eta": "m*pi/4 - 1/2"},
    },
    **{
        side: {"verdict": "fails", "proof": {"rule": "sum-diverges", "score": "above", "k": k, "C": "1"}}
        for side, k in (("at", 1), ("above", 0))
    },
}
depends = symbolic("eb.limit.depends", "m*pi > 2", cases, ["m"], many, {"holds": {"m": "1"}, "fails": {"m": "1/2"}})
twins("special-unknowns", depends, eta=edited(depends, cases__below__proof__eta="m*pi/2 - 1"))
