"""A run's folder that somebody else has made: nothing in it leads out of it, or ends in a crash."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli.command_lines import said
from synthetic import Client, load_run
from wirelab.cells.analysis import analyse
from wirelab.samples import parquet

Json = dict[str, Any]

COMMANDS = (("run", "--resume"), ("analyse",), ("report",))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, analysed, of two trials a cell, which nobody spoils."""
    folder = tmp_path_factory.mktemp("made") / "a-run"
    run = load_run({"swift": Client(), "slow": Client()}).write(folder)
    analyse(run)
    return run


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of it, for a test to spoil."""
    return Path(shutil.copytree(made, tmp_path / "its" / "a-run"))


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder of the user's own beside it."""
    kept = tmp_path / "mine"
    kept.mkdir()
    (kept / "thesis.txt").write_text("years of work")
    return kept


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def changed(file: Path, change: Callable[[Json], None]) -> None:
    """A stored file after ``change``."""
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document))


def trial_of(folder: Path) -> Path:
    """The first trial that was kept."""
    return min((folder / "trials").iterdir())


def is_refused(folder: Path, *command: str, saying: str) -> None:
    """Fail unless a command ends with a sentence and nothing else."""
    ended = said(*command, str(folder), cwd=folder.parent)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert saying in ended.stderr, ended.stderr


def path_as_id(name: str) -> Callable[[Json], None]:
    return lambda run: run["plan"][0].update(id=name)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["../../../mine", "/mine", "..", ".", "", "a/b", "a\x00b", "a\n"])
def test_a_trial_is_no_path(folder: Path, mine: Path, name: str, command: tuple[str, ...]) -> None:
    name = name.replace("/mine", str(mine)) if name.startswith("/") else name
    changed(folder / "run.json", path_as_id(name))
    before = contents(folder.parents[1])
    is_refused(folder, *command, saying="run.json: plan.0.id: ")
    assert contents(folder.parents[1]) == before


def two_of_one_name(run: Json) -> None:
    run["plan"][1]["id"] = run["plan"][0]["id"]


@pytest.mark.parametrize(
    ("change", "saying"),
    [
        (lambda run: run.update(id="../a"), "id: "),
        (lambda run: run["plan"][0].update(scenario="../a"), "plan.0.scenario: "),
        (lambda run: run["plan"][0].update(scenario="none"), "which the run has not"),
        (lambda run: run["plan"][0].update(contender="none"), "which the run has not"),
        (lambda run: run["plan"][0].update(variant="../a"), "plan.0.variant: "),
        (lambda run: run["plan"][0].update(variant="none"), "has no variant none"),
        (lambda run: run["plan"][0].update(operations=["none"]), "has no operation none"),
        (lambda run: run.update(profile="none"), "has no profile none"),
        (two_of_one_name, "two trials of the plan are called"),
        (lambda run: run.update(schema_version="2"), "schema_version 2"),
        (lambda run: run.update(schema_version=True), "schema_version True"),
        (lambda run: run.update(schema_version=99), "schema_version 99"),
        (lambda run: run.update(schema_version=None), "schema_version None"),
    ],
)
def test_a_plan_is_of_what_the_run_has(
    folder: Path, change: Callable[[Json], None], saying: str
) -> None:
    changed(folder / "run.json", change)
    for command in COMMANDS:
        is_refused(folder, *command, saying=saying)


