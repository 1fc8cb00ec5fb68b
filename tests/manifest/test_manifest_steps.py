"""Steps of a scenario: what does not fit together is told, with its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wirelab.manifest import ManifestError, load_suite

SUITE = Path(__file__).parents[2] / "suites" / "websocket" / "suite.toml"
TEXT = SUITE.read_text("utf-8")
USERS = 'users = "{users}"'


def complaints(tmp_path: Path, old: str, new: str) -> str:
    """Messages about the suite with ``old``, which it has, made ``new`` once."""
    assert old in TEXT
    path = tmp_path / "suite.toml"
    path.write_text(TEXT.replace(old, new, 1), "utf-8")
    try:
        load_suite(path)
    except ManifestError as error:
        return str(error)
    return ""


def test_the_suite_itself_fits(tmp_path: Path) -> None:
    assert complaints(tmp_path, 'suite = "websocket"', 'suite = "websocket"') == ""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[100, 300, 500", "[100, 90, 500", r"users: users stay connected.*\(step users-90\)"),
        ('users = "users"', 'users = "peope"', r"users: expected a number above 0.*not peope"),
        ('lanes = "writers"', "lanes = 200", r"lanes: 200 lanes of 100 users"),
        ('"users-100", "users-300"]', '"users-100", "users-30"]', r'no step "users-30"'),
        ("count = 300, settle = 5", "count = 25, settle = 5", r"5 ticks a step leave nothing"),
        ("settle = 5", "settle = 5, warmup = 55", r"60 ticks a step leave nothing after settling"),
        ("count = 60, settle = 10", "count = 50, settle = 10", r"25 ticks .* no whole seconds"),
        ("count = 300, settle = 20", "count = 300, settle = 15", r"15 ticks .* no whole seconds"),
        ('scenario = "ceiling"', 'scenario = "roof"', r'no scenario for references only "roof"'),
        (
            'scenario = "ceiling"',
            'scenario = "ceiling"\nalike = ["board_sise"]',
            r'ceiling\.alike: no parameter "board_sise", did you mean "board_size"',
        ),
        (
            'provider = "engine:websocket"',
            'provider = "engine:"',
            r'"engine:KIND", found "engine:"',
        ),
        (
            'colocated_with = "server"',
            'colocated_with = "sever"',
            r'no role "sever", did you mean "server"',
        ),
        (
            'scenarios = ["ramp"]',
            'scenarios = ["rmap"]',
            r'no scenario "rmap", did you mean "ramp"',
        ),
        ('type = "open"', 'type = "paced"', r"steps and lanes need an open or a closed loop"),
        (USERS, f"{USERS}\ncount = 9", r"count: only steps of a closed loop.*\(step users-100\)"),
        (
            USERS,
            f"{USERS}\nparameters = {{ board_size = 9 }}",
            r"parameters: engine:websocket has the same",
        ),
    ],
)
def test_what_does_not_fit_is_told(tmp_path: Path, old: str, new: str, says: str) -> None:
    said = complaints(tmp_path, old, new)
    assert re.search(says, said), said


@pytest.mark.parametrize("own", ["", "\nparameters = { writers = 9 }"])
def test_what_a_ceiling_has_in_common_may_be_a_parameter_of_a_step(
    tmp_path: Path, own: str
) -> None:
    """As the suite `kv` has it: its steps differ in their keys, and its scenarios have none."""
    path = tmp_path / "suite.toml"
    text = TEXT.replace('"engine:websocket"', '"engine:http"')
    text = text.replace('scenario = "ceiling"', 'scenario = "ceiling"\nalike = ["writers"]', 1)
    path.write_text(text.replace(USERS, f"{USERS}{own}", 1), "utf-8")
    if own:
        assert load_suite(path).scenarios["ramp"].ceiling
    else:
        with pytest.raises(ManifestError, match='no parameter "writers"'):
            load_suite(path)


def test_the_engine_of_http_follows_the_parameters_of_steps(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    text = TEXT.replace("users = 300", "users = 300\nparameters = { board_size = 9 }", 1)
    path.write_text(text.replace('"engine:websocket"', '"engine:http"'), "utf-8")
    assert load_suite(path).scenarios
