#!/usr/bin/env python3
"""Writes encodings_golden.csv: values of the built-in encodings, computed from their published code and nothing else.

Every function below follows the code that its comment names, step by step, in 60-digit arithmetic. It reads no
specification and shares no formula with the files in theory/encodings.

    python3 make_encodings_golden.py > encodings_golden.csv
"""

import csv
import sys

from mpmath import ceil, cos, exp, expm1, floor, log, log1p, mp, mpf, nstr, pi, sqrt

mp.dps = 60
DIGITS = 40


# fairseq/models/transformer.py, get_slopes
def alibi_slopes(heads):
    def power_of_two(count):
        start = 2 ** (-(2 ** -(log(count, 2) - 3)))
        return [start * start**i for i in range(count)]

    if heads & (heads - 1) == 0:
        return power_of_two(heads)
    below = 1 << (heads.bit_length() - 1)
    return power_of_two(below) + alibi_slopes(2 * below)[0::2][: heads - below]


# ALiBi, section 3: "a geometric sequence that starts at 2^(-8/n) and uses that same value as its ratio"
def alibi_text_slopes(heads, start=None):
    start = mpf(2) ** (mpf(-8) / heads) if start is None else start
    slopes = [start]
    while len(slopes) < heads:
        slopes.append(slopes[-1] * start)
    return slopes


def rope(j, d, base):
    return 1 / mpf(base) ** (mpf(2 * j) / d)


# modeling_rope_utils.py, _compute_dynamic_ntk_parameters
def dynamic_ntk(j, d, base, factor, train, seq_len):
    seq_len = max(seq_len, train)
    base = base * ((mpf(factor) * seq_len / train) - (factor - 1)) ** (mpf(d) / (d - 2))
    return rope(j, d, base)


# modeling_qwen.py, get_ntk_alpha; the doublings are compared exactly instead of through a logarithm
def qwen_alpha(seq_len, train):
    doublings = 0
    while train << doublings < seq_len:
        doublings += 1
    return max(2 ** (doublings + 1) - 1, 1)


# LlamaYaRNScaledRotaryEmbedding.py; gpt_oss/torch/model.py without rounding
def yarn(j, d, base, factor, train, fast=32, slow=1, rounded=True):
    def correction(turns):
        return (d * log(train / (turns * 2 * pi))) / (2 * log(base))

    low, high = correction(mpf(fast)), correction(mpf(slow))
    if rounded:
        low, high = floor(low), ceil(high)
    low, high = max(low, mpf(0)), min(high, mpf(d - 1))
    if low == high:
        high += mpf("0.001")
    ramp = min(max((j - low) / (high - low), mpf(0)), mpf(1))
    plain = rope(j, d, base)
    return plain / factor * ramp + plain * (1 - ramp)


# LlamaYaRNRadix.py: yarn_radix, and yarn_radix3 (progressive)
def mrrope(j, d, base, factor, train, progressive):
    def correction(turns):
        return (d * log(train / (turns * 2 * pi))) / (2 * log(base))

    low, high = max(floor(correction(mpf(32))), mpf(0)), min(ceil(correction(mpf(1))), mpf(d - 1))
    if j < low + 1:
        values = mpf(1)
    elif j > high - 1:
        values = mpf(factor)
    elif progressive:
        values = (factor ** (1 / ((high - low) * (high - low + 1)))) ** ((j + 1 - low) * (j - low))
    else:
        values = (factor ** (1 / (high - low))) ** (j - low)
    return rope(j, d, base) / values


# modeling_cope.py: the last clip frequencies times (1 + cos(linspace(0, pi, clip)))/2
def clipped(j, d, base, clip):
    start = d // 2 - clip
    theta = pi * mpf(j - start) / (clip - 1)
    return rope(j, d, base) * (mpf(1) if j < start else (1 + cos(theta)) / 2)


# sglang/srt/models/grok.py, extra_method theta_scale
def theta_scaled(j, d, base, factor, train):
    return 1 / (mpf(base) ** (log(train * factor / (2 * pi)) / log(train / (2 * pi)))) ** (mpf(2 * j) / d)


