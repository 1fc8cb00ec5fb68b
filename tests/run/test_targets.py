"""``--target`` that a suite cannot be measured against: refused by name, with nothing measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_lines import said
from e2e.conftest import SuiteRepository
from wirelab.model.own import Own

ADDRESS = "127.0.0.1:16379"


@pytest.fixture(autouse=True)
def _lines_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "1000")


def refused(here: Path, *arguments: str) -> str:
    """Message of ``wl run`` when it refuses; it has made no results."""
    ended = said("run", *arguments, cwd=here)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert not (here / "results").exists()
    return ended.stderr


def test_a_program_that_cannot_be_replaced_is_refused_by_name(tmp_path: Path) -> None:
    ended = SuiteRepository(tmp_path).here("run", "loopback", "--target", ADDRESS)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    told = " ".join(ended.stderr.split())
    assert "server of suite loopback cannot be replaced by a server of your own" in told
    assert not (tmp_path / "results").exists()


def test_a_suite_whose_contenders_talk_to_no_program_is_refused(tmp_path: Path) -> None:
    told = refused(tmp_path, "codec", "--target", ADDRESS)
    assert "no chosen contender talks to a service of suite codec" in told


def test_who_talks_to_no_program_is_told(tmp_path: Path) -> None:
    told = refused(tmp_path, "websocket", "--contender", "node-ws", "--target", f"redis={ADDRESS}")
    assert "no chosen contender talks to redis: node-ws" in told


def test_a_target_for_several_programs_must_say_which(tmp_path: Path) -> None:
    told = refused(tmp_path, "kv", "--target", ADDRESS)
    assert "the chosen contenders talk to bench, memcached, postgres, redis" in told
    assert f"--target redis={ADDRESS}" in told


def test_a_program_that_no_contender_talks_to_is_refused(tmp_path: Path) -> None:
    told = refused(tmp_path, "kv", "--contender", "redis-py", "--target", f"bench={ADDRESS}")
    assert "no chosen contender talks to bench: redis-py" in told


def test_a_program_that_there_is_not_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    told = refused(tmp_path, "kv", "--target", f"rediss={ADDRESS}")
    assert 'no service "rediss" in suite kv; nearest: redis' in told


def test_a_scenario_that_needs_our_own_server_is_refused_by_name(tmp_path: Path) -> None:
    told = refused(tmp_path, "kv", "--scenario", "faults", "--target", f"bench={ADDRESS}")
    assert "scenario faults cannot be measured: it needs wirelab's own bench" in told


def test_an_opc_ua_server_needs_a_list_of_nodes(tmp_path: Path) -> None:
    told = refused(tmp_path, "opcua", "--target", f"opc.tcp://{ADDRESS}/plant")
    assert "--items FILE, with a node on each line" in told


def test_a_list_without_a_server_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "nodes.txt"
    file.write_text("i=2258\n")
    told = refused(tmp_path, "opcua", "--items", str(file))
    assert "--items: nothing that is measured of suite opcua takes a list" in told
    told = refused(tmp_path, "opcua", "--scenario", "own-nodes", "--items", str(file))
    assert "own-nodes cannot be measured: it reads a server of your own: --target" in told


def test_records_are_written_to_a_server_that_is_named(tmp_path: Path) -> None:
    said = refused(tmp_path, "kv", "--scenario", "client", "--fill")
    assert "--fill writes to a server of your own: say which, --target" in " ".join(said.split())


def test_an_item_that_is_listed_twice_is_named_with_its_lines(tmp_path: Path) -> None:
    file = tmp_path / "nodes.txt"
    file.write_text("# of the plant\n\nns=2;s=A\ni=2258\n ns=2;s=A \n")
    told = refused(tmp_path, "opcua", "--target", ADDRESS, "--items", str(file))
    assert f"{file}:5: ns=2;s=A is in line 3 already" in told


def test_a_list_of_nothing_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "nodes.txt"
    file.write_text("# nothing\n")
    assert "it lists nothing" in refused(tmp_path, "opcua", "--items", str(file))


def test_what_writes_to_an_opc_ua_server_is_refused_by_name(tmp_path: Path) -> None:
    told = refused(tmp_path, "opcua", "--scenario", "s7", "--target", ADDRESS)
    assert "scenario s7 cannot be measured: it writes to the server" in told


@pytest.mark.parametrize("target", [f"redis://{ADDRESS}", f"{ADDRESS}/0"])
def test_a_url_is_refused_where_a_server_has_none(tmp_path: Path, target: str) -> None:
    told = refused(tmp_path, "kv", "--contender", "redis-py", "--target", target)
    assert "expected HOST:PORT" in told


def test_two_servers_for_one_program_are_refused(tmp_path: Path) -> None:
    two = ("--target", f"bench={ADDRESS}", "--target", "bench=127.0.0.1:2")
    assert "two servers for bench" in refused(tmp_path, "kv", *two)


@pytest.mark.parametrize(
    "target", ["localhost", "127.0.0.1:none", ":3000", "127.0.0.1:70000", "=127.0.0.1:3000"]
)
def test_a_target_that_is_no_address_is_refused(tmp_path: Path, target: str) -> None:
    assert "expected HOST:PORT" in refused(tmp_path, "kv", "--target", target)


def test_a_password_on_the_command_line_is_refused_and_not_repeated(tmp_path: Path) -> None:
    told = refused(tmp_path, "kv", "--target", f"redis=me:my-secret@{ADDRESS}")
    assert "they come from the environment" in told
    assert "my-secret" not in told


def test_what_was_stored_without_a_server_of_the_users_own_is_still_read() -> None:
    assert Own.model_validate({"target": "", "python": "/p"}) == Own(python="/p")
