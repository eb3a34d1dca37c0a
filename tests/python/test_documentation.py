"""What docs/python.md shows is what happens: its blocks are one session of Python."""

import doctest
import re

import torch
from conftest import ROOT

import gpe


def test_the_page_about_python_is_true(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(0)
    blocks = re.findall(r"```pycon\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)
    assert len(blocks) >= 5
    shown = {word for block in blocks for line in block.splitlines() for word in re.findall(r"\w+", line)}
    assert set(gpe.__all__) <= shown, f"without an example: {sorted(set(gpe.__all__) - shown)}"
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "docs/python.md", "docs/python.md", 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test)
    assert result.failed == 0 and result.attempted > 10
