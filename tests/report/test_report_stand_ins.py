"""A study's figures beside the contender likest to its own: of several, the first measured."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_sample import SUITE, sample
from told_once import report_of

from synthetic.judged import judged
from wirelab.model.result import Result
from wirelab.model.units import Text

OLDER = "Eclipse Milo 0.6 (Java)"
NEWER = "Eclipse Milo (Java)"


def with_older(*, measured: bool) -> Result:
    """The sample with the study's version of one contender, which ran or could not be built."""
    found, _series = sample()
    base = found.participants["milo"]
    manifest = base.manifest.model_copy(
        update={
            "contender": "milo-0-6",
            "title": Text(en=OLDER),
            "library": base.manifest.library.model_copy(update={"version": "0.6.14"}),
        }
    )
    why = {} if measured else {"unavailable": "no such package", "ownership": None}
    older = base.model_copy(update={"manifest": manifest, **why})
    copies = [
        one.model_copy(update={"contender": "milo-0-6", "id": f"{one.id}-0-6"})
        for one in found.cells
        if one.contender == "milo" and measured
    ]
    return found.model_copy(
        update={
            "participants": {**found.participants, "milo-0-6": older},
            "cells": [*found.cells, *copies],
        }
    )


def report(folder: Path, found: Result, language: str = "en") -> str:
    """The Markdown of a result, judged anew."""
    return report_of(SUITE, folder, judged(found), language, "md")


def below(text: str, figures: str) -> str:
    """The contender whose figures stand above the published ones, in the table that has them."""
    lines = text.splitlines()
    [at] = [n for n, line in enumerate(lines) if line.startswith(f"|  | published | {figures}")]
    return lines[at - 1].split(" | ")[0].removeprefix("| ")


@pytest.mark.parametrize(("measured", "beside"), [(True, OLDER), (False, NEWER)])
def test_the_study_s_version_has_the_published_figures_where_it_was_measured(
    tmp_path: Path, measured: bool, beside: str
) -> None:
    text = report(tmp_path, with_older(measured=measured))
    assert below(text, "2.61 | 5.01") == beside
    assert below(text, "Eclipse Milo | 0.6.14") == beside
    assert f"What the study says of Java (Milo) is compared with {beside}." in text
    other = {OLDER, NEWER} - {beside}
    assert f"compared with {other.pop()}." not in text
    [drift] = [
        line
        for line in text.splitlines()
        if "times that of Java |" in line and "mean drift" in line
    ]
    assert f"asyncua (Python) 0.200 [0.194–0.206] ms, {beside} 0.200" in drift.replace(
        "\u00a0", " "
    )
    # Nobody of the study is told of twice: only the client in C# was not measured.
    assert "| Java (Milo) |" not in text
    assert "| C# (OPCFoundation) |" in text


def test_the_contender_that_stands_for_one_of_the_study_is_named_in_korean(tmp_path: Path) -> None:
    text = report(tmp_path, with_older(measured=True), "ko")
    assert f"원문의 Java (Milo) 수치와 문장은 다음과 비교합니다: {OLDER}." in text
