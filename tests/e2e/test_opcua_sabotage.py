"""OPC UA clients that do not ask when they say they do, beside the honest one they are made of."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from e2e.remade import remade
from e2e.whole_runs import REPOSITORY, only, result_of, run_suite

CHEATS = {
    "answers-from-a-cache": "not-on-the-wire",
    "never-asks-again": "not-on-the-wire",
    "prefetches": "sent-before-start",
    "blinds-the-witness": "sent-before-start",
    "asks-for-half": "not-on-the-wire",
    "does-not-wait": "not-on-the-wire",
    "writes-half": "not-on-the-wire",
    "writes-afterwards": "not-on-the-wire",
}
LEAST = {
    "answers-from-a-cache": 14,
    "never-asks-again": 29,
    "prefetches": 14,
    "blinds-the-witness": 10,
    "asks-for-half": 29,
    "does-not-wait": 14,
    "writes-half": 3,
    "writes-afterwards": 2,
}
"""Operations that are found out, of the 30 reads and 3 writes that are due: two of the cheats cheat
every other time, who does not wait for an answer may have it all the same, and what is asked for
ahead may come after its tick where the host is slow."""

HONEST = "asyncua"
TRIALS_FAILED = (4, 5)
"""Exit code of the run: one cheat is found out before its trial begins."""

FORETELLS = "foretells"
"""Computes by the suite's rules what it is to read, from all that a client is told."""

ASKED = ("never-asks-again", "fetches-when-asked", "asks-for-one-often")
"""Have answers that are too old or too new for those of their reads that somebody asks for."""

UNTIMED = "leaves-timestamps-out"
"""Asks for as many items, and for less of each than it is told to."""

DIVIDES = "divides-its-reads"
"""Asks over two connections at once."""

LEAVES = "leaves-its-processors"
"""Asks for everything, and takes what it was not given."""

SPLITS = "splits-its-reads"
"""Asks for everything in four calls at a time."""

TYPES = "asks-for-types"
"""Asks for another attribute of as many items."""

DECODES = "decodes-when-asked"
"""Has an answer's bytes in time, and its values when somebody asks for them."""

REMEMBERED = "lets-the-server-remember"
"""Lets the server answer with values of any age, of which it keeps none."""

OTHERS = (UNTIMED, DIVIDES, LEAVES, SPLITS, TYPES, DECODES, REMEMBERED)

WATCHING = {
    "polls-instead": ("not-on-the-wire", "not-served"),
    "invents-notifications": ("not-on-the-wire", "wrong-answer"),
    "drops-notifications": ("wrong-answer",),
}
"""Do not learn of changes from their subscription, or not of all of them."""

OFTENER = "polls-oftener"
"""Asks again as soon as it can where it is to do so every 100 ms."""

SELDOMER = "polls-seldomer"
"""Asks as seldom as it can without missing a change, which spares it two polls of three."""

FORESEES = "polls-at-the-change"
"""Asks when a change is due, which a timer of its own would not know."""

MOSTLY = "polls-at-most-changes"
"""Does so for five of six changes."""

POLLING = (OFTENER, SELDOMER, FORESEES, MOSTLY)

STAGGERS = "staggers-subscriptions"
"""Has five subscriptions, each of which publishes every 100 ms, and one of them every 20 ms."""

IN_STEP = "publishes-in-step"
"""Has a subscription that publishes just after each change, and at no other time."""

OVER_ONE, DIALS, ONE_READS = "reads-over-one", "dials-ahead", "one-reads"
"""Open sessions for all of their users, or processes, and read over one of them; or have something
of a session before it is asked for."""

SHARING = (OVER_ONE, DIALS, ONE_READS)

CONNECTED = ("shares-a-session", "connects-ahead", "opens-no-session")
"""Their users have no session of their own, or had it before they connected."""

pytestmark = [pytest.mark.e2e, pytest.mark.long(2), pytest.mark.needs("cargo")]


def made(folder: Path) -> Path:
    """The contender that cheats in the way that the folder is named after."""
    shutil.copytree(REPOSITORY / "tests" / "sabotage" / "opcua", folder)
    manifest = folder / "contender.toml"
    text = manifest.read_text("utf-8").replace("NAME", folder.name)
    manifest.write_text(text, "utf-8")
    return folder


