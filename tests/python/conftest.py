"""Tests of the installed package gpe; package_test.py builds its wheel, installs it and runs them."""

import os
import pathlib

import hypothesis
import pytest
import torch

hypothesis.settings.register_profile("the same examples every time", derandomize=True, database=None)
hypothesis.settings.load_profile("the same examples every time")

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(20)


@pytest.fixture
def programs():
    """The folder of the programs that were built beside the package."""
    folder = os.environ.get("GPE_PROGRAMS")
    if not folder:
        pytest.skip("GPE_PROGRAMS, the folder of the programs, is unset")
    return pathlib.Path(folder)
