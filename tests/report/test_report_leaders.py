"""The sentence on who leads, where the first of a table is not among those that are compared."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from wirelab.report.remarks import lead


def test_nobody_leads_where_the_first_has_only_a_bound() -> None:
    second, third = (SimpleNamespace(id=name) for name in ("second", "third"))
    context: Any = SimpleNamespace(
        words=SimpleNamespace(gettext=str), rank_in=lambda cell, _: 2 + (cell is third)
    )
    comparison: Any = SimpleNamespace(ranked=[second, third])
    assert lead(context, comparison, "capacity.verified") is None
