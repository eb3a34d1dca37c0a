"""The decoders of transformers: the table docs/tables/models.md, and that what is made of their
configurations is what their code computes.

python tests/checks/decoders_test.py PROGRAMS WORK            the page, row by row; an unknown type is an error
python tests/checks/decoders_test.py PROGRAMS WORK --all      every decoder against its code, a minute or more
python tests/checks/decoders_test.py PROGRAMS WORK --times    a whole report on every decoder, with its time
python tests/checks/decoders_test.py PROGRAMS WORK --remake   the page and config_defaults.cpp, from the wheel
"""

import difflib
import json
import pathlib
import re
import resource
import subprocess
import sys
import tomllib

try:
    from transformers.models.auto import modeling_auto
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)

# What a configuration must state because the class's defaults have no attention layer, or none that runs.
STATED = {
    "bamba": {"attn_layer_indices": [3, 7]},
    "cohere_compass_text": {"rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 10000.0}}},
    "granitemoehybrid": {"layer_types": ["full_attention" if i % 4 == 3 else "linear_attention" for i in range(32)]},
    "qwen3_omni_moe_text": {"head_dim": 128},
}
# Types that were text decoders of other types before they had one of their own, beside those of both tables.
LEAST = 0.95
LONGEST = 2  # seconds of CPU time for a report on one configuration


def fail(text):
    sys.exit(f"decoders_test: {text}")


class Program:
    def __init__(self, folder):
        self.program = str(pathlib.Path(folder) / "check-properties")

    def run(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments), "--format", "json"], capture_output=True, text=True)

    def json(self, *arguments):
        done = self.run(*arguments)
        if done.returncode != 0:
            fail(f"{' '.join(map(str, arguments))}: exit {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)


def example(decoder):
    return {"model_type": decoder} | STATED.get(decoder, {})


def read(program, work, decoder):
    """The encodings of its defaults, or the reason of the refusal."""
    file = work / f"{decoder}.json"
    file.write_text(json.dumps(example(decoder)))
    done = program.run(file, "--show-encoding")
    if done.returncode == 0:
        return json.loads(done.stdout)["encodings"], None
    reason = re.search(r"a model with (.*?); expected", done.stderr)
    if done.returncode != 2 or not reason:
        fail(f"{decoder}: exit {done.returncode}: {done.stderr}")
    return None, reason[1]


def ranges(layers):
    text = []
    for layer in layers:
        if text and text[-1][1] == layer - 1:
            text[-1][1] = layer
        else:
            text.append([layer, layer])
    shown = [f"{a}" if a == b else f"{a}-{b}" for a, b in text]
    return ", ".join(shown if len(shown) <= 6 else [*shown[:3], "…", shown[-1]])


def position(toml):
    score = toml["score"]
    parts = []
    if "rotation" in score:
        parts.append(f"RoPE, base {toml['parameters']['base']['default']}")
    elif "bias" in score:
        parts.append("buckets" if "values(" in score["bias"] else "slopes")
    else:
        parts.append("no position")
    if "window" in score:
        parts.append(f"window {toml['parameters']['W']['default']}")
    if "L" in re.findall(r"\b[A-Za-z_]\w*\b", score.get("gain", "")):
        parts.append("temperature by length")
    parts += [name for name in ("sink", "softcap") if name in score]
    return ", ".join(parts)


HEAD = """# Decoders of transformers {version}

Made by `tests/checks/decoders_test.py --remake`, which reads the wheel: the types of its tables for causal language
models and for images and text whose decoder has a softmax over tokens and adds no absolute positions to its states.
Types with one text decoder count once. **{count} of {all} are read into encodings ({percent} %)**; the rest are refused
by name.

Layers, heads and dimensions are those of the class's defaults{stated}; a config.json has its own.
Layers without softmax attention (recurrent ones, convolutions, cross-attention) have no encoding. Where an indexer
keeps some of the keys the scores are read, over all keys: the formula is the layer's up to L = k − 1, and its title
says so. Output gates act after the softmax and change no score. For text all positions of M-RoPE are the same number,
so it is RoPE. A report of `check-properties` on any of them takes less than 2 s of CPU time
(`tests/checks/decoders_test.py PROGRAMS WORK --times`).

"""


def page(program, work):
    import wheel

    rows, refused, excluded, count = [], [], [], 0
    for decoder, (_, types) in sorted(wheel.decoders().items()):
        others = ", ".join(f"`{name}`" for name in types if name != decoder)
        out = wheel.excluded(decoder)
        if out:
            excluded.append(
                f"| `{decoder}` | {others} | {out[0]} | `{out[1]}` | `{out[2].replace('|', chr(92) + '|')}` |"
            )
            continue
        encodings, reason = read(program, work, decoder)
        if reason:
            refused.append(f"| `{decoder}` | {others} | {reason} |")
            continue
        count += 1
        for number, one in enumerate(encodings):
            toml = tomllib.loads(one["toml"])
            layers = "all" if len(one["layers"]) == one["all_layers"] else ranges(one["layers"])
            rows.append(
                f"| {f'`{decoder}`' if not number else ''} | {others if not number else ''} | {layers} of "
                f"{one['all_layers']} | "
                f"{one['heads']} | {one['key_heads']} | {one['head_dim']} | {position(toml)} | "
                f"{('`' + one['content_bound'] + '`') if one['content_bound'] else ''}"
                f"{' after the rotation' if one['caveat'] else ''} |"
            )
    everything = count + len(refused)
    if count < LEAST * everything:
        fail(f"{count} of {everything} decoders are read, fewer than {LEAST:.0%}")
    stated = "".join(f"; of `{name}` with `{', '.join(keys)}` stated" for name, keys in STATED.items())
    text = HEAD.format(
        version=wheel.transformers.__version__,
        count=count,
        all=everything,
        stated=stated,
        percent=f"{100 * count / everything:.1f}",
    )
    text += (
        "## Read\n\n| decoder | also | layers | heads | of keys | dimension | scores | B, normed |\n"
        "|---|---|---|---|---|---|---|---|\n"
    )
    text += (
        "\n".join(rows) + "\n\n## Refused\n\n| decoder | also | a model with |\n|---|---|---|\n" + "\n".join(refused)
    )
    text += (
        "\n\n## Excluded, by which line of code\n\n| decoder | also | why | line | code |\n|---|---|---|---|---|\n"
        + "\n".join(excluded)
        + "\n"
    )
    return text


def check_page(program, work, docs):
    """The page knows every type of the wheel, and its tables of layers are what the program reads
    of the wheel's defaults."""
    text = (docs / "tables" / "models.md").read_text()
    known = set(re.findall(r"`([\w.-]+)`", text))
    new = [
        name
        for table in (
            modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
            modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES,
        )
        for name in table
        if name not in known
    ]
    if new:
        fail(
            f"docs/tables/models.md says nothing of {', '.join(sorted(set(new)))}; "
            "remake it with --remake, and read or refuse them"
        )
    differing = [
        line
        for line in difflib.unified_diff(
            text.splitlines()[1:], page(program, work).splitlines()[1:], "docs/tables/models.md", "read today", n=0
        )
    ]
    if differing:
        fail(
            "docs/tables/models.md is not what is read today; if that is right, remake it with --remake\n"
            + "\n".join(differing[:20])
        )
    print(f"{text.splitlines()[0][2:]}: every row as it is read")


def check_silence(program, work):
    """No key of a configuration as its class saves it is taken for another one misspelled."""
    import wheel

    for decoder, (made, _) in sorted(wheel.decoders().items()):
        file = work / f"{decoder}.whole.json"
        file.write_text(made().to_json_string(use_diff=False))
        said = [line for line in program.run(file, "--show-encoding").stderr.splitlines() if "is not read" in line]
        if said:
            fail(f"{decoder}: {said[0]}")


def check_times(program, work, docs):
    """A report on each of them, and on public configurations with scaled rotations, is there within LONGEST."""
    read_ones = re.split(r"^## ", (docs / "tables" / "models.md").read_text(), flags=re.M)[1]
    files = sorted((docs.parent / "tests/cases/configs").glob("*.json"))
    for decoder in re.findall(r"^\| `([\w.-]+)` \|", read_ones, flags=re.M):
        files.append(work / f"{decoder}.json")
        files[-1].write_text(json.dumps(example(decoder)))
    found = []
    for file in files:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        program.json(file)
        found.append((resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, file.stem))
    for seconds, name in sorted(found, reverse=True):
        print(f"{seconds:.2f} s  {name}")
    slow = [name for seconds, name in found if seconds > LONGEST]
    if slow:
        fail(f"reports that take longer than {LONGEST} s: {', '.join(slow)}")


def main():
    folders = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    program, work, docs = (
        Program(folders[0]),
        pathlib.Path(folders[1]),
        pathlib.Path(__file__).resolve().parents[2] / "docs",
    )
    work.mkdir(parents=True, exist_ok=True)
    if "--remake" in sys.argv:
        import wheel

        source = docs.parent / "checks/configs/config_defaults.cpp"
        made = wheel.defaults_source()
        if source.read_text() != made:
            source.write_text(made)
            sys.exit("checks/configs/config_defaults.cpp is new: build check-properties, and run this again")
        (docs / "tables" / "models.md").write_text(page(program, work))
    elif "--times" in sys.argv:
        check_times(program, work, docs)
    elif "--all" in sys.argv:
        import spied

        spied.check(sys.argv[1], work, docs, sys.argv[sys.argv.index("--all") + 1 :])
    else:
        check_page(program, work, docs)
        check_silence(program, work)


if __name__ == "__main__":
    main()
