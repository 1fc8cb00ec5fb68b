"""Names in a row: a reader sees where each of them ends, in both languages."""

from __future__ import annotations

import pytest
from report_sample import sample

from wirelab.model.result import Series
from wirelab.report.context import Context
from wirelab.words.series import series
from wirelab.words.translation import words


@pytest.mark.parametrize(
    ("names", "row"),
    [
        ([], ""),
        (["NATS, Go"], "NATS, Go"),
        (["gRPC (Java)", "RMI (Java)"], "gRPC (Java), RMI (Java)"),
        (["NATS, Go", "gRPC (Java)"], "NATS, Go; gRPC (Java)"),
    ],
)
def test_a_name_with_a_comma_is_told_from_the_next(names: list[str], row: str) -> None:
    assert series(iter(names)) == row


@pytest.mark.parametrize(
    ("language", "row"),
    [
        ("en", "protobuf, reuse (C++); System.Text.Json (C#)"),
        ("ko", "protobuf, 재사용 (C++); System.Text.Json (C#)"),
    ],
)
def test_a_report_lists_titles_with_commas_apart(language: str, row: str) -> None:
    assert titled(language).names(["cpp", "csharp"]) == row


def titled(language: str) -> Context:
    """A run of two contenders, the title of one of which has a comma."""
    found, _series = sample()
    first, second = (found.participants[name] for name in sorted(found.participants)[:2])
    titles = {
        "cpp": (first, {"en": "protobuf, reuse", "ko": "protobuf, 재사용"}, "C++"),
        "csharp": (second, {"en": "System.Text.Json", "ko": "System.Text.Json"}, "C#"),
    }
    participants = {
        name: one.model_copy(
            update={
                "manifest": one.manifest.model_validate(
                    {**one.manifest.model_dump(), "title": title, "language": spoken}
                )
            }
        )
        for name, (one, title, spoken) in titles.items()
    }
    found = found.model_copy(update={"participants": participants})
    return Context(found, Series(cells={}), words(language))
