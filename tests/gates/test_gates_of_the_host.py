"""steal, noisy-neighbour, resource-sanity, harness-cost, free-syncs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gates_support import Judge, spoken

from synthetic import Client, SyntheticRun, Trial, load_run, spoil
from wirelab.model.parts import Mode, RoleLimits, Variant
from wirelab.model.result import Verdict
from wirelab.model.units import Text


def environment(**changes: Any) -> Callable[[Trial], None]:
    def change(trial: Trial) -> None:
        trial.record["environment"] |= changes

    return change


@pytest.mark.parametrize(
    ("ratio", "verdict"), [(0.005, None), (0.02, Verdict.WARN), (0.06, Verdict.INVALID)]
)
def test_steal(run: SyntheticRun, judge: Judge, ratio: float, verdict: Verdict | None) -> None:
    found = spoken(judge(spoil(run, "swift", environment(steal_ratio=ratio)))).get("steal")
    assert (found and found.verdict) == verdict
    if found:
        assert found.evidence["worst"] == ratio


def test_a_host_that_was_not_observed_is_said(run: SyntheticRun, judge: Judge) -> None:
    def change(trial: Trial) -> None:
        trial.record["environment"] = None

    found = spoken(judge(spoil(run, "swift", change)))["steal"]
    assert found.verdict is Verdict.WARN
    assert len(found.evidence["not_recorded"]) == 2


@pytest.mark.parametrize(
    ("changes", "sign"),
    [
        ({"foreign_cpu": 0.3}, "foreign_cores"),
        ({"psi_cpu": 0.4}, "pressure"),
        ({"foreign_cpu": 0.04, "psi_cpu": 0.09}, None),
        ({"psi_cpu": None}, None),
    ],
)
def test_noisy_neighbour(
    run: SyntheticRun, judge: Judge, changes: dict[str, Any], sign: str | None
) -> None:
    found = spoken(judge(spoil(run, "swift", environment(**changes)))).get("noisy-neighbour")
    assert (found is not None) == (sign is not None)
    if found:
        assert found.verdict is Verdict.WARN
        assert {sign in signs for signs in found.evidence["trials"].values()} == {True}


def test_who_waits_for_its_own_share_of_a_processor_has_no_neighbour(
    run: SyntheticRun, judge: Judge
) -> None:
    limits = {"client": RoleLimits(processor=0.1)}
    little = Variant(title=Text(en="little"), limits=limits)
    spoiled = spoil(run, "swift", environment(psi_cpu=0.9))
    assert "noisy-neighbour" in spoken(judge(spoiled))
    alone = of_variant(spoiled, little)
    assert "noisy-neighbour" not in spoken(judge(alone))
    busy = spoil(alone, "swift", environment(foreign_cpu=0.3))
    signs = spoken(judge(busy))["noisy-neighbour"].evidence["trials"].values()
    assert [sorted(of) for of in signs] == [["foreign_cores"]] * 2


def of_variant(run: SyntheticRun, variant: Variant) -> SyntheticRun:
    """The run with every trial of it of a variant."""
    name, scenario = next(iter(run.run.scenarios.items()))
    scenario = scenario.model_copy(update={"variants": {"little": variant}})
    for trial in run.trials:
        trial.planned = trial.planned.model_copy(update={"variant": "little"})
    plan = [trial.planned for trial in run.trials]
    run.run = run.run.model_copy(update={"scenarios": {name: scenario}, "plan": plan})
    return run


def test_who_waits_for_itself_has_no_neighbour_where_it_is_known_what_others_ran(
    run: SyntheticRun, judge: Judge
) -> None:
    spoil(run, "swift", environment(psi_cpu=0.9))
    assert "noisy-neighbour" in spoken(judge(run))
    for trial in run.trials:
        trial.record["disturbed"] = 0.0
    assert "noisy-neighbour" not in spoken(judge(run))


@pytest.mark.parametrize(
    ("factor", "verdict"),
    [(1.03, None), (1.2, Verdict.VALID), (0.8, Verdict.VALID), (1.3, Verdict.WARN)],
)
def test_a_processor_that_changed_its_speed(
    run: SyntheticRun, judge: Judge, factor: float, verdict: Verdict | None
) -> None:
    trial = run.trial("swift", 1)
    trial.record["environment"]["canary_ns"] = round(10_000_000 * factor)
    found = spoken(judge(run)).get("noisy-neighbour")
    assert (found and found.verdict) == verdict
    if found:
        assert found.evidence["trials"] == {
            trial.planned.id: {"canary_change": pytest.approx(factor - 1)}
        }


@pytest.mark.parametrize(("factor", "fires"), [(1.03, False), (1.2, True), (0.8, False)])
def test_where_most_trials_are_noisy_the_quietest_is_not_accused(
    run: SyntheticRun, judge: Judge, factor: float, fires: bool
) -> None:
    """The median is then that of the neighbour."""
    host = {**run.run.disclosure.host, "canary_fastest_ns": 8_000_000}
    disclosure = run.run.disclosure.model_copy(update={"host": host})
    run.run = run.run.model_copy(update={"disclosure": disclosure})
    counted = [trial for trial in run.of("swift") if trial.planned.included]
    for trial in counted:
        trial.record["environment"]["canary_ns"] = 11_000_000
    counted[0].record["environment"]["canary_ns"] = round(8_000_000 * factor)
    found = spoken(judge(run))["noisy-neighbour"]
    noisy = {trial.planned.id for trial in counted[0 if fires else 1 :]}
    assert set(found.evidence["trials"]) == noisy
    assert len(counted) > 1


def socket_of_another(trial: Trial) -> None:
    trial.record["roles"]["server"]["owns_socket"] = False


def nobody_there(trial: Trial) -> None:
    trial.probe["client"]["processes"][:] = 0


def not_probed(trial: Trial) -> None:
    del trial.probe["client"]


def impossible_cpu(trial: Trial) -> None:
    trial.probe["client"]["cpu_ns"] *= 100


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (socket_of_another, "server.socket"),
        (nobody_there, "probe"),
        (not_probed, "probe"),
        (impossible_cpu, "cpu_cores"),
    ],
)
def test_resource_sanity(
    run: SyntheticRun, judge: Judge, change: Callable[[Trial], None], key: str
) -> None:
    found = spoken(judge(spoil(run, "swift", change)))["resource-sanity"]
    assert found.verdict is Verdict.WARN
    assert {key in wrong for wrong in found.evidence["trials"].values()} == {True}


@pytest.mark.parametrize(
    ("kind", "fires"), [("used", True), ("anonymous pages, an upper bound", False)]
)
def test_a_heap_larger_than_the_process(judge: Judge, kind: str, fires: bool) -> None:
    run = load_run({"swift": Client(rss_mb=30, growth_mb=0, heap_mb=90, heap_kind=kind)})
    cell = judge(run)
    assert ("resource-sanity" in spoken(cell)) == fires
    (remark,) = (finding for finding in cell.findings if finding.gate == "heap-kind")
    assert remark.evidence == {"kinds": [kind]}
    assert remark.verdict is Verdict.VALID


@pytest.mark.parametrize(
    ("times", "worst", "verdict"), [(5, 0.02, Verdict.VALID), (20, 0.08, Verdict.WARN)]
)
def test_harness_cost(
    run: SyntheticRun, judge: Judge, times: int, worst: float, verdict: Verdict
) -> None:
    def change(trial: Trial) -> None:
        trial.probe["core"]["cpu_ns"] *= times

    cell = judge(spoil(run, "swift", change))
    found = spoken(cell)["harness-cost"]
    assert found.verdict is verdict
    assert found.evidence["worst"] == pytest.approx(worst, rel=0.1)
    assert cell.verdict is verdict


def test_a_role_that_could_not_be_pinned_is_said(run: SyntheticRun, judge: Judge) -> None:
    def change(trial: Trial) -> None:
        trial.record["roles"]["client"]["pin_refused"] = "processors 1: not permitted"

    found = spoken(judge(spoil(run, "swift", change)))["not-pinned"]
    assert found.verdict is Verdict.VALID
    assert "not-pinned" not in spoken(judge(load_run({"swift": Client()})))


def lies_on(kind: str, *, syncs_nothing: bool) -> Callable[[Trial], None]:
    def change(trial: Trial) -> None:
        trial.record["file_system"] = {"type": kind, "syncs_nothing": syncs_nothing}

    return change


def kept_and_not(*, waits_for_disk: bool) -> SyntheticRun:
    """A run of one contender, whose mode waits for a disk or not."""
    found = load_run({"swift": Client(mode="kept")})
    title = Text(en="kept")
    found.run.modes["kept"] = Mode(title=title, meaning=title, waits_for_disk=waits_for_disk)
    return found


def test_whoever_waits_for_a_disk_that_is_memory_is_warned(judge: Judge) -> None:
    run = spoil(kept_and_not(waits_for_disk=True), "swift", lies_on("tmpfs", syncs_nothing=True))
    found = spoken(judge(run))["free-syncs"]
    assert found.verdict is Verdict.WARN
    assert set(found.evidence["file_systems"].values()) == {"tmpfs"}
    assert len(found.trials) == 2


@pytest.mark.parametrize(("waits_for_disk", "kind"), [(True, "ext4"), (False, "tmpfs"), (True, "")])
def test_a_real_disk_or_one_that_nobody_waits_for_is_no_matter(
    judge: Judge, kind: str, *, waits_for_disk: bool
) -> None:
    """Without a name nothing was recorded."""
    run = kept_and_not(waits_for_disk=waits_for_disk)
    if kind:
        spoil(run, "swift", lies_on(kind, syncs_nothing=kind == "tmpfs"))
    assert "free-syncs" not in spoken(judge(run))


def seen_until(share: float) -> Callable[[Trial], None]:
    """A monitor that ends when so much of the trial has passed."""

    def change(trial: Trial) -> None:
        trial.record["monitor_failure"] = "the monitor ended with signal 9"
        for role, rows in trial.probe.items():
            kept = int(len(rows["monotonic_ns"]) * share)
            trial.probe[role] = {name: column[:kept] for name, column in rows.items()}

    return change


def with_a_gap(rows_missing: int) -> Callable[[Trial], None]:
    """A monitor that stood still for a while in the middle."""

    def change(trial: Trial) -> None:
        for role, rows in trial.probe.items():
            middle = len(rows["monotonic_ns"]) // 2
            missing = slice(middle, middle + rows_missing)
            trial.probe[role] = {n: np.delete(column, missing) for n, column in rows.items()}

    return change


OF_THE_MONITOR = ("cpu.mean", "cpu.max", "rss.max", "scheduler.delay", "core.cpu.mean")


@pytest.mark.parametrize("change", [seen_until(0.5), seen_until(0), with_a_gap(9)])
def test_figures_of_a_part_of_the_window_are_void(
    run: SyntheticRun, judge: Judge, change: Callable[[Trial], None]
) -> None:
    cell = judge(spoil(run, "swift", change))
    found = spoken(cell)["unwatched"]
    assert found.verdict is Verdict.WARN
    assert len(found.trials) == len(found.evidence["trials"]) == 2
    assert all(unseen["seconds"] > 0.5 for unseen in found.evidence["trials"].values())
    assert "resource-sanity" not in spoken(cell)
    for name in (*OF_THE_MONITOR, "net.loopback.rx"):
        metric = cell.metrics[name]
        assert metric.value is None, name
        assert metric.unsupported is not None
        assert metric.unsupported.code == "unwatched"
    assert cell.metrics["read.rate"].value is not None


def test_a_look_that_is_late_is_no_gap(run: SyntheticRun, judge: Judge) -> None:
    cell = judge(spoil(run, "swift", with_a_gap(3)))
    assert "unwatched" not in spoken(cell)
    assert all(cell.metrics[name].value is not None for name in OF_THE_MONITOR)


def test_a_trial_that_was_not_seen_whole_is_left_out_of_its_cell(
    run: SyntheticRun, judge: Judge
) -> None:
    trial = run.trial("swift", 1)
    seen_until(0.5)(trial)
    cell = judge(run)
    assert spoken(cell)["unwatched"].trials == [trial.planned.id]
    whole = [value for value in cell.metrics["cpu.mean"].per_trial if value is not None]
    assert len(whole) == len(cell.metrics["cpu.mean"].per_trial) - 1
