"""Trials that the host took, and those that make up for them: what counts, and what is said."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from rich.console import Console

from cells.conftest import ResultOf
from synthetic import Client, SyntheticRun, Trial, load_run
from synthetic.neighbour import quiet_host
from wirelab.gates.wording import title_of
from wirelab.model.make_up import MakeUp
from wirelab.model.planned import PlannedTrial
from wirelab.model.result import Cell, Result, Verdict
from wirelab.model.run import Run
from wirelab.report import terminal, write
from wirelab.stats.ratio import ratio
from wirelab.stats.taken import chances_of_so_many, takes_more
from wirelab.words.translation import words

GATE = "lost-trials"
MEDIAN = "read.latency.p50"
HIGH = "read.latency.p95"
NAMES = ("first", "second", "third")

Analysed = Callable[[SyntheticRun], Result]
Chosen = Callable[[PlannedTrial], bool]


@pytest.fixture
def analysed(result_of: ResultOf) -> Analysed:
    """The result of a run, analysed from the command line."""

    def of(run: SyntheticRun) -> Result:
        return result_of(run)

    return of


def run_of(blocks: int, lost: Chosen, *, count: int = 100) -> SyntheticRun:
    """Equal contenders in so many blocks that count; the host takes those that are ``lost``."""
    clients = {name: Client(spread=0.05, trial_spread=0.003) for name in NAMES}
    run = quiet_host(load_run(clients, trials=blocks + 1, count=count, warmup=5))
    for trial in run.trials:
        taken = lost(trial.planned)
        trial.record.update(disturbed=0.7 if taken else 0.02, lost=taken)
        if taken:
            later(trial, 3.0)
    return run


def later(trial: Trial, times: float) -> None:
    """Let all operations take so many times as long."""
    start, end = trial.samples["start_ns"], trial.samples["end_ns"]
    trial.columns(end_ns=start + ((end - start) * times).astype("int64"))


def replanned(run: SyntheticRun, changed: Iterable[tuple[Trial, PlannedTrial]]) -> SyntheticRun:
    """The run with other plans of some trials; those without one are as they were."""
    plans = {trial.planned.id: planned for trial, planned in changed}
    for trial in run.trials:
        trial.planned = plans.get(trial.planned.id, trial.planned)
    kept = {trial.planned.id: trial.planned for trial in run.trials}
    plan = [kept[planned.id] for planned in run.run.plan if planned.id in kept]
    update = {"plan": plan, "make_up": MakeUp(at_most_ns=3600 * 10**9)}
    run.run = Run.model_validate(run.run.model_copy(update=update).model_dump())
    return run


def made_up(run: SyntheticRun, contender: str, lost_block: int, by_block: int) -> SyntheticRun:
    """Let the trials of a block make up for one that was lost, beside the first contender."""
    block = [t for t in run.trials if t.planned.block == by_block]
    company = [t for t in block if t.planned.contender in (contender, NAMES[0])]
    run.trials = [t for t in run.trials if t not in block or t in company]
    lost = next(t.planned for t in run.of(contender) if t.planned.block == lost_block)
    return replanned(
        run,
        (
            (
                trial,
                trial.planned.model_copy(
                    update={
                        "make_up": True,
                        "repeats": lost.id if trial.planned.contender == contender else "",
                    }
                ),
            )
            for trial in company
        ),
    )


def cell_of(result: Result, contender: str) -> Cell:
    return next(cell for cell in result.cells if cell.contender == contender)


def figure(cell: Cell) -> float:
    value = cell.metrics[HIGH].value
    assert value is not None
    return value


def taken_from_second(planned: PlannedTrial) -> bool:
    return planned.contender == "second" and planned.block == 2


def test_a_lost_trial_counts_until_another_makes_up_for_it(analysed: Analysed) -> None:
    quiet = figure(cell_of(analysed(run_of(4, lambda _: False)), "second"))
    lost = cell_of(analysed(replanned(run_of(4, taken_from_second), ())), "second")
    assert len(lost.trials) == 4
    result = analysed(made_up(run_of(5, taken_from_second), "second", 2, 5))
    again = cell_of(result, "second")
    assert figure(lost) > 1.2 * quiet
    assert figure(again) == pytest.approx(quiet, rel=0.05)
    assert len(again.trials) == 4
    (gone,) = (t for t, why in again.other_trials.items() if why == "lost-to-the-host")
    assert gone not in again.trials
    # The one beside it is a trial of its own like any other, and the lost one failed nothing.
    assert len(cell_of(result, "first").trials) == 5
    assert {finding.gate for finding in again.findings} & {GATE, "trial-failed"} == {GATE}
    assert {finding.verdict for finding in again.findings if finding.gate == GATE} == {
        Verdict.VALID
    }


def test_pairs_are_of_the_block_that_makes_up(analysed: Analysed) -> None:
    result = analysed(made_up(run_of(7, taken_from_second), "second", 2, 7))
    first, second, third = (cell_of(result, name).metrics[MEDIAN] for name in NAMES)
    assert first.by_block is not None
    assert second.by_block is not None
    assert set(second.by_block.values[1]) == {1, 3, 4, 5, 6, 7}
    assert set(first.by_block.values[1]) == {1, 2, 3, 4, 5, 6, 7}
    within = ratio(second, first)
    assert within is not None
    assert within.low < 1 < within.high
    assert ratio(third, first) is not None


def test_who_was_lost_again_counts_with_what_is_left(analysed: Analysed) -> None:
    def lost(planned: PlannedTrial) -> bool:
        return planned.contender == "second" and planned.block in (2, 5)

    result = analysed(made_up(run_of(5, lost), "second", 2, 5))
    cell = cell_of(result, "second")
    assert len(cell.trials) == 5
    assert "lost-to-the-host" not in cell.other_trials.values()
    (entry,) = (one for one in result.lost if one.contender == "second")
    assert (entry.trials, entry.lost, entry.set_aside) == (5, 2, 0)
    # There is an hour for it, and nothing has made up for the last one.
    assert not result.complete


def test_a_trial_that_fails_makes_up_for_nothing(analysed: Analysed) -> None:
    run = made_up(run_of(5, taken_from_second), "second", 2, 5)
    again = next(t for t in run.of("second") if t.planned.repeats)
    again.record.update(status="failed", reason="exited", detail="client ended with 1")
    cell = cell_of(analysed(run), "second")
    assert len(cell.trials) == 4
    assert "lost-to-the-host" not in cell.other_trials.values()
    assert "trial-failed" in {finding.gate for finding in cell.findings}


def test_a_wrong_answer_of_a_lost_trial_stays_one(analysed: Analysed) -> None:
    run = made_up(run_of(5, taken_from_second), "second", 2, 5)
    lost = next(t for t in run.of("second") if t.record["lost"])
    lost.record["wrong_answers"] = ["read at tick 7: 3 instead of 4"]
    cell = cell_of(analysed(run), "second")
    assert cell.verdict is Verdict.INVALID
    assert cell.metrics[MEDIAN].value is None


def test_a_contender_whose_trials_always_meet_others_is_told_of(
    analysed: Analysed, tmp_path: Path
) -> None:
    """Records written by hand: whatever attracts the host, it is at one contender's trials."""
    result = analysed(replanned(run_of(6, lambda t: t.contender == "second" and t.included), ()))
    lost = {one.contender: one for one in result.lost}
    assert {name for name, one in lost.items() if one.more_often} == {"second"}
    assert lost["second"].chance == pytest.approx((1 / 3) ** 6)
    findings = {
        cell.contender: [one.verdict for one in cell.findings if one.gate == GATE]
        for cell in result.cells
    }
    assert findings == {"first": [], "second": [Verdict.WARN], "third": []}
    for language, expected in (
        ("en", "second (Python): more trials were lost than of the others"),
        ("ko", "second (Python): 같은 블록의 다른 대상보다 회차를 더 많이 잃었습니다"),
    ):
        for page in write(tmp_path / "run-0", language, ["md", "html"]):
            shown = page.read_text("utf-8")
            assert expected in shown
            assert title_of(GATE, words(language)) in shown
        console = Console(file=io.StringIO(), width=250)
        terminal.outcome(result, console, language)
        assert expected in console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("n", "expected"), [(7, "; 1 more contender."), (8, "; 2 more contenders.")]
)
def test_of_many_that_lost_trials_the_rest_is_counted(
    analysed: Analysed, n: int, expected: str
) -> None:
    result = analysed(run_of(3, lambda trial: trial.included))
    many = result.model_copy(update={"lost": [result.lost[0]] * n})
    console = Console(file=io.StringIO(), width=400)
    terminal.outcome(many, console, "en")
    assert expected in console.file.getvalue()  # type: ignore[attr-defined]


def test_a_host_that_takes_somebody_in_turn_is_no_bias(analysed: Analysed) -> None:
    run = replanned(run_of(6, lambda t: t.contender == NAMES[t.block % 3] and t.included), ())
    result = analysed(run)
    assert [one.lost for one in result.lost] == [2, 2, 2]
    assert not any(one.more_often for one in result.lost)


def test_blocks_that_were_lost_altogether_tell_nothing() -> None:
    everybody = dict.fromkeys(NAMES, True)
    chances = chances_of_so_many([everybody] * 20)
    assert chances == dict.fromkeys(NAMES, 1.0)
    assert takes_more(chances) == set()


def test_a_run_without_lost_trials_says_nothing_of_them(analysed: Analysed, tmp_path: Path) -> None:
    result = analysed(run_of(3, lambda _: False))
    assert result.lost == []
    (page,) = write(tmp_path / "run-0", "en", ["md"])
    assert "ost to the host" not in page.read_text("utf-8")
    assert json.loads((tmp_path / "run-0/result.json").read_text("utf-8"))["lost"] == []
