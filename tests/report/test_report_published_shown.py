"""Figures and statements of every study reach a reader.

A full run that is made up shows each published figure under digits of its own; what no part of the
report shows, ``published.toml`` leaves out with the reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import codec_sample
import pytest
from full_run import entry, full_run
from suite_sample import write_run

from tree import ROOT
from wirelab.model.result import Result
from wirelab.report import write
from wirelab.report.published import Published, read_published
from wirelab.report.stated import Declared

SUITES = sorted(path.parent.name for path in (ROOT / "suites").glob("*/published.toml"))
_FIRST = 7_000_001


def run_of(suite: str) -> Result:
    """A full run of those that the study is about; of codecs the sample is one: the notes of
    their judge are not made up here."""
    if suite == "codec":
        return codec_sample.sample()
    published, found = published_of(suite), full_run(suite)
    about = stand_ins_of(published) | {*published.contenders}
    about |= {
        side.partition("@")[0]
        for claim in published.claims
        for r in claim.rules
        for side in sides_of(r)
    }
    cells = [cell for cell in found.cells if cell.contender in about]
    assert {cell.scenario for cell in cells} == {cell.scenario for cell in found.cells}
    return found.model_copy(update={"cells": cells})


def stand_ins_of(published: Published) -> set[str]:
    """All contenders of the suite that may stand for one of the study."""
    return {name for one in published.contenders.values() for name in one.here}


def sides_of(rule: Declared) -> list[str]:
    """The contenders a rule names."""
    named = [getattr(rule, place, []) for place in ("left", "right", "contenders")]
    return [side for one in named for side in ([one] if isinstance(one, str) else one)]


def published_of(suite: str) -> Published:
    found = read_published(entry(suite).folder / "published.toml")
    assert found is not None
    return found


def with_digits_of_their_own(suite: str, folder: Path) -> dict[str, tuple[str, str]]:
    """A copy of the suite whose published figures can be told apart: contender and key of each."""
    source = entry(suite).folder
    folder.mkdir()
    for path in source.iterdir():
        if path.name != "published.toml":
            (folder / path.name).symlink_to(path)
    told: dict[str, tuple[str, str]] = {}
    lines, contender, kind = [], "", ""
    for written in (source / "published.toml").read_text("utf-8").splitlines():
        line = written
        if heading := re.fullmatch(r"\[(figures|said)\.([\w-]+)\]", line):
            kind, contender = heading.groups()
        elif line.startswith("["):
            kind = ""
        elif kind and (figure := re.match(r'"([^"]+)" = ', line)):
            digits = str(_FIRST + len(told))
            told[digits] = (contender, figure.group(1))
            line = f'"{figure.group(1)}" = "{digits}"'
        lines.append(line)
    (folder / "published.toml").write_text("\n".join(lines), "utf-8")
    return told


@dataclass(frozen=True)
class Shown:
    """A report in Korean, and by their digits contender and key of what was published."""

    suite: str
    text: str
    told: dict[str, tuple[str, str]]


@pytest.fixture(scope="module", params=SUITES)
def shown(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """The report of a full run of a suite whose published figures can be told apart."""
    folder = tmp_path_factory.mktemp("shown")
    changed = folder / request.param
    told = with_digits_of_their_own(request.param, changed)
    (path,) = write(write_run(folder, run_of(request.param)), "ko", ["md"], changed)
    text = path.read_text("utf-8").replace("\\", "").replace("&lt;", "<")
    return Shown(request.param, text, told)


def test_every_published_figure_is_shown_or_left_out_with_a_reason(shown: Shown) -> None:
    published = published_of(shown.suite)
    known = [*published.figures.values(), *published.said.values()]
    assert len(shown.told) == sum(map(len, known)) > 15
    text = shown.text.replace(",", "")
    reasons = {pattern: out.why for out in published.left_out for pattern in out.figures}
    missing = {
        (contender, key)
        for digits, (contender, key) in shown.told.items()
        if digits not in text and not any(fnmatchcase(key, pattern) for pattern in reasons)
    }
    assert missing == set()
    for pattern, why in reasons.items():
        assert why.of("ko").replace(",", "") in text
        matched = [d for d, (_contender, key) in shown.told.items() if fnmatchcase(key, pattern)]
        assert matched, pattern
        assert all(digits not in text for digits in matched), pattern


def test_every_statement_is_answered_in_the_report(shown: Shown) -> None:
    rows = [line for line in shown.text.splitlines() if line.startswith("| ")]
    claims = published_of(shown.suite).claims
    assert claims
    for claim in claims:
        own = [row for row in rows if claim.text.of("ko") in row]
        assert own, claim.key
        if claim.open is not None:
            assert any(claim.open.of("ko") in row for row in own), claim.key


@pytest.mark.parametrize("suite", SUITES)
def test_contenders_that_stand_for_the_study_s_exist(suite: str) -> None:
    published = published_of(suite)
    here = {*entry(suite).contenders}
    assert published.contenders
    assert stand_ins_of(published) <= here
    sides = here | {*published.contenders}
    for claim in published.claims:
        for rule in claim.rules:
            assert {side.partition("@")[0] for side in sides_of(rule)} <= sides, claim.key


@pytest.mark.parametrize("suite", SUITES)
def test_rules_ask_for_scenarios_and_steps_that_exist(suite: str) -> None:
    scenarios = entry(suite).manifest.scenarios
    asked = [
        (claim.key, rule)
        for claim in published_of(suite).claims
        for rule in claim.rules
        if rule.kind != "cheaper"
    ]
    assert {*published_of(suite).beside} <= {*scenarios}
    # Statements on codecs compare formats in every language: the suite's own rules decide these.
    assert bool(asked) == (suite != "codec")
    for key, rule in asked:
        assert rule.scenario in scenarios, key
        steps = [side.partition("@")[2] for side in sides_of(rule)] + [getattr(rule, "step", "")]
        for step in {*steps} - {"", "last"}:
            assert any(fnmatchcase(name, step) for name in scenarios[rule.scenario].steps), key
        assert rule.variant in {"", *scenarios[rule.scenario].variants}, key
