"""Contents of the study that a suite follows: its figures, words and known defects."""

from __future__ import annotations

import tomllib
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, ValidationError, model_validator

from wirelab.model.mistake import MistakeError
from wirelab.model.units import Strict, Text
from wirelab.report.stated import Declared

Digits = Annotated[str, StringConstraints(pattern=r"^[+-]?\d+(\.\d+)?$")]


def _either(value: Any) -> Any:
    return {"en": value} if isinstance(value, str) else value


Said = Annotated[Text, BeforeValidator(_either)]
"""One string that reads the same in every language, or a table ``{ en, ko }``."""


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


StandIns = Annotated[list[str], BeforeValidator(_listed)]
"""One contender of the suite, or a list of which the first that was measured counts."""

DefectKind = Literal[
    "impossible", "arithmetic", "contradiction", "unsupported", "unlike", "unstated", "mistaken"
]


class BrokenPublishedError(MistakeError):
    """A ``published.toml`` that cannot be read."""


class PublishedContender(Strict):
    """A contender of the study. ``here``: contenders of the suite that use its library, the
    likest first; ``why`` it is these where others use it, too."""

    title: Said
    here: StandIns = Field(default=[])
    why: Said | None = None
    library: Said
    version: Said
    runtime: Said


class Item(Strict):
    """A labelled value of a list in the study."""

    key: str
    label: Said
    value: Said


class PublishedErrors(Strict):
    """Callers' views by contender, as published; ``variant`` is the suite's."""

    variant: str
    title: Said
    views: dict[str, Said]


class Advice(Strict):
    """A recommendation of the study; no first choice when it was left open."""

    situation: str
    title: Said
    first: str = ""
    second: str = ""
    grounds: Said


class Claim(Strict):
    """A statement of the study that a run may support or not.

    What decides it is declared here (``rules``, all of which have to bear it out), or is a
    function of the suite's report under its ``key``; otherwise it says why it stays ``open``.
    """

    key: str
    section: str
    text: Said
    chapter: str = Field(default="", description="of the report; empty: its only one")
    rules: list[Declared] = Field(default=[])
    open: Said | None = None

    @model_validator(mode="after")
    def _either_open_or_not(self) -> Claim:
        if self.rules and self.open:
            raise ValueError(f"claim {self.key}: rules decide it, so that it does not stay open")
        return self


class SummaryRow(Strict):
    """A row of the study's summary: who got the star, and its remark."""

    metric: str
    star: str = ""
    passed: bool = False
    note: Said


class PublishedField(Strict):
    """A field the study defines, and the metrics here that mean the same."""

    field: Said
    unit: Said
    meaning: Said
    metrics: list[str] = Field(default=[])


class Defect(Strict):
    """Something in the study that does not hold, tied to the figures it concerns."""

    id: str
    kind: DefectKind
    metrics: list[str] = Field(description="patterns; empty: the document as a whole")
    contenders: list[str] = Field(default=[], description="empty: all")
    title: Said
    text: Said

    def concerns(self, metric: str, contender: str) -> bool:
        """Whether a published figure is one of those the defect is about."""
        named = not self.contenders or contender in self.contenders
        return named and any(fnmatchcase(metric, pattern) for pattern in self.metrics)


class LeftOut(Strict):
    """Figures of the study that no report shows, and why: patterns of their keys."""

    figures: list[str] = Field(min_length=1)
    why: Said


class Published(Strict):
    """``published.toml``."""

    title: Said
    machine: Said
    beside: list[str] = Field(
        default=[],
        description="scenarios with the load of the study, beside whose figures its own stand; "
        "empty: all",
    )
    conditions: list[Item] = Field(default=[])
    contenders: dict[str, PublishedContender]
    figures: dict[str, dict[str, Digits]] = Field(default={})
    said: dict[str, dict[str, Said]] = Field(
        default={}, description="figures the study gives in words: ranges, bounds, trends"
    )
    judgements: dict[str, dict[str, Said]] = Field(default={})
    errors: list[PublishedErrors] = Field(default=[])
    ownership: dict[str, dict[str, Said]] = Field(default={})
    advice: list[Advice] = Field(default=[])
    claims: list[Claim] = Field(default=[])
    summary: list[SummaryRow] = Field(default=[])
    limits: list[Item] = Field(default=[])
    fields: list[PublishedField] = Field(default=[])
    defects: list[Defect] = Field(default=[])
    left_out: list[LeftOut] = Field(default=[])

    @model_validator(mode="after")
    def _known_contenders(self) -> Published:
        named = {*self.figures} | {*self.said}
        named |= {key for views in self.errors for key in views.views}
        named |= {key for defect in self.defects for key in defect.contenders}
        named |= {key for advice in self.advice for key in (advice.first, advice.second) if key}
        named |= {row.star for row in self.summary if row.star}
        if unknown := sorted(named - {*self.contenders}):
            raise ValueError(f"contenders that are not described: {', '.join(unknown)}")
        twice = [key for key, n in Counter(claim.key for claim in self.claims).items() if n > 1]
        if twice:
            raise ValueError(f"claims with one key: {', '.join(twice)}")
        return self

    def figure(self, key: str, metric: str) -> str | None:
        """A published figure in its own digits."""
        return self.figures.get(key, {}).get(metric)

    def for_scenario(self, name: str) -> Published:
        """The study as it stands beside a scenario: without figures where the load is another."""
        if not self.beside or name in self.beside:
            return self
        none: dict[str, object] = {"figures": {}, "said": {}, "judgements": {}, "summary": []}
        return self.model_copy(update=none)

    def words_for(self, key: str, metric: str) -> Text | None:
        """The study's words on a figure, where it gives no number."""
        return self.said.get(key, {}).get(metric)

    def marks(self, metric: str, key: str) -> tuple[str, ...]:
        """Marks of the defects that concern a published figure: D1, D2 …"""
        return tuple(
            self.mark_of(defect) for defect in self.defects if defect.concerns(metric, key)
        )

    def marks_of_claim(self, key: str) -> tuple[str, ...]:
        """Marks of the defects that concern a statement, whoever else they name."""
        return tuple(
            self.mark_of(defect)
            for defect in self.defects
            if any(fnmatchcase(f"claim.{key}", pattern) for pattern in defect.metrics)
        )

    def mark_of(self, defect: Defect) -> str:
        """The mark of a defect: its place in the list."""
        return f"D{self.defects.index(defect) + 1}"


def read_published(path: Path) -> Published | None:
    """``published.toml``; None when the suite has none. Raises BrokenPublishedError."""
    if not path.is_file():
        return None
    try:
        return Published.model_validate(tomllib.loads(path.read_text("utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise BrokenPublishedError(f"{path}: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BrokenPublishedError(f"{path}: {where}: {first['msg']}") from None
