"""The rules of the suite, loaded as the core loads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from opcua.right_answers import Verify
from wirelab.suite_parts import load_part


@pytest.fixture(scope="module")
def rules() -> Any:
    """All rules of the suite."""
    return load_part("opcua_verify", Path(__file__).parents[2] / "suites/opcua/verify.py")


@pytest.fixture(scope="module")
def verify(rules: Any) -> Verify:
    found: Verify = rules.verify
    return found
