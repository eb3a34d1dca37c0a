"""Alilama's models (github.com/JohannesVod/Alilama at 1eddbff, model.py) in torch: ALiBi, LayerNorm in place of the
residual stream, no projection after attention; what their heads do, row by row, without a matrix of tokens x tokens;
and the tokenizer of minbpe that belongs to them."""

import itertools
import math
import pickle
import re

import torch
from torch.nn import functional

ROWS = 256  # queries at once
BLOCK = {
    "norm1.weight": "d",
    "norm1.bias": "d",
    "MHSA.q.weight": "dd",
    "MHSA.k.weight": "dd",
    "MHSA.v.weight": "dd",
    "MHSA.preadditive.weight": "dd",
    "MLP.p1.weight": "fd",
    "MLP.p2.weight": "df",
    "MLP.preadditive.weight": "dd",
    "norm2.weight": "d",
    "norm2.bias": "d",
}


class WrongFile(ValueError):
    """What is wrong with a file, in one line."""


class Alilama:
    def __init__(self, path, dtype=torch.float32):
        """@raises WrongFile  a file that is not such a model: unreadable without running code in it, or a tensor is
        missing, unknown, of another shape, or has NaN or infinite entries"""
        try:
            content = torch.load(path, weights_only=True, map_location="cpu")
            weights, sizes = content["state_dict"], content["params"]
            width, self.layers, self.context = sizes["d_model"], sizes["blocks"], sizes["max_seq_len"]
            self.heads, self.head_dim, inner = sizes["num_heads"], sizes["head_width"], sizes["hidden_dim"]
            vocabulary = weights["embed.weight"].size(0)
            if not all(
                type(size) is int and 0 < size <= 1 << 20
                for size in (width, self.layers, self.context, self.heads, self.head_dim, inner)
            ):
                raise TypeError("a size out of range")
            if self.layers > len(weights) or not all(isinstance(tensor, torch.Tensor) for tensor in weights.values()):
                raise TypeError("other things than the tensors of its layers")
        except (
            OSError,
            pickle.UnpicklingError,
            RuntimeError,
            EOFError,
            KeyError,
            TypeError,
            AttributeError,
            IndexError,
        ) as error:
            raise WrongFile(f"{path}: {' '.join(str(error).split())[:200]}; expected a model of Alilama") from None
        if self.heads * self.head_dim != width or sizes.get("weight_tying_dict"):
            raise WrongFile(
                f"{path}: {self.heads} heads of {self.head_dim} in a width of {width}; "
                "expected the width, and blocks that are not tied"
            )
        size = {"d": width, "f": inner}
        expected = {"embed.weight": (vocabulary, width), "last_lin.weight": (vocabulary, width)}
        expected |= {
            f"blocks.{at}.{name}": tuple(size[axis] for axis in axes)
            for at in range(self.layers)
            for name, axes in BLOCK.items()
        }
        for name in sorted(expected.keys() | weights.keys()):
            found = tuple(weights[name].shape) if name in weights else None
            if found != expected.get(name):
                raise WrongFile(f"{path}: tensor {name} is {found}; expected {expected.get(name)}")
            if not bool(torch.isfinite(weights[name]).all()):
                raise WrongFile(f"{path}: tensor {name} has an entry that is not a finite number")
        self.weights = {name: tensor.to(dtype) for name, tensor in weights.items()}
        self.slopes = [2 ** (-8 * (head + 1) / self.heads) for head in range(self.heads)]

    def attend(self, layer, x, keys):
        """[tokens, width], and by head and row: entropy, and the largest |q·k|/√d of its keys.
        keys: by head, how many a query sees."""
        tokens = x.size(0)
        q, k, v = (
            (x @ self.weights[f"blocks.{layer}.MHSA.{which}.weight"].T).view(tokens, self.heads, -1).transpose(0, 1)
            for which in "qkv"
        )
        slopes = torch.tensor(self.slopes, dtype=x.dtype)[:, None, None]
        seen = torch.tensor(keys)[:, None, None]
        outs, entropies, contents = [], [], []
        for begin in range(0, tokens, ROWS):
            rows = torch.arange(begin, min(begin + ROWS, tokens))
            distance = rows[:, None] - torch.arange(int(rows[-1]) + 1)[None]
            hidden = (distance < 0) | (distance >= seen)
            content = q[:, rows] @ k[:, : int(rows[-1]) + 1].transpose(1, 2) / math.sqrt(self.head_dim)
            log_weights = torch.log_softmax((content - slopes * distance).masked_fill(hidden, -torch.inf), -1)
            weights = log_weights.exp()
            outs.append(weights @ v[:, : int(rows[-1]) + 1])
            entropies.append(-(weights * log_weights.masked_fill(hidden, 0)).sum(-1))
            contents.append(content.abs().masked_fill(hidden, 0).amax(-1))
        return torch.cat(outs, 1).transpose(0, 1).reshape(tokens, -1), torch.cat(entropies, 1), torch.cat(contents, 1)

    def read(self, tokens, keys=None):
        """Losses of tokens 1 … in nats; entropies and largest contents, [layer, head, row] of all tokens but the last.
        keys: by [layer][head], how many of its nearest keys a query sees; None: all."""
        weights = self.weights
        with torch.no_grad():
            x = weights["embed.weight"][tokens[:-1]]
            entropies, contents = [], []
            for layer in range(self.layers):

                def norm(y, which, at=f"blocks.{layer}."):
                    return functional.layer_norm(
                        y, y.shape[-1:], weights[f"{at}{which}.weight"], weights[f"{at}{which}.bias"]
                    )

                x = norm(x, "norm1")
                out, entropy, content = self.attend(layer, x, keys[layer] if keys else [len(tokens)] * self.heads)
                entropies.append(entropy)
                contents.append(content)
                x = x + out
                inner = functional.silu(norm(x, "norm2") @ weights[f"blocks.{layer}.MLP.p1.weight"].T)
                x = x + inner @ weights[f"blocks.{layer}.MLP.p2.weight"].T
            losses = torch.cat(
                [
                    functional.cross_entropy(part @ weights["last_lin.weight"].T, asked, reduction="none")
                    for part, asked in zip(x.split(ROWS), tokens[1:].split(ROWS), strict=True)
                ]
            )
        return losses, torch.stack(entropies), torch.stack(contents)

    def content_bounds(self):
        """By [layer][head], |q||k|/√d for every input: √width ‖W diag(γ)‖₂ + |W β| bounds |q| and
        |k|, rounded up by 1e-9."""
        found = []
        for layer in range(self.layers):
            gamma, beta = (self.weights[f"blocks.{layer}.norm1.{which}"].double() for which in ("weight", "bias"))
            longest = []
            for which in "qk":
                parts = self.weights[f"blocks.{layer}.MHSA.{which}.weight"].double().view(self.heads, self.head_dim, -1)
                longest.append(
                    [
                        math.sqrt(gamma.numel()) * float(torch.linalg.matrix_norm(part * gamma, 2))
                        + float((part @ beta).norm())
                        for part in parts
                    ]
                )
            found.append([q * k / math.sqrt(self.head_dim) * (1 + 1e-9) for q, k in zip(*longest, strict=True)])
        return found


