"""Words of strangers are read or refused with a sentence, and what was read can be kept.

A few seconds here; ``WIRELAB_FUZZ=100`` makes a hundred times as many examples, by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing import VALUES, changed, fuzzed, read_or_refused, spoiled_bytes
from synthetic import Client, load_run
from wirelab.live.address import ListenAddress, listening
from wirelab.model.events import event_of
from wirelab.model.parameters import Parameter
from wirelab.model.result import Result, Series
from wirelab.model.run import Run
from wirelab.model.trial import RoleRecord, TrialRecord
from wirelab.run.items import ItemsError, items_of
from wirelab.samples import foreign_json, parquet, stored
from wirelab.samples.conversion import converted
from wirelab.samples.stored import UnreadableFileError
from wirelab.trial.answers import in_form, read_answers
from wirelab.trial.failure import TrialError

pytestmark = [pytest.mark.left_to_all, pytest.mark.long(1)]

KEYS = ["contract", "monotonic_ns", "facts", "endpoint", "records", "name", "begin_ns", "end_ns"]
KEYS += ["message", "class", "scope", "requests", "counter", "answers", "checksum", "gc_count"]
EVENTS = st.fixed_dictionaries(
    {
        "event": st.sampled_from(
            ["ready", "progress", "runtime", "step", "error", "reached", "served", "done"]
        )
    },
    optional=dict.fromkeys(KEYS, VALUES),
)


def heard(line: bytes) -> Any:
    return event_of.validate_python(foreign_json.parsed(line))


def is_kept(event: Any) -> bool:
    """Whether an event comes back from the record of its role as it was."""
    said = event.model_dump(by_alias=True)
    ready = {"ready": said} if said["event"] == "ready" else {}
    record = RoleRecord(role="client", command=[], cpus=[], errors=[said], **ready)
    return RoleRecord.model_validate_json(record.model_dump_json()) == record


@fuzzed()
@given(st.one_of(EVENTS, VALUES).map(json.dumps).map(str.encode) | st.binary(max_size=100))
def test_an_event_that_was_heard_can_be_kept_and_read_again(line: bytes) -> None:
    event = read_or_refused(lambda: heard(line), ValueError)
    assert event is None or is_kept(event)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from wirelab.cells.analysis import analyse

    made = load_run({"swift": Client()}).write(tmp_path_factory.mktemp("its") / "a-run")
    analyse(made)
    return made


STORED: dict[str, tuple[Any, Callable[[bytes], bytes]]] = {
    "run.json": (Run, converted),
    "trial.json": (TrialRecord, converted),
    "result.json": (Result, converted),
    "series.json": (Series, bytes),
}
"""Their models, and how they are brought to the present format."""


@pytest.mark.parametrize("name", STORED)
@fuzzed()
@given(data=st.data())
def test_a_stored_file_is_read_or_refused(run: Path, name: str, data: st.DataObject) -> None:
    document = json.loads(min(run.rglob(name)).read_bytes())
    path = run / f"fuzzed-{name}"
    path.write_text(json.dumps(changed(document, data)))

    def read() -> Any:
        return stored.read(path, *STORED[name])

    found = read_or_refused(read, UnreadableFileError)
    assert found is None or read() == found or "NaN" in path.read_text()


@pytest.mark.parametrize("name", ["client.parquet", "monitor.parquet"])
@fuzzed()
@given(data=st.data())
def test_parquet_is_read_or_refused(run: Path, name: str, data: st.DataObject) -> None:
    path = run / f"fuzzed-{name}"
    path.write_bytes(spoiled_bytes(min(run.rglob(name)).read_bytes(), data))
    columns = read_or_refused(lambda: parquet.columns_of(path), UnreadableFileError)
    assert columns is None or len({len(column) for column in columns.values()}) <= 1


@fuzzed()
@given(st.lists(VALUES.map(json.dumps) | st.text(max_size=20), max_size=4))
def test_answers_are_read_or_refused(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "client.answers.jsonl"
    path.write_text("\n".join(lines), errors="replace")
    given = read_or_refused(lambda: read_answers(path, "client"), TrialError)
    good, findings = in_form(given or [])
    assert len(good) + len(findings) == len(given or [])


def setting(kind: Any, text: str) -> Any:
    """A value of a command line; None where it is refused, in the words of the command line."""
    try:
        return Parameter(type=kind, meaning="a value").read(text)
    except ValueError:
        return None


def is_carried(value: Any) -> bool:
    return bool(json.loads(json.dumps(value, allow_nan=False)) == value)


@pytest.mark.parametrize("kind", ["whole", "number", "flag", "text"])
@fuzzed()
@given(text=st.text(max_size=40) | st.sampled_from(["nan", "inf", "1e999", "-0", "9" * 5000]))
def test_a_setting_is_one_that_a_spec_can_carry(kind: Any, text: str) -> None:
    value = setting(kind, text)
    assert value is None or is_carried(value)


@fuzzed()
@given(st.text(max_size=30) | st.from_regex(r"\[?[0-9a-z.:]{0,20}\]?:[0-9]{1,6}", fullmatch=True))
def test_an_address_is_one_or_none(text: str) -> None:
    served = read_or_refused(lambda: listening(text), ValueError)
    assert served is None or 0 <= served[1] < 2**16
    pushed = read_or_refused(lambda: ListenAddress.of(f"http://{text}"), ValueError)
    assert pushed is None or pushed.port < 2**16


@fuzzed()
@given(st.binary(max_size=100))
def test_items_are_texts_of_a_line_each(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "items.txt"
    path.write_bytes(content)
    found = read_or_refused(lambda: items_of(path), ItemsError)
    assert found is None or (found and len(set(found)) == len(found))


def test_what_is_right_is_read(run: Path, tmp_path: Path) -> None:
    assert is_kept(heard(b'{"event": "progress", "records": 7}'))
    for name, (model, to_present) in STORED.items():
        assert stored.read(min(run.rglob(name)), model, to_present)
    assert len(parquet.columns_of(min(run.rglob("client.parquet")))["start_ns"]) > 10
    assert setting("whole", "7") == 7
    assert listening("9464")[1] == ListenAddress.of("http://a:9464").port == 9464
    items = tmp_path / "items.txt"
    items.write_text("a\nb\n")
    assert items_of(items) == ["a", "b"]
