"""The service ``postgres``: Debian's PostgreSQL with the suite's records, for one trial."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import signal
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import asyncpg
from kv_harness.data import BINS, REAL_BINS, SETS, WHOLE_BINS, count, records
from kv_harness.popularity import popularity
from kv_harness.user_table import NAMES, loaded
from user_rows import UserRows

from wirelab_sdk import Spec, Worker, main
from wirelab_sdk.secret import taken
from wirelab_sdk.server_program import (
    HOST,
    ProgramCommand,
    ServerProgram,
    ServerProgramError,
    as_user,
    find_program,
    serve,
)

# It does not run as root; the package makes this user.
_USER = "postgres"
_ROLE = "wirelab"
_DATABASE = "postgres"
_BINARIES = "/usr/lib/postgresql"

SCHEMA = "wirelab"
"""A name of ours, for servers that hold the data of others as well."""

_SETTINGS = {
    "unix_socket_directories": "",
    "max_connections": 200,
    # Everything is in memory: 9 tables of 10,000 rows are 20 MB.
    "shared_buffers": "256MB",
    "wal_level": "minimal",
    "max_wal_senders": 0,
    # The tables are analysed when they are full; nothing changes them later.
    "autovacuum": "off",
    "log_min_messages": "warning",
}

_DURABILITY = {
    # What is written is lost with the trial. No read depends on these.
    "none": {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"},
    "each-write": {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"},
}


class Postgres(ServerProgram):
    """postgres: a process for each connection; a table for each set, or YCSB's user table."""

    name = "PostgreSQL"

    def __init__(self, spec: Spec) -> None:
        self._universe = spec.parameter("universe", 10_000)
        self._users = spec.parameter("records", 0)
        self._durability = spec.parameter("durability", "none")
        self._secret = taken()
        self._rows = UserRows(self._users) if self._users else None
        self._asking: asyncpg.Connection | None = None
        folder = spec.paths.scratch
        self._filled = folder / "filled"
        # The user of the package may not be let through to the trial's folder, as below root's
        # home; by an open file it gets there, and to nothing beside it.
        self._folder = os.open(folder, os.O_PATH | os.O_DIRECTORY)

    async def commands(self, port: int, folder: Path) -> list[ProgramCommand]:
        """A cluster of this trial's own, in its folder."""
        data = folder / "data"
        # One that is restarted after it was killed recovers, as it would anywhere. Whoever killed
        # it may not have asked for its exit code yet; PostgreSQL takes such a process for alive.
        (data / "postmaster.pid").unlink(missing_ok=True)
        if not self._filled.exists():
            shutil.rmtree(data, ignore_errors=True)
            await self._initialise(data)
        durable = _DURABILITY[self._durability]
        settings = {"listen_addresses": HOST, "port": port, **_SETTINGS, **durable}
        options = [f"--{name}={value}" for name, value in settings.items()]
        # SIGTERM would wait for clients to leave.
        words: list[str | Path] = [_find("postgres"), "-D", self._data, *options]
        return [ProgramCommand(words, user=_USER, leave=signal.SIGINT, inherits=[self._folder])]

    @property
    def _data(self) -> str:
        return f"/proc/self/fd/{self._folder}/data"

    async def _initialise(self, data: Path) -> None:
        data.mkdir(mode=0o700)
        if os.geteuid() == 0:
            _hand_over(data)
        words: list[str | Path] = [
            *(_find("initdb"), "-D", self._data, "-U", _ROLE),
            # Only the loopback is listened on, and everybody there may read made-up figures.
            *("--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"),
        ]
        process = await asyncio.create_subprocess_exec(
            *as_user(_USER),
            *words,
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=PIPE,
            cwd="/",
            pass_fds=[self._folder],
        )
        _, said = await process.communicate()
        if process.returncode != 0:
            raise ServerProgramError(f"initdb: {said.decode(errors='replace').strip()}")

    async def version(self, port: int) -> str:
        """As the server names itself to a client."""
        try:
            connection = await asyncpg.connect(self.endpoint(port))
        except (asyncpg.CannotConnectNowError, asyncpg.ConnectionDoesNotExistError) as error:
            raise ConnectionResetError("it is still starting") from error
        try:
            return str(await connection.fetchval("SHOW server_version")).split(" ")[0]
        finally:
            await connection.close()

    async def fill(self, port: int) -> Mapping[str, Any]:
        """A table a set, by COPY."""
        connection = await asyncpg.connect(self.endpoint(port))
        try:
            if not self._filled.exists():
                await connection.execute(f"CREATE SCHEMA {SCHEMA}")
                if self._users:
                    await _fill_users(connection, self._users, self._secret)
                for chosen in SETS if not self._users else ():
                    await fill_table(connection, chosen, self._universe, self._secret)
                await connection.execute("VACUUM ANALYZE")
                await connection.execute("CHECKPOINT")
                self._filled.touch()
            if self._users:
                popular = {"popularity": popularity(self._users)}
                return {"records": self._users, "durability": self._durability, **popular}
            held = [await _count(connection, chosen, self._universe) for chosen in SETS]
        finally:
            await connection.close()
        return {"records": sum(held), "durability": self._durability}

    async def served(self, port: int) -> Mapping[str, int]:
        """Transactions that wrote to the user table, without the rows that held what nobody has
        written. What was read it tells too late.
        """
        if self._rows is None:
            return {}
        try:
            # A process of the server's own each second would take longer than what it is asked.
            if self._asking is None or self._asking.is_closed():
                self._asking = await asyncpg.connect(self.endpoint(port))
            return {"written": await self._rows.written(self._asking)}
        except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise ConnectionResetError(str(error)) from error

    def endpoint(self, port: int) -> str:
        """A URL of the client libraries."""
        return f"postgresql://{_ROLE}@{HOST}:{port}/{_DATABASE}"


