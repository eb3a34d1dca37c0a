"""probe_gates against NumPy, and what it concludes."""

import numpy as np
import pytest
import torch

import gpe


class Forgetful(torch.nn.Module):
    """Two layers that compute gates, of two heads each."""

    def __init__(self, bias=None):
        super().__init__()
        torch.manual_seed(1)
        self.embed = torch.nn.Embedding(20, 8)
        self.layers = torch.nn.ModuleList(torch.nn.ModuleDict({"fgate_proj": torch.nn.Linear(8, 2)}) for _ in range(2))
        for layer in self.layers if bias is not None else ():
            torch.nn.init.zeros_(layer["fgate_proj"].weight)
            torch.nn.init.constant_(layer["fgate_proj"].bias, bias)

    def forward(self, ids):
        x = self.embed(ids)
        for layer in self.layers:
            x = x + layer["fgate_proj"](x).sum(-1, keepdim=True)
        return x


def test_measures_what_the_modules_say():
    model, ids = Forgetful(), torch.randint(20, (5, 30), generator=torch.Generator().manual_seed(2))
    outputs = []
    hook = model.layers[1]["fgate_proj"].register_forward_hook(lambda _, __, output: outputs.append(output.detach().double().numpy()))
    measured = gpe.probe_gates(model.train(), ids, "fgate_proj")
    hook.remove()
    assert [(one.name, one.head) for one in measured] == [(f"layers.{i}.fgate_proj", head) for i in (0, 1) for head in (1, 2)]
    assert model.training
    for one in measured[2:]:
        g = -np.log1p(np.exp(-outputs[0][..., one.head - 1]))
        texts = np.exp(g).mean(1)
        for value, expected in ((one.low, g.min()), (one.high, g.max()), (one.mean, g.mean()), (one.mean_exp, np.exp(g).mean()),
                                (one.mean_error, g.mean(1).std(ddof=1) / 5 ** 0.5), (one.mean_exp_error, texts.std(ddof=1) / 5 ** 0.5)):
            assert value == pytest.approx(expected, rel=1e-9)
        assert (one.almost_surely, one.expected) == ("finite", "finite")  # a gate of FoX is negative


@pytest.mark.parametrize(("bias", "said"), [(-0.1, "finite"), (0.1, "infinite"), (0.0, "undecided")])
def test_concludes_by_three_standard_errors(bias, said):
    measured = gpe.probe_gates(Forgetful(bias), [[1, 2, 3], [4, 5, 6]], "fgate_proj", log_gate=lambda x: x)
    assert {(one.almost_surely, one.expected) for one in measured} == {(said, said)}
    alone = gpe.probe_gates(Forgetful(bias), [[1, 2, 3]], "fgate_proj", log_gate=lambda x: x)
    assert {(one.almost_surely, one.expected) for one in alone} == {("undecided", "undecided")}


def test_refuses_what_it_cannot_measure():
    model = Forgetful()
    for module, ids, message in (("gate_proj", [[1]], "no module of Forgetful"), ("", [[1]], "no module"), ("embed", [[1, 2]], None),
                                 ("fgate_proj", [1, 2], "expected texts"), ("layers", [[1]], "was not called"), ("fgate_proj", [[1, 2], [3]], "of one length")):
        if message is None:
            assert len(gpe.probe_gates(model, ids, module)) == 8  # any output of that shape
        else:
            with pytest.raises(gpe.Error, match=message):
                gpe.probe_gates(model, ids, module)
    with pytest.raises(gpe.SpecError, match="expected an output"):
        gpe.probe_gates(torch.nn.Sequential(torch.nn.Embedding(9, 4), torch.nn.Flatten()), [[1, 2]], "1")
    for log_gate in (lambda x: x[0], lambda x: x.mT, lambda x: x.long()):
        with pytest.raises(gpe.SpecError, match="expected real numbers"):
            gpe.probe_gates(model, [[1, 2, 3]], "fgate_proj", log_gate=log_gate)
    frozen = model.train().layers[0].eval()
    gpe.probe_gates(model, [[1, 2]], "fgate_proj")
    assert model.training and not frozen.training
    with pytest.raises(gpe.Error, match="no numbers"):
        gpe.probe_gates(Forgetful(float("nan")), [[1, 2]], "fgate_proj")
