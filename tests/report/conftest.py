"""What all tests of reports share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from wirelab.report.charts import theme


@pytest.fixture(autouse=True, scope="session")
def _charts_are_checked() -> Iterator[None]:
    """Every chart that a test composes is held against the schema of Vega-Lite."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(theme, "CHECKED", True)
        yield
