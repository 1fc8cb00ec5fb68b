"""Input of the checker: commands and environments of all roles, from manifests and builds."""

from __future__ import annotations

from pathlib import Path

import pytest
from to_check import document, workers

from wirelab.build import Built, Part
from wirelab.model.mistake import MistakeError
from wirelab.model.participant import Ownership
from wirelab.run.checking import WantedChecks

SUITE = """
suite = "letters"
title = { en = "Letters" }
[services.post]
source = "post"
build = { kind = "cmake" }
run = { command = ["{build}/post", "{role}"], environment = { HOME = "{source}/home" } }
[scenarios.s1]
title = { en = "Sending" }
load = { type = "paced", period = "10ms" }
[scenarios.s1.roles]
client = { provider = "contender", measured = true }
office = { provider = "service:post" }
[scenarios.s1.operations]
send = { code = 1 }
[scenarios.s1.profiles]
smoke = { trials = 1, count = 20 }
"""
CONTENDER = """
contender = "pigeon"
title = "Pigeon"
language = "C"
[library]
name = "pigeon"
version = "1"
licence = "MIT"
[build]
kind = "cmake"
[run]
command = ["{build}/pigeon", "--as", "{role}", "{source}"]
environment = { NEST = "{source}/nest" }
"""


def contender(tmp_path: Path) -> Path:
    folder = tmp_path / "letters/contenders/pigeon"
    folder.mkdir(parents=True)
    (tmp_path / "letters/post").mkdir()
    (folder / "contender.toml").write_text(CONTENDER)
    (tmp_path / "letters/suite.toml").write_text(SUITE)
    return folder


def prepare(part: Part) -> Built:
    """A part as if it had been built, in a folder of its name."""
    return Built(
        part=part,
        output=Path(f"/built/{part.name}"),
        folder_hash="0",
        code="0",
        ownership=Ownership.model_construct(),
        places={"build": f"/built/{part.name}", "source": str(part.source)},
        variables={"LD_LIBRARY_PATH": f"/built/{part.name}/lib"},
    )


def test_what_was_built_fills_the_placeholders(tmp_path: Path) -> None:
    folder = contender(tmp_path)
    [client] = workers(folder, prepare=prepare)
    assert client.command == ["/built/pigeon/pigeon", "--as", "client", str(folder)]
    library = {"LD_LIBRARY_PATH": "/built/pigeon/lib"}
    assert client.environment == {"NEST": f"{folder}/nest", **library}
    # The measured role starts last, wherever the manifest names it.
    [office] = client.partners
    assert office.command == ["/built/post/post", "office"]
    home = str(tmp_path / "letters/post/home")
    assert office.environment == {"HOME": home, "LD_LIBRARY_PATH": "/built/post/lib"}


def test_a_server_may_be_named_instead_and_is_not_built(tmp_path: Path) -> None:
    built: list[str] = []

    def noted(part: Part) -> Built:
        built.append(part.name)
        return prepare(part)

    [client] = workers(contender(tmp_path), WantedChecks(server=["nc", "-l"]), prepare=noted)
    assert [office.command for office in client.partners] == [["nc", "-l"]]
    assert built == ["pigeon"]


def test_another_command_has_the_placeholders_of_the_manifest(tmp_path: Path) -> None:
    wanted = WantedChecks(command=["{build}/dove", "{role}"])
    [client] = workers(contender(tmp_path), wanted, prepare=prepare)
    assert client.command == ["/built/pigeon/dove", "client"]


CROWDED = """
[services.broker]
source = "broker"
build = { kind = "none" }
run = { command = ["broker"] }
[scenarios.s1.roles.broker]
provider = "service:broker"
optional = true
colocated_with = "client"
[scenarios.s1.roles.load]
provider = "engine:letters"
measured = true
"""


def served(tmp_path: Path, uses: str) -> Path:
    """A contender that fills a role which the load of another measures."""
    folder = contender(tmp_path)
    (tmp_path / "letters/broker").mkdir()
    suite = tmp_path / "letters/suite.toml"
    text = suite.read_text().replace(", measured = true", "").replace("service:post", "contender")
    before, roles, after = text.partition("[scenarios.s1.roles]\n")
    suite.write_text(before + CROWDED.lstrip() + roles + after)
    (folder / "contender.toml").write_text(f"uses = [{uses}]\n" + CONTENDER)
    return folder


def test_an_optional_role_is_there_for_who_uses_it(tmp_path: Path) -> None:
    client, office = workers(served(tmp_path, '"broker"'), prepare=prepare)
    assert [partner.role for partner in client.partners] == ["broker"]
    assert [partner.role for partner in office.partners] == ["broker", "client"]


def test_an_optional_role_is_not_there_for_others(tmp_path: Path) -> None:
    client, office = workers(served(tmp_path, ""), prepare=prepare)
    assert client.partners == ()
    assert [partner.role for partner in office.partners] == ["client"]


def test_the_load_of_another_is_left_out(tmp_path: Path) -> None:
    found = workers(served(tmp_path, ""), prepare=prepare)
    assert [(worker.role, worker.measured) for worker in found] == [
        ("client", False),
        ("office", False),
    ]


def test_the_load_of_another_can_be_checked_by_its_command(tmp_path: Path) -> None:
    wanted = WantedChecks(role="load", command=["letters", "--many"])
    [load] = workers(served(tmp_path, '"broker"'), wanted, prepare=prepare)
    assert (load.command, load.measured) == (["letters", "--many"], True)
    # All others are its partners, by their own commands, and started before it.
    commands = {partner.role: partner.command[0] for partner in load.partners}
    built = "/built/pigeon/pigeon"
    assert commands == {"client": built, "office": built, "broker": "broker"}


def test_a_role_that_nobody_fills_is_said(tmp_path: Path) -> None:
    with pytest.raises(MistakeError, match="pigeon fills no role dove in this scenario"):
        workers(contender(tmp_path), WantedChecks(role="dove"), prepare=prepare)


def test_the_document_names_its_format(tmp_path: Path) -> None:
    assert document(contender(tmp_path), prepare=prepare)["format"] == 1
