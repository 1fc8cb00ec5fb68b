"""The holder of a trial's namespaces: makes them, and keeps them until the core lets go.

The roles of a trial share a network with the loopback alone, System V memory and message queues,
and ``/dev/shm``; each enters the holder's namespaces, and has those of its own within. Started with
``own`` or ``host``: whose network it is. Says ``ready``, or why it was refused, and ends with its
standard input, so that it never outlives the core.

It is started once a trial: it takes nothing that takes long to import.
"""
# ruff: noqa: PTH123 - pathlib takes longer to import than the namespaces take to be made

from __future__ import annotations

import ctypes
import os
import sys

_CLONE_NEWNS = 0x0002_0000
_CLONE_NEWIPC = 0x0800_0000
_CLONE_NEWUSER = 0x1000_0000
_CLONE_NEWNET = 0x4000_0000
_MS_NOSUID, _MS_NODEV, _MS_REC, _MS_SLAVE = 0x2, 0x4, 0x4000, 0x8_0000
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 0x1
_AF_INET, _SOCK_DGRAM = 2, 2
_SIGHUP, _SIGINT, _SIGTERM, _SIG_IGN = 1, 2, 15, 1

READY = "ready"

SHARED_BYTES = 1 << 30
"""Most bytes of ``/dev/shm``."""

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


class _Interface(ctypes.Structure):
    """``struct ifreq`` of the kernel, as far as flags need it."""

    _fields_ = (
        ("name", ctypes.c_char * 16),
        ("flags", ctypes.c_short),
        ("rest", ctypes.c_char * 22),
    )


def main() -> None:
    """Make the namespaces, say so, and wait for the core's end of the pipe."""
    for number in (_SIGINT, _SIGTERM, _SIGHUP):
        _libc.signal(number, ctypes.c_void_p(_SIG_IGN))
    try:
        _make(own_network=sys.argv[1] == "own")
    except OSError as error:
        print(f"{error.filename or ''} {error.strerror}".strip(), flush=True)
        return
    print(READY, flush=True)
    sys.stdin.buffer.read()


def _make(*, own_network: bool) -> None:
    user, group = os.getuid(), os.getgid()
    settings = {name: _setting(name) for name in _OF_THE_NETWORK} if own_network else {}
    network = _CLONE_NEWNET if own_network else 0
    _asked("namespaces", _libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNS | _CLONE_NEWIPC | network))
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"0 {user} 1")
    _write("/proc/self/gid_map", f"0 {group} 1")
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
    any_socket = _libc.socket(_AF_INET, _SOCK_DGRAM, 0)
    loopback = _Interface(name=b"lo")
    known = _libc.ioctl(any_socket, _SIOCGIFFLAGS, ctypes.byref(loopback))
    _asked("the loopback", known)
    loopback.flags |= _IFF_UP
    raised = _libc.ioctl(any_socket, _SIOCSIFFLAGS, ctypes.byref(loopback))
    _asked("the loopback", raised)
    os.close(any_socket)


def _setting(name: str) -> str | None:
    try:
        return _read(f"/proc/sys/{name}")
    except OSError:
        return None


def _set(name: str, value: str | None) -> None:
    """Set it as it is outside; one that a namespace does not have is the machine's anyway."""
    path = f"/proc/sys/{name}"
    try:
        if value is not None and _read(path) != value:
            _write(path, value)
    except OSError:
        pass


def _read(path: str) -> str:
    with open(path, encoding="ascii") as file:
        return file.read()


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


if __name__ == "__main__":
    main()
