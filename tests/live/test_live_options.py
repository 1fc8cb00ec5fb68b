"""Values of ``--push`` and ``--metrics``, and messages about others."""

from __future__ import annotations

import socket
import urllib.error
import urllib.parse
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from live.live_examples import everything
from wirelab.live import serve
from wirelab.live.address import ListenAddress, listening
from wirelab.live.exposition import Exposition
from wirelab.live.serve import CannotServeError, LiveServer, is_of_here


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


@pytest.mark.parametrize(
    ("asked", "bound", "of_here"),
    [
        ("127.0.0.1:9464", "127.0.0.1", True),
        ("localhost:9464", "127.0.0.1", True),
        ("LOCALHOST", "127.0.0.1", True),
        ("[::1]:9464", "::1", True),
        ("evil.example:9464", "127.0.0.1", False),
        ("127.0.0.1.evil.example", "127.0.0.1", False),
        ("", "127.0.0.1", False),
        ("192.0.2.7:9464", "127.0.0.1", False),
        ("192.0.2.7:9464", "192.0.2.7", True),
        ("192.0.2.7:9464", "0.0.0.0", True),
        ("[2001:db8::1]:9464", "::", True),
        ("evil.example", "0.0.0.0", False),
    ],
)
def test_a_name_of_another_site_is_none_of_here(asked: str, bound: str, of_here: bool) -> None:
    assert is_of_here(asked, bound) is of_here


def test_a_page_of_another_site_reads_nothing() -> None:
    served = LiveServer("127.0.0.1", 0, Exposition(everything))
    try:
        request = urllib.request.Request(served.url, headers={"Host": "evil.example"})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(request, timeout=10)
    finally:
        served.close()


def test_connections_that_say_nothing_are_few_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "CONNECTION_S", 0.5)
    served = LiveServer("127.0.0.1", 0, Exposition(everything))
    address = ("127.0.0.1", urllib.parse.urlsplit(served.url).port)
    silent = [socket.create_connection(address, 30) for _ in range(3 * serve.MOST_CONNECTIONS)]
    try:
        assert [one.recv(1) for one in silent] == [b""] * len(silent)
        with urllib.request.urlopen(served.url, timeout=30) as reply:
            assert reply.status == 200
    finally:
        for one in silent:
            one.close()
        served.close()