def made_of_honest(folder: Path, file: str, way: str = "") -> Path:
    """The honest client with this worker, which replaces a part of it and is told its way."""
    return remade(folder, "opcua", HONEST, [f"opcua/{file}"], way=way)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("cheats")
    names = [
        HONEST,
        *(str(made(here / "contenders" / name)) for name in {*CHEATS, FORETELLS, *ASKED, *OTHERS}),
    ]
    options = ["--scenario", "s7", "--profile", "check", *only("--contender", names)]
    return run_suite(here, "opcua", *options, ends_with=TRIALS_FAILED)


@pytest.fixture(scope="module")
def cells(run: Path) -> dict[str, dict[str, Any]]:
    return {cell["contender"]: cell for cell in result_of(run)["cells"]}


@pytest.fixture(scope="module")
def watching(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, Any]]:
    here = tmp_path_factory.mktemp("watching")
    names = [str(made(here / "contenders" / name)) for name in (*WATCHING, *POLLING, STAGGERS)]
    names.append(str(made_of_honest(here / "contenders" / IN_STEP, "stepping.py")))
    options = ["--scenario", "subscriptions", "--profile", "check", *only("--contender", names)]
    result = result_of(run_suite(here, "opcua", *options))
    return {(cell["contender"], cell["variant"]): cell for cell in result["cells"]}


@pytest.fixture(scope="module")
def joined(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, Any]]:
    here = tmp_path_factory.mktemp("joining")
    names = [HONEST, *(str(made(here / "contenders" / name)) for name in CONNECTED)]
    for name in (OVER_ONE, DIALS):
        names.append(str(made_of_honest(here / "contenders" / name, "sharing.py", name)))
    options = ["--scenario", "sessions", "--profile", "check", *only("--contender", names)]
    result = result_of(run_suite(here, "opcua", *options))
    return {(cell["contender"], cell["step"]): cell for cell in result["cells"]}


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    here = tmp_path_factory.mktemp("processes")
    cheat = made_of_honest(here / "contenders" / ONE_READS, "sharing.py", ONE_READS)
    options = ["--scenario", "processes", "--profile", "check", "--set", "processes=2"]
    result = result_of(run_suite(here, "opcua", *options, "--contender", str(cheat)))
    (cell,) = result["cells"]
    found: dict[str, Any] = cell
    return found


def findings(cell: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["gate"]: one for one in cell["findings"]}


@pytest.mark.parametrize(("name", "gate"), CHEATS.items())
def test_it_is_accused_of_what_it_does(
    cells: dict[str, dict[str, Any]], name: str, gate: str
) -> None:
    found = findings(cells[name])[gate]
    assert found["verdict"] == "invalid"
    ((operation,),) = found["evidence"]["trials"].values()
    assert operation["operation"] == ("write" if name.startswith("writes") else "read")
    assert operation["examples"]
    counted = (operation.get(what, 0) for what in ("absent", "unanswered", "early"))
    assert sum(counted) >= LEAST[name]


def test_who_computes_the_values_without_asking_does_not_know_them(
    cells: dict[str, dict[str, Any]],
) -> None:
    found = findings(cells[FORETELLS])["wrong-answer"]
    assert found["verdict"] == "invalid"
    assert "a value it never has" in str(found["evidence"])


@pytest.mark.parametrize("name", ASKED)
def test_who_is_asked_afterwards_has_nothing_of_the_right_age(
    cells: dict[str, dict[str, Any]], name: str
) -> None:
    found = findings(cells[name])["wrong-answer"]
    assert found["verdict"] == "invalid"
    assert "held during the read" in str(found["evidence"])


def test_who_asks_a_moment_too_early_has_values_from_before(
    cells: dict[str, dict[str, Any]],
) -> None:
    # Its server says so as well, where no wire is looked at.
    found = findings(cells["blinds-the-witness"])["wrong-answer"]
    assert found["verdict"] == "invalid"
    assert "held during the read" in str(found["evidence"])


@pytest.mark.parametrize("name", ["answers-from-a-cache", "never-asks-again"])
def test_the_server_has_not_served_what_they_read(
    cells: dict[str, dict[str, Any]], name: str
) -> None:
    (operations,) = findings(cells[name])["not-served"]["evidence"]["trials"].values()
    assert operations["read"]["claimed"] >= 2_000 * LEAST[name]
    assert operations["read"]["served"] < operations["read"]["claimed"]


def test_who_asks_for_less_of_each_item_is_told_by_the_server(
    cells: dict[str, dict[str, Any]],
) -> None:
    found = findings(cells[UNTIMED])
    (operations,) = found["not-served"]["evidence"]["trials"].values()
    assert found["not-served"]["verdict"] == "invalid"
    assert operations["read"]["claimed"] >= 2_000 * 30
    # Of the preflight it asks as others do.
    assert operations["read"]["served"] < 2_000 * 10
    assert "not-on-the-wire" not in found


