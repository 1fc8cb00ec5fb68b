"""The collector of cyclic garbage rests while a report is read and written, and goes on after."""

from __future__ import annotations

import gc

import pytest

from wirelab.garbage import collection_paused


def test_it_rests_and_goes_on() -> None:
    with collection_paused():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_an_error() -> None:
    with pytest.raises(ValueError, match="wrong"), collection_paused():
        raise ValueError("wrong")
    assert gc.isenabled()


def test_one_pause_within_another_does_not_end_it() -> None:
    with collection_paused():
        with collection_paused():
            pass
        assert not gc.isenabled()
