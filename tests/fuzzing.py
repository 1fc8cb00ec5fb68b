"""Number of examples that are made up for a test, and what strangers write in them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

MORE = int(os.environ.get("WIRELAB_FUZZ", "1"))
"""A hundred times as many, by hand."""


_Read = TypeVar("_Read")


def fuzzed(examples: int = 150) -> settings:
    """Settings of a test of what strangers write: it may take as long as the machine takes."""
    return settings(
        max_examples=examples * MORE,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )


def read_or_refused(read: Callable[[], _Read], refusal: type[Exception]) -> _Read | None:
    """The value that is read; None where it is refused, which is done with a sentence."""
    try:
        return read()
    except refusal as error:
        if not str(error):
            raise AssertionError("refused without a word") from error
        return None


_ODD = st.sampled_from(
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
    st.one_of(_ODD, st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
"""JSON of any kind."""


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


def spoiled_bytes(content: bytes, data: st.DataObject) -> bytes:
    """Content of which a few bytes are others, and half may be missing."""
    whole = bytearray(content)
    for at in data.draw(st.lists(st.integers(0, len(whole) - 1), min_size=1, max_size=8)):
        whole[at] = data.draw(st.integers(0, 255))
    return bytes(whole[: data.draw(st.sampled_from([len(whole), len(whole) // 2]))])
