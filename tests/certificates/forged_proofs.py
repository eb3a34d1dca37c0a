"""Certificates without a proof: where there was one is null or nothing, and the claim is another."""

import itertools

from forgery import at_points, certificate, claimed, edited, law, parameter, symbolic, twins

SHOWN_OF_A_KIND = 3
OTHER = {"holds": "fails", "fails": "holds", "depends": "holds", "always": "never", "never": "always"}
SLOPE = law(name="alibi", bias="-m*n", parameters=[parameter("m", "1", "m >= 0")])
NOTHING = {"verdict": "fails", "proof": None}


def numbers(**claim):
    empty = {"Z": None, "H": None, "windows": [], "reach": [], "self_reach": [], "local_range": None}
    none = {"direct": None, "order": None, "levels": None, "tail": None}
    return certificate("numbers", {**empty, **claim}, law(bias="-2*n"), none)


twins(
    "proof-of-nothing",
    None,
    leaf=symbolic("cn.every-content.fails", "never", NOTHING, ["m"], SLOPE),
    bound=symbolic("gps.vector.holds", "always", {"verdict": "holds", "proof": None}, ["B"], law(bias="-2*n")),
    split=symbolic("cn.every-content.fails", "never", {"split": "m", "at": NOTHING, "above": NOTHING}, ["m"], SLOPE),
    depends=symbolic(
        "cn.every-content.depends",
        "m = 0",
        {"split": "m", "at": {"verdict": "holds", "proof": None}, "above": NOTHING},
        ["m"],
        SLOPE,
        {"holds": {"m": "0"}, "fails": {"m": "1"}},
    ),
    missing=symbolic("cn.every-content.fails", "never", {"verdict": "fails"}, ["m"], SLOPE),
    empty=symbolic("cn.every-content.fails", "never", {"verdict": "fails", "proof": {}}, ["m"], SLOPE),
    no_rule=symbolic("cn.every-content.fails", "never", {"verdict": "fails", "proof": at_points(None)}, ["m"], SLOPE),
    no_cases=symbolic("cn.every-content.fails", "never", None, ["m"], SLOPE),
    alone=certificate("verdict", claimed("cn.every-content.fails"), law(bias="-2*n"), None),
    numbers=numbers(),
    infinite=numbers(Z="infinite", H="infinite"),
    rows=numbers(
        windows=[{"epsilon": "1/2", "content_bound": "1", "W": None}],
        reach=[{"weight": "1/2", "content_bound": "1", "n": None}],
        self_reach=[{"weight": "1/2", "content_bound": "1", "n": None}],
    ),
    range=numbers(local_range={"threshold": "1", "literal": None, "within": None}),
)


def places(value, at=()):
    """Where there is a proof, a tree of cases, a witness, or a row of a claim."""
    parts = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    for key, one in parts:
        if isinstance(one, dict | list) and key != "law":
            yield "__".join(map(str, (*at, key)))
            yield from places(one, (*at, key))


def leaves(tree, verdict):
    """The same cases, all of one verdict, and nothing that shows it."""
    if tree is None or "split" not in tree:
        return {"verdict": verdict, "proof": None}
    return {key: one if key == "split" else leaves(one, verdict) for key, one in tree.items()}


def flipped(claim):
    """Another claim: the contrary, a sum that is not that, or a point that meets the contrary."""
    if "verdict" in claim:
        return {**claim, **{key: OTHER.get(claim[key], "never") for key in ("verdict", "region")}}
    if "Z" in claim:
        return {
            **claim,
            "Z": {"lower": "1", "upper": "1.5"} if claim["Z"] == "infinite" else "infinite",
            "H": "infinite",
        }
    contrary = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
    rows = [{**row, "relation": contrary[row["relation"]]} for row in claim["requirements"]]
    return {**claim, "requirements": rows}


def kind_of(one):
    return (
        one["kind"],
        tuple({"path", "query", "normalizer", "content"} & set(one["law"])),
        one["cases"] is None,
        one["proof"] is None,
        one["claim"].get("property"),
    )


def without_proofs(cases):
    """(name, False, certificate) of some true certificates of each kind."""
    seen, result = {}, []
    for name, true, one in cases:
        if not true or isinstance(one, str) or one["kind"] == "list":
            continue
        seen[kind_of(one)] = seen.get(kind_of(one), 0) + 1
        if seen[kind_of(one)] > SHOWN_OF_A_KIND:
            continue
        claim = flipped(one["claim"])
        for place, value in itertools.product(places(one), (None, ...)):
            of_claim = place.startswith("claim__")
            if place != "claim" and (value is None or not of_claim):
                how = "null" if value is None else "deleted"
                result.append((f"{name}-{place}-{how}", False, edited(edited(one, claim=claim), **{place: value})))
        if one["kind"] == "design" and one["claim"]["objective"] is None:
            result.append((f"{name}-nothing", False, edited(one, claim__requirements=[])))
        for verdict in ("holds", "fails") if one["kind"] == "verdict" and one["cases"] is not None else ():
            whole = {"verdict": verdict, "region": "always" if verdict == "holds" else "never"}
            nothing = edited(one, claim={**one["claim"], **whole}, proof=None, witnesses=None)
            result.append((f"{name}-leaves-{verdict}", False, edited(nothing, cases=leaves(one["cases"], verdict))))
    return result
