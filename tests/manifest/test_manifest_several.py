"""Roles of several processes: where a manifest may have one, and how many they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from manifest_texts import SUITE, complaints

from wirelab.manifest import load_suite

CLIENT = 'client = { provider = "contender", measured = true }'
SEVERAL = 'client = { provider = "contender", measured = true, processes = 3 }'
WITHOUT_FAULTS = SUITE[: SUITE.index("[scenarios.echo.variants.lost]")]
VARIANT = '\n[scenarios.echo.variants.many]\ntitle = { en = "Many" }\n'


def test_a_measured_role_may_be_several_processes(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(SUITE.replace(CLIENT, SEVERAL))
    assert load_suite(path).scenarios["echo"].roles["client"].processes == 3


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            'server = { provider = "service:server" }',
            'server = { provider = "service:server", processes = 2 }',
            "server.processes: only a measured role that contenders provide",
        ),
        ("processes = 3", "processes = 257", "processes: expected a whole number from 1 to 256"),
        ("processes = 3", "processes = 0", "processes: expected a whole number from 1 to 256"),
        ("processes = 3", 'processes = "users"', "always has one, not users"),
        ('load.type = "paced"', 'load.type = "open"', "several processes need a paced load"),
        ('role = "server"', 'role = "client"', "a fault is of one process"),
        (
            'server = { provider = "service:server" }',
            'client-2 = { provider = "service:server" }',
            "its processes are called client-1 and so on, as the role client-2 is",
        ),
        (
            'read = { code = 1, deadline = "50ms" }',
            'read = { code = 1, record = "intervals" }',
            "each operation needs a record: read has none",
        ),
    ],
)
def test_what_does_not_fit_is_told(tmp_path: Path, old: str, new: str, says: str) -> None:
    text = SUITE.replace(CLIENT, SEVERAL)
    assert old in text
    said = complaints(tmp_path / "suite.toml", text.replace(old, new))
    assert any(re.search(re.escape(says), one) for one in said), said


def test_each_variant_has_to_say_how_many_where_a_parameter_does(tmp_path: Path) -> None:
    declared = '[parameters]\nusers = { type = "whole", meaning = "how many" }\n\n[services.server]'
    text = WITHOUT_FAULTS.replace("[services.server]", declared)
    text = text.replace(CLIENT, SEVERAL.replace("3", '"users"')) + VARIANT
    path = tmp_path / "suite.toml"
    [said] = complaints(path, text)
    assert "always has one, not users" in said
    path.write_text(text + "parameters = { users = 5 }\n")
    assert load_suite(path).scenarios["echo"].roles["client"].processes == "users"
