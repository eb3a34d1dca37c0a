"""What attention did: AttentionStatistics of one layer, and ProbeReport of a model, as a dict, a table, a picture."""
# Tests: tests/python/test_probe.py

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import torch

from gpe._errors import Error, SpecError
from gpe._plots.drawn import Drawn
from gpe._programs import version
from gpe._shown import html_table
from gpe._tables import text_table

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


@dataclass
class AttentionStatistics:
    """What attention does at each query of each head. With weights p_ij = e^A_ij / (Σ_j e^A_ij + e^sink), and p̃ those
    of the tokens alone. A query that sees no key has 0 everywhere, but -inf for `lse` and `max_score`.

    By query, [B, H, Nq]:
        lse: log(Σ_j e^A_ij + e^sink), in nats; differentiable.
        entropy: of p̃, in nats; differentiable.
        varentropy: the variance of log p̃ under p̃, in nats².
        mean_distance: the mean of n under p̃, in tokens.
        max_weight: the largest p_ij.
        max_score: the largest A_ij, a logit.
        content_bound: the largest |c_ij| before a soft cap, a logit: the content bound B that the row needs.
        sink_weight: the sink's share.
        keys: how many keys it sees.

    By class of distances, over queries, [B, H, K]; nan where a class has no pair:
        mass: the sum of weights; count: the number of pairs.
        content_mean, content_var, content_min, content_max: of c, in logits; score_mean, score_var: of A.
    bucket_edges: int64 [K]; class i holds distances bucket_edges[i] … bucket_edges[i + 1] - 1, the last one all beyond.
    """

    lse: torch.Tensor
    entropy: torch.Tensor
    varentropy: torch.Tensor
    mean_distance: torch.Tensor
    max_weight: torch.Tensor
    max_score: torch.Tensor
    content_bound: torch.Tensor
    sink_weight: torch.Tensor
    keys: torch.Tensor
    mass: torch.Tensor
    count: torch.Tensor
    content_mean: torch.Tensor
    content_var: torch.Tensor
    content_min: torch.Tensor
    content_max: torch.Tensor
    score_mean: torch.Tensor
    score_var: torch.Tensor
    bucket_edges: torch.Tensor

    def to_dict(self) -> dict[str, Any]:
        """Nested lists by the names above."""
        return {field.name: getattr(self, field.name).tolist() for field in fields(self)}

    def plot(self) -> Figure:
        """A matplotlib figure: mean entropy and largest score by head, and weight by distance."""
        return self._report().plot()

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """One page of HTML that needs no other file, as that of a probe; written to `path` where that is given."""
        return self._report().to_html(path)

    def _report(self) -> ProbeReport:
        batch, _, queries = self.lse.shape
        return ProbeReport("attention_statistics", "tensors", batch, queries, [LayerStatistics("attention", 0, self)])

    def __repr__(self) -> str:
        batch, heads, queries = self.lse.shape
        return (
            f"AttentionStatistics({batch} x {heads} heads x {queries} queries, "
            f"{self.bucket_edges.numel()} classes of distances, mean entropy {self.entropy.mean():.4g} nats)"
        )


def require_finite(name: str, s: AttentionStatistics) -> None:
    """Error where a query that sees a key has scores that are not numbers."""
    if not bool((torch.isfinite(s.lse) & torch.isfinite(s.content_bound))[s.keys > 0].all()):
        raise Error(f"{name}: scores are not numbers (NaN or infinite): what attention does with them means nothing")


#: Field of the report, as probe-attention --format json has it, and of AttentionStatistics.
ROW_FIELDS = {
    "entropy": "entropy",
    "varentropy": "varentropy",
    "mean_distance": "mean_distance",
    "largest_weight": "max_weight",
    "largest_score": "max_score",
    "largest_content": "content_bound",
    "sink_weight": "sink_weight",
    "log_normalizer": "lse",
}

_COLUMNS = ["layer", "head", "entropy (nats)", "mean distance", "max weight", "max score", "max |c|"]


@dataclass
class LayerStatistics:
    """One attention layer: the module's name, its number from 0, and what it did."""

    name: str
    layer: int
    statistics: AttentionStatistics


