"""Recomputes what each verified multi-get and each verified response must be.

The data, the multi-gets, the features and the model are defined in the suite's README; here they
are written once more than in the workers. Standard library only: the core loads this file by path.
"""

from __future__ import annotations

import itertools
import json
import math
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import new as new_hash
from hashlib import sha512
from typing import Any, NamedTuple

from .judging.records import ASKED, kind_at, right_record

MOST_FINDINGS = 20
SETS = 9
BINS = 13
MULTI_GETS = 64
FOUND = (0, 840, 895, 645, 575, 980, 760, 910, 0, 690)
CARDINALITY = (100_000, 50_000, 20_000, 10_000, 3)
ABSENT = 0xFFFFFFFFFFFFFFFF
U64 = ABSENT
PRIME = 0x100000001B3
UNIT = 1.0 / (1 << 53)

EMBEDDED = 16
DENSE = len(CARDINALITY), BINS
BOTTOM = (8, 128, 64, EMBEDDED)
TOP = (31, 256, 128, 1)
FIRST_TABLE = 16
# Of float32 sums of up to 256 products against sums of float64.
TOLERANCE = 1e-4

# Aerospike's type of a key that is a string.
TEXT = b"\x03"

Json = Mapping[str, Any]
Record = Sequence[int | float]
NameOf = Callable[[int, int], bytes]


def verify(spec: Json, _facts: Json, answers: Iterable[Json]) -> list[str]:
    """Findings in plain language, at most 20; none when every answer is right."""
    check = _response if spec["role"] == "generator" else _multi_get
    if "ycsb" in spec.get("operations", {}):
        check = right_record
    findings: list[str] = []
    for given in answers:
        where = f"{given['phase']} {given['operation']} {given['tick']}"
        answer = given["answer"]
        if not isinstance(answer, Mapping):
            findings.append(f"{where}: not an answer of this suite: {answer!r:.200}")
            continue
        findings += (f"{where}: {what}" for what in check(spec, given, answer))
        if len(findings) >= MOST_FINDINGS:
            break
    return findings[:MOST_FINDINGS]


# ------------------------------------------------------------------------------ clients alone
def _multi_get(spec: Json, given: Json, answer: Json) -> Iterator[str]:
    names = ("multi_get", "set", "keys", "found")
    multi_get, chosen, keys, found = (_whole(answer.get(name)) for name in names)
    if multi_get is None or chosen is None or keys is None or found is None:
        yield f"not an answer of this suite: {dict(answer)!r:.200}"
        return
    wanted = _wanted(spec, given["tick"] if given["phase"] == "measure" else None)
    if (chosen, keys) != (wanted["set"], wanted["keys"]):
        asked = f"{wanted['keys']} keys of set {wanted['set']}"
        yield f"{keys} keys of set {chosen} were asked for instead of {asked}"
        return
    if given["phase"] == "measure":
        lane = given.get("lane", given["tick"] % wanted["lanes"])
        if multi_get != (due := number(given["tick"], lane)):
            yield f"multi-get {multi_get} was asked instead of {due}"
            return
    elif not multi_get < MULTI_GETS:
        yield f"multi-get {multi_get} of {MULTI_GETS}"
        return
    drawn = _drawn(spec, wanted, multi_get)
    records = [record(chosen, key, _secret(spec)) for key in drawn.all]
    there = _there(drawn)
    if found != there:
        yield f"{found} of {keys} records found, {there} exist"
    elif answer.get("checksum") != checksum(records):
        yield f"other values: checksum {answer.get('checksum')}, expected {checksum(records)}"


def sizes(spec: Json, _operation: str, turns: Sequence[tuple[int, int]]) -> list[int | None]:
    """Records found by each (tick, lane)'s multi-get; of all else nothing is known."""
    if spec["role"] == "generator" or "ycsb" in spec.get("operations", {}):
        return [None] * len(turns)
    return [_found(spec, _wanted(spec, tick), number(tick, lane)) for tick, lane in turns]


