"""The workers to check, from the document that ``wl conform --write`` makes of a contender."""

from __future__ import annotations

import importlib
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from .contract import SECOND, Json
from .worker import CannotCheckError, CheckedWorker

FORMAT = 1
"""Format of the document."""

_LONGEST_PERIOD_NS = SECOND // 10
"""No check waits for longer ticks; in a closed loop it is a bound, and nobody waits for it."""

_MOST_USERS = 120
"""The contract is the same for a few users as for thousands."""

_MOST_IN_A_LOOP = 40
"""In a closed loop everybody may wait for everybody: the work grows with the square of users."""


def read(path: Path) -> Json:
    """The document in a file; CannotCheckError where it is none."""
    try:
        document: Json = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CannotCheckError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise CannotCheckError(
            f"{path} is no JSON: {error}; make a document by ./wl conform --write FILE"
        ) from error
    said = document.get("format") if isinstance(document, dict) else None
    if said != FORMAT:
        raise CannotCheckError(
            f"{path} is no document of format {FORMAT}: make one by ./wl conform --write FILE"
        )
    return document


def workers(document: Json) -> list[CheckedWorker]:
    """A worker for each role that is to be checked; the roles before it are its partners.

    In further variants it is the measured role alone that is checked.
    """
    found = list(_workers(document, whole=True))
    for further in document.get("further", ()):
        found += [one for one in _workers({**document, **further}, whole=False) if one.measured]
    return found


def _workers(document: Json, *, whole: bool) -> Iterator[CheckedWorker]:
    rules = _rules(document["rules"])
    steps = tuple(_scaled(document["steps"], document["loop"]))
    bound = document["loop"] == "closed" and steps
    # What a service does at ticks may not fit into shorter ones.
    kept = bound or any(role.get("hears_start", False) for role in document["roles"])
    period_ns = document["period_ns"]
    partners: list[CheckedWorker] = []
    for role in document["roles"]:
        worker = CheckedWorker(
            command=role["command"],
            environment=role["environment"],
            role=role["role"],
            measured=role["measured"],
            generates=role.get("generates", False),
            hears_start=role.get("hears_start", False),
            partners=tuple(partners),
            suite=document["suite"],
            scenario=document["scenario"],
            variant=document["variant"],
            contender=document["contender"],
            parameters=document["parameters"],
            operations=document["operations"],
            statuses=frozenset(document["statuses"]),
            cycle=document["cycle"],
            loop=document["loop"],
            steps=steps,
            loops=tuple(document["repeated"]),
            period_ns=period_ns if kept else min(period_ns, _LONGEST_PERIOD_NS),
            ready_ns=document["ready_ns"],
            operation_ns=document["operation_ns"],
            stop_ns=document["stop_ns"],
            killed=frozenset(document["killed"]),
            left_out=tuple(document["not_played"]),
            expects=document.get("expects", ""),
            set_by_variant=tuple(document.get("set_by_variant", ())),
            whole=whole,
            verify=getattr(rules, "verify", None),
            judge=getattr(rules, "judge", None),
        )
        partners.append(worker)
        if role["checked"]:
            yield worker


def _scaled(steps: list[Json], loop: str) -> list[Json]:
    """Steps with few users, in the same proportions."""
    most = _MOST_IN_A_LOOP if loop == "closed" else _MOST_USERS
    scale = max(1.0, max((step["users"] for step in steps), default=0) / most)
    small = ("users", "lanes")
    return [step | {key: math.ceil(step[key] / scale) for key in small} for step in steps]


def _rules(path: str) -> ModuleType | None:
    """The suite's ``verify.py``, loaded so that it can import its parts beside it."""
    if not path:
        return None
    file = Path(path)
    package = f"conform_rules_{file.parent.name}"
    folder = ModuleType(package)
    folder.__path__ = [str(file.parent)]
    sys.modules[package] = folder
    try:
        return importlib.import_module(f"{package}.{file.stem}")
    except ImportError as error:
        raise CannotCheckError(f"{path} needs what is not installed here: {error}") from error
