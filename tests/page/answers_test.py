"""BIN PAGE WORK [FIRST [COUNT]]: the page's check-properties answers as the program does: every built-in encoding, and
COUNT random files (200) from the seeds FIRST (1) on, in JSON, byte by byte. The time limits are long enough for both;
an answer that one of them did not get in time, or an enclosure without a digit, which is made smaller as long as there
is time, is not a difference, and is counted. Exit code 1, and the first differences."""

import concurrent.futures
import json
import random
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BIN, PAGE, WORK = (Path(word).resolve() for word in sys.argv[1:4])
FIRST, COUNT = (int(word) for word in (sys.argv[4:6] + ["1", "200"][len(sys.argv) - 4 :])[:2])
OPTIONS = [
    "--format",
    "json",
    "--digits",
    "20",
    "--lengths",
    "64,4096",
    "--time-limit",
    "60",
    "--total-limit",
    "600",
]
CURVES = ["--curves", "12"]  # refused where weights are not those of softmax
IN_NODE = ["node", str(HERE / "check-properties.mjs"), str(PAGE)]


def expression(chance, depth):
    if depth == 0:
        return chance.choice(["n", "n", "n", "m", "p", "1/2", "3", "1/100"])
    inner = expression(chance, depth - 1)
    other = expression(chance, chance.randint(0, depth - 1))
    return chance.choice(
        [
            f"({inner} + {other})",
            f"{inner}*{other}",
            f"log(n + 2)*{inner}",
            f"sqrt({inner}^2 + 1)",
            f"log(1 + ({inner})^2)",
            f"-{inner}",
            f"1/(1 + ({inner})^2)",
            f"sin({inner})",
            f"max({inner}, {other})",
            f"exp(-abs({inner}))",
            f"floor({inner})",
        ]
    )


def specification(seed):
    """A file whose bias mostly falls, so that there is something to sum."""
    chance = random.Random(seed)
    falls = chance.choice(
        [
            "-m*n",
            "-m*log(n + 1)",
            "-m*sqrt(n)",
            "-m*n^2",
            "-2*log(n + 1) - m*log(log(n + 3))",
            "0",
            "-m*log(n + 1)^2",
            "m*n/(n + 1)",
        ]
    )
    bias = falls if chance.random() < 0.4 else f"{falls} - {expression(chance, chance.randint(1, 2))}"
    lines = [
        "schema = 1",
        f'name = "random-{seed}"',
        "[parameters]",
        f'm = {{ default = "{chance.choice(["1/2", "1/7", "2", "3/2", "1"])}", domain = "m > 0" }}',
        f'p = {{ default = "{chance.choice(["1", "0", "5/3"])}", domain = "p >= 0" }}',
        "[score]",
        f'bias = "{bias}"',
    ]
    if chance.random() < 0.3:
        lines.append(f'gain = "{chance.choice(["1/(1 + p*n)", "log(n + 2)", "exp(-m*n)", "2"])}"')
    if chance.random() < 0.2:
        lines.append(f'window = "{chance.choice([1, 7, 4096, 10**12, 2**31, 2**32 + 5, 10**20])}"')
    if chance.random() < 0.3:
        lines += [
            'transform = "rotation"',
            "[score.rotation]",
            f'angle = "{chance.choice(["10000^(-2*j/d)*n", "n/(1 + m*n)", "p*n"])}"',
        ]
    return "\n".join(lines) + "\n"


def answer(command, word, more=()):
    done = subprocess.run([*command, word, *OPTIONS, *more], capture_output=True, text=True, cwd=WORK)
    return done.returncode, done.stdout, done.stderr


def difference(word):
    """What differs, "" where nothing does; None where a time limit was met."""
    native, page = answer([str(BIN / "check-properties")], word, CURVES), answer(IN_NODE, word, CURVES)
    if "--curves" in native[2] and "--curves" in page[2]:
        native, page = answer([str(BIN / "check-properties")], word), answer(IN_NODE, word)
    if native == page:
        return ""
    if any("time limit" in output + errors for _, output, errors in (native, page)) or all(
        '"digits": 0,' in output for _, output, _ in (native, page)
    ):
        return None
    if native[0] != page[0] or not native[1] or not page[1]:
        return f"exit codes {native[0]} and {page[0]}: {native[2]} / {page[2]}"
    one, other = (json.loads(output)["encodings"][0] for _, output, _ in (native, page))
    return (
        "; ".join(
            f"{key}: {json.dumps(one[key])[:300]} / {json.dumps(other.get(key))[:300]}"
            for key in one
            if one[key] != other.get(key)
        )
        or "text"
    )


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    words = [
        line.split()[0]
        for line in subprocess.run(
            [BIN / "check-properties", "--list"], capture_output=True, text=True, check=True
        ).stdout.splitlines()
    ]
    for seed in range(FIRST, FIRST + COUNT):
        (WORK / f"{seed}.toml").write_text(specification(seed))
        words.append(f"./{seed}.toml")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(zip(words, pool.map(difference, words), strict=True))
    late = [word for word, what in found if what is None]
    wrong = [(word, what) for word, what in found if what]
    for word, what in wrong[:20]:
        print(f"{word}: {what}")
    print(f"{len(found)} files, {len(wrong)} differ, {len(late)} met a time limit: {' '.join(late)}")
    sys.exit(1 if wrong or len(late) > len(found) / 20 else 0)


main()