def requested(
    spec: Json, _operation: str, turns: Sequence[tuple[int, int]]
) -> list[tuple[int, int] | None]:
    """Different keys of each (tick, lane)'s multi-get, for a library may ask for each of them once,
    and the digest of their names, which depend on the database. Of a request it is its target.
    """
    if spec["role"] == "generator":
        return [_target(spec, tick, lane) for tick, lane in turns]
    if "ycsb" in spec.get("operations", {}):
        return [None] * len(turns)
    name_of: NameOf = _name_of_text
    if spec.get("endpoints", {}).get("server", "").startswith("postgresql:"):
        name_of = _name_in_table
    elif spec.get("facts", {}).get("server", {}).get("bench"):
        name_of = name_of_record
    drawn = (_drawn(spec, _wanted(spec, tick), number(tick, lane)) for tick, lane in turns)
    return [_named(one, name_of) for one in drawn]


def claimed(
    spec: Json, operation: str, turns: Sequence[tuple[int, int]]
) -> list[tuple[int, int] | None]:
    """Records that a database has to look for, and to write, at each turn: of a request those of
    all sets, of a multi-get its own, of work on a single record one of each at the most.
    """
    if operation == "ycsb":
        return [ASKED[kind_at(spec, *turn)] for turn in turns]
    if spec["role"] != "generator":
        return requested(spec, operation, turns)
    seed = spec["seed"]
    found: list[tuple[int, int] | None] = []
    for tick, lane in turns:
        wanted = _wanted(spec, tick)
        keys, universe = wanted["keys"], wanted["universe"]
        found.append((_of_all_sets(seed, keys, number(tick, lane), universe), 0))
    return found


def kinds(spec: Json, operation: str, turns: Sequence[tuple[int, int]]) -> list[str | None]:
    """The kind of operation at each turn of a YCSB workload; of all else there are no kinds."""
    if operation != "ycsb":
        return [None] * len(turns)
    return [kind_at(spec, tick, lane) for tick, lane in turns]


def _target(spec: Json, tick: int, lane: int) -> tuple[int, int] | None:
    """The one target of a request; None where it has no template."""
    wanted = {**_wanted(spec, tick), "request": number(tick, lane)}
    target: str = wanted.get("http_path", "")
    for name, value in wanted.items():
        target = target.replace(f"{{{name}}}", value if type(value) is str else json.dumps(value))
    return (1, digest([target.encode()])) if target else None


def _found(spec: Json, wanted: Json, multi_get: int) -> int:
    return _there(_drawn(spec, wanted, multi_get))


class _Drawn(NamedTuple):
    """Settings that the keys of a multi-get depend on."""

    seed: int
    chosen: int
    keys: int
    multi_get: int
    universe: int
    repeated: bool

    @property
    def all(self) -> list[int]:
        """Its keys, in order."""
        *settings, repeated = self
        return keys_of(*settings, repeated=repeated)


def _drawn(spec: Json, wanted: Json, multi_get: int) -> _Drawn:
    repeated = wanted["keys_are"] == "repeated"
    settings = (spec["seed"], wanted["set"], wanted["keys"], multi_get, wanted["universe"])
    return _Drawn(*settings, repeated=repeated)


@lru_cache(maxsize=4096)
def _there(drawn: _Drawn) -> int:
    """Count a multi-get's keys that have a record."""
    return sum(exists(drawn.chosen, key) for key in drawn.all)


@lru_cache(maxsize=4096)
def _named(drawn: _Drawn, name_of: NameOf) -> tuple[int, int]:
    """Count a multi-get's different keys, and compute the digest of their names; 0 where nobody
    here knows them.
    """
    different = set(drawn.all)
    names = [name_of(drawn.chosen, key) for key in different]
    return len(different), digest(names) if all(names) else 0


def _name_of_text(chosen: int, key: int) -> bytes:
    """The key of Redis and memcached."""
    return f"wirelab:set_{chosen}:k{key}".encode()


def _name_in_table(_chosen: int, key: int) -> bytes:
    """The key of PostgreSQL, where sets are tables."""
    return f"k{key}".encode()


def name_of_record(chosen: int, key: int) -> bytes:
    """The digest by which Aerospike knows a record; empty where OpenSSL cannot compute it."""
    try:
        hashed = new_hash("ripemd160", usedforsecurity=False)
    except ValueError:
        return b""
    hashed.update(f"set_{chosen}".encode() + TEXT + f"k{key}".encode())
    return hashed.digest()


@lru_cache(maxsize=4096)
def _of_all_sets(seed: int, keys: int, request: int, universe: int) -> int:
    """Count a request's different records, as many as there may be."""
    sets = range(1, SETS + 1)
    return sum(len(set(keys_of(seed, chosen, keys, request, universe))) for chosen in sets)


