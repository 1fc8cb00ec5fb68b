"""Reports lose nothing on their way: every section that a suite composes is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from own_reports import OwnReport, instances_of, not_shown
from suite_sample import sample_of, suites, write_run

from wirelab.report import composed
from wirelab.report.document import Section


@pytest.mark.parametrize("suite", suites())
def test_every_section_that_is_composed_is_shown(
    suite: str, own_report: Callable[[str], OwnReport]
) -> None:
    told = own_report(suite)
    assert told.sections > 10
    assert told.not_shown == []


def test_a_section_that_is_dropped_is_found(tmp_path: Path) -> None:
    with instances_of(Section) as made:
        document = composed(write_run(tmp_path / "run", sample_of("opcua")), "en")
    last = document.sections[-1]
    kept = document.sections[:-1]
    assert last.title.partition(": ")[2] in not_shown(made, kept)


def test_how_security_is_switched_is_told_of_servers_of_websockets(
    own_report: Callable[[str], OwnReport],
) -> None:
    text = own_report("websocket").text
    assert "Switching the security policy" in text
    assert "Security policy: no entries." in text  # the sample has no such notes
