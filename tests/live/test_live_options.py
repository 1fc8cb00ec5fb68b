"""What ``--push`` and ``--metrics`` take, and what they say of the rest."""

from __future__ import annotations

import socket
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from live.live_examples import everything
from wirelab.live.address import ListenAddress, listening
from wirelab.live.exposition import Exposition
from wirelab.live.serve import CannotServeError, LiveServer


@pytest.mark.parametrize(
    ("url", "host", "port", "path", "shown"),
    [
        ("http://127.0.0.1:8428/a/b", "127.0.0.1", 8428, "/a/b", "http://127.0.0.1:8428/a/b"),
        ("http://db", "db", 80, "/", "http://db/"),
        ("https://db/x?extra_label=a=b", "db", 443, "/x?extra_label=a=b", "https://db/x"),
        ("http://[::1]:8428/x", "::1", 8428, "/x", "http://[::1]:8428/x"),
    ],
)
def test_a_target_is_taken_apart(url: str, host: str, port: int, path: str, shown: str) -> None:
    target = ListenAddress.of(url)
    assert (target.host, target.port, target.path, target.shown) == (host, port, path, shown)
    assert target.secure == url.startswith("https")


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:8428", "ftp://db/", "http://", "http://db:x/", "http://db:99999/"]
)
def test_what_is_no_target_is_answered_with_an_example(url: str) -> None:
    with pytest.raises(ValueError, match="api/v1/import/prometheus"):
        ListenAddress.of(url)


def test_a_password_is_refused_because_the_command_line_is_disclosed() -> None:
    with pytest.raises(ValueError, match="disclosure") as refused:
        ListenAddress.of("http://user:secret@db/")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("9464", "127.0.0.1", 9464),
        (":9464", "127.0.0.1", 9464),
        ("0", "127.0.0.1", 0),
        ("0.0.0.0:9464", "0.0.0.0", 9464),
        ("[::1]:9464", "::1", 9464),
    ],
)
def test_an_address_is_of_the_loopback_unless_it_says_so(text: str, host: str, port: int) -> None:
    assert listening(text) == (host, port)


@pytest.mark.parametrize("text", ["", "x", "host", "1:", "70000", "-1", "٣"])
def test_what_is_no_address_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="PORT"):
        listening(text)


def test_what_is_served_is_the_text() -> None:
    served = LiveServer("127.0.0.1", 0, Exposition(everything))
    try:
        with urllib.request.urlopen(served.url, timeout=10) as reply:
            written = reply.read().decode()
    finally:
        served.close()
    names = {family.name for family in text_string_to_metric_families(written)}
    assert {"wirelab_sent", "wirelab_response_seconds"} <= names
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(served.url, timeout=10)


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServeError, match=f"127.0.0.1:{port} cannot be listened on"):
            LiveServer("127.0.0.1", port, Exposition(everything))
