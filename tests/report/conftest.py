"""Fixtures of all tests of reports."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from own_reports import OwnReport, own_report_of

from wirelab.report.charts import theme


@pytest.fixture(autouse=True, scope="session")
def _charts_are_checked() -> Iterator[None]:
    """Every chart that a test composes is held against the schema of Vega-Lite."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(theme, "CHECKED", True)
        yield


@pytest.fixture(scope="session")
def own_report(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], OwnReport]:
    """The report of a suite's sample, the same for all processes of the tests: that of a large
    suite takes half a minute."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    return lambda suite: own_report_of(suite, shared / "own-reports" / suite)
