"""Files from strangers: 150 of them, made from seeds. Whatever they hold, a program ends in time and in 2 GiB, with an
exit code that its page names and one message, says nothing that a terminal acts on, and writes no file.

    hostile_test.py BIN WORK [FIRST [COUNT]]      seeds FIRST … FIRST + COUNT - 1
"""

import json
import pathlib
import random
import resource
import shutil
import subprocess
import sys

LIMIT = 1  # seconds of CPU time for each question
PROCESSOR = 60  # seconds for all questions of a run: some thirty, most of them settled at once
MEMORY = 2 << 30

NUMBERS = [
    "0",
    "-1",
    "1/0",
    "1e400",
    "10^100",
    "1e-300",
    "nan",
    "inf",
    "0x10",
    "1" * 500,
    "9223372036854775808",
    "-2^63",
    "10^(10^9)",
    "1/3",
]
TEXTS = [
    "",
    "\n",
    "\x1b[2J",
    "\u202e",
    "a" * 5000,
    "../../x",
    "/etc/passwd",
    "</script><script>",
    "}\\input{x}",
    "\u0000",
    "é" * 300,
    "n\r\nb",
]


def mostly(chance, good, others):
    return good if chance.random() < 0.9 else chance.choice(others)


def expression(chance, depth=4):
    if depth == 0:
        return mostly(
            chance, chance.choice(["n", "n", "m", "pi", "1/2", "3"]), ["L", "j", "H(n)", "t(n)", "k", *NUMBERS]
        )

    def inner():
        return expression(chance, depth - chance.randint(1, 2) if depth > 1 else 0)

    return chance.choice(
        [
            lambda: f"({inner()} + {inner()})",
            lambda: f"{inner()}*{inner()}",
            lambda: f"({inner()})^({inner()})",
            lambda: f"log({inner()})",
            lambda: f"exp({inner()})",
            lambda: f"sqrt({inner()})",
            lambda: f"cos({inner()})",
            lambda: f"floor({inner()})",
            lambda: f"sum(k, 0, {chance.choice(['n', '3', '1000', '10^6', '-5', inner()])}, {inner()})",
            lambda: f"if({inner()} < {inner()}, {inner()}, {inner()})",
            lambda: f"max({inner()}, {inner()})",
            lambda: f"-{inner()}",
            lambda: f"{inner()}^{chance.choice(['1000000', '-1', '1/2', '10^30'])}",
            lambda: f"{'(' * 300}n{')' * 300}",
        ]
    )()


def toml_text(value):
    return json.dumps(value)  # escapes as TOML reads them; a lone half of a pair is no TOML, which is one more mistake


def specification(chance):
    lines = ["schema = 1", "name = " + toml_text(mostly(chance, "mine", TEXTS))]
    lines += ["title = " + toml_text(chance.choice(TEXTS)), "reference = " + toml_text(chance.choice(TEXTS))]
    lines.append("[parameters]")
    domain = chance.choice(
        [
            "m > 0",
            "m >= 0 and m < 1",
            " and ".join(f"m > -{i}" for i in range(60)),
            " and ".join(["m != 0"] * 3000),
            "m^2 > 2 and m^3 < 9",
            "m > m",
        ]
    )
    lines.append(f"m = {{ default = {toml_text(mostly(chance, '1/2', NUMBERS))}, domain = {toml_text(domain)} }}")
    if chance.random() < 0.3:
        lines += [
            "[tables]",
            "t = { values = ["
            + ", ".join(f'"{chance.choice(["1", "2/3", "-7"])}"' for _ in range(chance.randint(1, 2000)))
            + '], index = "n" }',
        ]
    lines.append("[score]")
    for key in ["gain", "bias", "window", "sink", "softcap"]:
        if chance.random() < (0.8 if key == "bias" else 0.2):
            lines.append(f"{key} = {toml_text(expression(chance, chance.randint(1, 4)))}")
    if chance.random() < 0.3:
        lines += ['transform = "rotation"', "[score.rotation]", f"angle = {toml_text(expression(chance))}"]
    return "\n".join(lines) + "\n"


def config(chance):
    keys = {
        "model_type": mostly(
            chance, chance.choice(["llama", "gpt2", "mpt", "gemma3_text", "t5", "gpt_neox", "qwen2"]), TEXTS
        ),
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "num_hidden_layers": 4,
        "num_key_value_heads": 8,
        "rope_theta": 10000.0,
        "max_position_embeddings": 8192,
        "vocab_size": 100,
        "n_embd": 768,
        "n_head": 12,
        "n_layer": 2,
        "n_positions": 1024,
        "rope_scaling": {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 1024},
    }
    for _ in range(chance.randint(1, 3)):
        place = keys if chance.random() < 0.7 else keys.setdefault("rope_scaling", {})
        place = place if isinstance(place, dict) else keys
        place[chance.choice(list(keys) + ["rope_type", "factor", "short_factor", "layer_types", "text_config"])] = (
            chance.choice([None, -1, 0, 1e308, 2**63, 2**70, "x", [], {}, [[[]]] * 9, True, 1e-320, *TEXTS])
        )
    return json.dumps(keys)


