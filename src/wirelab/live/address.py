"""Addresses of live metrics: the target of ``--push``, the address of ``--metrics``."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

LOOPBACK = "127.0.0.1"
_MOST_PORT = 65535
_EXAMPLE = "such as http://127.0.0.1:8428/api/v1/import/prometheus"


@dataclass(frozen=True)
class ListenAddress:
    """An import endpoint. ``shown`` is the URL without its query."""

    secure: bool
    host: str
    port: int
    path: str
    shown: str

    @staticmethod
    def of(url: str) -> ListenAddress:
        """The target that ``url`` names; ValueError with what is wrong with it."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise ValueError(f"--push: {error}; expected a URL {_EXAMPLE}") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"--push: expected a URL {_EXAMPLE}")
        if parts.username is not None:
            raise ValueError(
                "--push: the command line is kept in the run's disclosure, so it takes no user "
                "and password; put what adds them (such as vmauth) in between"
            )
        secure = parts.scheme == "https"
        path = parts.path or "/"
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        at = f"{host}:{port}" if port else host
        return ListenAddress(
            secure=secure,
            host=parts.hostname,
            port=port or (443 if secure else 80),
            path=f"{path}?{parts.query}" if parts.query else path,
            shown=f"{parts.scheme}://{at}{path}",
        )


def listening(text: str) -> tuple[str, int]:
    """Host and port of ``[HOST:]PORT``: the loopback unless a host is named.

    ValueError for anything else.
    """
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) > _MOST_PORT:
        raise ValueError(f"--metrics: {text!r}: expected [HOST:]PORT, such as 9464")
    return host.strip("[]") or LOOPBACK, int(port)
