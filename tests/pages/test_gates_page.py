"""The page on gates says what the gates say of themselves."""

from __future__ import annotations

from typing import Any

import pytest

from wirelab.gates.catalogue import every_gate
from wirelab.gates.gate import Gate
from wirelab.model.result import Verdict
from wirelab.reference.gates import PAGE, with_table


def test_the_page_has_the_table_of_the_catalogue() -> None:
    """Else: ``python -m wirelab.reference``."""
    page = PAGE.read_text("utf-8")
    assert page == with_table(page)


@pytest.mark.parametrize("gate", every_gate(), ids=lambda gate: gate.code)
def test_the_page_tells_all_of_a_gate(gate: Gate[Any]) -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if f"`{gate.code}`<br>" in line]
    (row,) = rows
    _, check, looks_at, spoken, concerned, against, helps, _ = (c.strip() for c in row.split("|"))
    assert check.endswith(gate.title)
    assert (looks_at, helps) == (gate.looks_at, gate.remedy)
    assert ("**invalid**" in spoken) == (Verdict.INVALID in gate.verdicts)
    assert ("warn: " in spoken) == (Verdict.WARN in gate.verdicts)
    assert ("a remark: " in spoken) == (Verdict.VALID in gate.verdicts)
    assert len(gate.verdicts) >= 1
    assert all(when in spoken for when in gate.verdicts.values())
    assert against == (", ".join(gate.blames) or "nobody")
    assert concerned == gate.concerns


def test_a_page_without_a_place_for_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no place for the table"):
        with_table("# Why is my cell invalid?\n")
