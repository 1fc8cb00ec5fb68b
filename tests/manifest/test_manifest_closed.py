"""Closed loops in manifests: what they need, what only they may have, and what they tell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from manifest_texts import CONTENDER, SUITE, complaints

from wirelab.manifest import load_contender, load_suite

TURNS = Path(__file__).parents[1] / "sabotage" / "closed" / "suite.toml"
TEXT = TURNS.read_text("utf-8")
STEPS = TEXT[TEXT.index("[scenarios.turns.steps.few]") : TEXT.index("[scenarios.turns.profiles]")]


def said_of(tmp_path: Path, old: str, new: str) -> str:
    """Messages about the suite of closed loops with ``old`` made ``new`` once."""
    assert old in TEXT
    return "\n".join(complaints(tmp_path / "suite.toml", TEXT.replace(old, new, 1)))


def test_the_suite_itself_fits() -> None:
    scenario = load_suite(TURNS).scenarios["turns"]
    assert scenario.is_closed
    assert scenario.operations["receipt"].due == "step"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (STEPS, "", r"turns\.steps: a closed loop needs steps"),
        ("users = 5", "users = 1", r"many\.users: users stay connected"),
        ("lanes = 3", "lanes = 6", r"many\.lanes: 6 lanes of 5 users"),
        ("lanes = 3", 'lanes = "senders"', r"many\.lanes: expected a number above 0.*senders"),
        ("users = 2", "users = 2\njoin = '1s'", r"few\.join: .* join one after the other"),
        ("users = 2", "users = 2\nabout = '0s'", r"few\.about: "),
        ("count = 10", "count = 10, warmup = 1", r"once\.warmup: a closed load with steps has no"),
        ("count = 10", "count = 3", r"once\.count: report is due at every 5th tick.* 3 .* few"),
        ("count = 10", 'count = 10, steps = ["most"]', r'no step "most", known: few, many'),
        (
            "count = 10",
            'count = 10, steps = ["many", "few"]',
            r"once\.steps: step few: 2 users, but 5 are connected already",
        ),
        ('"10ms" }', '"10ms", cycle = { length = 2 } }', r"load\.cycle: unknown key"),
        ('"10ms" }', '"10ms" }\ndrift_target = "1s"', r"no schedule to drift from"),
        (
            '"10ms" }',
            '"10ms" }\nreference_only = true',
            r"reference_only: what a closed loop gives at most",
        ),
        ("users = 2", "users = 2\nramp = '1s'", r"many\.ramp: the other steps are of a ramp"),
        ("users = 2", "users = 2\nramp = '1s'", r"few\.ramp: contender has all users of a step"),
        ("users = 2", "users = 2\nramp = '1s'", r"report: nobody knows how many ticks a ramp has"),
        ("count = 20", "count = 20\nramp = '1s'", r"many\.count: a step of a ramp takes a time"),
        ("count = 10", "count = 10, ramp = '1s'", r"once\.ramp: a closed load with steps has no"),
        ("marks = [10, 20]", "marks = [20, 10]", r"marks: expected whole numbers above 0, each"),
        ("marks = [10, 20]", "marks = [0, 20]", r"marks: expected whole numbers above 0, each"),
        # The larger step has 20 ticks of 3 lanes.
        ("marks = [10, 20]", "marks = [20, 61]", r"marks: 61 is never reached: .* has 60 of them"),
        ('due = "join"', 'due = "join", marks = [1]', r"connect\.marks: marks need operations"),
        ('record = "intervals"', 'record = "intervals", marks = [1]', r"delivery\.marks: marks"),
        ("step.elapsed", "step.rate", r'no metric "step.rate", known: step.elapsed'),
        ("echo.elapsed.20", "echo.elapsed.21", r'no mark of echo "21", known: 10, 20'),
        ("echo.elapsed.20", "report.elapsed", r"report.elapsed is no metric here: .* join it"),
        ("receipt.fairness", "echo.fairness", r"echo.fairness is no metric here: .* every user"),
        ("receipt = {", "step = {", r"operations\.step: step is a word of metrics"),
        ('"closed", at_most', '"open", period', r"receipt\.due: only in a closed loop"),
        ('"closed", at_most', '"open", period', r"echo\.marks: only operations of a closed loop"),
        ('"closed", at_most', '"open", period', r"many\.count: only steps of a closed loop"),
        ("users = 2", "users = 2\nlanes = 0", r"few\.lanes: expected"),
        (
            '"closed", at_most',
            '"open", period',
            r"rankings\[0\]: step.elapsed is no metric here: it is told of steps of a closed loop",
        ),
    ],
)
def test_what_does_not_fit_is_told(tmp_path: Path, old: str, new: str, says: str) -> None:
    said = said_of(tmp_path, old, new)
    assert re.search(says, said), said


@pytest.mark.parametrize("number", ["18446744073709551617", "-1", "1.5"])
def test_marks_that_are_no_counts_are_refused(tmp_path: Path, number: str) -> None:
    assert "marks" in said_of(tmp_path, "marks = [10, 20]", f"marks = [{number}]")


@pytest.mark.parametrize(
    ("provided", "says"),
    [
        ('server = "service:echo"', r'provided_by\.server: no service "echo", known: server'),
        ('server = "service:serve"', r'no service "serve", did you mean "server"\?'),
        ('server = "server"', r'expected "service:NAME", found "server"'),
        ('server = "engine:echo"', r'expected "service:NAME", found "engine:echo"'),
        ('servr = "service:server"', r'no role for a contender "servr", did you mean "server"\?'),
        ('client = "service:server"', r"the measured role is the contender's own to play"),
        ('helper = "service:server"', r"helper is one of the contender's own roles"),
    ],
)
def test_a_role_is_filled_by_a_service_that_there_is(
    tmp_path: Path, provided: str, says: str
) -> None:
    text = SUITE.replace(
        'server = { provider = "service:server" }', 'server = { provider = "contender" }'
    )
    text = text.replace(
        "[scenarios.echo.roles]", '[scenarios.echo.roles]\nhelper = { provider = "contender" }'
    )
    (tmp_path / "suite.toml").write_text(text)
    suite = load_suite(tmp_path / "suite.toml")
    roles = 'language = "C"\nroles = ["helper", "client"]\n'
    path = tmp_path / "contender.toml"
    manifest = CONTENDER.replace('language = "C"\n', f"{roles}provided_by = {{ {provided} }}\n")
    said = "\n".join(complaints(path, manifest, lambda file: load_contender(file, suite)))
    assert re.search(says, said), said
