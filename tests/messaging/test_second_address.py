"""The second address of a server in Python: the same after a restart, and new otherwise."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from test_messaging_verify import loaded

addresses = loaded("messaging_second_address", "python/messaging_harness/second_address.py")


def spec_of(scratch: Path, listen: str) -> Any:
    return SimpleNamespace(listen=listen, paths=SimpleNamespace(scratch=scratch))


def test_a_restarted_server_has_its_second_address_again(tmp_path: Path) -> None:
    first = addresses.SecondAddress(spec_of(tmp_path, "127.0.0.1:0"), "publisher")
    assert first.wanted == "127.0.0.1:0"
    first.taken("127.0.0.1:4711")
    # A server that was never told of a port is another one, which starts anew.
    anew = addresses.SecondAddress(spec_of(tmp_path, "127.0.0.1:0"), "publisher")
    assert anew.wanted == "127.0.0.1:0"
    again = addresses.SecondAddress(spec_of(tmp_path, "127.0.0.1:4710"), "publisher")
    assert again.wanted == "127.0.0.1:4711"
