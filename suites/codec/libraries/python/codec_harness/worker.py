"""A worker of the codec suite: what the SDK's batches are of, and the answers beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from codec_harness.codecs import Baseline, Subject
from codec_harness.conformance import Examination
from codec_harness.evolution import Evolution, Versions
from codec_harness.forms import Form
from codec_harness.large import TIMED, Large, LargeStep
from codec_harness.operations import loop_of, names_of
from codec_harness.pools import load_pool
from codec_harness.preflight import write_preflight
from codec_harness.refusals import Refusal, refusals_of
from wirelab_sdk import BatchWorker, Loop, Spec, SpecError, run_batches

_STRINGS = "code-point"


@dataclass(frozen=True, slots=True)
class CodecContender:
    """A library under test.

    ``form`` is how its user holds values; ``subject`` makes what is measured on a shape;
    ``versions`` has the versions of the record of ``evolution``, ``large`` what the scenario
    of that name needs: each for who has that capability.
    """

    library: str
    version: str
    format: str
    form: Form
    subject: Callable[[str], Subject]
    versions: Versions | None = None
    large: Large | None = None


def serve(contender: Callable[[Spec], CodecContender]) -> None:
    """Be a worker of the suite, then end the process. Call it once, as the last thing.

    ``contender`` says which one the spec asks for, or raises SpecError.
    """

    def role(worker: BatchWorker) -> None:
        _Codec(contender(worker.spec), worker).attend()

    run_batches(role)


class _Codec:
    def __init__(self, contender: CodecContender, worker: BatchWorker) -> None:
        self._contender = contender
        self._worker = worker
        operations = worker.spec.operations.values()
        self._asked = {each.name for each in operations if each.record != "batches"}
        others = {"backward", "once"} & self._asked
        shapes = () if others else worker.plan.steps
        self._subjects = {step: contender.subject(step) for step in shapes}
        self._pools = {step: load_pool(step, contender.form) for step in shapes}
        self._refusals: dict[str, list[Refusal]] = {}

    def attend(self) -> None:
        """From ``ready`` to the last loop."""
        some = next(iter(self._subjects.values()), None)
        timed = TIMED if "once" in self._asked else ()
        facts = {
            "format": self._contender.format,
            "strings": _STRINGS,
            "operations": list(timed) if some is None else names_of(some),
        }
        self._worker.ready(self._contender.library, self._contender.version, facts)
        self._worker.follow(self._loop_of, self._answer)

    def _loop_of(self, step: str, operation: str) -> Loop | None:
        if "once" in self._asked:
            return self._large(step).loop(operation)
        subject, pool = self._subjects[step], self._pools[step]
        if operation not in names_of(subject):
            return None
        return loop_of(operation, subject, pool, self._refusals.get(step, ()))

    def _answer(self, step: str) -> None:
        if "backward" in self._asked:
            versions = self._contender.versions
            if versions is None:
                raise SpecError(f"{self._contender.library} has no versions of the record")
            Evolution.of(step, versions, self._worker.answers).answer()
            return
        if "once" in self._asked:
            self._large(step).answer(self._worker.answers)
            return
        subject, pool = self._subjects[step], self._pools[step]
        if isinstance(subject, Baseline):
            return
        neutral, answers = self._contender.form.neutral, self._worker.answers
        encodings = write_preflight(subject, pool, neutral, answers)
        if self._worker.plan.count and not self._worker.plan.iterations:
            self._refusals[step] = refusals_of(subject.decode, encodings)
        examined = Examination(subject, pool, self._contender.format, neutral, answers)
        if "read" in self._asked:
            examined.read(self._worker.spec.inputs)
        if "truncate" in self._asked:
            examined.truncate()
        if "reject" in self._asked:
            examined.reject()

    def _large(self, step: str) -> LargeStep:
        contender = self._contender
        records = contender.subject("telemetry")
        if contender.large is None or isinstance(records, Baseline):
            raise SpecError(f"{contender.library} has nothing for large messages")
        return LargeStep(step, contender.large, records, contender.form)
