"""The messaging study's figures 1 and 2: lines of a mesh and of hubs over applications."""

from __future__ import annotations

import pytest
from messaging_sample import SUITE, changed, sample, without
from messaging_text import context_of, own, section

from wirelab.model.result import Cell, Result
from wirelab.report.document import Chart, words_of
from wirelab.report.sources import composer

FIGURES = {"en": "Figures 1 and 2: ", "ko": "그림 1과 2: "}


def with_mesh() -> Result:
    """The sample, of which RMI is a mesh and has applications besides sockets."""
    found = sample()
    rmi = found.participants["rmi"]
    manifest = rmi.manifest.model_copy(update={"mode": "mesh"})
    mesh = rmi.model_copy(update={"manifest": manifest})
    own = [cell for cell in found.cells if cell.scenario == "applications"]
    cells = [
        *found.cells,
        *(
            cell.model_copy(
                update={
                    "id": cell.id.replace("socket", "rmi"),
                    "contender": "rmi",
                    "mode": "mesh",
                }
            )
            for cell in own
        ),
    ]
    return found.model_copy(
        update={"cells": cells, "participants": {**found.participants, "rmi": mesh}}
    )


def drawn(found: Result, language: str = "en") -> dict[str, Chart]:
    """Charts of the figures by what follows their number in the title."""
    start = FIGURES[language]
    whole = composer("messaging", SUITE)(context_of(found, language))
    return {
        block.title.removeprefix(start): block
        for section in whole.sections
        for block in section.blocks
        if isinstance(block, Chart) and block.title.startswith(start)
    }


def lines_of(chart: Chart, panel: int = 0) -> dict[str, list[tuple[float, float]]]:
    """Points of each line of a panel."""
    found: dict[str, list[tuple[float, float]]] = {}
    for row in chart.panels[panel].spec["datasets"]["points"]:
        found.setdefault(row["who"], []).append((row["x"], row["y"]))
    return found


@pytest.mark.parametrize(
    ("language", "title", "mesh", "hub", "figure"),
    [
        ("en", "connections by number of applications", "mesh", "hub", "the study's figure 1"),
        ("ko", "애플리케이션 수에 따른 연결 수", "메시", "허브", "그림 1의 메시"),
    ],
)
def test_connections_are_a_line_for_the_mesh_and_one_for_the_hub(
    language: str, title: str, mesh: str, hub: str, figure: str
) -> None:
    chart = drawn(sample(), language)[title]
    assert lines_of(chart) == {mesh: [(2, 1), (8, 28)], hub: [(2, 2), (8, 8)]}
    assert [item.label for item in chart.legend] == [mesh, hub]
    assert figure in words_of(chart.caption)


@pytest.mark.parametrize(
    ("language", "title", "panel", "axis"),
    [
        (
            "en",
            "memory of all processes by number of applications",
            "mesh beside direct",
            "by applications,",
        ),
        ("ko", "애플리케이션 수에 따른 전체 프로세스 메모리", "메시와 직접", "애플리케이션 수"),
    ],
)
def test_a_mesh_and_a_hub_share_a_panel_with_the_memory_of_all_their_processes(
    language: str, title: str, panel: str, axis: str
) -> None:
    chart = drawn(with_mesh(), language)[title]
    assert [one.title for one in chart.panels] == [panel]
    assert axis in chart.panels[0].description
    # 80 and 100 MB, and one more of both for each application.
    memory = [(2, 184), (8, 196)]
    assert lines_of(chart) == {"rmi": memory, "socket": memory}


@pytest.mark.parametrize(
    ("language", "title", "row"),
    [
        ("en", "memory of one more application by number of applications", "application, MB"),
        ("ko", "애플리케이션 수에 따른, 하나를 추가할 때 늘어나는 메모리", "늘어나는 메모리(MB)"),
    ],
)
def test_one_more_application_costs_what_a_step_has_more_than_the_one_before_it(
    language: str, title: str, row: str
) -> None:
    # 12 MB more for six applications more.
    assert lines_of(drawn(with_mesh(), language)[title]) == {"rmi": [(8, 2)], "socket": [(8, 2)]}
    told = section(own(sample(), language), "applications")
    [costs] = [line for line in told.splitlines() if row in line]
    assert costs.endswith(f"{row} | – | 2.0 |")


def test_memory_that_shrinks_is_shown_as_less_than_nothing() -> None:
    def given_back(cell: Cell) -> Cell:
        if cell.step != "a8":
            return cell
        less = cell.metrics["rss.max"].model_copy(update={"value": 70.0, "interval": None})
        return cell.model_copy(update={"metrics": {**cell.metrics, "rss.max": less}})

    title = "memory of one more application by number of applications"
    chart = drawn(changed(sample(), given_back))[title]
    [(place, value)] = lines_of(chart)["socket"]
    assert (place, value) == (8, pytest.approx((178 - 184) / 6))
    [axis] = [layer["encoding"]["y"] for layer in chart.panels[0].spec["layer"]][:1]
    assert axis["scale"]["domain"] == [pytest.approx(-1), 0]


def test_a_mesh_alone_has_a_panel_of_its_own() -> None:
    chart = drawn(_meshes_only())["memory of all processes by number of applications"]
    assert [panel.title for panel in chart.panels] == ["mesh"]
    assert set(lines_of(chart)) == {"rmi"}


def _meshes_only() -> Result:
    found = with_mesh()
    kept = [c for c in found.cells if (c.scenario, c.contender) != ("applications", "socket")]
    return found.model_copy(update={"cells": kept})


def test_memory_of_one_side_alone_is_not_drawn_as_that_of_all() -> None:
    def no_server(cell: Cell) -> Cell:
        kept = {name: m for name, m in cell.metrics.items() if name != "server.rss.max"}
        return cell.model_copy(update={"metrics": kept})

    assert set(drawn(changed(sample(), no_server))) == {
        "connections by number of applications",
        "one more application by number of applications",
    }
    assert drawn(without(sample(), step=["a8"])).keys() == set()
