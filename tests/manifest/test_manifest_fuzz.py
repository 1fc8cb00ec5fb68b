"""No text whatever makes the reading of a manifest fail in another way than it should."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from manifest_texts import CONTENDER, SUITE

from fuzzing import fuzzed
from wirelab.manifest import ManifestError, Problem, load_contender, load_library, load_suite

LOADERS = [load_suite, load_contender, load_library]

_words = st.sampled_from(
    ["suite", "title", "scenarios", "echo", "roles", "period", "code", "en", "a b", "é", "", "1"]
)
_scalars = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=10),
    st.sampled_from(["100ms", "9" * 400 + "s", "-1s", "before-client", "service:x"]),
)
_values = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=3),
    max_leaves=8,
)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return repr(value)


def read(text: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "manifest.toml")
        file.write_bytes(text)
        for load in LOADERS:
            found = read_or_refused(load, file)
            assert found, "refused without a problem"
            for problem in found if isinstance(found, list) else []:
                assert problem.message
                assert problem.line is None or 1 <= problem.line <= text.count(b"\n") + 1


def read_or_refused(load: Callable[[Path], object], file: Path) -> object | list[Problem]:
    """The manifest, or the problems it has."""
    try:
        return load(file)
    except ManifestError as error:
        return error.problems


@fuzzed()
@given(st.binary(max_size=200))
def test_any_bytes(text):
    read(text)


@fuzzed()
@given(st.lists(st.tuples(st.lists(_words, min_size=1, max_size=3), _values), max_size=6))
def test_any_keys_and_values(pairs):
    lines = [".".join(map(json.dumps, key)) + " = " + _toml(value) for key, value in pairs]
    read("\n".join(lines).encode("utf-8", "replace"))


@fuzzed(250)
@given(
    st.sampled_from([SUITE, CONTENDER]),
    st.data(),
)
def test_a_good_manifest_with_one_line_changed(text, data):
    lines = text.splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    key = lines[at].partition(" = ")[0]
    lines[at] = data.draw(
        st.one_of(
            _values.map(lambda value: f"{key} = {_toml(value)}"),
            st.text(max_size=20),
            st.just(""),
            st.sampled_from(lines),
        )
    )
    read("\n".join(lines).encode("utf-8", "replace"))


@pytest.mark.parametrize("value", ["inf", "nan", "-0", "1e400", "1979-05-27", "07:32:00", "0x10"])
def test_odd_values_in_every_place(value):
    places = [number for number, line in enumerate(SUITE.splitlines()) if " = " in line]
    assert len(places) == 18
    for number in places:
        lines = SUITE.splitlines()
        key, _, _ = lines[number].partition(" = ")
        lines[number] = f"{key} = {value}"
        read("\n".join(lines).encode())