async def fill_table(
    connection: asyncpg.Connection, chosen: int, universe: int, secret: bytes = b""
) -> None:
    whole = ", ".join(f"{name} bigint NOT NULL" for name in WHOLE_BINS)
    real = ", ".join(f"{name} float8 NOT NULL" for name in REAL_BINS)
    table = f"set_{chosen}"
    columns = f"(key text PRIMARY KEY, {whole}, {real})"
    await connection.execute(f"CREATE TABLE {SCHEMA}.{table} {columns}")
    rows = records(chosen, universe, secret).rows()
    await connection.copy_records_to_table(
        table, records=rows, columns=["key", *BINS], schema_name=SCHEMA
    )


async def _fill_users(connection: asyncpg.Connection, users: int, secret: bytes) -> None:
    fields = ", ".join(f"{name} bytea NOT NULL" for name in NAMES)
    table = f"{SCHEMA}.usertable"
    # Keys are compared as bytes are, whatever the language of the database.
    await connection.execute(f'CREATE TABLE {table} (key text COLLATE "C" PRIMARY KEY, {fields})')
    await connection.copy_records_to_table(
        "usertable",
        records=((key, *content) for key, content in loaded(users, secret)),
        columns=["key", *NAMES],
        schema_name=SCHEMA,
    )
    if (held := await connection.fetchval(f"SELECT count(*) FROM {table}")) != users:
        raise ServerProgramError(f"usertable holds {held} of {users} records")


async def _count(connection: asyncpg.Connection, chosen: int, universe: int) -> int:
    """Records of a set; ServerProgramError when they are not as many as there are to be."""
    held = int(await connection.fetchval(f"SELECT count(*) FROM {SCHEMA}.set_{chosen}"))
    if held != (expected := count(chosen, universe)):
        raise ServerProgramError(f"set_{chosen} holds {held} of {expected} records")
    return held


def _hand_over(data: Path) -> None:
    """Give the folder to the user of the package."""
    try:
        user = pwd.getpwnam(_USER)
    except KeyError as error:
        raise ServerProgramError(f"there is no user {_USER}, as whom root could run it") from error
    os.chown(data, user.pw_uid, user.pw_gid)


def _find(name: str) -> str:
    """A program of the newest version that is installed; PATH has none of them."""
    versions = sorted(Path(_BINARIES).glob("*/bin"), key=lambda path: float(path.parent.name))
    return find_program(name, os.pathsep.join(str(folder) for folder in reversed(versions)))


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    folder = worker.spec.paths.scratch
    await serve(worker, Postgres(worker.spec))
    # Its 60 MB are of no use to who reads the trial. One that was killed keeps them for the next.
    await asyncio.to_thread(shutil.rmtree, folder / "data", ignore_errors=True)


if __name__ == "__main__":
    main(play)
