"""A variant in which calls are to fail: whether they did, as the worker records it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .contract import ITEM_ERROR, OK
from .samples import read_samples
from .trial import CheckedTrial
from .verdict import Check, verdict

_NAME = "expected"


def check_expected(trial: CheckedTrial) -> Check:
    """No call is recorded as one that went well, where it cannot have.

    That is so where an item of each call fails, and where nobody is there to answer. Whether a
    call as a whole fails is the library's matter everywhere else.
    """
    worker = trial.worker
    if not worker.is_to_fail:
        return Check(_NAME, "n/a", "no call is to fail")
    records = read_samples(trial)[0]
    if not records:
        return Check(_NAME, "n/a", "no records")
    well = Counter(record.op for record in records if record.status == OK)
    if worker.expects == "call-error" and not worker.killed and well:
        what = f"{well.total()} of {len(records)} calls went well, though {_setting(trial)} is to"
        told = "whether the worker heeded it, the answers alone can tell"
        return Check(_NAME, "n/a", f"{what} make them fail: {told}")
    all_of = Counter(record.op for record in records)
    names = {entry["code"]: name for name, entry in worker.operations.items()}
    findings = [
        f"{well[op]} of {all_of[op]} records of {name} are ok, {'; '.join(_why(trial))}"
        for op, name in names.items()
        if well[op]
    ]
    return verdict(_NAME, findings, f"none of {len(records)} calls is recorded as ok")


def _why(trial: CheckedTrial) -> Iterator[str]:
    worker = trial.worker
    if worker.killed:
        gone = ", ".join(sorted(worker.killed))
        yield f"though {gone} was killed before: record how a call ended that nobody answered"
        return
    yield f"though with {_setting(trial)} an item of each call fails"
    yield f"do what this asks for, and record item-error ({ITEM_ERROR}) where an item is not good"


def _setting(trial: CheckedTrial) -> str:
    """The variant by the parameters that it sets."""
    worker = trial.worker
    said = [f"{name} = {worker.parameters[name]!r}" for name in worker.set_by_variant]
    return ", ".join(said) or f"the variant {worker.variant}"
