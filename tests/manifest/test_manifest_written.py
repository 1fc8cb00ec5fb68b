"""Parts that scenarios name, steps of a matrix, and rankings: read in full, refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from manifest_texts import complaints

from cli.command_lines import piped
from wirelab.manifest import load_suite
from wirelab.model.measure import Ranking
from wirelab.model.scenario import Scenario

SIZES = '[scenarios.echo.steps."k{keys}-{rate}k"]'
MATRIX = (
    "matrix = { keys = [50, 200], asked = [{ rate = 2, lanes = 1 }, { rate = 1600, lanes = 8 }] }"
)
TITLE = 'title = { en = "{keys} keys, {rate:,},000/s", ko = "키 {keys}개" }'

TEXT = f"""\
suite = "demo"
title = {{ en = "Demonstration" }}
[parameters]
keys = {{ type = "whole", meaning = "keys" }}
path = {{ type = "text", meaning = "a path" }}
[roles]
server = {{ provider = "contender" }}
client = {{ provider = "contender", measured = true }}
[operations]
read = {{ code = 1 }}
write = {{ code = 2 }}
[steps.one]
title = {{ en = "One" }}
[steps."of-{{users}}"]
matrix = {{ users = [2, 3] }}
title = {{ en = "{{users}} users" }}
users = "{{users}}"
[scenarios.echo]
title = {{ en = "Echo" }}
load = {{ type = "open", period = "1s" }}
roles = ["server", "client"]
operations = ["write", "read"]
rankings = ["read.rate", {{ metric = "server.cpu.mean", better = "lower" }}]
{SIZES}
{MATRIX}
{TITLE}
users = 10
lanes = "{{lanes}}"
parameters = {{ keys = "{{keys}}", path = "/{{keys}}" }}
[scenarios.echo.steps.last]
title = {{ en = "Last" }}
users = 10
[scenarios.echo.profiles]
smoke = {{ trials = 1, count = 50, settle = 1, steps = ["k50-1600k", "last"] }}
[scenarios.other]
title = {{ en = "Other" }}
load = {{ type = "open", period = "1s" }}
roles = ["server", "client"]
operations = ["read"]
steps = ["one", "of-2", "of-3"]
profiles = {{ smoke = {{ trials = 1, count = 50 }} }}
"""


@pytest.fixture
def scenarios(tmp_path: Path) -> dict[str, Scenario]:
    (tmp_path / "suite.toml").write_text(TEXT, "utf-8")
    return load_suite(tmp_path / "suite.toml").scenarios


def test_a_matrix_makes_a_step_of_each_combination(scenarios: dict[str, Scenario]) -> None:
    steps = scenarios["echo"].steps
    assert list(steps) == ["k50-2k", "k50-1600k", "k200-2k", "k200-1600k", "last"]
    assert steps["k200-1600k"].model_dump(exclude_defaults=True) == {
        "title": {"en": "200 keys, 1,600,000/s", "ko": "키 200개"},
        "users": 10,
        "lanes": 8,
        # What is not a value as a whole is the worker's own.
        "parameters": {"keys": 200, "path": "/{keys}"},
    }


def test_a_scenario_has_what_it_names_of_its_suite(scenarios: dict[str, Scenario]) -> None:
    echo, other = scenarios["echo"], scenarios["other"]
    assert list(echo.roles) == ["server", "client"]
    assert list(echo.operations) == ["write", "read"]
    assert list(other.operations) == ["read"]
    assert {name: step.users for name, step in other.steps.items()} == {
        "one": 1,
        "of-2": 2,
        "of-3": 3,
    }


def test_a_ranking_knows_the_better_way_of_its_metric(scenarios: dict[str, Scenario]) -> None:
    assert scenarios["echo"].rankings == [
        Ranking(metric="read.rate", better="higher"),
        Ranking(metric="server.cpu.mean", better="lower"),
    ]


STEP = '24: scenarios.echo.steps."k{keys}-{rate}k"'
OF_MATRIX = '25: scenarios.echo.steps."k{keys}-{rate}k".matrix'


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            "{rate:,},000",
            "{rat:,},000",
            '26: scenarios.echo.steps."k{keys}-{rate}k".title.en: no value of the matrix "rat", '
            'did you mean "rate"?',
            id="unknown value",
        ),
        pytest.param(
            "{rate:,},000",
            "{rate:>9}",
            '26: scenarios.echo.steps."k{keys}-{rate}k".title.en: expected {NAME} or {NAME:,}, '
            'found "{rate:>9}"',
            id="another form",
        ),
        pytest.param(
            "rate = 2,",
            'rate = "2",',
            '26: scenarios.echo.steps."k{keys}-{rate}k".title.en: {rate:,} is for numbers, and '
            'rate is "2"',
            id="text grouped",
        ),
        pytest.param(
            SIZES,
            '[scenarios.echo.steps."k{keys}"]',
            '24: scenarios.echo.steps."k{keys}": makes two steps k50: put every value that differs '
            "into the name",
            id="name of two",
        ),
        pytest.param(
            "steps.last",
            "steps.k50-2k",
            "30: scenarios.echo.steps.k50-2k: there is a step k50-2k already",
            id="name taken",
        ),
        pytest.param(
            'lanes = "{lanes}"',
            "",
            f'{OF_MATRIX}: nothing uses the value "lanes": write {{lanes}}',
            id="unused value",
        ),
        pytest.param(
            "rate = 1600, lanes = 8",
            "rate = 1600",
            f"{OF_MATRIX}.asked[1]: expected values of the same names: rate, lanes",
            id="value without its company",
        ),
        pytest.param(
            "rate = 2, lanes = 1",
            "rate = [2], lanes = 1",
            f"{OF_MATRIX}.asked[0]: expected a number, a text, true or false",
            id="list as a value",
        ),
        pytest.param(
            "keys = [50, 200]",
            "keys = 50",
            f"{OF_MATRIX}.keys: expected a list with values, such as [50, 200]",
            id="no list",
        ),
        pytest.param(
            MATRIX,
            "matrix = 3",
            f"{OF_MATRIX}: expected a table of lists with values, such as {{ keys = [50, 200] }}",
            id="no table",
        ),
        pytest.param(
            "rate = 1600, lanes = 8 }]",
            "rate = 1600, lanes = 8 }], lanes = [1]",
            f'{OF_MATRIX}: two values are called "lanes"',
            id="two of a name",
        ),
        pytest.param(
            "keys = [50, 200]",
            f"keys = {list(range(501))}",
            f"{OF_MATRIX}: makes 1,002 steps, and 1,000 is the most",
            id="too many",
        ),
        pytest.param(
            MATRIX,
            "",
            f"{STEP}: a name with values between braces needs a matrix that has them",
            id="no matrix",
        ),
        pytest.param(
            "users = 10\nlanes",
            "usrs = 10\nlanes",
            '27: scenarios.echo.steps."k{keys}-{rate}k".usrs: unknown key, did you mean "users"? '
            "(step k50-2k)",
            id="unknown key",
        ),
        pytest.param(
            "lanes = 8",
            "lanes = 80",
            '28: scenarios.echo.steps."k{keys}-{rate}k".lanes: 80 lanes of 10 users: each lane is '
            "a user (step k50-1600k)",
            id="value that does not fit",
        ),
        pytest.param(
            "keys = [50, 200]",
            'keys = [50, "many"]',
            '29: scenarios.echo.steps."k{keys}-{rate}k".parameters.keys: expected a whole number, '
            "found 'many' (step kmany-2k)",
            id="parameter that does not fit",
        ),
        pytest.param(
            'operations = ["write", "read"]',
            'operations = ["write", "raed"]',
            '22: scenarios.echo.operations[1]: no operation of the suite "raed", did you mean '
            '"read"?',
            id="part that is not there",
        ),
        pytest.param(
            'operations = ["write", "read"]',
            'operations = ["write", "write"]',
            "22: scenarios.echo.operations[1]: write is named twice",
            id="part named twice",
        ),
        pytest.param(
            'operations = ["write", "read"]',
            "operations = [1]",
            "22: scenarios.echo.operations[0]: expected a name of the suite's operations",
            id="part that is no name",
        ),
        pytest.param(
            'operations = ["write", "read"]',
            'operations = ["read"]',
            "11: operations.write: no scenario names this operation",
            id="part that nobody names",
        ),
        pytest.param(
            "write = { code = 2 }",
            "write = { code = 1 }",
            "10: operations.read.code: 1 is the code of write (of scenarios.echo)",
            id="part that does not fit",
        ),
        pytest.param(
            "read = { code = 1 }",
            "read = { code = 999 }",
            "10: operations.read.code: expected a whole number from 1 to 255, found the number 999",
            id="part that is wrong wherever it is",
        ),
        pytest.param(
            '["one", "of-2", "of-3"]',
            '["of-2", "of-3", "one"]',
            "12: steps.one.users: users stay connected: a step cannot have fewer than the last (of "
            "scenarios.other)",
            id="order of steps",
        ),
    ],
)
def test_a_mistake_is_told_where_it_is_written(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    assert old in TEXT
    found = complaints(tmp_path / "suite.toml", TEXT.replace(old, new, 1))
    assert found == [expected]


def test_a_user_is_told_of_it(tmp_path: Path) -> None:
    folder = tmp_path / "suites" / "demo"
    folder.mkdir(parents=True)
    (folder / "suite.toml").write_text(TEXT.replace("lanes = 8", "lanes = 80"), "utf-8")
    ended = piped("list", "demo", cwd=tmp_path, root=tmp_path)
    assert ended.returncode != 0
    assert (
        'suites/demo/suite.toml:28: scenarios.echo.steps."k{keys}-{rate}k".lanes: 80 lanes of 10 '
        "users" in ended.stderr
    )
