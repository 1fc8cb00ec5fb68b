"""Every reason of a trial that failed reads well, known or not."""

from __future__ import annotations

import re

from wirelab.words.failures import failure_words, why_in_words
from wirelab.words.translation import words


def test_reasons_of_trials_read_well() -> None:
    english, korean = words("en"), words("ko")
    assert failure_words("never-ready", english) == "was not ready in time"
    assert failure_words("brand-new", english) == "brand new"
    assert why_in_words("session-warm-up", korean) == "세션 웜업(계획에 따라 집계 제외)"
    assert why_in_words("exited: client ended: oh", english) == (
        "ended before its time (client ended: oh)"
    )


def test_every_reason_of_the_trial_code_has_words() -> None:
    from pathlib import Path

    import wirelab.trial

    code = "\n".join(p.read_text() for p in Path(wirelab.trial.__file__).parent.glob("*.py"))
    reasons = set(re.findall(r'TrialError\(\s*"([a-z-]+)"', code))
    assert len(reasons) > 10
    unknown = {r for r in reasons if failure_words(r, words("en")) == r.replace("-", " ")}
    assert not unknown