@pytest.mark.parametrize(
    "change",
    [
        lambda result: result.update(run="../a"),
        lambda result: result["cells"][0].update(trials=["../../mine"]),
        lambda result: result["cells"][0].update(variant="../a"),
        lambda result: result.update(schema_version=99),
        lambda result: result.update(schema_version=[2]),
    ],
)
def test_a_result_leads_nowhere(folder: Path, change: Callable[[Json], None]) -> None:
    changed(folder / "result.json", change)
    changed(folder / "run.json", lambda run: run.update(suite="opcua"))
    is_refused(folder, "report", saying="result.json: ")
    is_refused(folder, "compare", str(folder), saying="result.json: ")


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record["planned"].update(id="../../../mine"),
        lambda record: record["planned"].update(id="another"),
        lambda record: record.update(role="../client"),
        lambda record: record["roles"].update(
            client={"role": "client", "command": [], "cpus": [], "log": "../../../mine/thesis.txt"}
        ),
        lambda record: record["roles"].update({"/mine": record["roles"]["client"]}),
        lambda record: record["roles"].update({"../mine": record["roles"]["client"]}),
    ],
)
def test_a_record_leads_nowhere(folder: Path, change: Callable[[Json], None]) -> None:
    changed(trial_of(folder) / "trial.json", change)
    is_refused(folder, "analyse", saying="trial.json")


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record["roles"]["client"]["ready"].update(runtime={"a": 1}),
        lambda record: record["roles"]["client"]["ready"].update(runtime="CPython"),
        lambda record: record["roles"]["client"]["ready"].update(started_ns="soon"),
        lambda record: record.update(ended_ns=record["tick0_ns"] + 10**17),
        lambda record: record.update(steps={"all": [0, 10**17]}),
        lambda record: record.update(tick0_ns=2**63),
    ],
)
def test_a_record_has_bounds(folder: Path, change: Callable[[Json], None]) -> None:
    changed(trial_of(folder) / "trial.json", change)
    is_refused(folder, "analyse", saying="trial.json")


@pytest.mark.parametrize(
    "load",
    [
        {"period_ns": 0},
        {"period_ns": -1},
        {"period_ns": 10**9, "count": 4 * 10**9},
        {"period_ns": 10**9, "count": 90_000_000},
        {"warmup": -(10**12)},
        {"warmup": 10**12},
    ],
)
def test_a_plan_has_bounds(folder: Path, load: Json) -> None:
    changed(folder / "run.json", lambda run: run["plan"][0]["load"].update(load))
    for trial in (folder / "trials").iterdir():
        changed(trial / "trial.json", lambda record: record["planned"]["load"].update(load))
    is_refused(folder, "analyse", saying="run.json: plan.0.load.")


@pytest.mark.parametrize(
    "name", ["run.json", "trials", "trials/{trial}", "trials/{trial}/trial.json"]
)
def test_a_link_is_not_followed(folder: Path, mine: Path, name: str) -> None:
    path = folder / name.format(trial=trial_of(folder).name)
    moved = mine / "moved"
    shutil.move(path, moved)
    path.symlink_to(moved)
    before = contents(mine)
    is_refused(folder, "analyse", saying=f"{path} is ")
    assert contents(mine) == before


@pytest.mark.parametrize("name", ["run.json", "result.json", "series.json"])
def test_a_pipe_is_not_waited_for(folder: Path, name: str) -> None:
    changed(folder / "run.json", lambda run: run.update(suite="opcua"))
    (folder / name).unlink()
    os.mkfifo(folder / name)
    is_refused(folder, "report", saying=f"{name} is no regular file")


@pytest.mark.parametrize(
    "name", ["result.partial", "series.partial", "report-en.md", "report-en.md.partial"]
)
def test_what_is_written_goes_through_no_link(folder: Path, mine: Path, name: str) -> None:
    (folder / name).symlink_to(mine / "thesis.txt")
    assert said("analyse", str(folder), cwd=mine).returncode == 0
    from wirelab.report import write

    written = write(folder, "en", ["md"])
    assert (mine / "thesis.txt").read_text() == "years of work"
    assert not written[0].is_symlink()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-100]),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"PAR1"),
        lambda path: (path.rename(path.with_suffix(".moved")), path.symlink_to("client.moved")),
        lambda path: (path.unlink(), os.mkfifo(path)),
    ],
)
@pytest.mark.parametrize("name", ["client.parquet", "monitor.parquet"])
def test_files_that_cannot_be_read_cost_their_trial_alone(
    folder: Path, name: str, spoil: Callable[[Path], object]
) -> None:
    counted = json.loads((folder / "result.json").read_text())["cells"][0]["trials"]
    spoil(folder / "trials" / counted[0] / name)
    before = contents(folder / "trials")
    ended = said("analyse", str(folder), cwd=folder)
    assert ended.returncode == 0, ended.stderr
    cell = json.loads((folder / "result.json").read_text())["cells"][0]
    assert cell["trials"] == counted[1:]
    assert cell["other_trials"][counted[0]].startswith(f"unreadable: {name} is ")
    assert contents(folder / "trials") == before