def _secret(spec: Json) -> bytes:
    return bytes.fromhex(spec.get("secret", ""))


def _wanted(spec: Json, tick: int | None) -> dict[str, Any]:
    """Settings of the step of ``tick``; a preflight asks for the first step's."""
    steps = spec["schedule"].get("steps", [])
    wanted: dict[str, Any] = {"set": 1, "keys": 50, "keys_are": "drawn", "universe": 10_000}
    wanted |= {"lanes": 1} | dict(spec["parameters"])
    for step in steps:
        if tick is None or step["first"] <= tick < step["first"] + step["count"]:
            return wanted | {"lanes": max(1, step["lanes"])} | dict(step.get("parameters", {}))
    return wanted


# --------------------------------------------------------------------------------- responses
def _response(spec: Json, given: Json, answer: Json) -> Iterator[str]:
    body = answer.get("body")
    if answer.get("status") != 200 or not isinstance(body, Mapping):
        yield f"not a response of this suite: {dict(answer)!r:.200}"
        return
    wanted = _wanted(spec, given["tick"] if given["phase"] == "measure" else None)
    request, found = _whole(body.get("request")), _whole(body.get("found"))
    if request is None or not request < MULTI_GETS or found is None:
        yield f"not a response of this suite: {dict(body)!r:.200}"
        return
    if given["phase"] == "measure":
        lane = given.get("lane", given["tick"] % wanted["lanes"])
        due = number(given["tick"], lane)
        if request != due:
            yield f"request {request} was answered instead of {due}"
            return
    seed, keys, universe = spec["seed"], wanted["keys"], wanted["universe"]
    sets = [
        [record(s, key, _secret(spec)) for key in keys_of(seed, s, keys, request, universe)]
        for s in range(1, SETS + 1)
    ]
    there = sum(record is not None for records in sets for record in records)
    if found != there:
        yield f"{found} of {SETS * keys} records found, {there} exist"
        return
    yield from _wrong_columns(body, sets)
    if "scores" in body or wanted.get("model"):
        yield from _wrong_scores(body.get("scores"), sets, request)


def _wrong_columns(body: Json, sets: Sequence[Sequence[Record | None]]) -> Iterator[str]:
    """The sums of each feature over all candidates."""
    rows = [features([records[i] for records in sets]) for i in range(len(sets[0]))]
    expected = [math.fsum(column) for column in zip(*rows, strict=True)]
    said = body.get("columns")
    if not isinstance(said, Sequence) or len(said) != len(expected):
        yield f"the sums of the features are missing: {said!r:.100}"
        return
    for column, (value, right) in enumerate(zip(said, expected, strict=True)):
        if not _close(value, right, 1e-3):
            yield f"feature {column} sums up to {value}, expected {right:.6g}"


def _wrong_scores(
    said: Any, sets: Sequence[Sequence[Record | None]], request: int
) -> Iterator[str]:
    """Three candidates' scores, chosen by the request."""
    candidates = len(sets[0])
    if not isinstance(said, Sequence) or len(said) != candidates:
        yield f"{candidates} scores expected, found {said!r:.100}"
        return
    for i in sorted({mix(request << 8 | n) % candidates for n in range(3)}):
        right = score(features([records[i] for records in sets]))
        if not _close(said[i], right, TOLERANCE):
            yield f"candidate {i} has the score {said[i]}, expected {right:.6f}"


def _close(value: Any, right: float, tolerance: float) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isclose(value, right, rel_tol=tolerance, abs_tol=tolerance)


# -------------------------------------------------------------------------------------- data
def mix(x: int) -> int:
    """The finaliser of splitmix64."""
    z = (x + 0x9E3779B97F4A7C15) & U64
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & U64
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & U64
    return z ^ z >> 31


def number(tick: int, lane: int) -> int:
    """Number of the multi-get (or request) that a lane asks for at a tick."""
    return mix((tick << 16 | lane) & U64) % MULTI_GETS


def keys_of(
    seed: int, chosen: int, keys: int, multi_get: int, universe: int, *, repeated: bool = False
) -> list[int]:
    """The keys of a multi-get, in order."""
    base = mix(mix(seed & U64) ^ (chosen << 48 | keys << 32 | multi_get))
    drawn = [mix((base + i) & U64) % universe for i in range(keys)]
    return drawn[:1] * keys if repeated else drawn