def test_who_asks_over_several_connections_at_once_is_accused(
    cells: dict[str, dict[str, Any]],
) -> None:
    found = findings(cells[DIVIDES])["more-connections"]
    assert found["verdict"] == "invalid"
    assert list(found["evidence"]["trials"].values()) == [{"read": {"used": 2, "at_most": 1}}]


def test_who_splits_its_reads_has_asked_too_often(cells: dict[str, dict[str, Any]]) -> None:
    found = findings(cells[SPLITS])["asked-too-often"]
    assert found["verdict"] == "invalid"
    (operations,) = found["evidence"]["trials"].values()
    # One call a tick, and four were made; a second may be that of nobody.
    assert operations["read"]["surely"] > operations["read"]["at_most"] >= 30
    told = {name for name, cell in cells.items() if "asked-too-often" in findings(cell)}
    # Whoever reads over two connections, or again when it is asked, makes more calls as well.
    assert told - {DIVIDES, *ASKED} == {SPLITS}


def test_who_asks_for_another_attribute_is_told_by_the_server(
    cells: dict[str, dict[str, Any]],
) -> None:
    found = findings(cells[TYPES])
    (operations,) = found["not-served"]["evidence"]["trials"].values()
    assert found["not-served"]["verdict"] == "invalid"
    assert operations["read"]["served"] < operations["read"]["claimed"]
    assert found["wrong-answer"]["verdict"] == "invalid"
    assert "not-on-the-wire" not in found


def test_values_that_are_read_when_somebody_asks_for_them_are_told(
    cells: dict[str, dict[str, Any]],
) -> None:
    found = findings(cells[DECODES])["made-when-asked"]
    assert found["verdict"] == "warn"
    assert found["evidence"]["operations"].keys() == {"read"}


def test_a_server_that_keeps_nothing_has_nothing_of_any_age(
    cells: dict[str, dict[str, Any]],
) -> None:
    accused = {"not-on-the-wire", "sent-before-start", "wrong-answer", "not-served"}
    assert not accused & set(findings(cells[REMEMBERED]))


def test_who_asks_for_all_and_takes_more_than_that_is_told_of(
    cells: dict[str, dict[str, Any]],
) -> None:
    found = findings(cells[LEAVES])
    assert found["own-scheduling"]["verdict"] == "invalid"
    assert not {"not-on-the-wire", "sent-before-start", "wrong-answer", "not-served"} & set(found)


def test_the_honest_one_is_not(cells: dict[str, dict[str, Any]]) -> None:
    accused = {"not-on-the-wire", "sent-before-start", "unwitnessed", "wrong-answer"}
    accused |= {"own-scheduling", "between-ticks", "clock", "another-version", "trial-failed"}
    accused |= {"not-served", "asked-too-often", "more-connections"}
    assert not accused & set(findings(cells[HONEST]))


def test_what_the_honest_one_read_and_wrote_was_served(run: Path) -> None:
    (path,) = run.glob(f"trials/*-{HONEST}*/trial.json")
    entries = json.loads(path.read_bytes())["ledger"]
    assert entries.keys() == {"read", "write"}
    assert entries["read"]["claimed"] >= 2_000 * 30
    assert entries["write"]["claimed"] >= 200 * 3
    assert all(one["served"] >= one["claimed"] for one in entries.values())


@pytest.mark.parametrize("name", CONNECTED)
def test_who_opens_no_session_when_a_user_connects_is_accused(
    joined: dict[tuple[str, str], dict[str, Any]], name: str
) -> None:
    # The first one connects within a second after the sessions were opened.
    assert {"sent-before-start", "not-on-the-wire"} & set(findings(joined[name, "s1"]))
    found = findings(joined[name, "s10"])["not-on-the-wire"]
    assert found["verdict"] == "invalid"
    ((operation,),) = found["evidence"]["trials"].values()
    # A channel without a session has a request, but no full answer.
    found_out = operation["absent"] + operation["unanswered"]
    assert (operation["operation"], operation["of"], found_out) == ("connect", 9, 9)


def test_who_opens_a_session_for_each_user_is_not(
    joined: dict[tuple[str, str], dict[str, Any]],
) -> None:
    for step in ("s1", "s10"):
        cell = joined[HONEST, step]
        assert cell["metrics"]["connect.wire.matched"]["value"] == 100
        accused = {"not-on-the-wire", "sent-before-start", "unwitnessed", "left-out", "clock"}
        assert not {*accused, "shared-connection"} & set(findings(cell))