def test_parquet_that_is_damaged_inside_is_named(folder: Path) -> None:
    for trial in (folder / "trials").iterdir():
        path = trial / "client.parquet"
        whole = path.read_bytes()
        footer = int.from_bytes(whole[-8:-4], "little") + 8
        path.write_bytes(whole[:4] + bytes(len(whole) - 4 - footer) + whole[-footer:])
    is_refused(folder, "analyse", saying="client.parquet: ")


def without_its_end(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + bytes(len(whole) - 8) + whole[-4:])


def of_more_rows_than_anybody_records(path: Path) -> None:
    """A kilobyte that stands for a million zeros."""
    pq.write_table(pa.table({"op": np.zeros(1_000_000, np.uint8)}), path)
    assert path.stat().st_size < 4096


def of_lists(path: Path) -> None:
    pq.write_table(pa.table({"op": [[1], [2]]}), path)


def of_nothing_but_size(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 << 30)


@pytest.mark.parametrize(
    ("spoil", "saying"),
    [
        (without_its_end, "client.parquet is cut off or damaged"),
        (of_more_rows_than_anybody_records, "1000000 values are the most"),
        (of_lists, "client.parquet is not of wirelab"),
        (of_nothing_but_size, "10737418240 bytes, and 2147483648 bytes are the most"),
    ],
)
def test_parquet_beyond_any_bound_costs_its_trial_alone(
    folder: Path, spoil: Callable[[Path], None], saying: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "MOST_VALUES", 1_000_000)
    counted = json.loads((folder / "result.json").read_text())["cells"][0]["trials"]
    spoil(folder / "trials" / counted[0] / "client.parquet")
    ended = said("analyse", str(folder), cwd=folder)
    assert ended.returncode == 0, ended.stderr
    cell = json.loads((folder / "result.json").read_text())["cells"][0]
    assert cell["trials"] == counted[1:]
    assert saying in cell["other_trials"][counted[0]]


def test_a_stored_file_of_nothing_but_size_is_refused(folder: Path) -> None:
    of_nothing_but_size(folder / "run.json")
    is_refused(folder, "analyse", saying="10737418240 bytes, and 268435456 bytes are the most")


Place = Callable[[Json, str], None]


def of_the_suite(run: Json, place: str) -> None:
    run.update(suite_folder=place)


def of_the_interpreter(run: Json, place: str) -> None:
    run.update(suite="opcua")
    run["disclosure"]["own"]["python"] = f"{place}/python"


def of_a_contender(run: Json, place: str) -> None:
    run.update(suite="opcua", elsewhere={"swift": place})


@pytest.mark.parametrize(
    ("named", "option"),
    [
        (of_the_suite, "--suites DIR"),
        (of_the_interpreter, "--python PATH"),
        (of_a_contender, "--contender PATH"),
    ],
)
@pytest.mark.parametrize("place", ["{its}/.s", ".s", "{its}/../its/.s", "{mine}/link", "{its}/out"])
def test_what_came_beside_a_run_is_not_executed(
    folder: Path, mine: Path, named: Place, option: str, place: str
) -> None:
    its = folder.parent
    code = its / ".s"
    code.mkdir()
    harm = f"open({str(mine / 'harm')!r}, 'w')\n"
    for name in ("report.py", "verify.py"):
        (code / name).write_text(harm)
    (code / "suite.toml").write_text('name = "demo"\n')
    (code / "python").write_text(f"#!/bin/sh\ntouch {mine / 'harm'}\n")
    (code / "python").chmod(0o755)
    (mine / "link").symlink_to(code)
    (its / "out").symlink_to(mine)
    changed(folder / "run.json", lambda run: named(run, place.format(its=its, mine=mine)))
    for command in COMMANDS[::2] if named is of_the_suite else COMMANDS[:1]:
        ended = said(*command, str(folder), cwd=its)
        assert ended.returncode == 2, ended.stdout + ended.stderr
        assert f"executed unless you name it yourself: {option}" in ended.stderr
    assert not (mine / "harm").exists()


def test_an_interpreter_beside_a_run_is_named_by_the_user(folder: Path) -> None:
    python = str(folder.parent / "python")
    changed(folder / "run.json", lambda run: of_the_interpreter(run, str(folder.parent)))
    is_refused(folder, "run", "--python", "/bin/false", "--resume", saying="begin a new run for")
    named = said("run", "--python", python, "--resume", str(folder), cwd=folder.parent)
    assert "unless you name it yourself" not in named.stderr
