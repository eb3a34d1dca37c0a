"""Tokens that can be learned from, for tests: no text is needed."""

import array
import random


def write_tokens(folder, vocabulary, train=60000, val=8000):
    """train.bin and val.bin: each token follows from the last two most of the time."""
    generator = random.Random(7)
    follows = {}
    for name, count in (("train", train), ("val", val)):
        tokens = [0, 1]
        while len(tokens) < count:
            pair = (tokens[-1] % 16, tokens[-2] % 8)
            if pair not in follows:
                follows[pair] = [generator.randrange(vocabulary) for _ in range(3)]
            tokens.append(
                generator.choice(follows[pair]) if generator.random() < 0.9 else generator.randrange(vocabulary)
            )
        with open(folder / f"{name}.bin", "wb") as file:
            array.array("H", tokens).tofile(file)
