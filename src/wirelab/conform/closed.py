"""A closed loop: what was said of its steps, and what every lane and user recorded in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .contract import Json
from .lanes import is_closed, multiples, turns_of
from .samples import SampleRecord
from .trial import CheckedTrial
from .verdict import Check, verdict


@dataclass(frozen=True)
class EndedStep:
    """A step that was told of; times on CLOCK_MONOTONIC. It settles from ``since_ns`` on."""

    step: Json
    users_before: int
    since_ns: int
    begin_ns: int
    end_ns: int


def ended_steps(trial: CheckedTrial) -> list[EndedStep]:
    """The steps that were told of, up to the first that is not the next one."""
    found: list[EndedStep] = []
    since_ns, users = trial.start_ns, 0
    for step, event in zip(trial.spec["schedule"]["steps"], _said(trial), strict=False):
        if event["name"] != step["name"]:
            break
        found.append(EndedStep(step, users, since_ns, event["begin_ns"], event["end_ns"]))
        since_ns, users = event["end_ns"], step["users"]
    return found


def _said(trial: CheckedTrial) -> list[Json]:
    return [event for _, event in trial.process.events if event["event"] == "step"]


def check_steps(trial: CheckedTrial, name: str = "steps", whole: bool = True) -> Check:
    """A `step` event of every step in their order, each after the last; `whole`: up to the last."""
    if not is_closed(trial.spec["schedule"]):
        if said := len(_said(trial)):
            what = f"{said} steps were told of, though no lane waits for its results"
            return Check(name, "fail", what)
        return Check(name, "n/a", "no lane waits for its results")
    wanted = [step["name"] for step in trial.spec["schedule"]["steps"]]
    names = [event["name"] for event in _said(trial)]
    findings = []
    if names != wanted[: len(names)]:
        findings.append(f"told of {', '.join(names)}; the steps are {', '.join(wanted)}")
    elif whole and len(names) < len(wanted):
        findings.append(f"never told of {', '.join(wanted[len(names) :])}")
    for ended in ended_steps(trial):
        if ended.begin_ns >= ended.end_ns:
            findings.append(f"{ended.step['name']} ends before it begins")
        if ended.begin_ns < ended.since_ns:
            findings.append(f"{ended.step['name']} begins before tick 0 or the end of the last one")
        if ended.end_ns > trial.ended_ns:
            findings.append(f"{ended.step['name']} ends after the worker did: not CLOCK_MONOTONIC")
    return verdict(name, findings, f"{len(names)} steps, each after the last")


def check_turns(
    trial: CheckedTrial, records: Sequence[SampleRecord], name: str, whole: bool
) -> Check:
    """As many turns of every lane and user in each step as it asks for, and none elsewhere."""
    ended = ended_steps(trial)
    findings = []
    moved = sum(record.intended_ns != record.start_ns for record in records)
    if moved:
        findings.append(f"{moved} records were not intended when they started")
    for operation, entry in trial.spec["operations"].items():
        if entry["record"] == "samples":
            own = [record for record in records if record.op == entry["code"]]
            said = [what for step in ended for what in _astray(own, entry, step)]
            said += _beyond(trial, own, entry, ended, whole)
            findings += [f"{operation}: {what}" for what in said]
    return verdict(name, findings, f"{len(records)} turns of lanes in {len(ended)} steps")


def _astray(records: Sequence[SampleRecord], entry: Json, ended: EndedStep) -> Iterator[str]:
    """Find what is wrong with an operation's records in one step."""
    settling = [r for r in records if ended.since_ns <= r.start_ns < ended.begin_ns]
    counting = [r for r in records if ended.begin_ns <= r.start_ns < ended.end_ns]
    name = ended.step["name"]
    if late := sum(record.end_ns > ended.begin_ns for record in settling):
        yield f"{late} operations that began before step {name} ended in it"
    if late := sum(record.end_ns > ended.end_ns for record in counting):
        yield f"{late} operations of step {name} ended after it"
    before, within = _due(entry, ended.step, ended.users_before)
    yield from _other_than(before, settling, f"before {name} began")
    yield from _other_than(within, counting, f"in {name}")


def _other_than(
    due: Mapping[int, int], records: Sequence[SampleRecord], where: str
) -> Iterator[str]:
    """Lanes that have more or fewer records than they are due."""
    done = Counter(record.lane for record in records)
    wrong = [lane for lane in sorted(due.keys() | done.keys()) if done[lane] != due.get(lane, 0)]
    if wrong:
        lane = wrong[0]
        others = f" (and {len(wrong) - 1} lanes more)" if len(wrong) > 1 else ""
        yield f"lane {lane}: {done[lane]} of {due.get(lane, 0)} {where}{others}"


def _due(entry: Json, step: Json, users_before: int) -> tuple[dict[int, int], dict[int, int]]:
    """Count how often each lane is due before the step begins, and in it."""
    if entry["due"] == "join":
        return dict.fromkeys(range(users_before, step["users"]), 1), {}
    if entry["due"] == "step":
        return {}, dict.fromkeys(range(step["users"]), 1)
    first, begin, end = step["first"], step["first"] + step["settle"], step["first"] + step["count"]
    lanes = range(step["lanes"])
    found = (multiples(first, begin, entry["every"]), multiples(begin, end, entry["every"]))
    before, within = (dict.fromkeys(lanes, turns) if turns else {} for turns in found)
    return before, within


def _beyond(
    trial: CheckedTrial,
    records: Sequence[SampleRecord],
    entry: Json,
    ended: Sequence[EndedStep],
    whole: bool,
) -> Iterator[str]:
    """Records after the last step that was told of: those of a step that was cut short, or none."""
    since_ns = ended[-1].end_ns if ended else trial.start_ns
    done = Counter(record.lane for record in records if record.start_ns >= since_ns)
    if whole and len(ended) == len(trial.spec["schedule"]["steps"]):
        if done:
            yield f"{done.total()} after the last step"
        return
    users = ended[-1].step["users"] if ended else 0
    most = Counter[int]()
    for step in trial.spec["schedule"]["steps"][len(ended) :]:
        for due in _due(entry, step, users):
            most.update(due)
        users = step["users"]
    if strange := sorted(lane for lane, count in done.items() if count > most[lane]):
        lane = strange[0]
        yield f"lane {lane}: {done[lane]} where {most[lane]} at most are due"


def statuses(
    trial: CheckedTrial, records: Sequence[SampleRecord], entry: Json
) -> dict[tuple[int, int], int]:
    """Status of an operation by tick and lane: the turns of a lane are its ticks in their order."""
    lanes: dict[int, list[SampleRecord]] = {}
    for record in records:
        if record.op == entry["code"]:
            lanes.setdefault(record.lane, []).append(record)
    return {
        (tick, lane): record.status
        for lane, own in lanes.items()
        for tick, record in zip(
            turns_of(trial.spec["schedule"], entry["every"], lane),
            sorted(own, key=lambda record: record.start_ns),
            strict=False,
        )
    }
