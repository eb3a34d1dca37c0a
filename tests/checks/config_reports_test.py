"""Reports of ports that read a key of a config.json otherwise than its class does: what check-properties and
compare-configs make of them.

    python tests/checks/config_reports_test.py PROGRAMS WORK
"""

import json
import pathlib
import subprocess
import sys
import tomllib

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LLAMA = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 256, "num_attention_heads": 4, "head_dim": 64}
SCALED = {
    "llama3": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0},
    "yarn": {"factor": 4.0},
    "linear": {"factor": 4.0},
    "dynamic": {"factor": 2.0},
}


class Case:
    """The programs, and a folder for the files of one case."""

    def __init__(self, programs, work):
        self.programs, self.work = pathlib.Path(programs), work

    def file(self, name, keys):
        path = self.work / name
        path.write_text(json.dumps(keys))
        return path

    def run(self, program, *arguments):
        command = [self.programs / program, *arguments]
        return subprocess.run([str(part) for part in command], capture_output=True, text=True)

    def json(self, program, *arguments, expected=0):
        done = self.run(program, *arguments, "--format", "json")
        assert done.returncode == expected, f"{program}: exit {done.returncode}: {done.stderr}"
        return json.loads(done.stdout)

    def encodings(self, keys):
        found = self.json("check-properties", self.file("config.json", keys), "--show-encoding")["encodings"]
        return [one | {"toml": tomllib.loads(one["toml"])} for one in found]


def domains_are_those_of_the_library(case):
    files = {"llama3": "llama3", "yarn": "yarn", "linear": "position-interpolation", "dynamic": "dynamic-ntk"}
    for kind, file in files.items():
        library = tomllib.loads((SOURCE / f"theory/encodings/{file}.toml").read_text())["parameters"]
        rope = {"rope_type": kind, "original_max_position_embeddings": 8192} | SCALED[kind]
        found = case.encodings(LLAMA | {"rope_scaling": rope})[0]["toml"]["parameters"]
        for name in {"factor", "train"} & set(library) & set(found):
            expected = library[name]["domain"].replace("train >= 1", "train > 1" if kind == "dynamic" else "train >= 1")
            assert found[name]["domain"] == expected, f"{kind}, {name}: {found[name]['domain']}; expected {expected}"


def narrow_domains_are_no_condition(case):
    rope = {"rope_type": "llama3", "original_max_position_embeddings": 20} | SCALED["llama3"] | {"factor": 0.5}
    found = case.encodings(LLAMA | {"rope_scaling": rope})[0]["toml"]["parameters"]
    assert found["factor"]["domain"] == "factor > 0" and found["train"]["domain"] == "train > 1", found


def a_window_that_the_class_drops_is_none(case):
    keys = {
        "model_type": "qwen3",
        "num_hidden_layers": 8,
        "sliding_window": 4096,
        "layer_types": 2 * (3 * ["sliding_attention"] + ["full_attention"]),
    }
    on, off = (keys | {"use_sliding_window": flag} for flag in (True, False))
    windowed = [
        [layer for one in case.encodings(each) if "window" in one["toml"]["score"] for layer in one["layers"]]
        for each in (on, off)
    ]
    assert windowed == [[1, 2, 3, 5, 6, 7], []], windowed
    case.json("compare-configs", case.file("on.json", on), case.file("off.json", off), expected=3)


CASES = [domains_are_those_of_the_library, narrow_domains_are_no_condition, a_window_that_the_class_drops_is_none]


def main():
    work = pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    case = Case(sys.argv[1], work)
    for check in CASES:
        try:
            check(case)
        except AssertionError as error:
            sys.exit(f"{check.__name__}: {error}")
    print(f"{len(CASES)} reports are answered")


if __name__ == "__main__":
    main()
