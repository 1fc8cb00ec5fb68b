"""The holder of a trial's namespaces: makes them, and keeps them until the core lets go.

The roles of a trial share a network with the loopback alone, System V memory and message queues,
and ``/dev/shm``; each enters the holder's namespaces, and has those of its own within. Started with
``own`` or ``host``: whose network it is. Says ``{"ready": true}`` or ``{"refused": "…"}``, and ends
with its standard input, so that it never outlives the core.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import signal
import socket
import struct
import sys
from pathlib import Path

_CLONE_NEWNS = 0x0002_0000
_CLONE_NEWIPC = 0x0800_0000
_CLONE_NEWUSER = 0x1000_0000
_CLONE_NEWNET = 0x4000_0000
_MS_NOSUID, _MS_NODEV, _MS_REC, _MS_SLAVE = 0x2, 0x4, 0x4000, 0x8_0000
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 0x1

SHARED_BYTES = 1 << 30
"""Of ``/dev/shm``."""

_OF_THE_NETWORK = (
    "net/ipv4/ip_local_port_range",
    "net/ipv4/tcp_max_syn_backlog",
    "net/ipv4/tcp_tw_reuse",
    "net/ipv4/tcp_rmem",
    "net/ipv4/tcp_wmem",
    "net/ipv4/tcp_congestion_control",
    "net/core/somaxconn",
)
"""Settings that a new network begins without: a trial is to have those of this machine."""

_libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Make the namespaces, say so, and wait for the core's end of the pipe."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    try:
        _make(own_network=sys.argv[1] == "own")
    except OSError as error:
        print(
            json.dumps({"refused": f"{error.filename or ''} {error.strerror}".strip()}), flush=True
        )
        return
    print(json.dumps({"ready": True}), flush=True)
    sys.stdin.buffer.read()


def _make(*, own_network: bool) -> None:
    user, group = os.getuid(), os.getgid()
    settings = {name: _setting(name) for name in _OF_THE_NETWORK} if own_network else {}
    network = _CLONE_NEWNET if own_network else 0
    _asked("namespaces", _libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNS | _CLONE_NEWIPC | network))
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"0 {user} 1")
    Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    _asked("mounts", _libc.mount(b"none", b"/", None, _MS_REC | _MS_SLAVE, None))
    bounds = f"size={SHARED_BYTES},mode=1777".encode()
    shared = _libc.mount(b"tmpfs", b"/dev/shm", b"tmpfs", _MS_NOSUID | _MS_NODEV, bounds)
    _asked("/dev/shm", shared)
    if own_network:
        _raise_loopback()
    for name, value in settings.items():
        _set(name, value)


def _asked(what: str, answer: int) -> None:
    if answer:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        found = fcntl.ioctl(any_socket, _SIOCGIFFLAGS, struct.pack("16sH22x", b"lo", 0))
        (flags,) = struct.unpack_from("H", found, 16)
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", flags | _IFF_UP))


def _setting(name: str) -> str | None:
    try:
        return Path("/proc/sys", name).read_text()
    except OSError:
        return None


def _set(name: str, value: str | None) -> None:
    """Set it as it is outside; one that a namespace does not have is the machine's anyway."""
    path = Path("/proc/sys", name)
    try:
        if value is not None and path.read_text() != value:
            path.write_text(value)
    except OSError:
        pass


if __name__ == "__main__":
    main()
