"""What all tests of reports share."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator

import pytest
from suite_sample import sample_of, write_run
from typer.testing import CliRunner

from wirelab.cli import app
from wirelab.report.charts import theme


@pytest.fixture(autouse=True, scope="session")
def _charts_are_checked() -> Iterator[None]:
    """Every chart that a test composes is held against the schema of Vega-Lite."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(theme, "CHECKED", True)
        yield


@pytest.fixture(scope="session")
def own_report(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The English Markdown of a suite's sample, written once for all processes of the tests: that
    of a large suite takes most of a minute."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def text_of(suite: str) -> str:
        folder = shared / "own-reports" / suite
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            written = folder / "run" / "report-en.md"
            if not written.is_file():
                run = write_run(folder / "run", sample_of(suite))
                asked = ["report", str(run), "--lang", "en", "--form", "md"]
                done = CliRunner().invoke(app, asked)
                assert done.exit_code == 0, done.output
            return written.read_text("utf-8")

    return text_of
