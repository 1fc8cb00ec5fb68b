"""Every gate reads well in both languages: its texts, and every shape of its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import evidence_of_answers
import evidence_of_searches
import evidence_of_times
import pytest
from evidence_example import Example
from pydantic import BaseModel, RootModel

from wirelab.gates.catalogue import every_gate, gate_of
from wirelab.gates.gate import EvidenceError, Gate
from wirelab.gates.wording import evidence_lines, meaning_of, remedy_of, title_of
from wirelab.model.result import Finding, Verdict
from wirelab.words.translation import words

EXAMPLES = [
    *evidence_of_answers.EXAMPLES,
    *evidence_of_times.EXAMPLES,
    *evidence_of_searches.EXAMPLES,
]

CODES = [gate.code for gate in every_gate()]
Part = tuple[str, str]
"""A model and its field, or nothing and a key that only evidence can have."""


def of(code: str) -> Gate[Any]:
    gate = gate_of(code)
    assert gate is not None
    return gate


def finding_of(example: Example) -> Finding:
    return Finding(gate=example.code, verdict=Verdict.WARN, evidence=example.evidence)


def parts_of(annotation: Any) -> Iterator[Part]:
    """Every part that evidence of a type can have."""
    if isinstance(annotation, type) and issubclass(annotation, RootModel):
        yield from parts_of(annotation.model_fields["root"].annotation)
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for name, field in annotation.model_fields.items():
            yield annotation.__name__, name
            yield from parts_of(field.annotation)
    elif get_origin(annotation) is dict and get_origin(get_args(annotation)[0]) is Literal:
        yield from (("", key) for key in get_args(get_args(annotation)[0]))
    else:
        for inner in get_args(annotation):
            yield from parts_of(inner)


def parts_in(value: Any) -> Iterator[Part]:
    """The parts that evidence has."""
    if isinstance(value, RootModel):
        yield from parts_in(value.root)
    elif isinstance(value, BaseModel):
        for name in value.model_fields_set:
            yield type(value).__name__, name
            yield from parts_in(getattr(value, name))
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield "", key
            yield from parts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from parts_in(inner)


@pytest.mark.parametrize("code", CODES)
def test_every_gate_has_korean_words(code: str) -> None:
    english, korean = words("en"), words("ko")
    for say in (title_of, meaning_of, remedy_of):
        assert re.search("[a-z]", say(code, english))
        assert re.search("[가-힣]", say(code, korean))


@pytest.mark.parametrize("code", CODES)
def test_the_examples_have_every_part_of_the_evidence(code: str) -> None:
    gate = of(code)
    examples = [gate.read(one.evidence, "a cell") for one in EXAMPLES if one.code == code]
    possible = set(parts_of(gate.evidence))
    assert possible
    assert possible - {part for example in examples for part in parts_in(example)} == set()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.code)
def test_evidence_in_words(example: Example) -> None:
    assert evidence_lines(finding_of(example), "a cell", words("en")) == example.lines


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.code)
def test_evidence_in_korean_keeps_the_figures(example: Example) -> None:
    korean = "|".join(evidence_lines(finding_of(example), "a cell", words("ko")))
    figures = re.findall(r"\d+\.\d+", "|".join(example.lines))
    assert sorted(figures) == sorted(re.findall(r"\d+\.\d+", korean))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.code)
def test_evidence_is_stored_as_it_was_read(example: Example) -> None:
    read = of(example.code).read(example.evidence, "a cell")
    assert read.model_dump(mode="json", exclude_unset=True) == example.evidence


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.code)
def test_whom_a_finding_speaks_against(example: Example) -> None:
    gate = of(example.code)
    assert gate.blamed(finding_of(example), "a cell") in (gate.blames or (None,))


@pytest.mark.parametrize("code", CODES)
def test_evidence_of_another_form_is_an_error_that_names_it(code: str) -> None:
    foreign = {"some_thing": {"deep": [1, 2.5]}, "flag": True, "word": "x"}
    finding = Finding(gate=code, verdict=Verdict.WARN, evidence=foreign)
    with pytest.raises(EvidenceError, match=rf"gate {code} in cell demo/a .*some_thing"):
        evidence_lines(finding, "demo/a", words("en"))


def test_a_key_that_is_missing_is_named() -> None:
    finding = Finding(gate="steal", verdict=Verdict.WARN, evidence={"steal": {"0001": 0.1}})
    with pytest.raises(EvidenceError, match="worst: Field required"):
        evidence_lines(finding, "demo/a", words("en"))


def test_what_an_unknown_gate_found_is_still_said() -> None:
    evidence = {"some_thing": {"deep": [1, 2.5]}, "flag": True, "word": "x"}
    finding = Finding(gate="never-heard-of", verdict=Verdict.WARN, evidence=evidence)
    said = evidence_lines(finding, "a cell", words("en"))
    assert said == ["some thing: deep: 1, 2.50", "flag: True", "word: x"]


def test_an_unknown_gate_reads_by_its_code() -> None:
    assert title_of("moon-phase", words("ko")) == "moon phase"
    assert re.search("[가-힣]", meaning_of("moon-phase", words("ko")))
    assert re.search("[가-힣]", remedy_of("moon-phase", words("ko")))
