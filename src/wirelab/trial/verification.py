"""Verification of a trial: what the suite's rules find in what its measured role left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedTrial
from wirelab.model.span import Span
from wirelab.model.trial import Judged, RoleRecord, Sized
from wirelab.samples import batches
from wirelab.samples.kinds import KindColumns
from wirelab.trial import kinds, requested, sizes
from wirelab.trial.askings import SentAsking
from wirelab.trial.failure import TrialError
from wirelab.trial.given import Given, RecordedLanes
from wirelab.trial.load import TrialLoad
from wirelab.trial.rules import RulesProcess
from wirelab.trial.setup import TrialSetup
from wirelab.trial.turns import KeptRecords, TurnRule, Turns
from wirelab.witness.rows import Columns

Json = dict[str, Any]
Checked = TypeVar("Checked")

_Number = Annotated[int, Field(ge=0, lt=2**32)]

_WRONG = TypeAdapter(list[str])
_JUDGED = TypeAdapter(dict[str, Judged])
_SIZES = TypeAdapter(list[Annotated[int, Field(gt=-(2**63), lt=2**63)] | None])
_ASKED = TypeAdapter(list[tuple[_Number, _Number] | None])
_KINDS = TypeAdapter(list[str | None])
MOST_WRONG = 100
LONGEST_WRONG = 2000
"""Findings of a verifier that are kept, and characters of each: they have a contender's words."""


