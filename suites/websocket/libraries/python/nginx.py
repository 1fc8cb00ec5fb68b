"""nginx before one server or several: it takes the connections of users, and passes each on."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from wirelab_sdk import Spec
from wirelab_sdk.server_program import (
    HOST,
    ProgramCommand,
    ServerProgram,
    ServerProgramError,
    find_program,
    start,
)

_CONFIGURATION = """\
daemon off;
# One process, which ends with the one that started it; a worker would outlive a killed master.
master_process off;
pid {folder}/nginx.pid;
# Two for each user: 3,000 of them come to where nobody is refused.
events {{ worker_connections 8192; }}
http {{
  access_log off;
  {zone}
  upstream behind {{ {behind} }}
  client_body_temp_path {folder}/client;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen {host}:{port} backlog={backlog};
    server_name whiteboard;
    {limit}
    location / {{
      proxy_pass http://behind;
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection upgrade;
      # Users who only look on are silent for long.
      proxy_read_timeout 3600s;
      proxy_send_timeout 3600s;
    }}
    location = /wirelab-version {{ return 204; }}
  }}
}}
"""
# By the server's name, which all users share. That somebody is refused is no error for the log.
_ZONE = "limit_conn_zone $server_name zone=everybody:64k; limit_conn_log_level info;"
_LIMIT = "limit_conn everybody {most}; limit_conn_status 503;"
_SERVER = re.compile(rb"\r\nServer: nginx/(\S+)\r\n", re.IGNORECASE)
_SECOND = 1_000_000_000


class Nginx(ServerProgram):
    """Debian's nginx in one process, before ``behind``, which take turns; it lets ``most`` users in
    at a time, or with 0 as many as come."""

    name = "nginx"

    def __init__(self, behind: Sequence[str], backlog: int, most: int = 0) -> None:
        self._behind = behind
        self._backlog = backlog
        self._most = most

    async def commands(self, port: int, folder: Path) -> Sequence[ProgramCommand]:
        """Its configuration is a file in ``folder``, like all that it writes."""
        behind = " ".join(f"server {address};" for address in self._behind)
        told = {"host": HOST, "port": port, "behind": behind, "backlog": self._backlog}
        limited = {"zone": _ZONE, "limit": _LIMIT.format(most=self._most)}
        told |= limited if self._most else dict.fromkeys(limited, "")
        written = folder / "nginx.conf"
        written.write_text(_CONFIGURATION.format(folder=folder, **told), "utf-8")
        words = (find_program("nginx"), "-e", "stderr", "-p", folder, "-c", written)
        return [ProgramCommand(words)]

    async def version(self, port: int) -> str:
        """The version in the head of its answer."""
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            writer.write(b"GET /wirelab-version HTTP/1.0\r\n\r\n")
            head = await reader.read(4096)
        finally:
            writer.close()
        if (found := _SERVER.search(head)) is None:
            raise ServerProgramError(f"port {port} is not nginx's: {head[:60]!r}")
        return found[1].decode()

    def endpoint(self, port: int) -> str:
        """Users are told the path by the server."""
        return f"{HOST}:{port}"


@asynccontextmanager
async def before(spec: Spec, behind: Sequence[str]) -> AsyncIterator[str]:
    """The address of an nginx before ``behind``, for as long as it is wanted."""
    limits = spec.limits
    most = spec.parameter("max_connections", 0)
    nginx = Nginx(behind, spec.parameter("listen_backlog", 4096), most)
    running = await start(nginx, spec.listen, spec.paths.scratch, limits.ready_ns / _SECOND / 2)
    try:
        yield f"{HOST}:{running.port}"
    finally:
        await running.end(limits.stop_ns / _SECOND / 3)
