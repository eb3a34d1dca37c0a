"""The encodings of docs/study.md, in families; a parameter's values are members of one."""

from dataclasses import dataclass, field
from itertools import zip_longest

from record import ROOT

DESIGNED = "tests/bench/runs/study-designed.toml"  # by design-encoding; its command is in docs/study.md
REACH = "tests/bench/runs/study-reach.toml"  # likewise, when the answer was there
LOG_LOG = "tests/bench/runs/study-log-log.toml"  # tells convergence and bounded entropy apart


@dataclass(frozen=True)
class Encoding:
    name: str
    family: str
    file: str  # a built-in name, or a file from the sources' root
    set: dict = field(default_factory=dict, hash=False)
    learned: tuple = ()

    @property
    def path(self):
        return ROOT / self.file if self.file.endswith(".toml") else ROOT / "theory" / "encodings" / f"{self.file}.toml"


def family(name, file, **members):
    """MEMBER={parameter: value}, its name after that of the family; default: without one."""
    return [
        Encoding(name if member == "default" else f"{name}-{member.replace('_', '-')}", name, file, values)
        for member, values in members.items()
    ]


FAMILIES = [
    family("nope", "nope", default={}),
    family("rope", "rope", default={}, base_100={"base": 100}, base_500000={"base": 500000}),
    family(
        "alibi",
        "alibi",
        default={},
        slope_2={"m": "1/2"},
        slope_16={"m": "1/16"},
        slope_64={"m": "1/64"},
        slope_256={"m": "1/256"},
    ),
    family("rope-window", "sliding-window", keys_16={"W": 16}, keys_64={"W": 64}, keys_256={"W": 256}),
    family("kerple-log", "kerple-log", power_1={"p": 1}, power_half={"p": "1/2"}, power_2={"p": 2}, power_4={"p": 4})
    + [Encoding("kerple-log-learned", "kerple-log", "kerple-log", {}, ("p", "a"))],
    family(
        "kerple-power", "kerple-power", default={}, weak={"a": "1/10"}, slow={"p": "1/4"}, square={"a": "1/100", "p": 2}
    ),
    family("kerple-weight", "kerple-weight", default={}, weak={"wei_a": "1/10"}),
    family("log-log", LOG_LOG, default={}, power_3_2={"q": "3/2"}),
    family("t5", "t5", default={}),
    family("fire", "fire", default={}, threshold_64={"threshold": 64}),
    family("sandwich", "sandwich", default={}),
    family("xpos", "xpos", default={}, scale_64={"scale_base": 64}),
    family("ape", "ape", default={}, weak={"lambda": "1/1000", "delta": "1/480", "beta": "1/100", "gamma": "1/100"})
    + [Encoding("ape-learned", "ape", "ape", {}, ("delta", "beta", "gamma"))],
    family("log-length", "log-n", default={"train": 64})
    + [Encoding("log-length-abf", "log-length", "entropy-abf", {"train": 64})],
    family("ssmax", "ssmax", default={}) + [Encoding("ssmax-learned", "ssmax", "ssmax", {}, ("s",))],
    family("nope-temperature", "llama4", default={"floor_scale": 64}, strong={"floor_scale": 64, "attn_scale": 1}),
    family("streaming-llm", "streaming-llm", keys_16={"recent": 16}, keys_60={"recent": 60}),
    family("partial-rotary", "partial-rotary", default={}) + [Encoding("partial-rotary-p", "partial-rotary", "p-rope")],
    family("rerope", "rerope", cutoff_32={"cutoff": 32})
    + [Encoding("rerope-leaky", "rerope", "leaky-rerope", {"cutoff": 32})],
    family("hyperbolic", "hope-hyperbolic", default={}),
    family("sinusoidal", "sinusoidal", default={}),
    family("softmax1", "softmax1", default={}),
    family("designed", DESIGNED, default={}),
]
ENCODINGS = [encoding for members in FAMILIES for encoding in members]
IN_TURN = [
    encoding for turn in zip_longest(*FAMILIES) for encoding in turn if encoding
]  # the first of each family, the second, …

# What is not counted: from the answer, and what reads with the weights of rope.
DESIGNED_AFTERWARDS = [Encoding("designed-reach", "afterwards", REACH)]
EXTENSIONS = [
    Encoding(f"{file}-{factor}", "rope extended", file, {"factor": factor} | ({"train": 64} if file == "yarn" else {}))
    for file in ("position-interpolation", "ntk-aware", "yarn")
    for factor in (8, 64)
]