def test_who_opens_sessions_and_reads_over_one_of_them_is_accused(
    joined: dict[tuple[str, str], dict[str, Any]],
) -> None:
    assert "shared-connection" not in findings(joined[OVER_ONE, "s1"])
    found = findings(joined[OVER_ONE, "s10"])
    assert not {"not-on-the-wire", "sent-before-start"} & set(found)
    assert found["shared-connection"]["verdict"] == "invalid"
    (operations,) = found["shared-connection"]["evidence"]["trials"].values()
    assert operations["read"]["carried"] == 10 * operations["read"]["of_one"] >= 10


def test_who_has_connected_before_a_user_joins_is_accused(
    joined: dict[tuple[str, str], dict[str, Any]],
) -> None:
    found = findings(joined[DIALS, "s10"])
    assert "shared-connection" not in found
    assert found["not-on-the-wire"]["verdict"] == "invalid"
    ((operation,),) = found["not-on-the-wire"]["evidence"]["trials"].values()
    assert (operation["operation"], operation["absent"]) == ("connect", 9)


def test_one_process_that_reads_for_all_is_accused(processes: dict[str, Any]) -> None:
    found = findings(processes)
    assert "wrong-answer" not in found
    assert found["shared-connection"]["verdict"] == "invalid"
    (operations,) = found["shared-connection"]["evidence"]["trials"].values()
    assert operations["read"]["carried"] == 2 * operations["read"]["of_one"] >= 6


@pytest.mark.parametrize("name", WATCHING)
def test_who_does_not_learn_of_changes_from_a_subscription_is_accused(
    watching: dict[tuple[str, str], dict[str, Any]], name: str
) -> None:
    found = findings(watching[name, "subscribed"])
    invalid = {gate for gate, one in found.items() if one["verdict"] == "invalid"}
    assert set(WATCHING[name]) <= invalid


def test_who_polls_oftener_than_it_is_told_is_accused(
    watching: dict[tuple[str, str], dict[str, Any]],
) -> None:
    found = findings(watching[OFTENER, "polled"])["asked-too-often"]
    assert found["verdict"] == "invalid"
    (operations,) = found["evidence"]["trials"].values()
    assert operations["poll"]["surely"] > operations["poll"]["at_most"] > 10 * 500
    # The others poll as they are told, and are accused of other things.
    honest = [findings(watching[name, "polled"]) for name in WATCHING]
    assert len(honest) == 3
    assert not [gates for gates in honest if {"asked-too-often", "not-served"} & set(gates)]


def test_who_polls_seldomer_than_it_is_told_is_accused(
    watching: dict[tuple[str, str], dict[str, Any]],
) -> None:
    found = findings(watching[SELDOMER, "polled"])["not-served"]
    assert found["verdict"] == "invalid"
    (operations,) = found["evidence"]["trials"].values()
    assert operations["poll"]["served"] < operations["poll"]["claimed"]


@pytest.mark.parametrize(
    ("name", "variant"), [(FORESEES, "polled"), (MOSTLY, "polled"), (IN_STEP, "subscribed")]
)
def test_whose_timer_is_set_by_the_changes_is_accused(
    watching: dict[tuple[str, str], dict[str, Any]], name: str, variant: str
) -> None:
    found = findings(watching[name, variant])
    # Where others hold it up, it knows of changes no sooner than by a timer of its own.
    held_up = {"host-disturbed", "noisy-neighbour"} & found.keys()
    assert held_up or "it was set by when they come" in str(found["wrong-answer"])
    assert not {"asked-too-often", "not-served", "not-on-the-wire"} & found.keys()
    honest = [findings(watching[name, "polled"]) for name in (*WATCHING, IN_STEP)]
    assert len(honest) == 4
    assert not [gates for gates in honest if "wrong-answer" in gates]


def test_who_is_told_by_several_subscriptions_in_turn_is_accused(
    watching: dict[tuple[str, str], dict[str, Any]],
) -> None:
    found = findings(watching[STAGGERS, "subscribed"])["asked-too-often"]
    assert found["verdict"] == "invalid"
    (operations,) = found["evidence"]["trials"].values()
    sampled = operations["notification"]
    assert sampled["surely"] > sampled["at_most"] > 10 * 500
    # These have one subscription each, and are accused of other things.
    others = ("drops-notifications", "invents-notifications")
    told = [set(findings(watching[name, "subscribed"])) for name in others]
    assert [bool(gates) for gates in told] == [True, True]
    assert not any("asked-too-often" in gates for gates in told)
