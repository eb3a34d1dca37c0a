"""What reports of a model's heads share: a picture and a page, made of what `to_dict` gives."""
# Tests: tests/python/test_probe.py, tests/python/test_gates.py

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from gpe._files import write

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Drawn:
    """A report that `gpe plot` and `gpe page` take as JSON."""

    def to_dict(self) -> dict[str, Any]:
        """What json.dumps takes."""
        raise NotImplementedError

    def plot(self) -> Figure:
        """A matplotlib figure: what `gpe plot` draws."""
        from gpe._plots.figure import figure_of

        return figure_of(self.to_dict())

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """One page of HTML that needs no other file: what to look at, maps and tables of the
        heads; what `gpe page` makes.

        Args:
            path: where to write it; nothing is returned then.
        """
        from gpe._plots.page import page

        text = page(self.to_dict())
        if path is None:
            return text
        write(path, text.encode())
        return None
