"""A suite's rules of right and wrong, in a process of their own: ``rules_main FILE``.

Reads a request a line and writes a reply a line, both JSON; ends with its input. What it reads was
written by contenders, so it has bounds of memory and of processor time.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import traceback
from pathlib import Path
from typing import Any

from wirelab.suite_parts import load_part
from wirelab.trial.answers import in_form, read_answers
from wirelab.trial.failure import TrialError
from wirelab.words.printable import all_printable

OF_TURNS = ("sizes", "requested", "claimed", "at_most", "kinds")
"""Rules that say one thing of each turn of an operation."""

NAMES = ("verify", "judge", *OF_TURNS)

MOST_FINDINGS = 20

MOST_MEMORY_BYTES = 4 << 30
MOST_PROCESSOR_S = 300
"""Both far above what the suites here need (0.2 GB, 3 s), and below what a machine misses."""

Json = dict[str, Any]


def main(file: str) -> None:
    """Serve requests about the rules in ``file`` until there are no more."""
    # What a suite prints is no reply.
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    _bound(resource.RLIMIT_AS, MOST_MEMORY_BYTES)
    _bound(resource.RLIMIT_CPU, MOST_PROCESSOR_S)
    path = Path(file)
    rules: Any = None
    for line in sys.stdin.buffer:
        try:
            rules = rules or load_part(f"wirelab_suite_{path.parent.name}", path)
            reply = _reply(rules, path.parent, json.loads(line))
        except TrialError as error:
            reply = {"reason": error.reason, "detail": error.detail}
        except Exception as error:  # whatever a suite's code does ends one trial, and is said
            reply = {"reason": "rules-failed", "detail": _said(error, path.parent)}
        replies.write(_line(reply))
        replies.flush()


def _bound(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


def _reply(rules: Any, suite: Path, request: Json) -> Json:
    match request:
        case {"call": "names"}:
            names = [name for name in NAMES if callable(getattr(rules, name, None))]
            return {"result": names, "files": _files(suite)}
        case {"call": "verify", "spec": spec, "facts": facts, "due": due, "role": role}:
            given = read_answers(Path(spec["paths"]["answers"]), role)
            if len(given) < due:
                wrong = [f"{len(given)} of {due} answers asked for were written"]
                return {"count": len(given), "result": wrong, "asked": []}
            is_asked = "ticks" not in spec["verify"]
            formed, findings = in_form(given, asked=is_asked)
            answers = [one for one in formed if not is_asked or "none" not in one]
            wrong = rules.verify(spec, facts, answers)
            if findings:
                wrong = [*findings[:MOST_FINDINGS], *wrong]
            measured = [one for one in formed if is_asked and one["phase"] != "preflight"]
            asked = [_without_answer(one) for one in measured]
            return {"count": len(answers), "result": wrong, "asked": asked}
        case {"call": "judge", "spec": spec, "facts": facts, "batches": batches, "role": role}:
            given = read_answers(Path(spec["paths"]["answers"]), role)
            return {"count": len(given), "result": rules.judge(spec, facts, given, batches)}
        case {"call": name, "spec": spec, "operation": op, "turns": turns} if name in OF_TURNS:
            rule = getattr(rules, name)
            return {"result": rule(spec, op, [(tick, lane) for tick, lane in turns])}
    raise ValueError(f"no such request: {request.get('call')}")


def _files(suite: Path) -> list[str]:
    """The files of the suite that its rules were loaded from."""
    named = [getattr(module, "__file__", None) or "" for module in [*sys.modules.values()]]
    return sorted({name for name in named if Path(name).is_relative_to(suite)})


def _without_answer(line: Json) -> Json:
    """The part that the core holds against its askings and the records."""
    keys: tuple[str, ...] = ("asked", "lane", "phase", "operation", "none")
    if "none" not in line:  # of a line that gives no answer, nothing else has a form
        keys = ("asked", "lane", "operation", "tick", "start_ns", "end_ns", "pause")
    return {key: line[key] for key in keys}


def _said(error: Exception, suite: Path) -> str:
    """The exception with the line of the suite's that it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(suite)]
    where = f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {str(error)[:1000]}{where}"


def _line(reply: Json) -> str:
    try:
        return json.dumps(all_printable(reply)) + "\n"
    except (TypeError, ValueError, RecursionError) as error:
        detail = f"what it returned cannot be passed on: {error}"
        return json.dumps({"reason": "rules-failed", "detail": detail[:1000]}) + "\n"


if __name__ == "__main__":
    main(sys.argv[1])
