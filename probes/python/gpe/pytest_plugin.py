"""pytest: the fixture gpe_conformance, to hold an implementation against the certified values.

pytest_plugins = ["gpe.pytest_plugin"]     # in conftest.py, unless the package is installed

def test_my_slopes(gpe_conformance):
    gpe_conformance("alibi", heads=12).slopes(my_slopes(12))
"""
# Tests: tests/checks/conformance_test.py

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpe.conformance import Conformance


@pytest.fixture(scope="session")
def gpe_conformance() -> Callable[..., Conformance]:
    """gpe.conformance.Conformance: the certified values of an encoding or a config.json."""
    return Conformance