# modeling_telechat.py, get_ntk_alpha
def telechat_alpha(seq_len, train):
    context_value, exponent = mpf(seq_len) / train, 0
    while mpf(2) ** exponent < context_value:
        exponent += 1
    return max(2 ** (exponent + 1) - 1, 1)


def mscale(factor):
    return mpf(1) if factor <= 1 else log(factor) / 10 + 1


# models/llama3/model.py, apply_scaling
def llama3(j, d, base, factor, low, high, train):
    freq = rope(j, d, base)
    wavelength = 2 * pi / freq
    if wavelength < mpf(train) / high:
        return freq
    if wavelength > mpf(train) / low:
        return freq / factor
    smooth = (train / wavelength - low) / (high - low)
    return (1 - smooth) * freq / factor + smooth * freq


# xpos_relative_position.py: scale = (arange(0, d, 2) + 0.4 d)/(1.4 d), raised to position/scale_base
def xpos_scale(j, d, n, scale_base):
    return ((2 * j + mpf(4) / 10 * d) / (mpf(14) / 10 * d)) ** (mpf(n) / scale_base)


# sandwich_relative_position_embedding.py
def sandwich(n, d, h, heads):
    total = sum(cos(n / mpf(10000) ** (mpf(2 * i) / d)) for i in range(1, d // 2 + 1))
    return (total - mpf(d) / 2) / (mpf(h) * 8 / heads)


# DAPE.py, class FIRE, over the weights of fire.csv: a network that meets -4x^2 at the multiples of 1/32
def fire(n, query):
    c, threshold = mpf("0.1"), 512
    first = [(mpf(1), -mpf(k) / 32) for k in range(32)]
    second = [mpf(-1) / 8] + [mpf(-1) / 4] * 31
    normalizer = log(abs(c * max(query, threshold)) + 1) + mpf("1e-6")
    x = log(abs(c * n) + 1) / normalizer
    return sum(v * max(mpf(0), w * x + b) for (w, b), v in zip(first, second, strict=True))


def t5_bucket(n):
    # transformer_layers.py, relative_position_bucket, causal. 16 + 16 log(n/16)/log 8 >= b iff (n/16)^16 >= 8^(b-16).
    if n < 16:
        return n
    bucket = 16
    while bucket < 31 and n**16 >= 16**16 * 8 ** (bucket + 1 - 16):
        bucket += 1
    return bucket


def row(name, quantity, value, n="", j="", L="", d=64, heads=1, h=1, **values):
    settings = ";".join(f"{key}={value}" for key, value in values.items())
    return [name, d, heads, h, settings, quantity, L, n, j, nstr(value, DIGITS) if value else "0"]


def rows():
    distances = [1, 7, 113, 4096]
    for heads in (1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24):
        for h in range(1, heads + 1):
            for name in ("alibi", "alibi-symmetric"):
                yield row(name, "bias", -3 * alibi_slopes(heads)[h - 1], n=3, heads=heads, h=h)
            yield row("alibi-paper", "bias", -3 * alibi_text_slopes(heads)[h - 1], n=3, heads=heads, h=h)
    for h in range(1, 7):
        start = mpf(2) ** (mpf(-4) / 3)
        yield row("alibi-vetcha2025", "bias", -3 * alibi_text_slopes(6, start)[h - 1], n=3, heads=6, h=h)
    for n in (0, 15, 16, 18, 19, 112, 113, 127, 128, 5000):
        yield row("t5", "index", mpf(t5_bucket(n)), n=n)
    for n in distances:
        yield row("kerple-log", "bias", -mpf("1.5") * log(1 + mpf("0.25") * n), n=n, p="1.5", a="0.25")
        yield row("kerple-power", "bias", -mpf("0.3") * mpf(n) ** mpf("0.7"), n=n, a="0.3", p="0.7")
        yield row("kerple-weight", "gain", exp(-mpf("0.2") * mpf(n) ** mpf("0.4")), n=n, wei_a="0.2", wei_p="0.4")
        yield row("kerple-weight", "bias", -mpf("0.3") * mpf(n) ** mpf("0.7"), n=n, a="0.3", p="0.7")
        for h in (1, 8):
            yield row("sandwich", "bias", sandwich(n, 128, h, 8), n=n, d=128, heads=8, h=h)
        total = sum(cos(n * rope(k, 64, 10000)) for k in range(32))
        yield row("sinusoidal", "bias", total / sqrt(64), n=n)
        gate = -log(expm1(1 / mpf(100)))
        bias = -mpf("0.01") * n - mpf("0.1") * log(1 + n) - mpf("0.05") * sqrt(n)
        yield row("ape", "bias", bias, n=n, delta="0.01", beta="0.1", gamma="0.05")
        yield row("ape", "gain", 1 / (1 + mpf("0.02") * n), n=n, **{"lambda": "0.02"})
        yield row("fox-fixed", "bias", n * -log(1 + exp(-gate)), n=n, T=100)
    for query in (100, 512, 5000):
        for n in (0, 1, 50, 100):
            # the bias is read relative to distance 0
            yield row("fire", "bias", fire(n, query) - fire(0, query), n=n, L=query)

    for j in (0, 1, 5, 20, 31):
        for n in distances:
            plain = rope(j, 64, 10000)
            for name in ("rope", "log-n", "ssmax", "sliding-window", "streaming-llm", "gemma2-global", "gemma2-local"):
                yield row(name, "angle", n * plain, n=n, j=j)
            yield row("xpos", "angle", n * plain, n=n, j=j)
            yield row("xpos", "scale", xpos_scale(j, 64, n, 512), n=n, j=j)
            yield row("entropy-abf", "angle", n * rope(j, 64, 500000), n=n, j=j)
            yield row("position-interpolation", "angle", n * plain / 8, n=n, j=j, factor=8)
            yield row("ntk-aware", "angle", n * rope(j, 64, 10000 * mpf(8) ** (mpf(64) / 62)), n=n, j=j, factor=8)
            yield row("rerope", "angle", min(n, 512) * plain, n=n, j=j)
            leaky = n if n < 512 else 512 + mpf(n - 512) / 16
            yield row("leaky-rerope", "angle", leaky * plain, n=n, j=j)
            wavelength = floor(2 * pi / plain + mpf(1) / 2)
            yield row("resonance-rope", "angle", n * 2 * pi / wavelength, n=n, j=j)
            turning = j < int(mpf("0.6") * 32)
            yield row("p-rope", "angle", n * plain if turning else mpf(0), n=n, j=j, p="0.6")
            turning = 2 * j < 16
            yield row("partial-rotary", "angle", n * rope(j, 16, 10000) if turning else mpf(0), n=n, j=j)
            turning = 2 * pi / plain <= 512
            yield row("hope", "angle", n * plain if turning else mpf(0), n=n, j=j)
        yield row("hope-hyperbolic", "rate", rope(j, 64, 10000), j=j)

    for j in range(64):
        yield row("yarn", "angle", yarn(j, 128, 10000, 16, 4096), n=1, j=j, d=128)
        yield row(
            "yarn", "angle", yarn(j, 128, 1000000, 4, 32768), n=1, j=j, d=128, base=1000000, factor=4, train=32768
        )
        yield row("ministral3", "angle", yarn(j, 128, 1000000, 16, 16384), n=1, j=j, d=128)
        yield row("llama3", "angle", llama3(j, 128, 500000, 8, 1, 4, 8192), n=1, j=j, d=128)
        scout = llama3(j, 128, 500000, 16, 1, 1, 8192)
        yield row("llama3", "angle", scout, n=1, j=j, d=128, factor=16, high=1)
    for j in range(32):
        yield row("yarn", "angle", yarn(j, 64, 10000, 40, 4096), n=1, j=j, factor=40)
        yield row("yarn", "angle", yarn(j, 64, 10000, 4, 100), n=1, j=j, factor=4, train=100)
        for train in (100, 4096):
            yield row("gpt-oss-sink", "angle", yarn(j, 64, 150000, 32, train, rounded=False), n=1, j=j, train=train)
        yield row("llama3", "angle", llama3(j, 64, 500000, 32, 1, 4, 8192), n=1, j=j, factor=32)
    for j in range(96):
        turning = yarn(j, 64, 10000, 40, 4096) if j < 32 else mpf(0)
        yield row("deepseek-v3", "angle", turning, n=1, j=j, d=192)
    for factor in (1, 8, 16, 32, 40):
        yield row("yarn", "gain", mscale(factor) ** 2, factor=factor)
        yield row("deepseek-v3", "gain", mscale(factor) ** 2, factor=factor)
        yield row("gpt-oss-sink", "gain", mscale(factor) ** 2, factor=factor)
        yield row("longrope", "gain", sqrt(1 + log(factor) / log(4096)) ** 2, factor=factor)
        yield row("drope", "gain", 1 + mpf("0.412") * log(factor), factor=factor)

    for length in (1, 2048, 2049, 4096, 8192, 100000):
        for j in (0, 1, 31):
            yield row("dynamic-ntk", "angle", dynamic_ntk(j, 64, 10000, 2, 2048, length), n=1, j=j, L=length - 1)
            base = 10000 * mpf(qwen_alpha(length, 2048)) ** (mpf(64) / 62)
            yield row("qwen", "angle", rope(j, 64, base), n=1, j=j, L=length - 1, train=2048)
        logn = log(length) / log(2048) if length > 2048 else mpf(1)
        yield row("qwen", "gain", logn, L=length - 1, train=2048)
        yield row("entropy-abf", "gain", max(mpf(1), log(length) / log(4096)), L=length - 1)
        yield row("log-n", "gain", log(length) / log(512), L=length - 1)
        yield row("ssmax", "gain", mpf("0.43") * log(length), L=length - 1)
    for position in (0, 8190, 8191, 8192, 16383, 131072):
        temperature = log(floor(mpf(position + 1) / 8192) + 1) * mpf("0.1") + 1
        yield row("llama4", "gain", temperature, L=position)
    for position in (0, 16383, 16384, 131072):
        temperature = 1 + mpf("0.1") * log(1 + floor(mpf(position) / 16384))
        yield row("ministral3", "gain", temperature, L=position)


# The encodings of 2024 to 2026 that came later.
def recent_rotations():
    for j in (0, 1, 5, 20, 31):
        for n in (1, 7, 113, 4096):
            plain = rope(j, 64, 10000)
            yield row("modernbert-local", "angle", n * plain, n=n, j=j)
            yield row("ssmax-bias", "angle", n * plain, n=n, j=j)
            yield row("ropepp-imaginary", "angle", n * rope(j, 64, 500000) - pi / 2, n=n, j=j)
            yield row("recurrent-gemma", "angle", n * rope(j, 32, 10000) if 2 * j < 32 else mpf(0), n=n, j=j)
            for h in (1, 5, 8):  # MsPoELlamaRotaryEmbedding
                ratio = mpf("1.2") + (mpf("1.8") - mpf("1.2")) * mpf(h - 1) / 8
                yield row("ms-poe", "angle", n / ratio * plain, n=n, j=j, heads=8, h=h)
            yield row("theta-scale", "angle", n * theta_scaled(j, 64, 10000, 16, 8192), n=n, j=j)
        for n in (1, 43252, 43253, 131071):
            shifted = n if n < 43253 else n - 43253 + 128
            yield row("string", "angle", shifted * rope(j, 64, 500000), n=n, j=j)
    for j in range(64):
        yield row("mrrope-uni", "angle", mrrope(j, 128, 10000, 16, 4096, False), n=1, j=j, d=128)
        yield row("mrrope-pro", "angle", mrrope(j, 128, 10000, 16, 4096, True), n=1, j=j, d=128)
        wavelength = floor(2 * pi / yarn(j, 128, 10000, 16, 4096) + mpf(1) / 2)
        yield row("resonance-yarn", "angle", 2 * pi / wavelength, n=1, j=j, d=128)
        yield row("cope-clipped", "angle", clipped(j, 128, 500000, 20), n=1, j=j, d=128)
        yield row("mistral4", "angle", yarn(j, 64, 10000, 128, 8192) if j < 32 else mpf(0), n=1, j=j, d=128)
    for j in range(32):
        yield row("mrrope-uni", "angle", mrrope(j, 64, 10000, 8, 100, False), n=1, j=j, factor=8, train=100)
        yield row("mrrope-pro", "angle", mrrope(j, 64, 10000, 8, 100, True), n=1, j=j, factor=8, train=100)
        yield row("cope-clipped", "angle", clipped(j, 64, 500000, 8), n=1, j=j, clip=8)
        yield row("privacy-filter", "angle", yarn(j, 64, 150000, 32, 4096, rounded=False), n=1, j=j)
    for j in range(96):
        rotary = int(mpf("0.334") * 192)
        yield row("mimo-v2-local", "angle", rope(j, rotary, 10000) if 2 * j < rotary else mpf(0), n=1, j=j, d=192)


def recent_gains():
    for n in (1, 7, 113, 4096):
        for a, p, mu in (("0.5", "1", "0"), ("0.3", "1.5", "2"), ("2", "0.5", "0")):
            prior = -((mpf(mu) + n + mpf("1e-5")) ** mpf(p)) * mpf(a)  # models/bam.py: |j - i - mu|
            yield row("bam", "bias", prior, n=n, a=a, p=p, mu=mu)
    for factor in (1, 8, 16, 32, 40):
        for name in ("mrrope-uni", "mrrope-pro", "resonance-yarn", "privacy-filter"):
            yield row(name, "gain", mscale(factor) ** 2, factor=factor)
    yield row("string", "gain", mscale(2) ** 2)
    yield row("nope-head-scale", "gain", mpf("1.3"), scale="1.3")
    for length in (1, 2048, 2049, 4096, 8192, 100000):
        for j in (0, 1, 31):
            base = 10000 * mpf(telechat_alpha(max(length, 2048), 2048)) ** (mpf(64) / 62)
            yield row("telechat", "angle", rope(j, 64, base), n=1, j=j, L=length - 1, train=2048)
        yield row("telechat", "gain", mscale(mpf(max(length, 2048)) / 2048) ** 2, L=length - 1, train=2048)
        yield row("nope-ssmax", "gain", log(length), L=length - 1)
        yield row("beam", "gain", exp(mpf("0.1") * log1p(mpf(length) / 2048)), L=length - 1)
        yield row("ssmax-bias", "gain", mpf("0.43") * log(length) + mpf("0.5"), L=length - 1, c="0.5")
    for position in (0, 8191, 8192, 1048575):
        temperature = 1 + mpf("0.1") * log(1 + floor(mpf(position) / 8192))
        yield row("mistral4", "gain", mscale(128) ** 2 * temperature, L=position)


# get_nape_slopes of sparse_gemma.py, linear
def nape_slopes(heads, alibi_heads):
    return [1 / mpf(h) for h in range(1, alibi_heads + 1)] + [mpf(0)] * (heads - alibi_heads)


# gates, queries and other normalizers: ends of intervals, and biases
def families():
    for x in (mpf(1), mpf(3)):
        low, high = -log1p(exp(x)), -log1p(exp(-x))  # log sigmoid of -x and of x, which is -softplus of x and of -x
        for heads in (1, 8, 12):
            for h in range(1, heads + 1):
                slope = alibi_slopes(heads)[h - 1]
                given = {"heads": heads, "h": h, "x": int(x), "g": f"log(1 + exp(-{int(x)}))"}
                yield row("grape-ap", "low", slope * low, **given)
                yield row("grape-ap", "high", slope * high, **given)
                yield row("grape-a-query", "least", 5 * slope * low, n=5, **given)
                yield row("grape-a-query", "largest", 5 * slope * high, n=5, **given)
    for name in ("fox", "cable"):
        yield row(name, "high", mpf(0))
    for heads in (2, 4, 8, 12):
        half = heads // 2
        balanced = [-(mpf(2) ** -k) for k in range(1, half + 1)] + [
            mpf(2) ** -k for k in range(1, half + 1)
        ]  # equation (4)
        for h in range(1, heads + 1):
            yield row("swat", "bias", 3 * balanced[h - 1], n=3, heads=heads, h=h)
            yield row("entmax-nape", "bias", -3 * nape_slopes(heads, half)[h - 1], n=3, heads=heads, h=h)
            yield row("sigmoid-alibi", "bias", -3 * alibi_slopes(heads)[h - 1] - 9, n=3, heads=heads, h=h, c="-9")
    for j in (0, 1, 31):
        yield row("swat", "angle", 7 * rope(j, 64, 10000), n=7, j=j)


if __name__ == "__main__":
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["encoding", "d", "heads", "h", "set", "quantity", "L", "n", "j", "value"])
    for part in (rows(), recent_rotations(), recent_gains(), families()):
        writer.writerows(part)