def digest(names: Iterable[bytes]) -> int:
    """One number of different names, as the wire's witness has it: both halves of their hashes
    (FNV-1a) without carries.
    """
    total = 0
    for name in names:
        h = 0xCBF29CE484222325
        for byte in name:
            h = ((h ^ byte) * PRIME) & U64
        total ^= h
    return (total ^ total >> 32) & 0xFFFFFFFF


def exists(chosen: int, key: int) -> bool:
    """Whether there is a record under a key of a set."""
    return 0 < chosen < len(FOUND) and mix(chosen << 32 | key) % 1000 < FOUND[chosen]


@lru_cache(maxsize=1 << 14)
def record(chosen: int, key: int, secret: bytes) -> Record | None:
    """The 13 values under a key of a set; None where there is no record."""
    if not exists(chosen, key):
        return None
    messages = (struct.pack("<IQI", chosen, key, number) for number in range(2))
    digests = b"".join(sha512(secret + message).digest() for message in messages)
    bins = struct.unpack_from(f"<{BINS}Q", digests)
    whole = [value % most for value, most in zip(bins, CARDINALITY, strict=False)]
    return (*whole, *((value >> 11) * UNIT for value in bins[len(CARDINALITY) :]))


def checksum(records: Iterable[Record | None]) -> str:
    """Checksum over every value at its place, as 16 hex digits."""
    total = 0
    for place, values in enumerate(records):
        h = place + 1
        for bits in [ABSENT] * BINS if values is None else map(_bits, values):
            h = (h * PRIME + bits) & U64
        # Odd factors, so that rows in each other's place are another sum.
        total += (2 * place + 1) * h
    return f"{total & U64:016x}"


def _bits(value: float) -> int:
    if isinstance(value, int):
        return value & U64
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


def _whole(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 53 else None


# ----------------------------------------------------------------------- features and model
def features(records: Sequence[Record | None]) -> list[float]:
    """The 13 inputs of a candidate, of whom each of the 9 sets has a record or not."""
    there = [own for own in records if own is not None]
    embedded = [
        own[column] if (own := records[column]) is not None else 0 for column in range(DENSE[0])
    ]
    dense = [
        sum(own[column] for own in there) / len(there) if there else 0.0 for column in range(*DENSE)
    ]
    return [*embedded, *dense]


def score(row: Sequence[float]) -> float:
    """The model's answer for one candidate."""
    dense = _layers(1, BOTTOM, list(row[DENSE[0] :]), last_is_linear=False)
    vectors = [dense]
    for table, index in enumerate(row[: DENSE[0]]):
        rows = CARDINALITY[table]
        base = int(index) * EMBEDDED
        vectors.append([weight(FIRST_TABLE + table, base + i, rows) for i in range(EMBEDDED)])
    pairs = [
        math.fsum(a * b for a, b in zip(vectors[i], vectors[j], strict=True))
        for i in range(len(vectors))
        for j in range(i)
    ]
    logit = _layers(4, TOP, [*dense, *pairs], last_is_linear=True)[0]
    return 1.0 / (1.0 + math.exp(-logit))


def _layers(
    first: int, sizes: Sequence[int], values: list[float], *, last_is_linear: bool
) -> list[float]:
    for layer, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        matrix = _matrix(first + layer, inputs, outputs)
        values = [math.fsum(w * v for w, v in zip(row, values, strict=True)) for row in matrix]
        if not (last_is_linear and layer == len(sizes) - 2):
            values = [max(0.0, value) for value in values]
    return values


@lru_cache(maxsize=16)
def _matrix(tensor: int, inputs: int, outputs: int) -> list[list[float]]:
    return [[weight(tensor, o * inputs + i, inputs) for i in range(inputs)] for o in range(outputs)]


def weight(tensor: int, index: int, fan_in: int) -> float:
    """A weight as float32: uniform within sqrt(6 / fan_in) (He et al. 2015), tables within 0.5."""
    unit = (mix(tensor << 40 | index) >> 11) * UNIT
    bound = 0.5 if tensor >= FIRST_TABLE else math.sqrt(6.0 / fan_in)
    return float(struct.unpack("<f", struct.pack("<f", (2.0 * unit - 1.0) * bound))[0])
