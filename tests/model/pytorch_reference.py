"""The model and its training in plain PyTorch, written from nanoGPT's model.py and train.py: what
train-tsm is compared with."""

import math

import torch
from torch.nn import functional


def frequencies(head_dim):
    return 10000.0 ** (-torch.arange(head_dim // 2, dtype=torch.float64) * 2 / head_dim)


def rotated(x):
    """RoPE on [batch, head, token, coordinate], pairs (j, j + d/2)."""
    angle = torch.arange(x.size(2), dtype=torch.float64)[:, None] * frequencies(x.size(3))[None, :]
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    first, second = x.chunk(2, dim=3)
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], dim=3)


def alibi_slopes(heads):
    """get_slopes of ofirpress/attention_with_linear_biases."""
    power = 2 ** math.floor(math.log2(heads))
    slopes = [2 ** (-8 * (i + 1) / power) for i in range(power)]
    return slopes + [2 ** (-4 * (2 * i + 1) / power) for i in range(heads - power)]


def alibi_mask(heads, tokens):
    position = torch.arange(tokens)
    distance = (position[:, None] - position[None, :]).double()
    mask = -torch.tensor(alibi_slopes(heads), dtype=torch.float64)[:, None, None] * distance
    return mask.masked_fill(distance < 0, -math.inf).float()


class Gpt:
    """Weights are a dict of tensors by nanoGPT's names."""

    def __init__(self, weights, layers, heads, encoding):
        self.weights, self.layers, self.heads, self.encoding = weights, layers, heads, encoding

    def attention(self, x, name):
        batch, tokens, width = x.shape
        qkv = functional.linear(x, self.weights[name + "attn.c_attn.weight"])
        q, k, v = (
            part.view(batch, tokens, self.heads, width // self.heads).transpose(1, 2)
            for part in qkv.split(width, dim=2)
        )
        if self.encoding == "rope":
            q, k = rotated(q), rotated(k)
        mask = alibi_mask(self.heads, tokens) if self.encoding == "alibi" else None
        y = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None)
        return functional.linear(
            y.transpose(1, 2).reshape(batch, tokens, width), self.weights[name + "attn.c_proj.weight"]
        )

    def loss(self, inputs, targets):
        def norm(x, name):
            return functional.layer_norm(x, (x.size(-1),), self.weights[name], None, 1e-5)

        x = functional.embedding(inputs, self.weights["transformer.wte.weight"])
        for layer in range(self.layers):
            name = f"transformer.h.{layer}."
            x = x + self.attention(norm(x, name + "ln_1.weight"), name)
            inner = functional.gelu(
                functional.linear(norm(x, name + "ln_2.weight"), self.weights[name + "mlp.c_fc.weight"])
            )
            x = x + functional.linear(inner, self.weights[name + "mlp.c_proj.weight"])
        logits = functional.linear(norm(x, "transformer.ln_f.weight"), self.weights["transformer.wte.weight"])
        return functional.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))


def learning_rate(config, done):
    if done < config["warmup"]:
        return config["learning_rate"] * (done + 1) / (config["warmup"] + 1)
    if done > config["decay_iterations"]:
        return config["minimum_learning_rate"]
    way = (done - config["warmup"]) / (config["decay_iterations"] - config["warmup"])
    return config["minimum_learning_rate"] + 0.5 * (1 + math.cos(math.pi * way)) * (
        config["learning_rate"] - config["minimum_learning_rate"]
    )


def optimizer(weights, config):
    decayed = [w for w in weights.values() if w.dim() >= 2]
    others = [w for w in weights.values() if w.dim() < 2]
    return torch.optim.AdamW(
        [{"params": decayed, "weight_decay": config["weight_decay"]}, {"params": others, "weight_decay": 0.0}],
        lr=config["learning_rate"],
        betas=(config["beta1"], config["beta2"]),
        eps=1e-8,
    )


def philox(counter, key):
    """Philox4x32-10 (Salmon et al., SC 2011)."""
    counter, key = list(counter), list(key)
    for _ in range(10):
        first, second = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [
            (second >> 32) ^ counter[1] ^ key[0],
            second & 0xFFFFFFFF,
            (first >> 32) ^ counter[3] ^ key[1],
            first & 0xFFFFFFFF,
        ]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return counter


def batch(tokens, context, rows, seed, step):
    """The pieces that docs/training.md says a step sees."""

    def words(number):
        return [number & 0xFFFFFFFF, number >> 32]

    offsets = []
    for row in range(rows):
        bits = philox(words(row) + words(step), words(seed))
        offsets.append(((bits[1] << 32) | bits[0]) % (len(tokens) - context))
    inputs = torch.stack([tokens[o : o + context] for o in offsets])
    targets = torch.stack([tokens[o + 1 : o + 1 + context] for o in offsets])
    return inputs, targets


def train(weights, layers, heads, encoding, tokens, config):
    """Losses of every step, as train-tsm logs them."""
    model = Gpt(weights, layers, heads, encoding)
    adamw = optimizer(weights, config)
    losses = []
    for step in range(config["iterations"]):
        inputs, targets = batch(tokens, config["context"], config["batch"], config["seed"], step)
        loss = model.loss(inputs, targets)
        adamw.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(weights.values()), config["clip"])
        for group in adamw.param_groups:
            group["lr"] = learning_rate(config, step)
        adamw.step()
        losses.append(loss.item())
    return losses
