"""Instructions of an iteration in a report: beside the times, with who has none and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from synthetic.instructions import FEW, MANY, instructions_run
from wirelab.cells.analysis import analyse
from wirelab.model.participant import Barred, Participant
from wirelab.model.result import Result, Series
from wirelab.model.units import Text
from wirelab.plan.counting import refusal
from wirelab.report import generic
from wirelab.report.context import Context
from wirelab.report.forms.markdown import render_markdown
from wirelab.words.translation import words

COUNTS = [(FEW, 9_000), (MANY, 59_000), (FEW, 9_000), (MANY, 59_500)]


@pytest.fixture
def found(tmp_path: Path) -> tuple[Result, Series]:
    return analyse(instructions_run(COUNTS).write(tmp_path / "run"))


def told(found: tuple[Result, Series], language: str = "en", **others: Participant) -> str:
    result, series = found
    people = {**result.participants, **others}
    whole = result.model_copy(update={"participants": people})
    return render_markdown(generic.compose(Context(whole, series, words(language))))


def barred(found: tuple[Result, Series], language: str, why: Barred) -> Participant:
    given = found[0].participants["swift"]
    manifest = given.manifest.model_copy(
        update={"contender": "beans", "title": Text(en="Beans"), "language": language}
    )
    return given.model_copy(update={"manifest": manifest, "barred": {"steady": why}})


def test_counts_stand_in_a_section_of_their_own_with_their_spread(
    found: tuple[Result, Series],
) -> None:
    said = told(found)
    section = said[said.index('<a id="instructions-steady">') :]
    assert "50.3" in section
    assert "encode instructions: spread of the repeats" in section
    assert "not-repeating" in said
    assert "encode time" not in said


def test_who_has_no_counts_is_told_with_the_reason_in_the_readers_language(
    found: tuple[Result, Series],
) -> None:
    manifest = found[0].participants["swift"].manifest
    reason = refusal(manifest.model_copy(update={"language": "Java"}))
    assert reason is not None
    out = barred(found, "Java", Barred(reason=reason))
    assert reason.en in told(found, beans=out)
    assert reason.ko in told(found, "ko", beans=out)


def test_what_would_help_is_told(found: tuple[Result, Series]) -> None:
    why = Barred(reason=Text(en="valgrind is missing"), remedy=Text(en="apt-get install valgrind"))
    said = told(found, beans=barred(found, "Rust", why))
    assert "valgrind is missing" in said
    assert "apt-get install valgrind" in said


def test_a_run_without_counts_has_no_such_section(found: tuple[Result, Series]) -> None:
    result, series = found
    assert "instructions-steady" in told(found)
    assert "instructions-steady" not in told((result.model_copy(update={"cells": []}), series))
