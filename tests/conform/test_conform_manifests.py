"""Commands and environments of the workers to check, from manifests and from what was built."""

from __future__ import annotations

from pathlib import Path

import pytest

from wirelab import conform
from wirelab.conform import CannotCheckError, Prepared, Wanted

SUITE = """
suite = "letters"
[programs.post]
source = "post"
build = {{ kind = "cmake" }}
run = {{ command = ["{{build}}/post", "{{role}}"], environment = {{ HOME = "{{source}}/home" }} }}
[scenarios.s1]
load = {{ type = "paced", period = "{period}" }}
[scenarios.s1.roles]
client = {{ by = "contender", measured = true }}
office = {{ by = "program:post" }}
[scenarios.s1.operations]
send = {{ code = 1 }}
"""
CONTENDER = """
contender = "pigeon"
[run]
command = ["{build}/pigeon", "--as", "{role}", "{source}"]
environment = { NEST = "{source}/nest" }
"""


def contender(tmp_path: Path, period: str = "10ms") -> Path:
    folder = tmp_path / "letters/contenders/pigeon"
    folder.mkdir(parents=True)
    (folder / "contender.toml").write_text(CONTENDER)
    (tmp_path / "letters/suite.toml").write_text(SUITE.format(period=period))
    return folder


def test_what_was_built_fills_the_placeholders(tmp_path: Path) -> None:
    folder = contender(tmp_path)
    post = Prepared({"build": "/built/post"}, {"LD_LIBRARY_PATH": "/built/lib"})
    wanted = Wanted(
        places={"build": "/built/pigeon"}, environment={"CARE": "much"}, programs={"post": post}
    )
    [client] = conform.workers(folder, wanted)
    assert client.command == ["/built/pigeon/pigeon", "--as", "client", str(folder)]
    assert client.environment == {"NEST": f"{folder}/nest", "CARE": "much"}
    # The measured role starts last, wherever the manifest names it.
    [office] = client.partners
    assert office.command == ["/built/post/post", "office"]
    home = str(tmp_path / "letters/post/home")
    assert office.environment == {"HOME": home, "LD_LIBRARY_PATH": "/built/lib"}


def test_the_programs_that_a_scenario_needs_are_known(tmp_path: Path) -> None:
    assert conform.programs(contender(tmp_path), Wanted()) == ["post"]


def test_a_server_may_be_named_instead(tmp_path: Path) -> None:
    wanted = Wanted(places={"build": "/b"}, server=["nc", "-l"])
    [client] = conform.workers(contender(tmp_path), wanted)
    assert [office.command for office in client.partners] == [["nc", "-l"]]


CROWDED = """
[programs.broker]
source = "broker"
build = { kind = "none" }
run = { command = ["broker"] }
[scenarios.s1.roles.broker]
by = "program:broker"
optional = true
beside = "client"
[scenarios.s1.roles.load]
by = "engine:letters"
measured = true
"""


def served(tmp_path: Path, uses: str) -> Path:
    """A contender that fills a role which the load of another measures."""
    folder = contender(tmp_path)
    suite = tmp_path / "letters/suite.toml"
    text = suite.read_text().replace(", measured = true", "").replace("program:post", "contender")
    before, roles, after = text.partition("[scenarios.s1.roles]\n")
    suite.write_text(before + CROWDED + roles + after)
    (folder / "contender.toml").write_text(f"uses = [{uses}]\n" + CONTENDER)
    return folder


PLACES = {"build": "/b"}


def test_an_optional_role_is_there_for_who_uses_it(tmp_path: Path) -> None:
    folder = served(tmp_path, '"broker"')
    assert conform.programs(folder, Wanted()) == ["broker"]
    client, office = conform.workers(folder, Wanted(places=PLACES))
    assert [partner.role for partner in client.partners] == ["broker"]
    assert [partner.role for partner in office.partners] == ["broker", "client"]


def test_an_optional_role_is_not_there_for_others(tmp_path: Path) -> None:
    folder = served(tmp_path, "")
    assert conform.programs(folder, Wanted()) == []
    for worker in conform.workers(folder, Wanted(places=PLACES)):
        assert "broker" not in {partner.role for partner in worker.partners}


def test_the_load_of_another_is_left_out(tmp_path: Path) -> None:
    found = conform.workers(served(tmp_path, ""), Wanted(places=PLACES))
    assert [(worker.role, worker.measured) for worker in found] == [
        ("client", False),
        ("office", False),
    ]


def test_the_load_of_another_can_be_checked_by_its_command(tmp_path: Path) -> None:
    wanted = Wanted(places=PLACES, role="load", command=["letters", "--many"])
    [load] = conform.workers(served(tmp_path, '"broker"'), wanted)
    assert (load.command, load.measured) == (["letters", "--many"], True)
    # All others are its partners, by their own commands, and started before it.
    commands = {partner.role: partner.command[0] for partner in load.partners}
    assert commands == {"client": "/b/pigeon", "office": "/b/pigeon", "broker": "broker"}


@pytest.mark.parametrize(
    ("wanted", "period", "said"),
    [
        (Wanted(server=["nc", "-l"]), "10ms", "say --build"),
        (Wanted(places={"build": "/b"}), "10ms", "filled by program:post: say --server"),
        (Wanted(), "fast", "'fast' is no duration"),
    ],
)
def test_what_is_missing_is_said(tmp_path: Path, wanted: Wanted, period: str, said: str) -> None:
    with pytest.raises(CannotCheckError, match=said):
        conform.workers(contender(tmp_path, period), wanted)
