"""The first run of a user of whom nothing is kept yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.whole_runs import APART, no_trial_failed, records_of, run_suite


@pytest.mark.e2e
@pytest.mark.long(1)
@pytest.mark.needs("bwrap")
def test_what_the_first_run_builds_is_seen_in_its_sandboxes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    chosen = ["--scenario", "encodings", "--profile", "smoke", "--contender", "python-json"]
    run = run_suite(tmp_path, "codec", "--sandbox", *chosen, launcher=APART)
    no_trial_failed(run)
    assert records_of(run)
