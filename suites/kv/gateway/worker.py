"""The service ``gateway``: Debian's nginx before the processes that play the application."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wirelab_sdk import Spec, SpecError, Worker, main
from wirelab_sdk.server_program import HOST, ProgramCommand, ServerProgram, find_program, serve

_ROLES = ("app", "replica")
_SCHEME = "http://"
_CONFIGURATION = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 1024; }}
http {{
    log_format replica $upstream_addr;
    access_log {served} replica;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream replicas {{
        {servers}
        keepalive 64;
    }}
    server {{
        listen {host}:{port};
        location = {own} {{ access_log off; return 200 "{port}"; }}
        location / {{
            proxy_pass http://replicas;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_buffers 16 16k;
            proxy_next_upstream off;
        }}
    }}
}}
"""
_OWN_PATH = "/wirelab-gateway"


class Nginx(ServerProgram):
    """One worker process; requests go to the replicas in turn, over connections that are kept."""

    name = "nginx"

    def __init__(self, spec: Spec) -> None:
        self._replicas = {
            spec.endpoints[role].removeprefix(_SCHEME): role
            for role in _ROLES
            if role in spec.endpoints
        }
        if not self._replicas:
            raise SpecError(f"endpoints has none of {', '.join(_ROLES)}")
        self._served = Path()

    async def commands(self, port: int, folder: Path) -> list[ProgramCommand]:
        """Everything it writes lies in ``folder``."""
        configuration, self._served = folder / "nginx.conf", folder / "served.log"
        text = _CONFIGURATION.format(
            # Whoever is not root cannot be another user, and nginx warns of the line.
            user="user root;" if os.geteuid() == 0 else "",
            folder=folder,
            served=self._served,
            servers="\n        ".join(f"server {address};" for address in self._replicas),
            host=HOST,
            port=port,
            own=_OWN_PATH,
        )
        configuration.write_text(text, "utf-8")
        words = (find_program("nginx"), "-p", folder, "-c", configuration, "-e", "stderr")
        return [ProgramCommand(words)]

    async def version(self, port: int) -> str:
        """Its header says it, and its own page the port; ConnectionError from anybody else."""
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            asked = f"GET {_OWN_PATH} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n"
            writer.write(asked.encode())
            head, _, body = (await reader.read()).decode("latin-1").partition("\r\n\r\n")
        finally:
            writer.close()
        fields = dict(line.split(": ", 1) for line in head.splitlines()[1:])
        product, _, version = fields.get("Server", "").partition("/")
        if (product, body) != (self.name, str(port)):
            raise ConnectionError(f"port {port} answers {head[:80]!r}")
        return version

    async def fill(self, port: int) -> Mapping[str, Any]:  # noqa: ARG002
        """Facts by which the generator finds it."""
        return {"protocol": "http", "replicas": len(self._replicas)}

    async def served(self, port: int) -> Mapping[str, int]:  # noqa: ARG002
        """Requests that each replica was given, by its role: nginx writes a line for each."""
        given = Counter(self._served.read_text("utf-8").split())
        return {role: given[address] for address, role in self._replicas.items()}

    def endpoint(self, port: int) -> str:
        """Address at which the application seems to be."""
        return f"{_SCHEME}{HOST}:{port}"


async def play(worker: Worker) -> None:
    """Pass requests on until told to stop."""
    await serve(worker, Nginx(worker.spec))


if __name__ == "__main__":
    main(play)