class MinBpe:
    """tokenizer.model of minbpe v1: bytes, then the merges in their order, inside pieces of a regular expression."""

    def __init__(self, path):
        import regex

        version, pattern, special, *lines = path.read_text(encoding="utf-8").split("\n")
        if version != "minbpe v1" or special != "0":
            raise WrongFile(
                f"{path}: begins with '{version[:40]}' and has {special[:40]} special tokens; "
                "expected minbpe v1 and none"
            )
        pairs = [re.fullmatch(r"(\d+) (\d+)", line) for line in lines if line]
        if None in pairs:
            raise WrongFile(f"{path}: line {pairs.index(None) + 4}: expected two tokens")
        self.pattern = regex.compile(pattern)
        self.merges = {(int(pair[1]), int(pair[2])): 256 + at for at, pair in enumerate(pairs)}
        self.known = {}

    def encode(self, text):
        return [token for piece in self.pattern.findall(text) for token in self.piece(piece)]

    def piece(self, text):
        if text not in self.known:
            tokens = list(text.encode())
            while len(tokens) > 1:
                pair = min(itertools.pairwise(tokens), key=lambda pair: self.merges.get(pair, math.inf))
                if pair not in self.merges:
                    break
                at, merged = 0, []
                while at < len(tokens):
                    both = tuple(tokens[at : at + 2]) == pair
                    merged.append(self.merges[pair] if both else tokens[at])
                    at += 2 if both else 1
                tokens = merged
            self.known[text] = tokens
        return self.known[text]
