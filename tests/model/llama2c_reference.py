"""llama2.c's model and tokenizer in NumPy, from its file formats and the formulas of run.c; and
files of both with random contents."""

import struct

import numpy

NAMES = (
    "token_embedding_table",
    "rms_att_weight",
    "wq",
    "wk",
    "wv",
    "wo",
    "rms_ffn_weight",
    "w1",
    "w2",
    "w3",
    "rms_final_weight",
    "freq_cis_real",
    "freq_cis_imag",
    "wcls",
)


class Llama:
    """The file's numbers as float64; `tied` where the vocabulary is positive."""

    def __init__(self, data):
        header = struct.unpack("<7i", data[:28])
        self.width, self.inner, self.layers, self.heads, self.key_heads, vocabulary, self.context = header
        self.tied, self.vocabulary = vocabulary > 0, abs(vocabulary)
        at = 28
        self.at = {}
        for name, shape in self.shapes():
            count = int(numpy.prod(shape))
            setattr(self, name, numpy.frombuffer(data, "<f4", count, at).reshape(shape).astype(float))
            self.at[name] = at
            at += 4 * count
        assert at == len(data)

    def shapes(self):
        d, L, V, h = self.width, self.layers, self.vocabulary, self.width // self.heads
        keys = h * self.key_heads
        shapes = [
            (V, d),
            (L, d),
            (L, d, d),
            (L, keys, d),
            (L, keys, d),
            (L, d, d),
            (L, d),
            (L, self.inner, d),
            (L, d, self.inner),
            (L, self.inner, d),
            (d,),
            (self.context, h // 2),
            (self.context, h // 2),
        ] + ([] if self.tied else [(V, d)])
        return list(zip(NAMES, shapes, strict=False))  # without the last where it is tied

    def logits(self, tokens):
        """[tokens, vocabulary]"""
        x = self.token_embedding_table[tokens]
        count, h = len(tokens), self.width // self.heads
        angles = numpy.arange(count)[:, None] * 10000.0 ** (-2 * numpy.arange(h // 2) / h)
        turn = numpy.exp(1j * angles)[:, None, :]
        hidden = numpy.triu(numpy.ones((count, count), dtype=bool), 1)

        def turned(vectors, heads):
            pairs = vectors.reshape(count, heads, h // 2, 2)
            result = (pairs[..., 0] + 1j * pairs[..., 1]) * turn
            return numpy.stack((result.real, result.imag), -1).reshape(count, heads, h)

        for layer in range(self.layers):
            normed = rms(x, self.rms_att_weight[layer])
            q = turned(normed @ self.wq[layer].T, self.heads)
            k = turned(normed @ self.wk[layer].T, self.key_heads)
            v = (normed @ self.wv[layer].T).reshape(count, self.key_heads, h)
            out = numpy.empty((count, self.heads, h))
            for head in range(self.heads):
                served = head // (self.heads // self.key_heads)
                scores = numpy.where(hidden, -numpy.inf, q[:, head] @ k[:, served].T / numpy.sqrt(h))
                weights = numpy.exp(scores - scores.max(1, keepdims=True))
                out[:, head] = weights / weights.sum(1, keepdims=True) @ v[:, served]
            x = x + out.reshape(count, self.width) @ self.wo[layer].T
            normed = rms(x, self.rms_ffn_weight[layer])
            gate = normed @ self.w1[layer].T
            x = x + (gate / (1 + numpy.exp(-gate)) * (normed @ self.w3[layer].T)) @ self.w2[layer].T
        return rms(x, self.rms_final_weight) @ (self.token_embedding_table if self.tied else self.wcls).T

    def loss(self, tokens, piece):
        """Mean over the tokens but the first, in nats; every `piece` of them is read anew."""
        losses = []
        for begin in range(0, len(tokens) - 1, piece):
            part = tokens[begin : begin + piece + 1]
            logits = self.logits(part[:-1])
            top = logits.max(1)
            sums = top + numpy.log(numpy.exp(logits - top[:, None]).sum(1))
            losses.extend(sums - logits[numpy.arange(len(part) - 1), part[1:]])
        return float(numpy.mean(losses))


def rms(x, weight):
    return x / numpy.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * weight


def random_model(generator, width=24, inner=20, layers=2, heads=4, key_heads=2, vocabulary=300, context=40, tied=True):
    header = struct.pack("<7i", width, inner, layers, heads, key_heads, vocabulary if tied else -vocabulary, context)
    sizes = Llama.__new__(Llama)
    sizes.width, sizes.inner, sizes.layers, sizes.heads, sizes.key_heads = width, inner, layers, heads, key_heads
    sizes.vocabulary, sizes.context, sizes.tied = vocabulary, context, tied
    h = width // heads
    angles = numpy.arange(context)[:, None] * 10000.0 ** (-2 * numpy.arange(h // 2) / h)
    parts = [header]
    for name, shape in sizes.shapes():
        numbers = {"freq_cis_real": numpy.cos(angles), "freq_cis_imag": numpy.sin(angles)}.get(name)
        if numbers is None:
            numbers = 0.4 * generator.standard_normal(shape) + (1 if name.startswith("rms") else 0)
        parts.append(numbers.astype("<f4").tobytes())
    return b"".join(parts)


def write_pieces(pieces):
    """[(score, text)] as tokenizer.bin"""
    texts = [text.encode() if isinstance(text, str) else text for _, text in pieces]
    return struct.pack("<i", max(map(len, texts))) + b"".join(
        struct.pack("<fi", score, len(text)) + text for (score, _), text in zip(pieces, texts, strict=True)
    )


def read_pieces(data):
    pieces, at = [], 4
    while at < len(data):
        score, length = struct.unpack("<fi", data[at : at + 8])
        pieces.append((score, data[at + 8 : at + 8 + length].decode()))
        at += 8 + length
    return pieces


def special_pieces():
    return [(0.0, "<unk>"), (0.0, "\n<s>\n"), (0.0, "\n</s>\n")] + [(0.0, f"<0x{byte:02X}>") for byte in range(256)]


def encode(pieces, text):
    """As run.c does, without its token before the text: characters or their bytes, then the best
    pair again and again."""
    numbers = {piece: token for token, (_, piece) in enumerate(pieces)}
    tokens = []
    for character in " " + text if text else "":
        if character in numbers:
            tokens.append(numbers[character])
        else:
            tokens.extend(byte + 3 for byte in character.encode())
    while True:
        best, place = -1e10, None
        for i in range(len(tokens) - 1):
            token = numbers.get(pieces[tokens[i]][1] + pieces[tokens[i + 1]][1])
            if token is not None and pieces[token][0] > best:
                best, place, made = pieces[token][0], i, token
        if place is None:
            return tokens
        tokens[place : place + 2] = [made]