@dataclass(repr=False)
class ProbeReport(Drawn):
    """Statistics of every attention layer of a model, in the order in which they were computed."""

    model: str
    model_type: str
    batch: int
    tokens: int
    layers: list[LayerStatistics]

    def to_dict(self) -> dict[str, Any]:
        """What json.dumps takes: one entry per head, layers and heads from 1, with the field names of probe-attention.

        `all_rows` is over every query that sees a key, `second_half` over queries from T/2, `last_row` over the last
        one of each sequence; `distances` over all pairs, `mass` being the mean weight of a row. Entropies in nats,
        scores and contents in logits, distances in tokens.
        """
        return {
            "schema": 1,
            "generator": {"program": "gpe.probe", "version": version()},
            "model": self.model,
            "model_type": self.model_type,
            "batch": self.batch,
            "tokens": self.tokens,
            "layers": len(self.layers),
            "heads": [self._head(of, head) for of in self.layers for head in range(of.statistics.lse.size(1))],
        }

    def _head(self, of: LayerStatistics, head: int) -> dict[str, Any]:
        s = of.statistics
        queries = s.lse.size(2)
        sees = s.keys[:, head] > 0
        last = sees & (sees.flip(1).cumsum(1).flip(1) == 1)  # the last query of each sequence that sees a key
        late = sees & (torch.arange(queries, device=sees.device) >= queries // 2)
        return {
            "layer": of.layer + 1,
            "head": head + 1,
            "name": of.name,
            "content_bound": float(s.content_bound[:, head].max()),
            "last_row": _summary(s, head, last),
            "second_half": _summary(s, head, late),
            "all_rows": _summary(s, head, sees),
            "distances": _distances(s, head, int(sees.sum())),
        }

    def to_dataframe(self, what: str = "heads") -> pandas.DataFrame:
        """A table of pandas: "heads", one line per head, means over all rows, the largest score and content in any, and
        the largest weight in rows from T/2, as the first row has one key, of weight 1;
        "rows", one line per query; "distances", one line per class of distances."""
        try:
            import pandas
        except ImportError as error:
            raise Error("to_dataframe needs pandas; to_dict has the same numbers") from error
        if what == "heads":
            lines = []
            for head in self.to_dict()["heads"]:
                rows = head["all_rows"]
                means = {name: rows[name]["mean"] for name in ROW_FIELDS if name != "largest_weight"}
                most = {name: rows[name]["max"] for name in ("largest_score", "largest_content")}
                lines.append(
                    {
                        "layer": head["layer"],
                        "head": head["head"],
                        "name": head["name"],
                        "rows": rows["rows"],
                        **means,
                        **most,
                        "largest_weight_of_second_half": head["second_half"]["largest_weight"]["max"],
                    }
                )
            return pandas.DataFrame(lines)
        if what == "distances":
            return pandas.json_normalize(
                [
                    {"layer": head["layer"], "head": head["head"], **bucket}
                    for head in self.to_dict()["heads"]
                    for bucket in head["distances"]
                ]
            )
        if what == "rows":
            return pandas.concat([self._rows(of) for of in self.layers], ignore_index=True)
        raise SpecError(f"to_dataframe('{what}'): expected 'heads', 'rows' or 'distances'")

    def _rows(self, of: LayerStatistics) -> pandas.DataFrame:
        import pandas

        s = of.statistics
        batch, head, query = torch.meshgrid(*(torch.arange(size) for size in s.lse.shape), indexing="ij")
        columns = {
            "layer": torch.full_like(batch, of.layer + 1),
            "sequence": batch,
            "head": head + 1,
            "query": query,
            "keys": s.keys,
        }
        columns |= {name: getattr(s, attribute) for name, attribute in ROW_FIELDS.items()}
        return pandas.DataFrame({name: value.detach().flatten().cpu().numpy() for name, value in columns.items()})

    def __str__(self) -> str:
        return self._title() + "\n" + text_table([_COLUMNS, *self._cells()])

    def __repr__(self) -> str:
        return f"<ProbeReport of {self.model}: {len(self.layers)} layers, {self.batch} x {self.tokens} tokens>"

    def _repr_html_(self) -> str:
        return html_table(_COLUMNS, self._cells(), self._title())

    def _title(self) -> str:
        return (
            f"{self.model}: {self.batch} x {self.tokens} tokens; means and maxima over all rows, "
            "max weight over rows T/2 to T - 1"
        )

    def _cells(self) -> list[list[str]]:
        """Of _COLUMNS, one line per head."""

        def cell(value: float | None, places: int) -> str:  # None: no query of this head sees a key
            return "" if value is None else f"{value:.{places}f}"

        return [
            [
                str(head["layer"]),
                str(head["head"]),
                cell(rows["entropy"]["mean"], 3),
                cell(rows["mean_distance"]["mean"], 1),
                cell(head["second_half"]["largest_weight"]["max"], 3),  # the first row has one key, of weight 1
                cell(rows["largest_score"]["max"], 2),
                cell(head["content_bound"], 2),
            ]
            for head in self.to_dict()["heads"]
            for rows in (head["all_rows"],)
        ]


def _summary(s: AttentionStatistics, head: int, rows: torch.Tensor) -> dict[str, Any]:
    result: dict[str, Any] = {"rows": int(rows.sum())}
    for name, attribute in ROW_FIELDS.items():
        values = getattr(s, attribute)[:, head][rows].double()
        result[name] = (
            {"mean": float(values.mean()), "min": float(values.min()), "max": float(values.max())}
            if values.numel()
            else {"mean": None, "min": None, "max": None}
        )
    return result


def _spread(pairs: torch.Tensor, means: torch.Tensor, variances: torch.Tensor) -> dict[str, float]:
    """Over the sequences: means by number of pairs, variances about the common mean."""
    count = pairs.double()
    of, within = (torch.where(count > 0, x.double(), 0.0) for x in (means, variances))
    middle = (count * of).sum() / count.sum()
    return {
        "mean": float(middle),
        "variance": float((count * (within + (of - middle) ** 2)).sum() / count.sum()),
    }


def _distances(s: AttentionStatistics, head: int, rows: int) -> list[dict[str, Any]]:
    edges = s.bucket_edges.tolist()
    result = []
    for i, first in enumerate(edges):
        pairs = int(s.count[:, head, i].sum())
        if pairs == 0:
            continue
        count = s.count[:, head, i]
        result.append(
            {
                "from": first,
                "to": edges[i + 1] - 1 if i + 1 < len(edges) else None,
                "pairs": pairs,
                "mass": float(s.mass[:, head, i].sum()) / rows,
                "content": {
                    **_spread(count, s.content_mean[:, head, i], s.content_var[:, head, i]),
                    "min": float(s.content_min[:, head, i].nan_to_num(torch.inf).min()),
                    "max": float(s.content_max[:, head, i].nan_to_num(-torch.inf).max()),
                },
                "score": _spread(count, s.score_mean[:, head, i], s.score_var[:, head, i]),
            }
        )
    return result
