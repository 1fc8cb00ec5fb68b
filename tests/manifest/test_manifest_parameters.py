"""Parameters are declared, and scenarios and tuning hold to it: what does not is told."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from manifest_texts import CONTENDER, SUITE, complaints

from wirelab.manifest import load_contender, load_suite
from wirelab.model.parameters import Parameter

DECLARED = """
[parameters]
keys = { type = "whole", least = 1, most = 9, meaning = "keys of a batch" }
share = { type = "number", least = 0, most = 1, meaning = "a share" }
when = { type = "text", choices = ["before", "timed"], meaning = "when to connect" }
depth = { type = "whole", least = 1, by = "contender", meaning = "how deep" }
"""
GIVEN = DECLARED + '\n[scenarios.echo.parameters]\nkeys = 5\nshare = 0.5\nwhen = "before"\n'


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("\nkeys = 5", "\nkyes = 5", 'parameters.kyes: no parameter "kyes", did you mean "keys"?'),
        ("\nkeys = 5", "\nkeys = 10", "keys: expected a whole number from 1 to 9, found 10"),
        ("\nkeys = 5", "\nkeys = true", "keys: expected a whole number from 1 to 9, found true"),
        ("share = 0.5", "share = nan", "share: expected a number from 0 to 1, found nan"),
        ('"before"\n', '"befor"\n', "when: expected one of before, timed, found 'befor'"),
        ("\nkeys = 5", "\ndepth = 5", 'parameters.depth: no parameter "depth"'),
        ("most = 9", "most = 0", "parameters.keys.least: expected at most 0, found 1"),
        ('"text", choices', '"text", least = 1, choices', "when: a text has no least and most"),
        ("depth = {", "target = {", "parameters.target: wirelab itself gives this parameter"),
        (', meaning = "how deep"', "", "parameters.depth.meaning: missing"),
    ],
)
def test_what_a_suite_does_not_declare_so_is_told(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    text = SUITE + GIVEN
    assert old in text
    assert [
        line for line in complaints(tmp_path / "suite.toml", text.replace(old, new)) if says in line
    ]


@pytest.mark.parametrize("place", ["profiles.smoke", "variants.lost"])
def test_profiles_and_variants_are_held_to_it_too(tmp_path: Path, place: str) -> None:
    text = SUITE + GIVEN
    if place == "profiles.smoke":
        text = text.replace("count = 20 }", "count = 20, parameters = { kyes = 1 } }")
    else:
        text += "[scenarios.echo.variants.lost.parameters]\nkyes = 1\n"
    [said] = complaints(tmp_path / "suite.toml", text)
    assert f'scenarios.echo.{place}.parameters.kyes: no parameter "kyes"' in said


def test_what_is_declared_is_let_pass(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(SUITE + GIVEN)
    assert set(load_suite(tmp_path / "suite.toml").parameters) == {"keys", "share", "when", "depth"}


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("[tuning]\ndepht = 2\n", 'tuning.depht: no parameter "depht", did you mean "depth"?'),
        ("[tuning]\ndepth = 0\n", "tuning.depth: expected a whole number of 1 or more, found 0"),
        ("[tuning]\nkeys = 1\n", "tuning.keys: the scenarios set it: a contender cannot change"),
        (
            '[parameters]\ndepth = { type = "flag", meaning = "m" }\n',
            "parameters.depth: the suite declares it already",
        ),
    ],
)
def test_tuning_is_held_to_what_is_declared(tmp_path: Path, more: str, says: str) -> None:
    (tmp_path / "suite.toml").write_text(SUITE + GIVEN)
    suite = load_suite(tmp_path / "suite.toml")
    load = partial(load_contender, suite=suite)
    said = complaints(tmp_path / "contender.toml", CONTENDER + more, load)
    assert [line for line in said if says in line], said


def test_a_contender_declares_what_is_its_own(tmp_path: Path) -> None:
    own = '[tuning]\nown = 3\ndepth = 2\n\n[parameters]\nown = { type = "whole", '
    (tmp_path / "suite.toml").write_text(SUITE + GIVEN)
    (tmp_path / "contender.toml").write_text(CONTENDER + own + 'meaning = "m" }\n')
    suite = load_suite(tmp_path / "suite.toml")
    loaded = load_contender(tmp_path / "contender.toml", suite)
    assert loaded.own_parameters == {"own", "depth"}


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("whole", "12", 12),
        ("number", "12", 12.0),
        ("flag", "True", True),
        ("text", "12", "12"),
        ("text", "", ""),
    ],
)
def test_a_value_is_read_in_the_type_declared(kind: str, text: str, value: object) -> None:
    parameter = Parameter.model_validate({"type": kind, "meaning": "m"})
    assert parameter.read(text) == value
    assert type(parameter.read(text)) is type(value)


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        ({"type": "whole"}, "1.5"),
        ({"type": "whole", "least": 1}, "0"),
        ({"type": "number"}, "inf"),
        ({"type": "number", "most": 1}, "1.01"),
        ({"type": "flag"}, "yes"),
        ({"type": "text", "choices": ["a"]}, "b"),
    ],
)
def test_a_value_that_cannot_be_is_refused(declared: dict[str, object], text: str) -> None:
    parameter = Parameter.model_validate({"meaning": "m", **declared})
    with pytest.raises(ValueError, match=text):
        parameter.read(text)