def claims(chance):
    formula = chance.choice(
        [
            "1 < 2",
            "cn(alibi, 1)",
            "for all E in f: cn(E, 1)",
            "Z(alibi) < 10^100",
            "for all k in 0..200000: k >= 0",
            f"{expression(chance, 2)} < {expression(chance, 2)}",
            "(" * 300 + "1 < 2",
            "limit(n^1000000) > 0",
            "sum(k, 0, 1000, sum(l, 0, 1000, k*l)) > 0",
            "H(alibi(m=1/0)) < 1",
        ]
    )
    terms = ", ".join(f'"-n^{i}"' for i in range(1, chance.choice([2, 3, 40])))
    return (
        f'schema = 1\ntitle = {toml_text(chance.choice(TEXTS))}\n[families.f]\ntitle = "f"\nterms = [{terms}]\n'
        f"most = {mostly(chance, 1, [2, 20, 10**18, -1])}\n"
        f'coefficients = "c > 0"\n[[claim]]\nid = {toml_text(mostly(chance, "a", TEXTS))}\n'
        f"statement = {toml_text(chance.choice(['s', *TEXTS]))}\n"
        f'[[claim.reading]]\nname = "r"\nformula = {toml_text(formula)}\n'
    )


def grid(chance):
    axis = chance.choice(
        [
            '["1/2", "1/4"]',
            '["x"]',
            '{ range = "1/8..1", points = 3 }',
            '{ range = "1..0", points = 3 }',
            '{ range = "0..1", points = 99999999 }',
            '{ range = "1e-400..1e400", points = 2 }',
            "[]",
            '"m"',
            "1.5",
        ]
    )
    name = mostly(chance, chance.choice(["m", '"alibi.m"']), ["x", ".".join("a" * 40)])
    return (
        f"schema = 1\nencodings = [{toml_text(mostly(chance, 'alibi', ['../x.toml', *TEXTS]))}]\n[parameters]\n"
        f"{name} = {axis}\n"
    )


def certificate(chance, honest):
    value = json.loads(honest)
    for _ in range(chance.randint(1, 3)):
        place = value
        while isinstance(place, (dict, list)) and len(place) and chance.random() < 0.75:
            key = chance.choice(list(place)) if isinstance(place, dict) else chance.randrange(len(place))
            if not isinstance(place[key], (dict, list)) or not len(place[key]):
                break
            place = place[key]
        if isinstance(place, dict) and place:
            place[chance.choice(list(place))] = chance.choice(
                [None, -1, 2**70, 1e308, [], {}, *NUMBERS, *TEXTS, expression(chance, 3)]
            )
    return json.dumps(value)


def damaged(chance, text):
    """Now and then cut, doubled or with bytes that are not text."""
    data = text.encode("utf-8", "surrogatepass")
    how = chance.randrange(16)
    at = chance.randrange(len(data))
    if how == 0:
        return data[:at]
    return data[:at] + bytes([chance.randrange(256)]) + data[at:] if how == 1 else data


def kinds(honest):
    return [
        ("toml", specification, lambda f: ["check-properties", f, "--quiet"], {0, 2}),
        ("json", config, lambda f: ["check-properties", f, "--show-encoding"], {0, 2}),
        ("toml", claims, lambda f: ["audit-claims", f], {0, 2}),
        ("toml", grid, lambda f: ["check-properties", "--sweep", f, "--output", "rows.csv"], {0, 2}),
        ("json", lambda chance: certificate(chance, honest), lambda f: ["verify-certificate", f], {0, 2, 4}),
    ]


def limited(watched):
    """A program that AddressSanitizer watches takes some terabytes of addresses, and ten times as long."""
    resource.setrlimit(resource.RLIMIT_CPU, (10 * PROCESSOR if watched else PROCESSOR,) * 2)
    if not watched:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def wrong(seed, programs, work, honest, watched):
    chance = random.Random(seed)
    ending, make, command, codes = kinds(honest)[seed % 5]
    folder = work / str(seed)
    folder.mkdir()
    file = folder / f"file.{ending}"
    file.write_bytes(damaged(chance, make(chance)))
    words = command(file.name)
    if words[0] != "verify-certificate":
        words += ["--time-limit", str(LIMIT)]
    done = subprocess.run(
        [programs / words[0], *words[1:]],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        preexec_fn=lambda: limited(watched),
        check=False,
    )
    errors = done.stderr.decode("utf-8", "replace")
    left = sorted(one.name for one in folder.rglob("*") if one != file and not one.name.startswith("rows.csv"))
    why = []
    if done.returncode not in codes:
        why.append(f"exit {done.returncode}")
    if done.returncode == 2 and (
        not errors.startswith(words[0] + ": ")
        or any(line and not line.startswith("  ") for line in errors.split("\n")[1:])
    ):
        why.append("not one message")
    if len(errors) > 3000:
        why.append(f"a message of {len(errors)} characters")
    if b"\x1b" in done.stdout + done.stderr or b"\r" in done.stdout + done.stderr:
        why.append("characters that a terminal acts on")
    if left:
        why.append("files: " + ", ".join(left))
    if not why:
        shutil.rmtree(folder)
        return ""
    return f"seed {seed}: {' '.join(words)} in {folder}: {'; '.join(why)}\n{errors[:600]}"


def main():
    programs, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    first, count = (int(word) for word in (sys.argv[3:] + ["0", "150"][len(sys.argv[3:]) :]))
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    root = pathlib.Path(__file__).resolve().parents[1]
    honest = (root / "fuzz" / "corpus" / "certificate" / "ape.gps.vector.json").read_text()
    watched = b"__asan_init" in (programs / "check-properties").read_bytes()
    messages = [
        message for seed in range(first, first + count) if (message := wrong(seed, programs, work, honest, watched))
    ]
    print("\n".join(messages))
    sys.exit(1 if messages else 0)


main()
