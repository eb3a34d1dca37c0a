"""Keys of a config.json with a value of a wrong type: exit code 2 and one message about the key, and none that is read
takes its default in silence.

python tests/checks/wrong_types_test.py PROGRAMS WORK
"""

import json
import pathlib
import subprocess
import sys

CONFIGS = pathlib.Path(__file__).resolve().parents[1] / "cases" / "configs"
FILES = ("llama-3.1-8b", "gemma-3-4b", "gpt-oss-20b", "mpt-7b")
MORE = {
    "qwen3": {"num_hidden_layers": 4, "use_sliding_window": True, "sliding_window": 64, "max_window_layers": 2},
    "deepseek_v3": {"num_hidden_layers": 2, "qk_rope_head_dim": 32, "qk_nope_head_dim": 64, "rope_theta": 50000.0},
    "falcon": {"alibi": True, "num_attention_heads": 8, "hidden_size": 512, "new_decoder_architecture": True},
    "smollm3": {"num_hidden_layers": 4, "no_rope_layers": [1, 1, 0, 1], "rope_theta": 50000.0},
    "gpt_neox": {"rotary_pct": 0.5, "rotary_emb_base": 50000.0, "hidden_size": 512, "num_attention_heads": 8},
    "yarn": {
        "model_type": "llama",
        "rope_scaling": {
            "rope_type": "yarn",
            "factor": 4.0,
            "original_max_position_embeddings": 512,
            "beta_fast": 16.0,
        },
    },
    "longrope": {
        "model_type": "phi3",
        "hidden_size": 64,
        "num_attention_heads": 4,
        "rope_scaling": {"type": "longrope", "short_factor": [1.5] * 8, "long_factor": [2.5] * 8},
        "original_max_position_embeddings": 512,
    },
}
HUGE = 10**40
VALUES = (None, [], [7], "x", "", {}, {"a": 1}, -1, 0, HUGE, 1e300, 2.5, True, float("nan"), float("inf"))


def kind_of(value):
    return float if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value)


def configs():
    found = {name: json.loads((CONFIGS / f"{name}.json").read_text()) for name in FILES}
    return found | {name: {"model_type": name} | keys for name, keys in MORE.items()}


def places(config, path=()):
    for key, value in config.items():
        yield (*path, key)
        if isinstance(value, dict):
            yield from places(value, (*path, key))


def changed(config, path, *value):
    """With this value at a place, or without the key."""
    found = json.loads(json.dumps(config))
    home = found
    for key in path[:-1]:
        home = home[key]
    home.pop(path[-1]) if not value else home.update({path[-1]: value[0]})
    return found


def at(config, path):
    for key in path:
        config = config[key]
    return config


class Asked:
    def __init__(self, program, work):
        self.program, self.work = program, work

    def __call__(self, number, config):
        file = self.work / f"{number}.json"
        file.write_text(json.dumps(config))
        done = subprocess.run(
            [self.program, file, "--show-encoding", "--time-limit", "2"], capture_output=True, text=True, timeout=60
        )
        return done.returncode, done.stdout, done.stderr.replace(str(file), "FILE")


def fault_of(asked, number, config, path, value):
    code, out, said = asked(number, changed(config, path, value))
    if code == 2:
        first = said.startswith("check-properties: FILE: ")
        single = all(not line or line.startswith("  ") for line in said.split("\n")[1:])
        named = value is None or kind_of(value) is kind_of(at(config, path)) or f"{path[-1]}'" in said
        return None if first and single and named and len(said) < 400 else f"message {said[:300]!r}"
    if code != 0:
        return f"exit {code}: {said[:200]}"
    right = at(config, path)
    if value is None or (kind_of(value) is kind_of(right) and repr(value) not in ("nan", "inf")):
        return None
    default = asked(f"{number}-without", changed(config, path))
    plain = asked(f"{number}-right", config)
    if default[0] == 0 and default[1] != plain[1] and out in (default[1], plain[1]):
        return f"in silence {'as without it' if out == default[1] else 'as it was'}; said {said[:100]!r}"
    return None


def main():
    work = pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    asked = Asked(pathlib.Path(sys.argv[1]) / "check-properties", work)
    cases = [
        (name, config, path, value)
        for name, config in configs().items()
        for path in places(config)
        for value in VALUES
        if path != ("model_type",)
    ]
    listed = {"model_type": "nemotron_h", "time_step_limit": [0.0, float("inf")]}  # as Python's json writes it
    if (done := asked("listed", listed))[0] != 0:
        sys.exit(f"Infinity in a key that is not read: {done[2]}")
    wrong = 0
    for number, (name, config, path, value) in enumerate(cases):
        fault = fault_of(asked, number, config, path, value)
        if fault:
            wrong += 1
            print(f"{name}: {'.'.join(path)} = {json.dumps(value)}: {fault}", flush=True)
    if wrong:
        sys.exit(f"{wrong} of {len(cases)} values are taken otherwise")
    print(f"{len(cases)} values of wrong types or far from right, each refused by its key or read")


if __name__ == "__main__":
    main()
