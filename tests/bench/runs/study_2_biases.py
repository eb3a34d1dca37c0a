"""The encodings of the second study (docs/study.md): 16 biases, each without a transform and with rotations."""

from dataclasses import dataclass

BIASES = {
    "none": "0",
    "alibi-2": "-n/2",
    "alibi-16": "-n/16",
    "alibi-256": "-n/256",
    "alibi-heads": "-2^(-8*h/heads)*n",
    "log-1-2": "-log(1 + n)/2",
    "log-3-4": "-3/4*log(1 + n)",
    "log-1": "-log(1 + n)",
    "log-3-2": "-3/2*log(1 + n)",
    "log-2": "-2*log(1 + n)",
    "log-4": "-4*log(1 + n)",
    "power": "-n^(1/2)",
    "log-log-1": "-log(1 + n) - log(1 + log(1 + n))",
    "log-log-3-2": "-log(1 + n) - 3/2*log(1 + log(1 + n))",
    "log-log-2": "-log(1 + n) - 2*log(1 + log(1 + n))",
    "ape": "-n/48 - log(1 + n)/10 - sqrt(n)/10",
}
STRENGTHS = {"log-1-2": 0.5, "log-3-4": 0.75, "log-1": 1, "log-3-2": 1.5, "log-2": 2, "log-4": 4}  # the p of KERPLE-log
TRANSFORMS = ("none", "rope")
ROTATION = 'transform = "rotation"\n\n[score.rotation]\nangle = "10000^(-2*j/d) * n"\n'


@dataclass(frozen=True)
class Encoding:
    bias: str
    transform: str

    @property
    def name(self):
        return f"{self.bias}-{self.transform}"

    @property
    def text(self):
        head = f'schema = 1\nname = "{self.name}"\n\n[score]\nbias = "{BIASES[self.bias]}"\n'
        return head + (ROTATION if self.transform == "rope" else "")

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.toml"
        path.write_text(self.text)
        return path


ENCODINGS = [Encoding(bias, transform) for bias in BIASES for transform in TRANSFORMS]
