"""A target that is there, and all the ways in which it is not."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from live.push_targets import TAKEN, Recorder, Reply, drip, say, stall, target
from wirelab.live import push
from wirelab.live.address import ListenAddress
from wirelab.live.push import Pusher


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push, "PATIENCE", 0.5)
    monkeypatch.setattr(push, "PAUSE", 0.01)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def refusing() -> Iterator[str]:
    """The URL of a port that somebody holds and nobody listens on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}/"


def answer(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode()


def test_every_text_arrives_once_and_in_order(said: list[str]) -> None:
    with target(say(TAKEN)) as taking:
        pusher = Pusher(ListenAddress.of(taking.url), said.append)
        texts = [f"metric {number}\n".encode() for number in range(50)]
        for text in texts:
            pusher.offer(text)
        pusher.close()
    assert b"".join(taking.bodies) == b"".join(texts)
    assert pusher.pushed == len(taking.bodies)
    assert (pusher.failed, pusher.undelivered, said) == (0, 0, [])
    assert taking.heads[0].startswith("POST /api/v1/import/prometheus HTTP/1.1")
    assert "Content-Type: text/plain" in taking.heads[0]


def test_a_target_that_comes_back_gets_what_it_missed(said: list[str]) -> None:
    with target(say(answer("503 Busy"), answer("503 Busy"), TAKEN)) as busy:
        pusher = Pusher(ListenAddress.of(busy.url), said.append)
        pusher.offer(b"first\n")
        busy.await_requests(1)
        pusher.offer(b"second\n")
        busy.await_requests(3)
        pusher.close()
    assert b"".join(busy.bodies[2:]) == b"first\nsecond\n"
    assert (pusher.failed, pusher.undelivered) == (2, 0)
    assert len(said) == 1
    assert "answers 503 Busy; the run goes on" in said[0]


def test_a_refusing_target_is_said_once(refusing: str, said: list[str]) -> None:
    pusher = Pusher(ListenAddress.of(refusing), said.append)
    for _ in range(3):
        pusher.offer(b"text\n")
    pusher.close()
    assert pusher.pushed == 0
    assert pusher.failed >= 1
    assert pusher.undelivered == 3
    assert len(said) == 1
    assert "cannot be reached (Connection refused)" in said[0]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (stall, "does not answer within 0.5 s"),
        (say(answer("302 Found\r\nLocation: http://127.0.0.1:1/")), "answers 302 Found"),
        (say(answer("400 Bad Request")), "answers 400 Bad Request"),
        (say(b"SSH-2.0-OpenSSH\r\n"), "cannot be reached (SSH-2.0-OpenSSH"),
        (say(b""), "cannot be reached (Remote end closed connection"),
    ],
)
def test_what_is_wrong_is_named(reply: Reply, problem: str, said: list[str]) -> None:
    with target(reply) as away:
        pusher = Pusher(ListenAddress.of(away.url), said.append)
        pusher.offer(b"text\n")
        away.await_requests(2)
        pusher.close()
    assert pusher.pushed == 0
    assert pusher.undelivered == 1
    assert len(said) == 1
    assert problem in said[0]


def test_a_target_that_drips_on_is_hung_up_on(said: list[str]) -> None:
    with target(drip) as dripping:
        pusher = Pusher(ListenAddress.of(dripping.url), said.append)
        pusher.offer(b"text\n")
        dripping.await_requests(1)
        pusher.close()
        assert "live-push" not in {thread.name for thread in threading.enumerate()}
    assert pusher.pushed == 0
    assert pusher.undelivered == 1


def test_what_a_target_misses_for_long_is_dropped_oldest_first(
    said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "KEPT", 3)
    # It is not tried again before the end, so that all of them wait.
    monkeypatch.setattr(push, "PAUSE", 60)
    with target(say(answer("503 Busy"), TAKEN)) as busy:
        pusher = Pusher(ListenAddress.of(busy.url), said.append)
        pusher.offer(b"0\n")
        busy.await_requests(1)
        for number in range(1, 10):
            pusher.offer(f"{number}\n".encode())
        pusher.close()
    assert busy.bodies == [b"0\n", b"7\n8\n9\n"]
    assert (pusher.pushed, pusher.failed, pusher.undelivered) == (1, 1, 7)


def test_no_proxy_comes_between(monkeypatch: pytest.MonkeyPatch, said: list[str]) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with target(say(TAKEN)) as taking:
        _push_one(taking, said)
    assert taking.bodies == [b"text\n"]
    assert said == []


def _push_one(taking: Recorder, said: list[str]) -> None:
    pusher = Pusher(ListenAddress.of(taking.url), said.append)
    pusher.offer(b"text\n")
    pusher.close()
