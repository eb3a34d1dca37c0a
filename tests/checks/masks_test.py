"""Models whose masks are written by hand: gpe.conformance examines what their layers see, in each form of a mask.

python tests/checks/masks_test.py PROGRAMS WORK
"""

import importlib
import itertools
import pathlib
import sys
from unittest import mock

try:
    import transformers
except ImportError:
    print("SKIPPED: transformers is absent; ./setup.sh --tests installs it")
    sys.exit(0)
import spied
import torch
from departure_test import refused
from module_test import fault_in

WINDOW = spied.WINDOW
#: What a mask does to hidden keys, and the axes it has before queries and keys.
FORMS = {
    "-inf": lambda seen: torch.where(seen, 0.0, -torch.inf),
    "least": lambda seen: torch.where(seen, 0.0, torch.finfo(torch.float32).min),
    "-1e9": lambda seen: torch.where(seen, 0.0, -1e9),
    "-1e4": lambda seen: torch.where(seen, 0.0, -1e4),
    "-1e3": lambda seen: torch.where(seen, 0.0, -1e3),
    "minus": lambda seen: (1.0 - seen.float()) * -10000.0,
    "half": lambda seen: torch.where(seen, 0.0, torch.finfo(torch.float16).min),
    "bool": lambda seen: seen,
}
#: Masks that are wrong where scores are spread, and what is said of them.
WRONG = {
    "-100": (lambda seen: torch.where(seen, 0.0, -100.0), ", to which its mask adds -100"),
    "a bias": (
        lambda seen: torch.where(seen, 0.0, -torch.inf) - 5.0 * (torch.arange(len(seen)) == 0),
        "its mask adds -5 to key 0 of query 1; expected 0",
    ),
}
SHAPES = ((1, 1), (1,), (), (1, 4))


def by_hand(seen, form, axes):
    """In place of transformers' own masks: seen(i, j) of a query and a key."""

    def made(*_, inputs_embeds, **__):
        at = torch.arange(inputs_embeds.size(1))
        if seen is None:
            return None
        mask = (FORMS.get(form) or WRONG[form][0])(seen(at[:, None], at))
        return mask.expand(*axes, *mask.shape) if axes else mask

    return made


def causal(i, j):
    return j <= i


def windowed(i, j):
    return (j <= i) & (i - j < WINDOW)


def fault_of(model, file, full, sliding, form="-inf", axes=(1, 1), implementation="eager"):
    home = importlib.import_module(type(model).__module__)
    model.set_attn_implementation(implementation)
    with mock.patch.multiple(
        home,
        **{
            name: by_hand(seen, form, axes)
            for name, seen in (("create_causal_mask", full), ("create_sliding_window_causal_mask", sliding))
            if hasattr(home, name)
        },
    ):
        return fault_in(model, file)


#: What is said of hidden keys that are wrong, and what is seen in layers with a window.
FAULTS = (
    ("query 8 sees 9 keys; expected 8, its own among them", lambda i, j: (j <= i) & (i - j <= WINDOW)),
    ("query 8 sees 9 keys; expected 8, its own among them", causal),
    ("query 0 sees key 7, which comes after it", lambda i, j: (i - j).abs() < WINDOW),
    ("query 0 sees 0 keys, and not its own; expected 1", lambda i, j: windowed(i, j) & (i != j)),
)
LATER = "query 0 sees key 23, which comes after it"


def examined(model, file, implementation, layers):
    """Right masks of each form; wrong ones, whose layers are named; and what an attention makes of others."""
    for form, axes in itertools.product(FORMS, SHAPES):
        fault = fault_of(model, file, causal, windowed, form, axes, implementation)
        added = form == "bool" and implementation == "eager"  # 1 is added to the score of a key that is seen
        if (LATER not in fault) if added else fault:
            sys.exit(f"{file.name}, {implementation}, {form} {axes}: {fault or 'nothing is said'}")
    for (says, seen), form in itertools.product(FAULTS, ("-inf", "-1e4")):
        refused(f": layers {layers}: {says}", fault_of(model, file, causal, seen, form, (1, 1), implementation))
    says = LATER if implementation == "eager" else FAULTS[0][0]
    refused(says, fault_of(model, file, None, None, implementation=implementation))


def main():
    spied.use(sys.argv[1])
    work = pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    with mock.patch.dict(spied.SMALL, num_hidden_layers=4):
        for kind, layers in (("mistral", "1, 2, 3, 4"), ("gpt_oss", "1, 3"), ("gemma2", "1, 3")):
            model, file = spied.small_model(work, kind)
            for implementation in ("eager", "sdpa") if kind == "mistral" else ("eager",):
                examined(model, file, implementation, layers)
        model, file = spied.small_model(work, "llama")
        for implementation, says in (("sdpa", ""), ("eager", LATER)):
            fault = fault_of(model, file, None, None, implementation=implementation)
            if (says not in fault) if says else fault:
                sys.exit(f"llama without a mask, {implementation}: {fault or 'nothing is said'}")
        with torch.no_grad():
            for layer in model.model.layers if hasattr(model, "model") else model.layers:
                layer.self_attn.q_proj.weight *= 2000
        for form, (_, says) in WRONG.items():
            refused(says, fault_of(model, file, causal, windowed, form, implementation="sdpa"))
    print(f"{len(FORMS)} forms of masks by hand, {len(FAULTS)} faults in them; transformers {transformers.__version__}")


if __name__ == "__main__":
    main()
