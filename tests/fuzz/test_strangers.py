"""Whatever strangers write is read or refused with a sentence, and what was read can be kept.

A few seconds here; ``WIRELAB_FUZZ=100`` makes a hundred times as many examples, by hand.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synthetic import Client, load_run
from wirelab.live.address import ListenAddress, listening
from wirelab.model.events import event_of
from wirelab.model.parameters import Parameter
from wirelab.model.result import Result
from wirelab.model.run import RoleRecord, Run, TrialRecord
from wirelab.run.items import ItemsError, items_of
from wirelab.samples import foreign_json, parquet, stored
from wirelab.samples.conversion import converted
from wirelab.samples.stored import UnreadableFileError
from wirelab.trial.answers import in_form, read_answers
from wirelab.trial.failure import TrialError

pytestmark = [pytest.mark.left_to_all, pytest.mark.long(1)]

MORE = int(os.environ.get("WIRELAB_FUZZ", "1"))
fuzzed = settings(
    max_examples=150 * MORE,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)

ODD = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        2**63,
        2**64,
        10**30,
        1e308,
        "",
        "\x00",
        "\ud800",
        "../a",
        "\x1b[2J",
        [],
        {},
    ]
)
VALUES = st.recursive(
    st.one_of(ODD, st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
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


def changed(document: Any, data: st.DataObject) -> Any:
    """A JSON document with one value anywhere in it replaced, or left out."""
    if not isinstance(document, dict | list) or not document:
        return data.draw(VALUES)
    keys: list[Any] = list(document) if isinstance(document, dict) else list(range(len(document)))
    key = data.draw(st.sampled_from(keys))
    copy = document.copy()
    if data.draw(st.integers(0, 9)) == 0:
        del copy[key]
    elif isinstance(document[key], dict | list) and data.draw(st.booleans()):
        copy[key] = changed(document[key], data)
    else:
        copy[key] = data.draw(VALUES)
    return copy


@fuzzed
@given(st.one_of(EVENTS, VALUES).map(json.dumps).map(str.encode) | st.binary(max_size=100))
def test_an_event_that_was_heard_can_be_kept_and_read_again(line: bytes) -> None:
    with contextlib.suppress(ValueError):
        event = event_of.validate_python(foreign_json.parsed(line))
        said = event.model_dump(by_alias=True)
        record = RoleRecord(role="client", command=[], cpus=[], ready=said, errors=[said])
        assert RoleRecord.model_validate_json(record.model_dump_json()) == record


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from wirelab.cells.analysis import analyse

    made = load_run({"swift": Client()}).write(tmp_path_factory.mktemp("its") / "a-run")
    analyse(made)
    return made


@pytest.mark.parametrize("name", ["run.json", "trial.json", "result.json"])
@fuzzed
@given(data=st.data())
def test_a_stored_file_is_read_or_refused(run: Path, name: str, data: st.DataObject) -> None:
    model = {"run.json": Run, "trial.json": TrialRecord, "result.json": Result}[name]
    document = json.loads(min(run.rglob(name)).read_bytes())
    path = run / f"fuzzed-{name}"
    path.write_text(json.dumps(changed(document, data)))
    with contextlib.suppress(UnreadableFileError):
        read = stored.read(path, model, converted)
        assert stored.read(path, model, converted) == read or "NaN" in path.read_text()


@pytest.mark.parametrize("name", ["client.parquet", "monitor.parquet"])
@fuzzed
@given(data=st.data())
def test_parquet_is_read_or_refused(run: Path, name: str, data: st.DataObject) -> None:
    whole = bytearray(min(run.rglob(name)).read_bytes())
    for at in data.draw(st.lists(st.integers(0, len(whole) - 1), min_size=1, max_size=8)):
        whole[at] = data.draw(st.integers(0, 255))
    path = run / f"fuzzed-{name}"
    path.write_bytes(whole[: data.draw(st.sampled_from([len(whole), len(whole) // 2]))])
    with contextlib.suppress(UnreadableFileError):
        columns = parquet.columns_of(path)
        assert len({len(column) for column in columns.values()}) <= 1


@fuzzed
@given(st.lists(VALUES.map(json.dumps) | st.text(max_size=20), max_size=4))
def test_answers_are_read_or_refused(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "client.answers.jsonl"
    path.write_text("\n".join(lines), errors="replace")
    with contextlib.suppress(TrialError):
        good, findings = in_form(read_answers(path, "client"))
        assert len(good) + len(findings) <= len(path.read_bytes().splitlines())


@pytest.mark.parametrize("kind", ["whole", "number", "flag", "text"])
@fuzzed
@given(text=st.text(max_size=40) | st.sampled_from(["nan", "inf", "1e999", "-0", "9" * 5000]))
def test_a_setting_is_one_that_a_spec_can_carry(kind: Any, text: str) -> None:
    with contextlib.suppress(ValueError):
        value = Parameter(type=kind, meaning="a value").read(text)
        assert json.loads(json.dumps(value, allow_nan=False)) == value


@fuzzed
@given(st.text(max_size=30) | st.from_regex(r"\[?[0-9a-z.:]{0,20}\]?:[0-9]{1,6}", fullmatch=True))
def test_an_address_is_one_or_none(text: str) -> None:
    with contextlib.suppress(ValueError):
        _host, port = listening(text)
        assert 0 <= port < 2**16
    with contextlib.suppress(ValueError):
        assert ListenAddress.of(f"http://{text}").port < 2**16


@fuzzed
@given(st.binary(max_size=100))
def test_items_are_texts_of_a_line_each(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "items.txt"
    path.write_bytes(content)
    with contextlib.suppress(ItemsError):
        found = items_of(path)
        assert found
        assert len(set(found)) == len(found)


def test_the_fuzzed_parquet_is_parquet_before(run: Path) -> None:
    assert isinstance(pq.read_table(min(run.rglob("client.parquet"))), pa.Table)