class Verification:
    """Asks the suite's rules about one trial, and keeps what they say."""

    def __init__(self, planned: PlannedTrial, setup: TrialSetup, load: TrialLoad) -> None:
        self.wrong: list[str] = []
        self.verified = 0
        """Answers that were looked at."""
        self.pauses: list[Span] = []
        """The pauses for putting answers that were asked for into words, by its worker's clock."""
        self.answering: dict[str, list[int]] = {}
        """By operation: ns that each of these answers took."""
        self.judged: dict[str, Judged] = {}
        self.sized: dict[str, Sized] = {}
        self._planned = planned
        self._scenario = setup.scenario
        self._role = setup.scenario.measured_role
        self._load = load
        self._rules = RulesProcess(setup.rules)

    def stop(self) -> None:
        """End the process of the rules."""
        self._rules.stop()

    def before(self, specs: Mapping[str, Json], facts: Mapping[str, Any]) -> None:
        """Verify the preflight of each process of the role; TrialError where an answer is wrong."""
        for name, spec in specs.items():
            self._verify({name: spec}, facts, _due_before(spec))
            if self.wrong:
                raise TrialError("wrong-answer", self.wrong[0], name)

    def asked(
        self,
        specs: Mapping[str, Json],
        facts: Mapping[str, Any],
        askings: Sequence[SentAsking],
        kept: Path,
    ) -> None:
        """Verify all answers, and hold those that were asked for against the records ``kept``."""
        lines = self._verify(specs, facts, _due_before(next(iter(specs.values()))))
        if not self._can_verify or self.wrong:
            return
        operations = {name: self._scenario.operations[name] for name in self._planned.operations}
        given = [line for line in lines if "pause" in line]
        self.pauses = [tuple(line["pause"]) for line in given]
        for line in given:
            begin_ns, end_ns = line["pause"]
            self.answering.setdefault(line["operation"], []).append(end_ns - begin_ns)
        held = Given(askings, RecordedLanes(kept, operations), self._load.asked_within_ns)
        self._keep(held.findings(lines))

    def told(
        self,
        specs: Mapping[str, Json],
        facts: Mapping[str, Any],
        *,
        excused: int,
        stopped_early: bool,
    ) -> None:
        """Verify all answers of a generator, which is one process; ``excused`` of those to be
        written failed, or never began.
        """
        [spec] = specs.values()
        due = _due_before(spec)
        if not stopped_early:
            due += sum(len(ticks) for ticks in spec["verify"]["ticks"].values()) - excused
        self._verify(specs, facts, due)

    def judge(self, spec: Json, record: RoleRecord) -> None:
        """Ask the suite's judge about the batches of a trial that has some."""
        if not self._load.is_judged or not self._rules.has("judge"):
            return
        path = Path(spec["paths"]["batches"])
        timed = [line.model_dump(by_alias=True, exclude_none=True) for line in batches.read(path)]
        if record.done["batches"] != len(timed):
            said = f"done reports {record.done['batches']} batches"
            raise TrialError("record-count", f"{said}, {path.name} holds {len(timed)}", self._role)
        reply = self._rules.ask(
            "judge", spec=spec, facts=record.ready.get("facts", {}), batches=timed, role=self._role
        )
        self.judged = _checked(_JUDGED, reply["result"])
        self.verified = reply["count"]

    def compare_sizes(self, spec: Json, kept: KeptRecords) -> None:
        """Hold the sizes of a load's good records against those that the suite's data ask for.

        Where faults are looked at, an answer may be a part of one.
        """
        if not self._rules.has("sizes") or not self._scenario.measures_load:
            return
        self.sized = sizes.compare(
            self._rule_of_turns("sizes", _SIZES),
            spec,
            self._load,
            self._operations,
            kept,
        )

    def requested(self, spec: Json, kept: KeptRecords) -> Columns | None:
        """Ask for how many items each operation asks for at least; None where the suite does not
        know, or nobody compares.
        """
        return self._items("requested", spec, kept)

    def claimed(self, spec: Json, kept: KeptRecords) -> Columns | None:
        """The same of what a service has to serve for it, where that is something else."""
        rule = "claimed" if self._rules.has("claimed") else "requested"
        return self._items(rule, spec, kept)

    def at_most(self, spec: Json, kept: KeptRecords) -> Columns | None:
        """Ask for how many items each operation may ask for at the most."""
        return self._items("at_most", spec, kept)

    def _items(self, rule: str, spec: Json, kept: KeptRecords) -> Columns | None:
        compared = any(one.wire or one.ledger for one in self._scenario.operations.values())
        if not self._rules.has(rule) or not compared:
            return None
        return requested.requested(
            self._rule_of_turns(rule, _ASKED),
            spec,
            self._load,
            self._operations,
            kept,
        )

    def kinds(self, spec: Json, kept: KeptRecords) -> KindColumns | None:
        """Ask of which kind each good operation was; None where none has kinds."""
        divided = any(operation.kinds for operation in self._operations.values())
        if not divided or not self._rules.has("kinds") or not self._scenario.measures_load:
            return None
        return kinds.kinds(
            self._rule_of_turns("kinds", _KINDS),
            spec,
            self._load,
            self._operations,
            kept,
        )

    @property
    def _operations(self) -> dict[str, Operation]:
        return {name: self._scenario.operations[name] for name in self._planned.operations}

    def _verify(self, specs: Mapping[str, Json], facts: Mapping[str, Any], due: int) -> list[Json]:
        """Ask the suite about all answers, of which ``due`` are of each process at least; returns
        what stands beside those that were asked for.
        """
        if not self._can_verify:
            return []
        verified, lines = 0, []
        for number, (name, spec) in enumerate(specs.items()):
            reply = self._rules.ask("verify", spec=spec, facts=facts, due=due, role=name)
            wrong = _checked(_WRONG, reply["result"])
            self._keep([f"{name}: {one}" for one in wrong] if len(specs) > 1 else wrong)
            verified += reply["count"]
            # To the core a process of several is the lane of its number.
            lines += [{**line, "lane": line["lane"] + number} for line in reply["asked"]]
        self.verified = verified
        return lines

    @property
    def _can_verify(self) -> bool:
        return self._rules.has("verify") and not self._load.is_judged

    def _keep(self, wrong: Sequence[str]) -> None:
        self.wrong = [one[:LONGEST_WRONG] for one in wrong[:MOST_WRONG]]

    def _rule_of_turns(
        self, name: str, form: TypeAdapter[list[Checked | None]]
    ) -> TurnRule[Checked]:
        """A rule that says one thing of each turn of an operation."""

        def rule(spec: Json, operation: str, turns: Turns) -> list[Checked | None]:
            reply = self._rules.ask(name, spec=spec, operation=operation, turns=turns)
            said = _checked(form, reply["result"])
            if len(said) != len(turns):
                raise TrialError("rules-failed", f"{name} of the suite: not one for each turn")
            return said

        return rule


def _due_before(spec: Json) -> int:
    return sum(spec["verify"]["preflight"].values())


def _checked(adapter: TypeAdapter[Checked], result: Any) -> Checked:
    """Check the form of what a rule returned; TrialError where it is wrong."""
    try:
        return adapter.validate_python(result)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        said = f"the suite's verifier returned what cannot be read: {where} {first['msg']}"
        raise TrialError("rules-failed", said) from None
