"""An OPC UA server of the user's own: listed nodes are read, and nothing is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import own_servers
import pytest
from own_servers import measured, only

from e2e.conftest import MEASURED
from tree import suites_of_the_tree
from wirelab.build import PartBuilds, service_part

pytestmark = [pytest.mark.e2e, pytest.mark.needs("cmake")]

ROOT = Path(__file__).parents[2]
PLANT = Path(__file__).with_name("plant_server.py")
NODES = ["# the machine", "nsu=urn:my:plant;s=Speed", "ns=2;s=Name", "", "ns=2;s=On", "i=2258"]


@pytest.fixture(scope="module")
def plant() -> Iterator[str]:
    """The address of a server with an endpoint of its own path."""
    part = service_part(suites_of_the_tree().suite("opcua"), "own-server")
    python = PartBuilds(ROOT).prepare(part).command("server")[0]
    port = own_servers.free_port()
    with own_servers.running([python, str(PLANT), str(port)], port) as address:
        yield f"opc.tcp://{address}/plant/"


def listed(here: Path, *more: str) -> str:
    """A file with nodes."""
    file = here / "nodes.txt"
    file.write_text("\n".join([*NODES, *more]), "utf-8")
    return str(file)


def own_nodes(here: Path, plant: str, *more: str) -> str:
    """Output of a run against the server that went well."""
    options = ("--target", plant, "--items", listed(here), *more)
    ended = measured(here, "opcua", "own-nodes", "asyncua", {}, *options)
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.needs("javac")
def test_clients_of_three_languages_read_what_is_listed(tmp_path: Path, plant: str) -> None:
    said = own_nodes(tmp_path, plant, "--contender", "milo", "--contender", "open62541")
    assert "answers of own-nodes: Only wirelab's own server has values that can be" in said
    assert "verified" not in said.replace("unverified", "")
    result = only(tmp_path, "result.json")
    # It is reached out of a sandbox, where there can be one.
    disclosed = result["disclosure"]
    assert disclosed["sandbox"].startswith("bubblewrap ") != bool(disclosed["unconfined"])
    own = disclosed["own"]
    assert own["targets"] == {"server": plant.removeprefix("opc.tcp://")}
    assert own["items"] == [line for line in NODES if line and not line.startswith("#")]
    assert result["scenarios"]["own-nodes"]["operations"]["read"]["items"] == 4
    cells = {cell["contender"]: cell for cell in result["cells"]}
    assert set(cells) == {"asyncua", "milo", "open62541"}
    for cell in cells.values():
        spoken = {f["gate"]: f["verdict"] for f in cell["findings"]}
        assert spoken["unverified"] == "warn"
        assert not spoken.keys() & {"trial-failed", "wrong-answer", "loss-or-error"}, spoken
    for language, words in (
        ("en", "answers that cannot be verified"),
        ("ko", "검증할 수 없는 응답"),
    ):
        (report,) = tmp_path.glob(f"results/*/report-{language}.md")
        text = report.read_text("utf-8")
        assert words in text
        assert plant.removeprefix("opc.tcp://") in text
    for file in tmp_path.glob("results/*/trials/*/client.answers.jsonl"):
        lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        # Asked for the same operation again, a client says that it has given the answer.
        answers = [line["answer"] for line in lines if "none" not in line]
        assert len(answers) > 5
        assert answers == [{"valued": 4, "bad": []}] * len(answers)


def test_a_node_that_is_not_there_is_named_and_nothing_measured(tmp_path: Path, plant: str) -> None:
    for node, reason in (("ns=2;s=Sped", "BadNodeIdUnknown"), ("Speed", "is no NodeId")):
        options = ("--target", plant, "--items", listed(tmp_path, node))
        ended = measured(tmp_path, "opcua", "own-nodes", "asyncua", {}, *options)
        assert ended.returncode == 2, ended.stdout + ended.stderr
        assert node in ended.stderr
        assert reason in ended.stderr
    assert list(tmp_path.glob("results/*/trials/*")) == []


def test_a_client_that_takes_no_list_is_left_out_by_name(tmp_path: Path, plant: str) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    manifest = (ROOT / "suites/opcua/contenders/asyncua/contender.toml").read_text("utf-8")
    assert ', "node-list"' in manifest
    manifest = manifest.replace(', "node-list"', "").replace('"asyncua"', '"mine"', 1)
    (mine / "contender.toml").write_text(f'suite = "opcua"\n{manifest}', "utf-8")
    (mine / "worker.py").touch()
    said = own_nodes(tmp_path, plant, "--contender", str(mine))
    assert "left out: mine (does not declare node-list): no part in own-nodes" in said


@pytest.mark.needs("memcached")
def test_another_kind_of_server_is_said_to_be_none(tmp_path: Path) -> None:
    with own_servers.memcached() as address:
        options = ("--target", address, "--items", listed(tmp_path))
        ended = measured(tmp_path, "opcua", "own-nodes", "asyncua", {}, *options)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert f"no OPC UA server answers at {address}" in ended.stderr
