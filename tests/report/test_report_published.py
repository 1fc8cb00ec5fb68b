"""``published.toml`` of the suite opcua: complete, consistent, and its defects are true.

The study's own arithmetic is done again here. What agrees proves the transcription; what does
not is one of the defects, and each defect's figures are recomputed.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from report_sample import SUITE
from scipy import stats

from wirelab.report.published import BrokenPublishedError, Published, read_published


@pytest.fixture(scope="module")
def published() -> Published:
    found = read_published(SUITE / "published.toml")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def number(published: Published):
    """A published figure as a number."""

    def of(contender: str, metric: str) -> float:
        return float(published.figures[contender][metric])

    return of


CONTENDERS = ("asyncua", "milo", "opcfoundation")


def test_every_table_is_there(published: Published) -> None:
    assert len(published.conditions) == 11
    assert len(published.summary) == 16
    assert [len(published.figures[c]) for c in CONTENDERS] == [30, 32, 32]
    assert len(published.errors) == 3
    assert all(set(errors.views) == set(CONTENDERS) for errors in published.errors)
    assert set(published.ownership) == {"size", "direct", "licence", "lines", "security"}
    assert len(published.advice) == 5
    assert len(published.limits) == 6
    assert len(published.fields) == 9


@pytest.mark.parametrize("contender", CONTENDERS)
def test_shares_follow_from_their_figures(number, contender: str) -> None:
    assert number(contender, "read.attainment") == pytest.approx(
        number(contender, "read.rate") / 200, abs=0.006
    )
    assert number(contender, "write.attainment") == pytest.approx(
        number(contender, "write.rate") / 2, abs=0.006
    )
    assert number(contender, "read.latency.p95.share") == number(contender, "read.latency.p95")
    assert number(contender, "write.latency.max.share") == pytest.approx(
        number(contender, "write.latency.max") / 10, abs=0.006
    )
    assert number(contender, "tick.drift.p95.share") == pytest.approx(
        number(contender, "tick.drift.p95") / 5 * 100, abs=0.11
    )


def test_stars_stand_at_the_best_published_figure(published: Published, number) -> None:
    starred = {
        row.metric: row.star
        for row in published.summary
        if row.star and not row.metric.startswith("own.")
    }
    assert Counter(starred.values()) == {"opcfoundation": 9, "asyncua": 1, "milo": 1}
    for metric, star in starred.items():
        known = {c: number(c, metric) for c in CONTENDERS if metric in published.figures[c]}
        assert known[star] == min(known.values()), metric


# ------------------------------------------------------------------------------- the defects


def _text(published: Published, identifier: str) -> str:
    return next(defect.text.en for defect in published.defects if defect.id == identifier)


def test_rates_divide_by_one_period_too_few(published: Published, number) -> None:
    for contender in CONTENDERS:
        assert 570 * 2000 / number(contender, "read.rate") == pytest.approx(56.9, abs=0.03)
        assert 57 * 200 / number(contender, "write.rate") == pytest.approx(56.9, abs=0.03)
        assert number(contender, "read.attainment") > 100
    rates = [number(c, "read.rate") for c in CONTENDERS]
    assert max(rates) - min(rates) == pytest.approx(7.33)
    assert "7.33" in _text(published, "rate-fencepost")
    assert "56.9" in _text(published, "rate-fencepost")


def test_write_percentiles_rest_on_few_samples(published: Published) -> None:
    from wirelab.stats.support import needed_samples

    assert 57 * 2 == 114 < needed_samples(95) == 130
    assert needed_samples(99) == 662
    assert all(n in _text(published, "write-tail") for n in ("114", "130", "662"))


def test_headroom_of_java_is_cut_off(number) -> None:
    right = {c: 100 - number(c, "read.latency.p95") for c in CONTENDERS}
    wrong = [
        c for c in CONTENDERS if abs(number(c, "read.latency.p95.headroom") - right[c]) > 0.051
    ]
    assert wrong == ["milo"]


def test_zero_misses_bound_the_ratio_only_so_far(published: Published) -> None:
    bounds = [100 * (1 - 0.05 ** (1 / n)) for n in (1140, 114)]
    assert [f"{bound:.2g}" for bound in bounds] == ["0.26", "2.6"]
    assert f"{100 / 1140:.2f}" == "0.09"
    assert all(f"{bound:.2g} %" in _text(published, "miss-digits") for bound in bounds)


def test_two_trials_say_little_of_a_cv(published: Published, number) -> None:
    factors = sorted((1 / stats.chi2.ppf(tail, 1)) ** 0.5 for tail in (0.025, 0.975))
    assert [f"{factor:.2g}" for factor in factors] == ["0.45", "32"]
    assert number("opcfoundation", "read.cv") / number("milo", "read.cv") == pytest.approx(
        4.7, abs=0.05
    )
    assert "0.45 to 32" in _text(published, "cv-two")
    assert "4.7" in _text(published, "cv-text")


def test_java_leaves_its_machine_two_megabytes(published: Published, number) -> None:
    left = number("milo", "rss.max") - number("milo", "heap.max")
    assert left == pytest.approx(2.19)
    assert number("milo", "rss.start") * 2.7 < 36
    assert "2.19" in _text(published, "java-rss")


def test_growth_is_neither_of_two_differences(published: Published, number) -> None:
    text = _text(published, "rss-growth")
    for contender in CONTENDERS:
        span = number(contender, "rss.max") - number(contender, "rss.start")
        assert f"{span:.2f}" in text
        assert abs(span - number(contender, "rss.growth")) > 0.2
    end = number("milo", "rss.start") + number("milo", "rss.growth")
    assert f"{end:.2f}" in text
    assert end < number("milo", "heap.max")


def test_cpu_figures_are_means_of_two_coarse_readings(published: Published, number) -> None:
    means = {round((a + b) / 2, 3) for a, b in product([n / 10 for n in range(12)], repeat=2)}
    for contender, metric in product(("milo", "opcfoundation"), ("cpu.mean", "cpu.p95")):
        assert number(contender, metric) in means
    python = number("asyncua", "cpu.mean")
    assert (round(python / 0.35), round(python / 0.25)) == (73, 102)
    assert "73 to 102" in _text(published, "cpu-steps")


def test_the_share_of_java_rss_is_cut_off(number) -> None:
    share = 100 * number("milo", "rss.max") / number("opcfoundation", "rss.max")
    assert round(share) == 42
    assert f"{share:.1f}" == "41.5"


def test_gc_figures_are_no_maxima(published: Published, number) -> None:
    assert number("milo", "gc.pause.total") < 62
    assert number("milo", "read.latency.max") == pytest.approx(15.293, abs=0.005)


def test_drift_of_two_contenders_is_printed_alike(published: Published) -> None:
    drifts = [published.figures[c]["tick.drift.p95"] for c in ("milo", "opcfoundation")]
    assert drifts == ["0.46", "0.46"]


def test_the_second_prototype_choice_has_most_lines(published: Published) -> None:
    lines = {c: int(published.ownership["lines"][c].en.split()[0]) for c in CONTENDERS}
    advice = next(a for a in published.advice if a.situation == "productivity")
    assert lines[advice.second] == max(lines.values())


def test_marks_stand_at_the_figures_a_defect_concerns(published: Published) -> None:
    ids = {published.mark_of(d): d.id for d in published.defects}
    assert [ids[m] for m in published.marks("rss.growth", "milo")] == ["java-rss", "rss-growth"]
    assert [ids[m] for m in published.marks("rss.growth", "asyncua")] == ["rss-growth"]
    assert published.marks("read.latency.p50", "milo") == ()


# --------------------------------------------------------------------------------- bad input


def test_a_suite_without_a_study_has_none(tmp_path: Path) -> None:
    assert read_published(tmp_path / "published.toml") is None


_HEAD = "title = 'x'\nmachine = 'x'\n[contenders]\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = ", "Invalid value"),
        (_HEAD + "[typo]\n", "typo"),
        (_HEAD + "[figures.who]\na = '1'\n", "who"),
        (
            _HEAD + "[figures.who]\na = 'ten'\n",
            "figures.who.a",
        ),
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "published.toml"
    path.write_text(text)
    with pytest.raises(BrokenPublishedError, match=said) as raised:
        read_published(path)
    assert str(path) in str(raised.value)
