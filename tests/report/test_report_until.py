"""The end of a run that adds blocks, in a report."""

from __future__ import annotations

import pytest
from report_sample import sample

from wirelab.model.result import Series
from wirelab.model.until import StoppedBy, TableWidth, Until
from wirelab.report.context import Context
from wirelab.report.document import words_of
from wirelab.report.until import stopped
from wirelab.words.translation import words

CLOSE = TableWidth(
    scenario="s1", metric="m", blocks=8, baseline="asyncua", contender="milo", reach=0.01
)


def said(stopped_by: StoppedBy | None, *widths: TableWidth, language: str = "en") -> str:
    found, _ = sample()
    until = Until(
        width=0.05,
        at_most_ns=90 * 10**9,
        figures={"s1": "m"},
        baselines=["asyncua", "milo"],
        stopped_by=stopped_by,
    )
    found = found.model_copy(update={"until": until, "widths": list(widths)})
    shown = words_of(stopped(Context(found, Series(cells={}), words(language))))
    return shown.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("stopped_by", "english", "korean"),
    [
        (StoppedBy.NARROW, "ended after 8 blocks, when each ratio", "블록 8개를 측정했을 때"),
        (StoppedBy.TIME, "its time of 90 s was up (blocks: 8)", "제한 시간(90 s)이"),
        (StoppedBy.BLOCKS, "at the last look, after 8 blocks", "마지막 확인 시점(블록 8개)"),
        (StoppedBy.NO_RATIO, "in no table do two contenders", "둘 이상인 표가 없습니다"),
        (None, "has not ended", "아직 끝나지 않았습니다"),
    ],
)
def test_each_end_has_its_sentence(stopped_by: StoppedBy | None, english: str, korean: str) -> None:
    assert english in said(stopped_by, CLOSE)
    assert korean in said(stopped_by, CLOSE, language="ko")


def test_a_run_without_such_a_rule_says_nothing_of_it() -> None:
    found, _ = sample()
    assert stopped(Context(found, Series(cells={}), words("en"))) == ()


def test_blocks_that_differ_between_scenarios_are_a_range() -> None:
    other = CLOSE.model_copy(update={"scenario": "s7", "blocks": 12})
    assert "after 8–12 blocks" in said(StoppedBy.NARROW, other, CLOSE)


def test_what_is_known_less_closely_is_named_the_widest_first() -> None:
    wide = [CLOSE.model_copy(update={"step": f"{n}-users", "reach": n / 100}) for n in range(4, 12)]
    shown = said(StoppedBy.TIME, *wide)
    assert (
        "Known less closely: Eclipse Milo (Java) / asyncua (Python) within 11 % (s1 / 11" in shown
    )
    assert shown.count("within ") == 1 + 5
    assert shown.endswith("(s1 / 7-users); 1 more.")


def test_who_has_no_ratio_is_named() -> None:
    tables = [
        CLOSE.model_copy(update={"step": f"{n}-users", "without": ["milo"]}) for n in range(7)
    ]
    shown = said(StoppedBy.NARROW, *tables)
    assert "Without a ratio, and not waited for: Eclipse Milo (Java) (s1 / 0-users);" in shown
    assert shown.endswith("(s1 / 4-users); 2 more.")
    korean = said(StoppedBy.NARROW, *tables, language="ko")
    assert "판단에서 제외한 대상: Eclipse Milo (Java) (s1 / 0-users)" in korean
    assert korean.endswith("외 2개.")
