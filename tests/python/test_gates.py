"""probe_gates against NumPy, what it concludes, and its picture and page."""

import json

import numpy as np
import pytest
import torch
from example_reports import gates

import gpe
from gpe._plots.figure import figure_of
from gpe._plots.page import page


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
    hook = model.layers[1]["fgate_proj"].register_forward_hook(
        lambda _, __, output: outputs.append(output.detach().double().numpy())
    )
    measured = gpe.probe_gates(model.train(), ids, "fgate_proj")
    hook.remove()
    assert [(one.name, one.head) for one in measured] == [
        (f"layers.{i}.fgate_proj", head) for i in (0, 1) for head in (1, 2)
    ]
    assert model.training
    for one in measured[2:]:
        g = -np.log1p(np.exp(-outputs[0][..., one.head - 1]))
        texts = np.exp(g).mean(1)
        for value, expected in (
            (one.low, g.min()),
            (one.high, g.max()),
            (one.mean, g.mean()),
            (one.mean_exp, np.exp(g).mean()),
            (one.mean_error, g.mean(1).std(ddof=1) / 5**0.5),
            (one.mean_exp_error, texts.std(ddof=1) / 5**0.5),
        ):
            assert value == pytest.approx(expected, rel=1e-9)
        assert (one.almost_surely, one.expected) == ("finite", "finite")  # a gate of FoX is negative


@pytest.mark.parametrize(("bias", "said"), [(-0.1, "finite"), (0.1, "infinite"), (0.0, "undecided")])
def test_concludes_by_three_standard_errors(bias, said):
    measured = gpe.probe_gates(Forgetful(bias), [[1, 2, 3], [4, 5, 6]], "fgate_proj", log_gate=lambda x: x)
    assert {(one.almost_surely, one.expected) for one in measured} == {(said, said)}
    alone = gpe.probe_gates(Forgetful(bias), [[1, 2, 3]], "fgate_proj", log_gate=lambda x: x)
    assert {(one.almost_surely, one.expected) for one in alone} == {("undecided", "undecided")}


def test_a_report_is_drawn_and_makes_a_page_of_its_own_numbers(tmp_path):
    report = gpe.probe_gates(Forgetful(), torch.randint(20, (5, 30)), "fgate_proj")
    said = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert [(one["layer"], one["head"]) for one in said["heads"]] == [(1, 1), (1, 2), (2, 1), (2, 2)] and (
        said["batch"],
        said["tokens"],
    ) == (5, 30)
    report.to_html(tmp_path / "gates.html")
    text = report.to_html()
    assert text == (tmp_path / "gates.html").read_text()
    for one, written in zip(report, said["heads"], strict=True):
        assert (
            written["mean"] == one.mean
            and f"<td>{one.mean:.4g} ± {one.mean_error:.4g}</td><td>{one.mean_exp:.4g} ± {one.mean_exp_error:.4g}</td>"
            in text
        )
        assert f"{one.mean:.4g} ± {one.mean_error:.2g}" in str(report)
    drawn = {
        tuple(map(float, point))
        for axes in report.plot().axes
        for line in axes.get_lines()
        for point in line.get_xydata()
    }
    assert {
        (at, value) for at, one in enumerate(report) for value in (one.low, one.high, one.mean, one.mean_exp)
    } <= drawn
    alone = gpe.probe_gates(Forgetful(), [[1, 2]], "fgate_proj", log_gate=lambda x: torch.where(x > 0, x, -torch.inf))
    said = json.loads(json.dumps(alone.to_dict(), allow_nan=False))["heads"]
    assert {one["low"] for one in said} >= {"-inf"} and all(one["mean_error"] is None for one in said)
    assert alone.to_html() and alone.plot()


def test_refuses_what_it_cannot_measure():
    model = Forgetful()
    for module, ids, message in (
        ("gate_proj", [[1]], "no module of Forgetful"),
        ("", [[1]], "no module"),
        ("embed", [[1, 2]], None),
        ("fgate_proj", [1, 2], "expected texts"),
        ("layers", [[1]], "was not called"),
        ("fgate_proj", [[1, 2], [3]], "of one length"),
    ):
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
    with pytest.raises(gpe.Error, match="not numbers"):
        gpe.probe_gates(Forgetful(float("nan")), [[1, 2]], "fgate_proj")


def refused(report, message):
    for view in (page, figure_of):
        with pytest.raises(gpe.SpecError) as error:
            view(report, "x.json")
        assert str(error.value) == message, view


def test_the_page_of_gates_says_what_they_decide():
    text = page(gates(6))
    for part in (
        "Z and H are finite almost surely</h3>",
        "Z is infinite almost surely</h3>",
        "Whether E Z is finite is undecided</h3>",
        "2 layers of 3 heads",
        "<td>-0.5 ± 0.01</td>",
        "<td>1.4 ± ?</td>",
        "<td>−∞</td>",
        "&lt;mine&gt;",
        '<td><span class="yes">finite</span></td>',
    ):
        assert part in text, part
    assert "Nothing stands out" not in text and "http:" not in text and text == page(gates(6))
    for damage, message in (
        ({"schema": 2}, "schema is not 1"),
        ({"heads": []}, "no object with heads"),
        ({"tokens": True}, "tokens is not a count"),
        ({"model": None}, "model is not text"),
    ):
        refused(gates(2) | damage, f"x.json: {message}; expected a report of gpe.probe_gates")
    for damage, message in (
        ({"name": 1}, "a head without a name"),
        ({"mean": None}, "mean of head 1.1 is not a number"),
        ({"high": "1"}, "high of head 1.1 is not a number"),
        ({"expected": "maybe"}, "expected of head 1.1 is none of finite, infinite, undecided"),
        ({"layer": 2}, "heads are not in the order of layers from 1 on"),
    ):
        broken = gates(2)
        broken["heads"][0] |= damage
        refused(broken, f"x.json: {message}; expected a report of gpe.probe_gates")
